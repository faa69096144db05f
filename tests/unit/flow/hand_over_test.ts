// Waiting, handing over and who runs a task, in a world of one process with a clock moved by hand.
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TaskError } from "../../../src/core/failure.ts";
import { type CallOptions, parseArgs } from "../../../src/core/operation.ts";
import type { Progress } from "../../../src/core/task.ts";
import { batchOperation, type HermesBatchArgs } from "../../../src/operations/batch.ts";
import { detailOperation } from "../../../src/operations/detail.ts";
import { cancelOperation } from "../../../src/operations/cancel.ts";
import { taskOperation } from "../../../src/operations/task.ts";
import { tasksOperation } from "../../../src/operations/tasks.ts";
import { waitOperation } from "../../../src/operations/wait.ts";
import type { HermesTaskArgs } from "../../../src/core/task.ts";
import type { ChildScript } from "../../support/fake_children.ts";
import { runnerHere } from "../../../src/flow/look.ts";
import { failCurrent, supervise } from "../../../src/flow/supervise.ts";
import { FileFault } from "../../../src/ports.ts";
import { addRow, queueRow } from "../../support/queue_rows.ts";
import { type FakeWorld, fakeWorld, type WorldOptions } from "../../support/fake_world.ts";
import { plainAuth } from "../../support/throw_away_home.ts";

const CALLER = { caller: { surface: "module" } } as const;
const PROBES: Readonly<Record<string, ChildScript>> = {
  "--version": { stdout: "Hermes Agent v0.19.0 (2026.7.20)\n" },
  "chat --help": { stdout: "--query --quiet --source --max-turns --provider --model" },
};

/** A world whose Hermes answers after so long. */
function worldOf(afterMs: number, more: WorldOptions = {}): FakeWorld {
  return fakeWorld({
    files: { "/home/u/.hermes/auth.json": JSON.stringify(plainAuth()), "/usr/bin/hermes": "x" },
    children: ({ args }) =>
      PROBES[args[0]!] ?? PROBES[args.slice(0, 2).join(" ")] ?? { afterMs, stdout: "hello\n" },
    ...more,
  });
}

async function run(world: FakeWorld, args: Partial<HermesTaskArgs> = {}, options: Partial<CallOptions> = {}) {
  const request = parseArgs(taskOperation.input, { prompt: "hi", provider: "gemini", ...args });
  return await world.clock.until(taskOperation.run(world, request, { ...CALLER, ...options }));
}

async function wait(world: FakeWorld, task_ids: string[], args: Record<string, unknown> = {}) {
  const request = parseArgs(waitOperation.input, { task_ids, ...args });
  return await world.clock.until(waitOperation.run(world, request, CALLER));
}

Deno.test("a call hands over when its wait is over, and hermes_wait has the answer", async () => {
  const world = worldOf(60_000);
  const before = world.clock.now();
  const handed = await run(world, { wait_seconds: 5 });
  assertEquals([handed.ok, handed.status, handed.result], [true, "running", null]);
  assert(world.clock.now() - before <= 5_000);
  const [early] = (await wait(world, [handed.task_id!], { wait_seconds: 1 })).tasks;
  assertEquals([early!.ok, early!.status], [true, "running"]);
  const done = await wait(world, [handed.task_id!]);
  assertEquals([done.tasks[0]!.result, done.pending, done.next], ["hello", [], undefined]);
});

Deno.test("a host's own budget is the wait, a setting lowers it, wait_seconds beats both", async () => {
  const waited = async (settings: WorldOptions["settings"], args: Partial<HermesTaskArgs>) => {
    const world = worldOf(100_000, { settings });
    const before = world.clock.now();
    await run(world, { timeout_seconds: 1800, ...args }, { hostWaitSeconds: 50 });
    return Math.round((world.clock.now() - before) / 1000);
  };
  assertEquals(await waited({}, {}), 50);
  assertEquals(await waited({ hostWaitSeconds: 20 }, {}), 20);
  assertEquals(await waited({ hostWaitSeconds: 20 }, { wait_seconds: 7 }), 7);
  assertEquals(await waited({}, { background: true }), 0);
});

Deno.test("without a host to give up a call waits until the end", async () => {
  assertEquals((await run(worldOf(70_000))).result, "hello");
});

Deno.test("who waits hears that its task is queued, and how many are before it", async () => {
  const world = worldOf(30_000, { settings: { maxConcurrent: 1 } });
  await run(world, { background: true });
  await run(world, { background: true });
  const heard: Progress[] = [];
  await run(world, { wait_seconds: 3 }, { onProgress: (progress) => heard.push(progress) });
  assertEquals(heard[0]!.activity, "queued, 1 before it");
  assertEquals([heard[0]!.provider, heard[0]!.turns], [null, null]);
});

