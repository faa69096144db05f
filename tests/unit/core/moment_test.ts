import { assertEquals } from "@std/assert";
import { parseMoment } from "../../../src/core/moment.ts";

const NOW = Date.parse("2026-08-15T12:00:00Z");

Deno.test("parseMoment() reads dates, times and spans", async (t) => {
  const table: readonly (readonly [string, string])[] = [
    ["2026-08-01", "2026-08-01T00:00:00.000Z"],
    ["2026-08-01T00:00:00Z", "2026-08-01T00:00:00.000Z"],
    ["2026-08-15T23:59:59.5Z", "2026-08-15T23:59:59.500Z"],
    ["2026-08-01T12:30", "2026-08-01T12:30:00.000Z"],
    ["2026-08-01 12:30:15", "2026-08-01T12:30:15.000Z"],
    ["2026-08-01T12:00:00+07:00", "2026-08-01T05:00:00.000Z"],
    ["2026-08-01T12:00:00-0330", "2026-08-01T15:30:00.000Z"],
    [" 7d ", "2026-08-08T12:00:00.000Z"],
    ["24h", "2026-08-14T12:00:00.000Z"],
    ["30m", "2026-08-15T11:30:00.000Z"],
    ["2W", "2026-08-01T12:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ];
  for (const [text, iso] of table) {
    await t.step(text, () => assertEquals(new Date(parseMoment(text, NOW)!).toISOString(), iso));
  }
});

Deno.test("parseMoment() takes the end of a day where that is meant, and only of a bare day", () => {
  const end = (text: string) => new Date(parseMoment(text, NOW, { endOfDay: true })!).toISOString();
  assertEquals(end("2026-08-15"), "2026-08-15T23:59:59.999Z");
  assertEquals(end("2026-08-15T10:00:00Z"), "2026-08-15T10:00:00.000Z");
  assertEquals(end("1d"), "2026-08-14T12:00:00.000Z");
});

Deno.test("parseMoment() refuses what is no moment", async (t) => {
  const bad = [
    "",
    "yesterday",
    "2026-13-01",
    "2026-02-30",
    "2025-02-29",
    "2026-8-1",
    "2026-08-01T25:00:00Z",
    "7",
    "d",
    "-7d",
  ];
  for (const text of bad) {
    await t.step(JSON.stringify(text), () => assertEquals(parseMoment(text, NOW), undefined));
  }
});
