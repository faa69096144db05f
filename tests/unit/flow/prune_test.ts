import { assertEquals, assertRejects } from "@std/assert";
import { TaskError } from "../../../src/core/failure.ts";
import { pruneRecords } from "../../../src/flow/prune.ts";
import { reindexRecords } from "../../../src/flow/reindex.ts";
import { fakeWorld } from "../../support/fake_world.ts";
import { taskRecord } from "../../support/records.ts";

/** One task a day from 2026-01-01 on, the newest running. */
function manyRecords(count: number) {
  return Array.from({ length: count }, (_, n) =>
    taskRecord({
      task_id: `${n}_a`,
      created_at: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
      status: n === count - 1 ? "running" : "succeeded",
    }));
}

const unreadable = { count: 4, first: ['"half.json" (it is empty)'] };

Deno.test("pruneRecords() tells what went, up to 50 tasks of it, and what was left alone", async () => {
  const world = fakeWorld({ records: manyRecords(61), unreadable });
  const result = await pruneRecords(world, { keep: 5 });
  assertEquals({ ...result, tasks: [result.tasks.length, result.tasks[0]] }, {
    ok: true,
    removed: 55,
    stray_logs: 0,
    freed_bytes: 55_000,
    kept: 6,
    dry_run: false,
    tasks: [50, { task_id: "0_a", created_at: "2026-01-01T00:00:00.000Z", bytes: 1000, why: "keep" }],
    tasks_left_out: 5,
    warnings: ['Left alone: 4 files that hold no record: "half.json" (it is empty), …'],
  });
  assertEquals([...world.kept.keys()], ["55_a", "56_a", "57_a", "58_a", "59_a", "60_a"]);
});

Deno.test("pruneRecords() removes nothing in a dry run, and answers the same", async () => {
  const [dry, wet] = [fakeWorld({ records: manyRecords(9) }), fakeWorld({ records: manyRecords(9) })];
  const would = await pruneRecords(dry, { keep: 2, dry_run: true });
  assertEquals(dry.kept.size, 9);
  assertEquals(would, { ...await pruneRecords(wet, { keep: 2 }), dry_run: true });
});

Deno.test("pruneRecords() says that running tasks keep it above the size", async () => {
  const { warnings, kept } = await pruneRecords(fakeWorld({ records: manyRecords(3) }), { max_size: "10" });
  assertEquals([kept, warnings], [
    1,
    ["What is left is still larger than max_size: tasks that have not ended are never removed"],
  ]);
});

Deno.test("reindexRecords() counts records and names files that hold none", async () => {
  assertEquals(await reindexRecords(fakeWorld({ records: manyRecords(3), unreadable })), {
    ok: true,
    records: 3,
    unreadable: 4,
    unreadable_files: ['"half.json" (it is empty)'],
    duration_ms: 0,
    warnings: ['Not counted, since they hold no record: "half.json" (it is empty), …'],
  });
});

Deno.test("reindexRecords() refuses as busy while another process keeps the index", async () => {
  const error = await assertRejects(
    () => reindexRecords(fakeWorld({ indexBusy: true })),
    TaskError,
    "try again in a minute",
  );
  assertEquals(error.failure.code, "busy");
});
