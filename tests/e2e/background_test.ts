// Tasks that outlive a call, and nothing that outlives its task: the real program, its supervisors, a stand-in Hermes.
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { HermesTaskResult } from "../../src/core/task.ts";
import { type Behaviour, installFake } from "../support/fake_hermes.ts";
import { recordIn } from "../support/kept_record.ts";
import { aliveTasksIn, descendantsOf, kill, supervisorsOf, waitUntil } from "../support/processes.ts";
import { programLine, runProgram, startProgram, startServer } from "../support/program.ts";
import type { Message, ServerUnderTest } from "../support/server_under_test.ts";
import { makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";

const GONE_MS = 15_000;

async function homeWith(behaviour: Behaviour): Promise<ThrowAwayHome> {
  const home = await makeHome();
  await installFake(home.bin, behaviour);
  return home;
}

async function cli(home: ThrowAwayHome, ...args: string[]) {
  const ran = await runProgram(args, { env: home.env, cwd: home.work });
  assertEquals(ran.stderr, "");
  return { ...JSON.parse(ran.stdout), exit: ran.code };
}

async function untilRunning(home: ThrowAwayHome, processes = 1): Promise<void> {
  const stands = async () => {
    const living = await aliveTasksIn(home);
    return living.length >= processes && living.some(({ command }) => command.includes("--query="));
  };
  await waitUntil(stands, 30_000, "a running task");
}

async function untilGone(home: ThrowAwayHome, ms = GONE_MS): Promise<void> {
  await waitUntil(async () => (await aliveTasksIn(home)).length === 0, ms, "the end of the task's tree");
}

type Reply = Readonly<Record<string, unknown>> & Partial<HermesTaskResult> & {
  readonly tasks: HermesTaskResult[];
  readonly pending: string[];
};

async function call(server: ServerUnderTest, tool: string, args: unknown, meta?: unknown): Promise<Reply> {
  const params = { name: tool, arguments: args, ...(meta ? { _meta: meta } : {}) };
  const notes: Message[] = [];
  const { result } = await server.request("tools/call", params, {
    timeoutMs: 40_000,
    onOther: (note) => notes.push(note),
  });
  return { ...(result!["structuredContent"] as Reply), notes };
}

const LATER = { prompt: "WAIT: 3", provider: "gemini" };

Deno.test("[FAULT-1][FAULT-6][FAULT-10] a call hands over in time, with and without progress, and the answer comes by hermes_wait", async () => {
  await using home = await homeWith("answers_later");
  await using server = startServer({ env: home.env, cwd: home.work });
  await server.handshake();
  for (const meta of [undefined, { progressToken: 0 }]) {
    const before = performance.now();
    const handed = await call(server, "hermes_task", { ...LATER, wait_seconds: 1 }, meta);
    assert(performance.now() - before < 10_000);
    assertEquals([handed.ok, ["queued", "running"].includes(handed.status!), handed.result], [
      true,
      true,
      null,
    ]);
    assertStringIncludes(String(handed.next), `hermes_wait with task_ids ["${handed.task_id}"]`);
    assertEquals((handed["notes"] as unknown[]).length > 0, meta !== undefined);
    const early = await call(server, "hermes_wait", { task_ids: [handed.task_id], wait_seconds: 0 });
    assertEquals([early.ok, early.pending], [true, [handed.task_id!]]);
    const done = await call(server, "hermes_wait", { task_ids: [handed.task_id], wait_seconds: 30 });
    assertEquals([done.tasks[0]!.ok, done.tasks[0]!.result, done.pending], [true, "FAKE-ANSWER later", []]);
  }
});

Deno.test("[FAULT-2] the host's budget hands over by itself, and a setting can lower it", async () => {
  await using home = await homeWith("answers_later");
  const env = { ...home.env, HERMES_TASK_HOST_WAIT_SECONDS: "1" };
  await using server = startServer({ env, cwd: home.work });
  await server.handshake("2025-06-18", "claude-ai");
  const handed = await call(server, "hermes_task", LATER);
  assertEquals([handed.ok, handed.result], [true, null]);
  assert(handed.task_id);
});

Deno.test("a background task answers at once, and any process sees, waits for and lists it", async () => {
  await using home = await homeWith("answers_later");
  const given = await cli(home, "run", "--background", "--provider", "gemini", "WAIT: 3");
  assertEquals([given.ok, given.exit, given.result], [true, 0, null]);
  const open = await cli(home, "tasks", "--state", "open");
  assertEquals(open.tasks.map((task: Reply) => task.task_id), [given.task_id]);
  await using server = startServer({ env: home.env, cwd: home.work });
  await server.handshake();
  const done = await call(server, "hermes_wait", { task_ids: [given.task_id], wait_seconds: 30 });
  assertEquals(done.tasks[0]!.result, "FAKE-ANSWER later");
  const ended = await cli(home, "tasks", "--state", "succeeded");
  assertEquals(ended.tasks.map((task: Reply) => task.status), ["succeeded"]);
  assertEquals((await cli(home, "tasks", "--state", "open")).tasks, []);
});

Deno.test("[FAULT-21] hermes_cancel ends a running and a queued task, and says what it does not undo", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  const env = { HERMES_TASK_MAX_CONCURRENT: "1" };
  const give = async () =>
    JSON.parse(
      (await runProgram(["run", "--background", "--provider", "gemini", "hi"], {
        env: { ...home.env, ...env },
        cwd: home.work,
      })).stdout,
    ).task_id as string;
  const [running, queued] = [await give(), await give()];
  await untilRunning(home, 3);
  assertEquals((await cli(home, "detail", queued)).status, "queued");
  const reply = await cli(home, "cancel", running, queued, "1_none");
  assertEquals(reply.tasks.map((task: Reply) => task.status), ["cancelled", "cancelled", null]);
  assertStringIncludes(reply.not_undone, "messages");
  assertEquals(await aliveTasksIn(home), []);
  assertEquals((await cli(home, "detail", queued)).error, "cancelled");
});

