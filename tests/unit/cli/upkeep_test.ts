import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCommand } from "../../../src/cli/app.ts";
import { fakeContext, fakeTerminal } from "../../support/command_line.ts";
import { fakeWorld, type WorldOptions } from "../../support/fake_world.ts";
import { taskRecord } from "../../support/records.ts";

const records = ["1_a", "2_b", "3_c"].map((task_id) => taskRecord({ task_id }));

/** Runs a command line over three records; returns all that can be seen of it. */
async function execute(argv: readonly string[], options: WorldOptions = {}) {
  const terminal = fakeTerminal();
  const world = fakeWorld({ records, ...options });
  const status = await runCommand(argv, fakeContext(terminal, { openWorld: () => Promise.resolve(world) }));
  return { status, stdout: terminal.stdout(), stderr: terminal.stderr(), kept: world.kept.size };
}

Deno.test("prune removes by its flags, and prints a line or the result object", async () => {
  assertEquals(await execute(["prune", "--keep", "1"]), {
    status: 0,
    stdout: "Removed 2 tasks, 2.0 KB; 1 task left.\n",
    stderr: "",
    kept: 1,
  });
  const { stdout, kept } = await execute(["prune", "--max-size=2KB", "--dry-run", "--json"]);
  const { removed, dry_run, tasks } = JSON.parse(stdout);
  assertEquals([removed, dry_run, tasks[0].why, kept], [1, true, "max_size", 3]);
});

Deno.test("prune refuses what names no task, and says what to give", async () => {
  for (
    const [argv, words] of [
      [["prune"], "Next: hermes-task prune --older-than 30d --dry-run"],
      [["prune", "--dry-run"], "give --older-than, --keep or"],
      [["prune", "--keep=-1"], "Next: write 0 or more, such as 1000"],
      [["prune", "--older-than", "long"], "Next: write 24h, 30d, 2w or 2026-08-01"],
      [["prune", "30d"], 'Unexpected "30d" after "prune"'],
    ] as const
  ) {
    const { status, stderr, kept } = await execute(argv);
    assertEquals([status, kept], [2, 3]);
    assertStringIncludes(stderr, words);
  }
});

Deno.test("prune and reindex name a bad setting, since it may have led to another folder", async () => {
  const settings = { maxConcurrent: 0 };
  for (const argv of [["prune", "--keep", "9", "--json"], ["reindex", "--json"]]) {
    const { stdout } = await execute(argv, { settings });
    assertStringIncludes(JSON.parse(stdout).warnings.join(), "maxConcurrent");
  }
});

Deno.test("reindex prints a line or the result object, and is busy while the index is kept", async () => {
  const { status, stdout } = await execute(["reindex"]);
  assertEquals([status, stdout], [0, "Indexed 3 records in 0 ms.\n"]);
  assertEquals(JSON.parse((await execute(["reindex", "--json"])).stdout).records, 3);
  const busy = await execute(["reindex"], { indexBusy: true });
  assertEquals(busy.status, 5);
  assertStringIncludes(busy.stderr, "Next: try again in a minute");
});
