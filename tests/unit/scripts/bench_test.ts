import { assertEquals, assertThrows } from "@std/assert";
import { median, type Row, rowOf, showTable, skippedRow } from "../../../scripts/bench_table.ts";

Deno.test("median() is the middle one, or between the two middle ones, and of nothing none", () => {
  assertEquals([median([30, 1, 2]), median([4, 1, 3, 100]), median([7])], [2, 3.5, 7]);
  assertThrows(() => median([]), Error, "nothing");
});

const ms = (value: number) => ({ what: "w", value, unit: "ms" as const });
const beside = (value: number) => ({ name: "a bare start", value, unit: "ms" as const });

const JUDGED: readonly (readonly [string, Row, Row["verdict"], string, string])[] = [
  [
    "a ratio that is met",
    rowOf({ ...ms(110), yardstick: beside(100), limit: { ratio: 1.1 } }),
    "met",
    "1.100",
    "≤ 1.1",
  ],
  [
    "a ratio that is missed, also when it rounds to the limit",
    rowOf({ ...ms(1104), yardstick: beside(1000), limit: { ratio: 1.1 } }),
    "missed",
    "1.104",
    "≤ 1.1",
  ],
  [
    "a small ratio",
    rowOf({ ...ms(5), yardstick: beside(1000), limit: { ratio: 0.1 } }),
    "met",
    "0.005",
    "≤ 0.1",
  ],
  ["a figure that is met at its limit", rowOf({ ...ms(20), limit: { value: 20 } }), "met", "–", "≤ 20 ms"],
  ["a figure that is missed", rowOf({ ...ms(20.1), limit: { value: 20 } }), "missed", "–", "≤ 20 ms"],
  ["seconds", rowOf({ ...ms(2600), limit: { value: 4000 } }), "met", "–", "≤ 4 s"],
  ["a figure without a limit", rowOf({ ...ms(50), yardstick: beside(100) }), "shown", "0.500", "–"],
];

for (const [name, row, verdict, ratio, limit] of JUDGED) {
  Deno.test(`rowOf() judges ${name}`, () => {
    assertEquals([row.verdict, row.ratio, row.limit], [verdict, ratio, limit]);
  });
}

Deno.test("rowOf() refuses a limit that is a ratio to nothing", () => {
  assertThrows(() => rowOf({ ...ms(1), limit: { ratio: 1 } }), Error, "needs a yardstick");
});

Deno.test("showTable() lines columns up, and says why a row was skipped", () => {
  const rows = [
    rowOf({ what: "start", value: 28.04, unit: "ms", yardstick: beside(100), limit: { ratio: 1.2 } }),
    skippedRow("memory of a server", "no ps here"),
  ];
  assertEquals(showTable(rows).split("\n"), [
    "WHAT                MEASURED  YARDSTICK            RATIO  LIMIT  VERDICT",
    "start               28.0 ms   100 ms a bare start  0.280  ≤ 1.2  met",
    "memory of a server  –         no ps here           –      –      skipped",
  ]);
});
