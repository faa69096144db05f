import { assertEquals } from "@std/assert";
import { showPrune, showReindex } from "../../../src/cli/view_upkeep.ts";
import type { PruneResult } from "../../../src/flow/prune.ts";
import { NOW } from "../../support/command_line.ts";

const look = { columns: 80, colour: false, nowMs: NOW };

const pruned: PruneResult = {
  ok: true,
  removed: 1204,
  stray_logs: 0,
  freed_bytes: 325_058_560,
  kept: 96,
  dry_run: false,
  tasks: Array.from({ length: 50 }, (_, n) => ({
    task_id: `17645376001${String(n).padStart(2, "0")}_k3x9qd`,
    created_at: new Date(2026, 5, 1, 14, n).toISOString(),
    bytes: 4410,
    why: n < 2 ? "older_than" as const : "max_size" as const,
  })),
  tasks_left_out: 1154,
  warnings: [],
};

Deno.test("showPrune() says in one line what went and what is left", () => {
  const of = (fields: Partial<PruneResult>) => showPrune({ ...pruned, ...fields }, { keep: 96 }, look);
  assertEquals(of({}), ["Removed 1,204 tasks, 310.0 MB; 96 tasks left."]);
  assertEquals(of({ removed: 1, stray_logs: 2, freed_bytes: 812, kept: 1 }), [
    "Removed 1 task and 2 stray logs, 812 bytes; 1 task left.",
  ]);
  assertEquals(of({ removed: 0, stray_logs: 1 }), ["Removed 1 stray log, 310.0 MB; 96 tasks left."]);
  assertEquals(of({ removed: 0, freed_bytes: 0 }), ["Nothing to remove: 96 tasks left."]);
});

Deno.test("showPrune() lists the first of a dry run with their rule, and the command that does it", () => {
  const args = { older_than: "2026-06-01 14:02", max_size: "10MB", dry_run: true };
  const warnings = ['Left alone: 1 file that holds no record: "half.json" (it is not JSON, perhaps cut off)'];
  const lines = showPrune({ ...pruned, dry_run: true, warnings }, args, look);
  assertEquals(lines.slice(0, 4), [
    "TASK                  CREATED             SIZE  GOES BY",
    "1764537600100_k3x9qd  2026-06-01 14:00  4.3 KB  --older-than 2026-06-01 14:02",
    "1764537600101_k3x9qd  2026-06-01 14:01  4.3 KB  --older-than 2026-06-01 14:02",
    "1764537600102_k3x9qd  2026-06-01 14:02  4.3 KB  --max-size 10MB",
  ]);
  assertEquals(lines.slice(11), [
    "… and 1,194 more",
    "Would remove 1,204 tasks, 310.0 MB; 96 tasks would stay.",
    '! Left alone: 1 file that holds no record: "half.json" (it is not JSON, perhaps',
    "  cut off)",
    'Next: hermes-task prune --older-than "2026-06-01 14:02" --max-size 10MB',
  ]);
  const none = showPrune({ ...pruned, dry_run: true, removed: 0, freed_bytes: 0, tasks: [] }, args, look);
  assertEquals(none, ["Nothing to remove: 96 tasks left."]);
});

Deno.test("showReindex() says how many, how long, and which files hold no record", () => {
  const result = { ok: true as const, records: 1204, unreadable: 0, unreadable_files: [], duration_ms: 1830 };
  assertEquals(showReindex({ ...result, warnings: [] }, look), ["Indexed 1,204 records in 1.8 s."]);
  assertEquals(showReindex({ ...result, records: 1, warnings: ["a \x1b[31m"] }, look), [
    "Indexed 1 record in 1.8 s.",
    "! a ␛[31m",
  ]);
});
