import { assert, assertEquals } from "@std/assert";
import { cutUtf8, headAndTail, utf8Size } from "../../../src/core/page.ts";

const CHARACTERS = ["a", "\n", "é", "ạ", "漢", "€", "😀", "𝒳", "🇻🇳", "e\u0301"];

function textOf(seed: number, length: number): string {
  let state = seed;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  return Array.from({ length }, () => CHARACTERS[Math.floor(next() * CHARACTERS.length)]).join("");
}

const size = (text: string) => new TextEncoder().encode(text).length;

Deno.test("cutUtf8() [F-ORIG-5] never damages a character, whatever the cut", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const text = textOf(seed, 25);
    for (let max = 1; max <= size(text) + 2; max++) {
      const { text: page } = cutUtf8(text, max);
      assert(!page.includes("\ufffd") && page.isWellFormed(), `${seed}/${max}`);
      assert(text.startsWith(page));
      assert(size(page) <= max || [...page].length === 1);
    }
  }
});

Deno.test("cutUtf8() gives pages that are the text again when put together", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const text = textOf(seed, 60);
    for (const max of [1, 2, 3, 5, 7, 64]) {
      let whole = "";
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const page = cutUtf8(text, max, offset);
        assertEquals(page.sizeBytes, size(text));
        whole += page.text;
        offset = page.nextOffset;
      }
      assertEquals(whole, text);
    }
  }
});

Deno.test("cutUtf8() moves an offset inside a character back to its border", () => {
  for (const offset of [1, 2, 3, 4]) {
    assertEquals(cutUtf8("a😀b", 100, offset).text, "😀b");
  }
  assertEquals(cutUtf8("a😀b", 100, 5).text, "b");
});

Deno.test("cutUtf8() gives an empty page past the end, and nothing for a size of 0", () => {
  assertEquals(cutUtf8("héllo", 10, 99), { text: "", sizeBytes: 6, nextOffset: undefined });
  assertEquals(cutUtf8("héllo", 0, 2), { text: "", sizeBytes: 6, nextOffset: 1 });
  assertEquals(cutUtf8("", 10), { text: "", sizeBytes: 0, nextOffset: undefined });
});

Deno.test("cutUtf8() gets on when one character is larger than the page", () => {
  assertEquals(cutUtf8("😀😀", 1), { text: "😀", sizeBytes: 8, nextOffset: 4 });
});

Deno.test("cutUtf8() keeps half a surrogate pair as it is", () => {
  assertEquals(cutUtf8("a\ud83db", 4), { text: "a\ud83d", sizeBytes: 5, nextOffset: 4 });
});

Deno.test("headAndTail() stays inside its limit and keeps both ends whole", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const text = textOf(seed, 300);
    for (let max = 4; max < size(text); max += 13) {
      const cut = headAndTail(text, max);
      assert(size(cut) <= max, `${size(cut)} > ${max}`);
      assert(cut.isWellFormed() && !cut.includes("\ufffd"));
      const [head, tail] = cut.split(/\n… \d+ bytes left out …\n/);
      assert(text.startsWith(head!) && text.endsWith(tail ?? ""));
    }
  }
});

Deno.test("headAndTail() says how much is missing, and leaves a short text alone", () => {
  assertEquals(headAndTail("short", 5), "short");
  const cut = headAndTail("x".repeat(1000), 100);
  const missing = Number(/… (\d+) bytes/.exec(cut)![1]);
  assertEquals(cut.replace(/\n….*…\n/, "").length + missing, 1000);
});

Deno.test("utf8Size() agrees with the encoder", () => {
  for (let seed = 1; seed <= 40; seed++) assertEquals(utf8Size(textOf(seed, 50)), size(textOf(seed, 50)));
});