Deno.test("[FAULT-19] a background task without a reader ends by its own deadline", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  await cli(home, "run", "--background", "--timeout-seconds", "10", "--provider", "gemini", "hi");
  await untilRunning(home, 3);
  await untilGone(home, 40_000);
  await waitUntil(async () => (await recordIn(home)).status === "timed_out", GONE_MS, "the record");
});

/** How a host ends a server for good. */
const KILLS: [how: string, end: (server: ServerUnderTest) => Promise<void>][] = [
  ["alone", (server) => Promise.resolve(kill(server.pid))],
  ["with its group", (server) => Promise.resolve(kill(-server.pid))],
  ["with its tree", async (server) => {
    for (const { pid } of await descendantsOf(server.pid)) kill(pid);
    kill(server.pid);
  }],
];
for (const [how, end] of KILLS) {
  Deno.test(`[P2] a server killed ${how} leaves nothing of its waiting task, and its background task goes on`, async () => {
    await using home = await homeWith("hangs_with_grandchild");
    await using server = startServer({ env: home.env, cwd: home.work, ownGroup: true });
    await server.handshake();
    const background = await call(server, "hermes_task", {
      prompt: "hi",
      provider: "gemini",
      background: true,
    });
    await untilRunning(home, 3);
    const request = { name: "hermes_task", arguments: { prompt: "hi", provider: "gemini" } };
    await server.send({ jsonrpc: "2.0", id: 77, method: "tools/call", params: request });
    await waitUntil(async () => (await aliveTasksIn(home)).length >= 6, 30_000, "both trees");
    await end(server);
    await server.status;
    const left = async () =>
      (await aliveTasksIn(home)).filter(({ command }) => !command.includes(`.${background.task_id}.`));
    await waitUntil(async () => (await left()).length === 0, 10_000, "the end of the waiting task");
    assertEquals((await aliveTasksIn(home)).length, 3);
    assertEquals((await cli(home, "detail", background.task_id!)).status, "running");
    await cli(home, "cancel", background.task_id!);
    assertEquals(await aliveTasksIn(home), []);
  });
}

Deno.test("a supervisor that is killed leaves its task lost, and its Hermes is ended by whoever looks next", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  const given = await cli(home, "run", "--background", "--provider", "gemini", "hi");
  await untilRunning(home, 3);
  for (const { pid } of await supervisorsOf(home)) kill(pid);
  const seen = await cli(home, "wait", given.task_id);
  assertEquals([seen.tasks[0].status, seen.tasks[0].error, seen.tasks[0].retryable], ["lost", "lost", true]);
  assertEquals(await aliveTasksIn(home), []);
});

Deno.test("a queue whose supervisors were all killed goes on with the next look", async () => {
  await using home = await homeWith("answers_later");
  const env = { ...home.env, HERMES_TASK_MAX_CONCURRENT: "1" };
  const give = async (prompt: string) =>
    JSON.parse(
      (await runProgram(["run", "--background", "--provider", "gemini", prompt], {
        env,
        cwd: home.work,
      })).stdout,
    ).task_id as string;
  const [first, second] = [await give("WAIT: 20"), await give("WAIT: 0")];
  await untilRunning(home);
  for (const { pid } of await supervisorsOf(home)) kill(pid);
  const seen = await cli(home, "wait", first, second);
  assertEquals(seen.tasks.map((task: Reply) => task.status), ["lost", "succeeded"]);
});

