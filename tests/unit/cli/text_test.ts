import { assertEquals } from "@std/assert";
import { cutTo, padTo, safeLine, safeText, widthOf, wrap } from "../../../src/cli/text.ts";

Deno.test("safeText() shows control characters as pictures and keeps line ends and tabs", () => {
  assertEquals(safeText("a\x1b[31mred\x07\0\x7f\x9b2J\tb\r\nc\rd"), "a␛[31mred␇␀␡\ufffd2J\tb\nc␍d");
  assertEquals(safeText("ordinary – żółw 漢字 👍🏽"), "ordinary – żółw 漢字 👍🏽");
});

Deno.test("safeLine() makes one line of several", () => {
  assertEquals(safeLine("  a\n\tb\x1b c  "), "a b␛ c");
});

Deno.test("widthOf() counts columns, not characters", () => {
  for (
    const [text, columns] of [
      ["", 0],
      ["gemini", 6],
      ["漢字", 4],
      ["한국어", 6],
      ["ＡＢ", 4],
      ["e\u0301", 1],
      ["\u200b", 0],
      ["👍🏽", 2],
      ["👩‍👩‍👧", 2],
      ["✓✗●◐○·–…", 8],
      ["⠹", 1],
      ["тест", 4],
      ["✔️", 2],
    ] as const
  ) assertEquals(widthOf(text), columns, JSON.stringify(text));
});

Deno.test("cutTo() never exceeds the columns and never halves a wide character", () => {
  assertEquals(cutTo("gemini", 6), "gemini");
  assertEquals(cutTo("gemini-flash", 7), "gemini…");
  assertEquals(cutTo("漢字漢字", 6), "漢字…");
  assertEquals(cutTo("漢字漢字", 4), "漢…");
  assertEquals(cutTo("abc", 1), "…");
  assertEquals(cutTo("abc", 0), "");
});

Deno.test("padTo() fills by columns", () => {
  assertEquals(padTo("漢", 4), "漢  ");
  assertEquals(padTo("7", 3, "right"), "  7");
  assertEquals(padTo("long", 2), "long");
});

Deno.test("wrap() breaks at spaces and leaves a long word whole", () => {
  assertEquals(wrap("one two three", 7), ["one two", "three"]);
  assertEquals(wrap("a verylongword b", 6), ["a", "verylongword", "b"]);
});
