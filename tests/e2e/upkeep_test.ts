// prune and reindex by the real program, with its real permissions.
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { TaskRecord } from "../../src/core/record.ts";
import { recordText } from "../../src/core/record_text.ts";
import { taskRecord } from "../support/records.ts";
import { type ProgramResult, runProgram, startProgram } from "../support/program.ts";
import { makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";

const DAY_MS = 86_400_000;

/** A record file of so many days ago. */
function recordFile(id: string, daysAgo: number, fields: Partial<TaskRecord> = {}): [string, string] {
  const created_at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const record = taskRecord({ task_id: id, session_id: `s_${id}`, created_at, ...fields });
  return [`hermes-task-cache/${id}.json`, recordText(record)];
}

const homeWith = (...files: [string, string][]) => makeHome({ files: Object.fromEntries(files) });

const run = (home: ThrowAwayHome, ...args: string[]): Promise<ProgramResult> =>
  runProgram(args, { env: home.env, cwd: home.work });

function namesIn(home: ThrowAwayHome): string[] {
  const names = [...Deno.readDirSync(`${home.root}/hermes-task-cache`)].map(({ name }) => name);
  return names.filter((name) => !name.startsWith("index.")).sort();
}

Deno.test("prune removes old records with their logs, never a running one, and says so first", async () => {
  await using home = await homeWith(
    recordFile("1_old", 40),
    ["hermes-task-cache/1_old.log", "what it printed"],
    recordFile("2_running", 50, { status: "running", ended_at: null }),
    ["hermes-task-cache/2_running.log", "what it prints"],
    recordFile("3_new", 1),
    ["hermes-task-cache/half.json", "{"],
  );
  const before = namesIn(home);
  const would = await run(home, "prune", "--older-than", "30d", "--dry-run");
  assertEquals(namesIn(home), before);
  const { code, stdout, stderr } = await run(home, "prune", "--older-than", "30d", "--json");
  const result = JSON.parse(stdout);
  assertEquals([code, stderr, result.removed, result.kept, result.tasks[0].task_id, result.tasks[0].why], [
    0,
    "",
    1,
    2,
    "1_old",
    "older_than",
  ]);
  assertEquals(JSON.parse(would.stdout), { ...result, dry_run: true });
  assertStringIncludes(result.warnings.join(), 'Left alone: 1 file that holds no record: "half.json"');
  assertEquals(namesIn(home), ["2_running.json", "2_running.log", "3_new.json", "half.json"]);
  const telemetry = JSON.parse((await run(home, "telemetry", "--json")).stdout);
  assertEquals([telemetry.runs, telemetry.open_tasks], [1, 1]);
  assertEquals((await run(home, "detail", "1_old")).code, 9);
});

Deno.test("prune without a rule removes nothing and shows a command that would", async () => {
  await using home = await homeWith(recordFile("1_old", 40));
  const { code, stdout } = await run(home, "prune");
  const { error, error_detail } = JSON.parse(stdout);
  assertEquals([code, error, namesIn(home)], [2, "invalid_args", ["1_old.json"]]);
  assertStringIncludes(error_detail, "run: hermes-task prune --older-than 30d --dry-run");
});

Deno.test("several prunes at once remove each task once, and none of them fails", async () => {
  const files = Array.from({ length: 300 }, (_, n) => recordFile(`${n}_a`, n));
  await using home = await homeWith(...files);
  const options = { env: home.env, cwd: home.work };
  const started = [1, 2, 3].map(() => startProgram(["prune", "--keep", "100", "--json"], options));
  const ended = await Promise.all(started.map(({ output }) => output));
  assertEquals(ended.map(({ code, stderr }) => [code, stderr]), [[0, ""], [0, ""], [0, ""]]);
  const removed = ended.map(({ stdout }) => JSON.parse(stdout).removed as number);
  assertEquals([removed.reduce((sum, one) => sum + one), namesIn(home).length], [200, 100]);
});

Deno.test("reindex makes a damaged index whole, and names what holds no record", async () => {
  await using home = await homeWith(
    recordFile("1_a", 3),
    recordFile("2_b", 2),
    ["hermes-task-cache/half.json", "{"],
  );
  assertEquals((await run(home, "telemetry", "--json")).code, 0);
  await Deno.writeTextFile(`${home.root}/hermes-task-cache/index.sqlite`, "no database".repeat(2000));
  const { code, stdout, stderr } = await run(home, "reindex", "--json");
  const { duration_ms, ...result } = JSON.parse(stdout);
  assertEquals([code, stderr, typeof duration_ms], [0, "", "number"]);
  assertEquals(result, {
    ok: true,
    records: 2,
    unreadable: 1,
    unreadable_files: ['"half.json" (it is not JSON, perhaps cut off)'],
    warnings: ['Not counted, since they hold no record: "half.json" (it is not JSON, perhaps cut off)'],
  });
  assertEquals(JSON.parse((await run(home, "telemetry", "--json")).stdout).runs, 2);
});

Deno.test("help and completions know prune and reindex", async () => {
  await using home = await makeHome();
  const text = async (...args: string[]) => (await run(home, ...args)).stdout;
  for (const words of ["--older-than", "--keep", "--max-size", "--dry-run", "1 KB is 1024 bytes"]) {
    assertStringIncludes(await text("help", "prune"), words);
  }
  assertStringIncludes(await text("reindex", "--help"), "Example:  hermes-task reindex");
  assertStringIncludes(await text("completions", "bash"), 'prune) words="--older-than --keep --max-size');
});
