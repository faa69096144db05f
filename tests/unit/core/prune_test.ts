import { assertEquals, assertThrows } from "@std/assert";
import { TaskError } from "../../../src/core/failure.ts";
import { decidePrune, parsePolicy, type PruneArgs } from "../../../src/core/prune.ts";
import type { StoredTask, StrayLog } from "../../../src/core/stored.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-08-15T12:00:00Z");

/** A task of so many days ago, of 100 bytes with its log. */
function stored(daysAgo: number, fields: Partial<StoredTask> = {}): StoredTask {
  return {
    taskId: `${daysAgo}d`,
    state: "succeeded",
    createdMs: NOW - daysAgo * DAY_MS,
    fileMs: 0,
    recordBytes: 60,
    logBytes: 40,
    ...fields,
  };
}

const stray = (taskId: string, minutesAgo: number): StrayLog => ({
  taskId,
  fileMs: NOW - minutesAgo * 60_000,
  logBytes: 10,
});

const FOUR = [stored(1), stored(20), stored(10), stored(40)];

interface Case {
  readonly args: PruneArgs;
  readonly tasks?: readonly StoredTask[];
  readonly strays?: readonly StrayLog[];
  /** Ids with why, the oldest first. */
  readonly go: readonly string[];
  readonly bytesLeft: number;
}

const CASES: Readonly<Record<string, Case>> = {
  "nothing is there": { args: { keep: 0 }, tasks: [], go: [], bytesLeft: 0 },
  "older than a span": {
    args: { older_than: "15d" },
    go: ["40d older_than", "20d older_than"],
    bytesLeft: 200,
  },
  "just as old as the span stays": { args: { older_than: "40d" }, go: [], bytesLeft: 400 },
  "older than a date": { args: { older_than: "2026-07-15" }, go: ["40d older_than"], bytesLeft: 300 },
  "beyond the newest": { args: { keep: 3 }, go: ["40d keep"], bytesLeft: 300 },
  "as many as may stay": { args: { keep: 4 }, go: [], bytesLeft: 400 },
  "none may stay": { args: { keep: 0 }, go: ["40d keep", "20d keep", "10d keep", "1d keep"], bytesLeft: 0 },
  "just the size stays": { args: { max_size: "400" }, go: [], bytesLeft: 400 },
  "over the size, the oldest first": { args: { max_size: "399" }, go: ["40d max_size"], bytesLeft: 300 },
  "size counts what other rules took": {
    args: { older_than: "30d", max_size: "250" },
    go: ["40d older_than", "20d max_size"],
    bytesLeft: 200,
  },
  "each rule adds to the others": {
    args: { older_than: "30d", keep: 2, max_size: "1KB" },
    go: ["40d older_than", "20d keep"],
    bytesLeft: 200,
  },
  "every end is one": {
    args: { keep: 0 },
    tasks: (["lost", "timed_out", "cancelled", "failed"] as const).map((state, n) => stored(n, { state })),
    go: ["3d keep", "2d keep", "1d keep", "0d keep"],
    bytesLeft: 0,
  },
  "what has not ended stays, whatever its age, and counts only as size": {
    args: { older_than: "1d", keep: 1, max_size: "0" },
    tasks: [
      stored(900, { state: "queued" }),
      stored(800, { state: "running" }),
      stored(5),
      stored(3),
    ],
    go: ["5d older_than", "3d older_than"],
    bytesLeft: 200,
  },
  "a state that is not known, or of a later version, stays": {
    args: { keep: 0 },
    tasks: [stored(9, { state: "unknown" }), stored(8, { state: "paused" as "unknown" })],
    go: [],
    bytesLeft: 200,
  },
  "without a log": {
    args: { keep: 0 },
    tasks: [stored(1, { logBytes: null })],
    go: ["1d keep"],
    bytesLeft: 0,
  },
  "of one moment: by id": {
    args: { keep: 1 },
    tasks: [stored(1, { taskId: "b" }), stored(1, { taskId: "a" })],
    go: ["a keep"],
    bytesLeft: 100,
  },
  "stray logs of over an hour go, younger ones count": {
    args: { max_size: "410" },
    strays: [stray("old", 60), stray("young", 59)],
    go: ["old"],
    bytesLeft: 410,
  },
};

Deno.test("decidePrune() [P3] takes the oldest that has ended, for a reason", async (t) => {
  for (const [name, { args, tasks = FOUR, strays = [], go, bytesLeft }] of Object.entries(CASES)) {
    await t.step(name, () => {
      const decision = decidePrune({ tasks, strays }, parsePolicy(args, NOW), NOW);
      const ids = [
        ...decision.tasks.map(({ taskId, why }) => `${taskId} ${why}`),
        ...decision.strays.map(({ taskId }) => taskId),
      ];
      assertEquals([ids, decision.bytesLeft], [[...go], bytesLeft]);
    });
  }
});

Deno.test("parsePolicy() refuses what it cannot follow, and says what would be right", () => {
  const table: readonly (readonly [PruneArgs, string])[] = [
    [{}, "Nothing says which tasks may go: give --older-than, --keep or --max-size; run: hermes-task prune"],
    [{ dry_run: true }, "Nothing says which tasks may go"],
    [{ older_than: "soon" }, 'Argument "older_than": "soon" is no span and no date; write 24h, 30d'],
    [{ older_than: "" }, 'Argument "older_than": "" is no span'],
    [{ older_than: "2062-08-01" }, "lies ahead, so that every task would go; write"],
    [{ keep: -1 }, 'Argument "keep": "-1" is no number of tasks; write 0 or more'],
    [{ max_size: "big" }, 'Argument "max_size": "big" is no size; write 500MB'],
  ];
  for (const [args, words] of table) {
    const error = assertThrows(() => parsePolicy(args, NOW), TaskError, words);
    assertEquals(error.failure.code, "invalid_args");
  }
});
