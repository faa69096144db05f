import { assertEquals } from "@std/assert";
import { parseSize } from "../../../src/core/size.ts";

Deno.test("parseSize() reads units of 1024 and plain bytes", async (t) => {
  const table: readonly (readonly [string, number | undefined])[] = [
    ["0", 0],
    ["1048576", 1_048_576],
    ["10B", 10],
    ["10 bytes", 10],
    ["1KB", 1024],
    ["500MB", 524_288_000],
    ["500mb", 524_288_000],
    [" 1.5 GB ", 1_610_612_736],
    ["2TB", 2_199_023_255_552],
    ["0.0005KB", 0],
    ["", undefined],
    ["MB", undefined],
    ["-1", undefined],
    ["1e9", undefined],
    ["5 apples", undefined],
    ["500MB each", undefined],
    ["1,5GB", undefined],
    ["999999999999999TB", undefined],
  ];
  for (const [text, bytes] of table) await t.step(text, () => assertEquals(parseSize(text), bytes));
});