Deno.test("tasks of one process keep to the limit and to their order", async () => {
  const world = worldOf(10_000, { settings: { maxConcurrent: 1 } });
  const first = await run(world, { background: true });
  const second = await run(world, { background: true });
  const { tasks } = await wait(world, [second.task_id!, first.task_id!]);
  assertEquals(tasks.map(({ status }) => status), ["succeeded", "succeeded"]);
  const [a, b] = [first, second].map(({ task_id }) => world.kept.get(task_id!)!);
  assert(Date.parse(b!.started_at!) >= Date.parse(a!.ended_at!));
});

Deno.test("a task that waits longer than its time for a slot is timed out and was never started", async () => {
  const world = worldOf(60_000, { settings: { maxConcurrent: 1 } });
  await run(world, { background: true });
  const late = await run(world, { timeout_seconds: 10 });
  assertEquals([late.status, late.error], ["timed_out", "timeout"]);
  assertStringIncludes(late.error_detail!, "was not started");
});

Deno.test("[P3] what cannot be written still reaches who asks for it", async () => {
  const world = worldOf(5_000, { keepProblem: "Cannot record it: the disk is full" });
  const handed = await run(world, { wait_seconds: 1 });
  const done = await wait(world, [handed.task_id!]);
  assertEquals(done.tasks[0]!.result, "hello");
  assertStringIncludes(done.tasks[0]!.warnings!.join(), "Cannot record it: the disk is full");
});

Deno.test("where no supervisor can be started the task runs here, and says so", async () => {
  const result = await run(worldOf(1_000, { launch: () => "no such right" }));
  assertEquals(result.result, "hello");
  assertStringIncludes(result.warnings.join(), "No supervisor can be started (no such right)");
});

Deno.test("[P1] where no supervisor comes up the task runs here after a while", async () => {
  let launches = 0;
  const world = worldOf(1_000, { launch: () => void launches++ });
  const result = await run(world);
  assertEquals(result.result, "hello");
  assert(launches > 1 && launches < 10, String(launches));
  assert(result.duration_ms! >= 15_000 && result.duration_ms! < 20_000);
});

Deno.test("a task inside a task runs in its own process", async () => {
  const world = worldOf(1_000, { place: { depth: 1 }, settings: { maxDepth: 2 }, launch: () => undefined });
  const result = await run(world);
  assertEquals(result.result, "hello");
  assertStringIncludes(result.warnings.join(), "what it starts ends with it");
});

/** A task in the background whose supervisor has died. */
async function lostTask(world: FakeWorld): Promise<string> {
  const { task_id } = await run(world, { background: true });
  await world.queue.turn((turn) => turn.change(task_id!, { state: "running", runner: "gone" }));
  return task_id!;
}

Deno.test("what a dead supervisor had started is ended although somebody holds its proof for a moment", async () => {
  let refusals = 0;
  const reap = () => {
    if (refusals++ < 2) throw new Error("That process lives");
    return { left: [4711] };
  };
  const world = worldOf(60_000, { launch: () => undefined, reap });
  const { tasks: [lost] } = await wait(world, [await lostTask(world)]);
  assertEquals([lost!.status, refusals], ["lost", 3]);
  assertStringIncludes(lost!.warnings!.join(), "Could not end process 4711");
});

Deno.test("a fault of ours leaves a record alone that was closed before", async () => {
  const world = worldOf(1_000);
  const { task_id } = await run(world);
  await addRow(world.queue, queueRow({ taskId: task_id!, state: "running", runner: world.place.owner }));
  await failCurrent(world, new Error("boom"));
  assertEquals([world.kept.get(task_id!)!.status, world.queue.rows()], ["succeeded", []]);
});

Deno.test("a task that was called lost while its row was on the way is not begun", async () => {
  const world = worldOf(1_000, { launch: () => undefined });
  const { task_id } = await run(world, { background: true });
  world.kept.set(task_id!, { ...world.kept.get(task_id!)!, status: "lost", error: "lost" });
  const { signal } = new AbortController();
  await world.clock.until(supervise(world, { signal, idleMs: 3_000 }));
  assertEquals(world.processes.started.filter(({ command }) => command.args.includes("chat")).length, 0);
  assertEquals([world.kept.get(task_id!)!.status, world.queue.rows()], ["lost", []]);
});

Deno.test("a queue that cannot be written for a while costs a task of our own nothing but time", async () => {
  const world = worldOf(1_000);
  const refused = lockedFor(world, 1, 20);
  assertEquals([(await run(world)).result, refused()], ["hello", 20]);
});

