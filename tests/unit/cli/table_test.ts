import { assert, assertEquals } from "@std/assert";
import { showTable } from "../../../src/cli/table.ts";
import { widthOf } from "../../../src/cli/text.ts";

const look = { columns: 80, colour: false, nowMs: 0 };

Deno.test("showTable() aligns by columns on the screen, numbers at the right", () => {
  const columns = [{ title: "NAME" }, { title: "N", align: "right" as const }, { title: "X" }];
  assertEquals(showTable(columns, [["漢字", "7", "a"], ["b", "312", "c"]], look), [
    "NAME    N  X",
    "漢字    7  a",
    "b     312  c",
  ]);
});

Deno.test("showTable() cuts the widest flexible column until the table fits", () => {
  const columns = [{ title: "A" }, { title: "B", flexible: true }, { title: "C", flexible: true }];
  const lines = showTable(columns, [["fixed", "b".repeat(100), "c".repeat(30)]], look);
  assert(lines.every((line) => widthOf(line) <= 80), lines.join("\n"));
  assertEquals(lines[1]!.startsWith("fixed  bbbb"), true);
});

Deno.test("showTable() keeps a cell on its line and harmless", () => {
  assertEquals(showTable([{ title: "" }], [["a\nb\x1b[2J"]], look), ["a b␛[2J"]);
});

Deno.test("showTable() colours a cell only when colour is wanted", () => {
  const rows = [[{ text: "ok", tone: "green" as const }, "x"]];
  const columns = [{ title: "" }, { title: "" }];
  assertEquals(showTable(columns, rows, look), ["ok  x"]);
  assertEquals(showTable(columns, rows, { ...look, colour: true }), ["\x1b[32mok\x1b[0m  x"]);
});

Deno.test("showTable() lets the last cell of a short row run on, and only that", () => {
  const columns = [{ title: "A" }, { title: "B", flexible: true }, { title: "C" }];
  const rows = [["a", "b", "c"], ["x", "no key: set SOME_VARIABLE"], ["y", "z".repeat(100)]];
  assertEquals(showTable(columns, rows, look), [
    "A  B  C",
    "a  b  c",
    "x  no key: set SOME_VARIABLE",
    `y  ${"z".repeat(76)}…`,
  ]);
});
