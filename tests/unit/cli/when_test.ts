import { assertEquals } from "@std/assert";
import {
  momentOf,
  showAbout,
  showAge,
  showCount,
  showElapsed,
  showMoment,
  showMoney,
  showShare,
  showSize,
  showSpan,
  showUntil,
} from "../../../src/cli/when.ts";

const NOW = new Date(2026, 7, 11, 13, 53, 10).getTime();

Deno.test("showSpan() keeps the digits that matter", () => {
  for (
    const [ms, text] of [
      [0, "0 ms"],
      [850, "850 ms"],
      [8_100, "8.1 s"],
      [14_200, "14.2 s"],
      [12_000, "12 s"],
      [41_300, "41 s"],
      [99_940, "100 s"],
      [120_000, "2 min"],
      [7_200_000, "2 h"],
    ] as const
  ) assertEquals(showSpan(ms), text);
});

Deno.test("showElapsed() counts whole seconds", () => {
  assertEquals([0, 999, 59_999, 125_000].map(showElapsed), ["0 s", "0 s", "59 s", "2 min 5 s"]);
});

Deno.test("showAge() says minutes, hours, days", () => {
  assertEquals([10_000, 720_000, 7_200_000, 86_400_000, 3 * 86_400_000].map(showAge), [
    "1 min",
    "12 min",
    "2 h",
    "24 h",
    "3 d",
  ]);
});

Deno.test("showUntil() says the local time and how long it is until then", () => {
  assertEquals(showUntil(new Date(2026, 7, 11, 14, 5).getTime(), NOW), "until 14:05 (in 12 min)");
  assertEquals(showUntil(new Date(2026, 7, 12, 0, 5).getTime(), NOW), "until Wed 00:05 (in 10 h)");
  assertEquals(showUntil(new Date(2026, 7, 11, 13, 0).getTime(), NOW), "until 13:00");
});

Deno.test("showMoment() names the day when it is another, and the date when it is far or past", () => {
  assertEquals(showMoment(NOW, NOW), "13:53");
  assertEquals(showMoment(new Date(2026, 7, 30, 9, 5).getTime(), NOW), "2026-08-30 09:05");
  assertEquals(showMoment(new Date(2026, 7, 10, 9, 5).getTime(), NOW), "2026-08-10 09:05");
  assertEquals(showMoment(new Date(2025, 7, 11, 13, 53).getTime(), NOW), "2025-08-11 13:53");
});

Deno.test("momentOf() takes times and nothing else", () => {
  assertEquals(momentOf("1970-01-01T00:00:01Z"), 1000);
  assertEquals([null, undefined, "soon", 12].map(momentOf), [undefined, undefined, undefined, undefined]);
});

Deno.test("showCount() marks thousands and says – for unknown, never 0", () => {
  assertEquals([1243, 0, null, undefined].map(showCount), ["1,243", "0", "–", "–"]);
});

Deno.test("showAbout() rounds large counts", () => {
  assertEquals([312, 9_999, 412_345, 3_100_000, 999_999, null].map(showAbout), [
    "312",
    "9,999",
    "412 k",
    "3.1 M",
    "1 M",
    "–",
  ]);
});

Deno.test("showMoney() shows a small sum with more digits", () => {
  assertEquals([0, 1.5, 0.0012].map(showMoney), ["$0.00", "$1.50", "$0.0012"]);
});

Deno.test("showSize() picks the unit", () => {
  assertEquals([812, 8192, 1_363_149, 2_254_857_830].map(showSize), [
    "812 bytes",
    "8.0 KB",
    "1.3 MB",
    "2.1 GB",
  ]);
});

Deno.test("showShare() is never rounded to all or none", () => {
  assertEquals([0, 0.001, 0.94, 0.999, 1].map(showShare), ["0 %", "1 %", "94 %", "99 %", "100 %"]);
});
