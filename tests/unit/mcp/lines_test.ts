import { assertEquals } from "@std/assert";
import { type Line, LineReader } from "../../../src/mcp/lines.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function readAll(text: string, size: number, maxBytes?: number): Line[] {
  const reader = new LineReader(maxBytes);
  const all = bytes(text);
  const lines: Line[] = [];
  for (let at = 0; at < all.length; at += size) lines.push(...reader.read(all.subarray(at, at + size)));
  return lines;
}

Deno.test("LineReader gives the same messages for every way to cut the bytes", () => {
  const text = '{"a":"ä日👩‍🚀"}\r\n\n{"b":2}\nnonsense\n3\n{"unfinished"';
  const expected: Line[] = [{ a: "ä日👩‍🚀" }, { b: 2 }, 3].map((value) => ({ kind: "message", value }));
  for (let size = 1; size <= bytes(text).length; size++) assertEquals(readAll(text, size), expected);
});

Deno.test("LineReader keeps no hold of the chunk that it was given", () => {
  const reader = new LineReader();
  const chunk = bytes('{"a":');
  reader.read(chunk);
  chunk.fill(0);
  assertEquals(reader.read(bytes("1}\n")), [{ kind: "message", value: { a: 1 } }]);
});

const filler = "x".repeat(5000);
const TOO_LONG = [
  { line: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"p":"${filler}"}}`, id: 7 },
  { line: `{"jsonrpc":"2.0","method":"tools/call","id":"a\\"b","params":{"p":"${filler}"}}`, id: 'a"b' },
  { line: `{"method":"tools/call","params":{"p":"${filler}"},"jsonrpc":"2.0","id":0}`, id: 0 },
  { line: `{"method":"tools/call","params":{"p":"${filler}"},"id":9,"jsonrpc":"2.0"}`, id: 9 },
  { line: `{"method":"tools/call","params":{"p":"${filler}","id":3}}`, id: undefined },
  { line: `{"params":{"id":3,"p":"${filler}"},"method":"x"}`, id: undefined },
];

for (const { line, id } of TOO_LONG) {
  Deno.test(`LineReader passes over a line over the limit and finds the id ${id} of ${line.slice(0, 40)}…`, () => {
    for (const size of [1, 100, 100_000]) {
      assertEquals(readAll(`${line}\n{"b":2}\n`, size, 2000), [
        { kind: "too_long", id },
        { kind: "message", value: { b: 2 } },
      ]);
    }
  });
}
