import { assert, assertEquals } from "@std/assert";
import { summarize } from "../../../src/core/statistics.ts";
import { putEntries } from "../../../src/os/index_rows.ts";
import { openMemoryIndex } from "../../../src/os/index_schema.ts";
import { inWrite } from "../../../src/os/sqlite.ts";
import { sumsOf } from "../../../src/os/index_sums.ts";
import { madeUpRun } from "../../support/many_runs.ts";

const COUNT = 20_000;

function filled() {
  const database = openMemoryIndex();
  const entries = Array.from({ length: COUNT }, (_, n) => {
    const record = madeUpRun(n);
    return { taskId: record.task_id, fileMs: 1, record };
  });
  inWrite(database, () => putEntries(database, entries));
  return database;
}

Deno.test("sumsOf() is exact over many runs and fast once a day has been counted", () => {
  const database = filled();
  const counted = summarize({ ...sumsOf(database, {}), warnings: [] }, {});
  const start = performance.now();
  const again = summarize({ ...sumsOf(database, {}), warnings: [] }, {});
  const ms = performance.now() - start;
  assertEquals(again, counted);
  assertEquals([again.runs, again.success_rate, again.attempts.total], [COUNT, 0.8, COUNT]);
  const durations = Array.from({ length: COUNT }, (_, n) => madeUpRun(n).duration_ms!).sort((a, b) => a - b);
  assertEquals(again.duration_ms.p95, durations[COUNT * 0.95 - 1]);
  assertEquals(again.duration_ms.total, durations.reduce((sum, one) => sum + one, 0));
  assert(ms < 1000, `${ms} ms`);
  database.close();
});

Deno.test("sumsOf() counts a part of a day as exactly as the whole", () => {
  const database = filled();
  const first = Date.parse("2026-01-01T00:00:00Z");
  for (const [from, to] of [[0, 287], [5, 290], [100, 100], [250, 1200]] as const) {
    const { groups, earliestMs, latestMs } = sumsOf(database, {
      sinceMs: first + from * 300_000,
      untilMs: first + to * 300_000,
    });
    assertEquals(groups.reduce((sum, group) => sum + group.runs, 0), to - from + 1);
    assertEquals([earliestMs, latestMs], [first + from * 300_000, first + to * 300_000]);
  }
  database.close();
});
