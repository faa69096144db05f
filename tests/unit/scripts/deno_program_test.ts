// Is a compiled program taken apart at the right places?
import { assertEquals, assertThrows } from "@std/assert";
import { programModules, programRuntime } from "../../../scripts/deno_program.ts";
import { Refusal } from "../../../scripts/npm_package.ts";

const bytes = (text: string): number[] => Array.from(new TextEncoder().encode(text));
const little = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_none, at) => at < 4 ? value >> (8 * at) & 255 : 0);
const sized = (text: string, size: number): number[] => [...little(bytes(text).length, size), ...bytes(text)];

const RUNTIME = bytes("the runtime");
const PAYLOAD = [
  ...bytes("d3n0l4nd"),
  ...sized("{}", 8),
  ...sized("npm", 8),
  ...little(2, 4),
  ...sized("https://one/a.ts", 4),
  ...little(7, 4),
  ...sized("https://one/b.ts", 4),
  ...little(9, 4),
  ...little(1, 4),
  ...little(0, 8),
  ...little(2, 4),
  // The first has a blob more than its source, as its flags say.
  ...little(7, 4),
  0,
  ...sized("first é", 4),
  3,
  ...sized("a source map", 4),
  ...little(9, 4),
  0,
  ...sized("second", 4),
  1,
  ...bytes("d3n0l4nd"),
];
const TRAILER = [0x1e, 0x50, 0, 0, 1, 2, 3, 4, ...little(PAYLOAD.length + 16, 8)];
const PROGRAM = new Uint8Array([...RUNTIME, ...PAYLOAD, ...TRAILER]);

Deno.test("programRuntime() gives back what stood before the payload", () => {
  assertEquals(Array.from(programRuntime(PROGRAM)), RUNTIME);
});

Deno.test("programModules() reads every module, past blobs that it does not need", () => {
  assertEquals([...programModules(PROGRAM)], [["https://one/a.ts", "first é"], [
    "https://one/b.ts",
    "second",
  ]]);
});

Deno.test("programRuntime() refuses what is no compiled program", () => {
  assertThrows(() => programRuntime(new Uint8Array(64)), Refusal, "Cannot read the program");
  const short = PROGRAM.slice(RUNTIME.length + 1);
  assertThrows(() => programRuntime(short), Refusal, "Cannot read the program");
});