Deno.test("a task of our own does not wait behind one that is not run here", async () => {
  const world = worldOf(1_000);
  const { place } = await runnerHere(world);
  const nowMs = world.clock.now();
  await addRow(
    world.queue,
    queueRow({ place, admittedBy: "gone", createdMs: nowMs, deadlineMs: nowMs + 1_800_000 }),
  );
  assertEquals((await run(world, { timeout_seconds: 60 })).result, "hello");
});

Deno.test("a supervisor of another version does not keep a task from being run here", async () => {
  const world = worldOf(1_000, { launch: () => undefined });
  await world.queue.turn((turn) => turn.register({ owner: "newer", place: "other version", offers: {} }));
  world.queue.alive = (owner) => ["newer", world.place.owner].includes(owner);
  const result = await run(world, { timeout_seconds: 60 });
  assertEquals(result.result, "hello");
  assertStringIncludes(result.warnings.join(), "No supervisor that could take the task came up");
});

Deno.test("a script that waits starts the supervisor that a task in the background lacks", async () => {
  let launches = 0;
  const world = { ...worldOf(0, { launch: () => void launches++ }), runsItself: true };
  const { task_id } = await run(world, { background: true, timeout_seconds: 10 });
  assertEquals([launches, (await wait(world, [task_id!])).tasks[0]!.status], [1, "timed_out"]);
  assert(launches > 1, String(launches));
});

Deno.test("a look without a wait finds what is lost", async () => {
  const world = worldOf(60_000, { launch: () => undefined });
  assertEquals((await wait(world, [await lostTask(world)], { wait_seconds: 0 })).tasks[0]!.status, "lost");
  const request = parseArgs(detailOperation.input, { task_id: await lostTask(world) });
  assertEquals((await world.clock.until(detailOperation.run(world, request, CALLER))).status, "lost");
});

Deno.test("[P1] a locked queue keeps nobody longer than was asked for", async () => {
  const world = worldOf(60_000, { launch: () => undefined });
  const lost = await lostTask(world);
  const turn = world.queue.turn.bind(world.queue);
  let locked = true;
  world.queue.turn = async (work) => {
    if (!locked) return await turn(work);
    await world.clock.sleep(15_000);
    throw new FileFault("other", "state.sqlite", "it is locked");
  };
  const before = world.clock.now();
  assertEquals((await wait(world, [lost], { wait_seconds: 2 })).pending, [lost]);
  assert(world.clock.now() - before <= 2_000);
  const refused = await run(world).then(() => undefined, (error) => error);
  assertEquals([refused.failure.code, world.kept.size], ["busy", 1]);
  locked = false;
  const handing = run(world, { wait_seconds: 3 }, { hostWaitSeconds: 50 });
  await world.clock.advance(1_000);
  locked = true;
  const handed = await handing;
  assertEquals([handed.ok, handed.duration_ms], [true, null]);
  assertStringIncludes(handed.warnings.join(), "may end with this process");
});

Deno.test("a call that is cancelled while it hands over cancels its task", async () => {
  const world = worldOf(60_000, { launch: () => undefined });
  const ending = new AbortController();
  const turn = world.queue.turn.bind(world.queue);
  let turns = 0;
  world.queue.turn = async (work) => {
    if (turns++ === 1) ending.abort();
    return await turn(work);
  };
  const result = await run(world, { wait_seconds: 2 }, { signal: ending.signal });
  assertEquals(result.status, "cancelled");
});

Deno.test("a race is over although its winner cannot be recorded", async () => {
  const world = worldOf(0, {
    keepProblem: "the disk is full",
    children: ({ args }) =>
      PROBES[args[0]!] ?? PROBES[args.slice(0, 2).join(" ")] ??
        { afterMs: args.some((arg) => arg.includes("quick")) ? 1_000 : 200_000, stdout: "hello\n" },
  });
  const reply = await batch(world, { prompts: ["quick", "slow"], provider: "gemini", strategy: "race" });
  assertEquals(reply.tasks.map(({ status }) => status), ["succeeded", "cancelled"]);
});

/** Lets so many turns pass, then refuses so many; tells how many were refused. */
function lockedFor({ queue }: FakeWorld, after: number, times: number): () => number {
  const turn = queue.turn.bind(queue);
  let turns = 0;
  queue.turn = (work) => {
    const locked = turns >= after && turns < after + times;
    turns++;
    return locked ? Promise.reject(new FileFault("other", "state.sqlite", "it is locked")) : turn(work);
  };
  return () => Math.max(0, Math.min(times, turns - after));
}