Deno.test("a server whose program was replaced by an update still starts supervisors", async () => {
  await using home = await homeWith("answers");
  const line = programLine(["mcp"], { env: home.env });
  const program = `${home.bin}/program`;
  const put = async () => {
    await Deno.copyFile(line.program, `${program}.new`);
    await Deno.chmod(`${program}.new`, 0o755);
    await Deno.rename(`${program}.new`, program);
  };
  await put();
  await using server = startServer({ ...line, program, cwd: home.work });
  await server.handshake();
  await put();
  const done = await call(server, "hermes_task", { prompt: "hi", provider: "gemini" });
  assertEquals([done.ok, done.warnings], [true, []]);
});

Deno.test("a server whose cache folder was taken away makes it anew and goes on", async () => {
  await using home = await homeWith("answers");
  await using server = startServer({ env: home.env, cwd: home.work });
  await server.handshake();
  for (let n = 0; n < 2; n++) {
    assertEquals((await call(server, "hermes_task", { prompt: "hi", provider: "gemini" })).ok, true);
    await Deno.rename(`${home.root}/hermes-task-cache`, `${home.work}/cache${n}`);
  }
});

Deno.test("what runs beyond maxQueued is busy, and leaves no record", async () => {
  await using home = await homeWith("hangs");
  const env = { ...home.env, HERMES_TASK_MAX_CONCURRENT: "1", HERMES_TASK_MAX_QUEUED: "0" };
  const give = () =>
    runProgram(["run", "--background", "--provider", "gemini", "hi"], { env, cwd: home.work });
  const first = JSON.parse((await give()).stdout);
  const second = await give();
  assertEquals([second.code, JSON.parse(second.stdout).error], [5, "busy"]);
  const records = [...Deno.readDirSync(`${home.root}/hermes-task-cache`)].filter(({ name }) =>
    name.endsWith(".json")
  );
  assertEquals(records.length, 1);
  await cli(home, "cancel", first.task_id);
});

Deno.test("a race ends the losers with the first answer", async () => {
  await using home = await homeWith("answers_later");
  const reply = await cli(
    home,
    "batch",
    "--strategy",
    "race",
    "--provider",
    "gemini",
    "WAIT: 0\nSAY: quick",
    "WAIT: 60\nSAY: slow",
  );
  assertEquals([reply.ok, reply.tasks[0].result, reply.winner], [true, "quick", reply.tasks[0].task_id]);
  assertEquals(reply.tasks[1].status, "cancelled");
  assertStringIncludes(reply.tasks[1].error_detail, "won the race");
  assertEquals(await aliveTasksIn(home), []);
});

Deno.test("a vote groups equal answers, and a batch that fails in part says so", async () => {
  await using home = await homeWith("answers");
  const vote = await cli(
    home,
    "batch",
    "--strategy",
    "vote",
    "--provider",
    "gemini",
    "SAY: Yes.",
    "SAY: yes",
    "SAY: no",
  );
  assertEquals(vote.groups.map(({ count }: { count: number }) => count), [2, 1]);
  assertStringIncludes(vote.compared, "case");
  const models = await cli(
    home,
    "batch",
    "--prompt",
    "SAY: hi",
    "--models",
    "gemini",
    "--models",
    "nosuchprovider/x",
  );
  assertEquals([models.ok, models.tasks[0].result, models.tasks[1].ok], [false, "hi", false]);
});

Deno.test("tail shows what a task does, and ending it leaves the task alone", async () => {
  await using home = await homeWith("answers_later");
  const given = await cli(home, "run", "--background", "--provider", "gemini", "WAIT: 4\nSAY: done");
  const tail = startProgram(["tail", given.task_id], { env: home.env, cwd: home.work });
  const watcher = startProgram(["tail", given.task_id], { env: home.env, cwd: home.work });
  await untilRunning(home);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  watcher.kill("SIGINT");
  assertEquals((await watcher.output).code, 130);
  const { stdout, code, stderr } = await tail.output;
  assertEquals([code, stderr], [0, ""]);
  for (const words of ["running · gemini", '→ terminal: {"command":"date"}', "← ", "done", "✓ succeeded"]) {
    assertStringIncludes(stdout, words);
  }
});

Deno.test("a key that only the caller has goes with its task, and no other task uses it", async () => {
  await using home = await makeHome({ auth: null });
  await installFake(home.bin, "shows_environment");
  const give = async (env: Record<string, string>, ...args: string[]) => {
    const ran = await runProgram(["run", "--provider", "gemini", ...args, "hi"], {
      env: { ...home.env, ...env },
      cwd: home.work,
    });
    return JSON.parse(ran.stdout);
  };
  const key = "AIzaSyTest-0123456789abcdefghijklmnopqrs";
  const withKey = await give({ GEMINI_API_KEY: key });
  assertEquals(withKey.ok, true, withKey.error_detail);
  assert(!JSON.stringify(withKey).includes(key));
  assertEquals((await give({})).error, "no_credential");
  const state = new TextDecoder().decode(
    await Deno.readFile(`${home.root}/hermes-task-cache/state.sqlite-wal`),
  );
  assert(!state.includes(key));
});
