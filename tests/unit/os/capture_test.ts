import { assert, assertEquals } from "@std/assert";
import { Capture } from "../../../src/os/capture.ts";

const HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 8 * 1024;

/** A stream of numbered lines in chunks of one size, and its whole text. */
function numbered(sizeBytes: number, chunkBytes: number) {
  const line = (n: number) => `${String(n).padStart(15, "0")}\n`;
  const text = Array.from({ length: Math.ceil(sizeBytes / 16) }, (_, n) => line(n)).join("").slice(
    0,
    sizeBytes,
  );
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller: ReadableByteStreamController) {
      if (at >= bytes.length) {
        controller.close();
        controller.byobRequest?.respond(0);
      } else controller.enqueue(bytes.slice(at, at += chunkBytes));
    },
  });
  return { stream, text };
}

for (const chunkBytes of [500, 5000, TAIL_BYTES - 1, TAIL_BYTES, TAIL_BYTES + 1, 70_000]) {
  Deno.test(`Capture keeps head and tail of a long stream in chunks of ${chunkBytes} bytes`, async () => {
    const { stream, text } = numbered(HEAD_BYTES + 30_001, chunkBytes);
    const capture = new Capture(stream, {});
    await capture.done;
    const seen = capture.seen();
    assertEquals([seen.sizeBytes, seen.cut, seen.text.length], [text.length, true, HEAD_BYTES]);
    assertEquals(seen.tail, text.slice(-TAIL_BYTES));
  });
}

Deno.test("Capture keeps a tail that is shorter than its bound from the end of the head on", async () => {
  const { stream, text } = numbered(HEAD_BYTES + 700, 300);
  const capture = new Capture(stream, {});
  await capture.done;
  assertEquals(capture.seen().tail, text.slice(HEAD_BYTES));
});

Deno.test("[P5] a key at an edge of the log is not torn into the open", async () => {
  const folder = await Deno.makeTempDir();
  const key = "sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef";
  const texts = [
    `${"x".repeat(1024 * 1024 - 20)}${key} end\n`,
    `${"y ".repeat(64 * 1024)}${"z".repeat(1024 * 1024)} ${"w ".repeat(40_000)}${key} end`,
  ];
  for (const [at, text] of texts.entries()) {
    const spillPath = `${folder}/${at}.log`;
    const capture = new Capture(new Blob([text]).stream(), { spillPath });
    await capture.done;
    const log = await Deno.readTextFile(spillPath);
    assert(!/[0-9a-f]{16}/.test(log), log.slice(0, 200));
    assert(log.endsWith("end") || log.endsWith("end\n"));
  }
  await Deno.remove(folder, { recursive: true });
});