Deno.test("hermes_cancel ends a running task and a queued one, and leaves one that has ended", async () => {
  const world = worldOf(60_000, { settings: { maxConcurrent: 1 } });
  const running = await run(world, { background: true });
  await world.clock.advance(2_000);
  const queued = await run(world, { background: true });
  const request = parseArgs(cancelOperation.input, {
    task_ids: [running.task_id!, queued.task_id!],
    reason: "a better idea",
  });
  const { tasks } = await world.clock.until(cancelOperation.run(world, request, CALLER));
  assertEquals(tasks.map(({ status, cancelled }) => [status, cancelled]), Array(2).fill(["cancelled", true]));
  for (const { task_id } of tasks) {
    assertStringIncludes(world.kept.get(task_id)!.error_detail!, "a better idea");
  }
  const again = await world.clock.until(cancelOperation.run(world, request, CALLER));
  assertEquals(
    again.tasks.map(({ cancelled, note }) => [cancelled, note]),
    Array(2).fill([false, "had ended before"]),
  );
});

Deno.test("hermes_tasks lists what is there, by state and in pages", async () => {
  const world = worldOf(60_000, { settings: { maxConcurrent: 1 } });
  const ended = await run(worldOf(0), {});
  const handed = await run(world, { background: true, prompt: "first words\nof a task " + "x".repeat(200) });
  await world.clock.advance(2_000);
  const list = async (args: Record<string, unknown>) =>
    await world.clock.until(tasksOperation.run(world, parseArgs(tasksOperation.input, args), CALLER));
  const { tasks } = await list({ state: "open" });
  assertEquals(tasks.map(({ task_id, status }) => [task_id, status]), [[handed.task_id, "running"]]);
  assertEquals(tasks[0]!.prompt!.length, 80);
  assert(tasks[0]!.prompt!.startsWith("first words of a task xxx") && tasks[0]!.prompt!.endsWith("…"));
  assertEquals((await list({ state: "failed" })).tasks, []);
  assertEquals(ended.ok, true);
});

const BAD: [what: string, call: (world: FakeWorld) => Promise<unknown>, words: string][] = [
  ["no ids", (world) => wait(world, []), "task_ids"],
  ["an id that leads out", (world) => wait(world, ["../x"]), "no id"],
  ["an id that nobody knows", (world) => wait(world, ["1_none"]), "hermes_tasks"],
  ["a bad cursor", (world) => {
    const request = parseArgs(tasksOperation.input, { cursor: "x; drop" });
    return tasksOperation.run(world, request, CALLER);
  }, "next_cursor"],
  ["a batch of nothing", (world) => batch(world, {}), "give prompts"],
  [
    "a batch of two prompts for models",
    (world) => batch(world, { prompts: ["a", "b"], models: ["gemini"] }),
    "just one",
  ],
  ["a model that is a flag", (world) => batch(world, { prompt: "a", models: ["--yolo"] }), "no model"],
];
for (const [what, call, words] of BAD) {
  Deno.test(`${what} is refused with what to do next`, async () => {
    const error = await assertRejects(async () => await call(worldOf(0)), TaskError);
    assertStringIncludes(error.failure.detail, words);
  });
}

async function batch(world: FakeWorld, args: HermesBatchArgs) {
  const request = parseArgs(batchOperation.input, args);
  return await world.clock.until(batchOperation.run(world, request, CALLER));
}

Deno.test("hermes_batch asks each model the one prompt", async () => {
  const world = worldOf(1_000);
  const reply = await batch(world, { prompt: "hi", models: ["gemini", "openrouter/some/model:free"] });
  assertEquals(reply.tasks.map(({ provider, model }) => [provider, model]), [
    ["gemini", "gemini-3.1-flash-lite"],
    ["openrouter", "some/model:free"],
  ]);
  assertEquals([reply.ok, reply.batch_id, reply.pending], [true, reply.tasks[0]!.task_id, []]);
});

Deno.test("hermes_batch runs in rounds, and each task has its whole time", async () => {
  const world = worldOf(8_000, { settings: { maxConcurrent: 1 } });
  const reply = await batch(world, { prompts: ["a", "b", "c"], provider: "gemini", timeout_seconds: 10 });
  assertEquals(reply.tasks.map(({ status }) => status), Array(3).fill("succeeded"));
});

Deno.test("hermes_batch takes all of its tasks or none", async () => {
  const world = worldOf(0, { settings: { maxConcurrent: 1, maxQueued: 1 } });
  const error = await assertRejects(() => batch(world, { prompts: ["a", "b", "c"] }), TaskError);
  assertEquals([error.failure.code, world.kept.size, world.queue.rows()], ["busy", 0, []]);
});
