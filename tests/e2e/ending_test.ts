// Whatever ends a task: nothing of it runs on.
import { assert, assertEquals } from "@std/assert";
import { type Behaviour, installFake } from "../support/fake_hermes.ts";
import { aliveTasksIn, waitUntil } from "../support/processes.ts";
import { startProgram, startServer } from "../support/program.ts";
import { recordIn } from "../support/kept_record.ts";
import { makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";

/** Generous: the grace is 1.5 s, a test machine may be busy. */
const GONE_MS = 15_000;

async function homeWith(behaviour: Behaviour | "shell_wrapper"): Promise<ThrowAwayHome> {
  const home = await makeHome();
  await installFake(home.bin, behaviour);
  return home;
}

/** The version probe is over once a process has the prompt. */
async function untilTreeStands(home: ThrowAwayHome, processes: number): Promise<void> {
  const stands = async () => {
    const living = await aliveTasksIn(home);
    return living.length >= processes && living.some(({ command }) => command.includes("--query="));
  };
  await waitUntil(stands, 30_000, `${processes} processes of the task`);
}

async function untilGone(home: ThrowAwayHome): Promise<void> {
  await waitUntil(async () => (await aliveTasksIn(home)).length === 0, GONE_MS, "the end of the task's tree");
}

/** Hermes and all that the fake starts: a grandchild in a session of its own, and a daemon. */
const TREES: [Behaviour | "shell_wrapper", processes: number][] = [["hangs_with_grandchild", 3], [
  "ignores_sigterm",
  1,
], ["shell_wrapper", 4]];

for (const [behaviour, processes] of TREES) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    Deno.test(`[F-ORIG-11][P2] run ends with ${signal}: a Hermes that ${behaviour} is gone, the record says cancelled`, async () => {
      await using home = await homeWith(behaviour);
      const program = startProgram(["run", "--provider", "gemini", "hi"], { env: home.env, cwd: home.work });
      await untilTreeStands(home, processes);
      program.kill(signal);
      const { code } = await program.output;
      assertEquals(code, { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
      await untilGone(home);
      assertEquals((await recordIn(home)).status, "cancelled");
    });
  }
}

Deno.test("[FAULT-5][FAULT-27] a deadline ends the whole tree, also what moved to a session of its own", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  const program = startProgram(["run", "--provider", "gemini", "--timeout-seconds", "10", "hi"], {
    env: home.env,
    cwd: home.work,
  });
  await untilTreeStands(home, 3);
  const { code, stdout } = await program.output;
  assertEquals([code, JSON.parse(stdout).error], [124, "timeout"]);
  assertEquals(await aliveTasksIn(home), []);
});

Deno.test("[P2] what Hermes leaves in the background after a success ends with its task", async () => {
  await using home = await homeWith("leaves_background_process");
  const { code } = await startProgram(["run", "--provider", "gemini", "hi"], {
    env: home.env,
    cwd: home.work,
  }).output;
  assertEquals(code, 0);
  assertEquals(await aliveTasksIn(home), []);
});

const OPENING = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const CALL = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "hermes_task", arguments: { prompt: "hi", provider: "gemini" } },
};

async function serverWithCall(home: ThrowAwayHome) {
  const server = startServer({ env: home.env, cwd: home.work });
  for (const message of [...OPENING, CALL]) await server.send(message);
  await untilTreeStands(home, 3);
  return server;
}

Deno.test("[F-ORIG-11][FAULT-24] the end of input ends server and tree", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  await using server = await serverWithCall(home);
  await server.closeInput();
  assertEquals((await server.status).code, 0);
  await untilGone(home);
  assertEquals((await recordIn(home)).status, "cancelled");
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test(`[F-ORIG-11] ${signal} ends server and tree`, async () => {
    await using home = await homeWith("hangs_with_grandchild");
    await using server = await serverWithCall(home);
    server.kill(signal);
    await server.status;
    await untilGone(home);
    assertEquals((await recordIn(home)).status, "cancelled");
    assertEquals(await server.stderr, "");
  });
}

Deno.test("[FAULT-20][FAULT-4][FAULT-17][FAULT-18] a cancelled call ends its tree, gets no answer and frees its slot", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  await using server = await serverWithCall(home);
  await server.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 7, reason: "enough" },
  });
  await untilGone(home);
  await waitUntil(async () => (await recordIn(home)).status === "cancelled", GONE_MS, "the record");
  await server.send({ jsonrpc: "2.0", id: 8, method: "ping" });
  await waitUntil(
    () => Promise.resolve(server.lines.some((line) => line.includes('"id":8'))),
    GONE_MS,
    "the answer to a ping",
  );
  assert(!server.lines.some((line) => JSON.parse(line).id === 7));
  await server.send({ ...CALL, id: 9 });
  await untilTreeStands(home, 3);
  await server.closeInput();
  await server.status;
  await untilGone(home);
});

Deno.test("a task that is cancelled while Hermes hangs on --version ends at once", async () => {
  await using home = await homeWith("hangs_on_version");
  const program = startProgram(["run", "--provider", "gemini", "hi"], { env: home.env, cwd: home.work });
  await waitUntil(async () => (await aliveTasksIn(home)).length > 0, 30_000, "the probe");
  const before = performance.now();
  program.kill("SIGTERM");
  assertEquals((await program.output).code, 143);
  assert(performance.now() - before < 5000);
  assertEquals(await aliveTasksIn(home), []);
});

Deno.test("[FAULT-22] a session whose turn was cancelled goes on with the next one", async () => {
  await using home = await homeWith("hangs");
  const program = startProgram(["run", "--provider", "gemini", "hi"], { env: home.env, cwd: home.work });
  await untilTreeStands(home, 1);
  await waitUntil(
    () => Deno.stat(`${home.root}/profiles/hermes-task/state.db`).then(() => true, () => false),
    GONE_MS,
    "a session",
  );
  program.kill("SIGTERM");
  await program.output;
  const { session_id } = await recordIn(home);
  await installFake(home.bin, "answers");
  const args = ["run", "--provider", "gemini", "--session-id", String(session_id), "go on"];
  const { stdout } = await startProgram(args, { env: home.env, cwd: home.work }).output;
  const reply = JSON.parse(stdout);
  assertEquals([reply.ok, reply.session_id], [true, session_id]);
});

Deno.test("[FAULT-31] an uncaught fault of our own ends the server and what it had started", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  const root = new URL("../../", import.meta.url).href;
  const { imports, unstable } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  const fault = { [`${root}src/operations/task.ts`]: `${root}tests/fixtures/crash/task.ts` };
  const config = `${home.work}/deno.json`;
  await Deno.writeTextFile(config, JSON.stringify({ imports: { ...imports, ...fault }, unstable }));
  await Deno.copyFile(new URL("../../deno.lock", import.meta.url), `${home.work}/deno.lock`);
  const server = startServer({ env: home.env, cwd: home.work, config });
  for (const message of [...OPENING, CALL]) await server.send(message);
  await untilTreeStands(home, 3);
  assertEquals((await server.status).code, 1);
  assert((await server.stderr).includes("a planted fault; please report it"));
  await untilGone(home);
  await server[Symbol.asyncDispose]();
});

Deno.test("the end of input and a signal right behind it still leave a closed record", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  await using server = await serverWithCall(home);
  await server.closeInput();
  server.kill("SIGTERM");
  await server.status;
  await untilGone(home);
  assertEquals((await recordIn(home)).status, "cancelled");
});

Deno.test("a host that calls and is gone at once leaves nothing running and no open record", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  await using server = startServer({ env: home.env, cwd: home.work });
  for (const message of [...OPENING, CALL]) await server.send(message);
  await server.closeInput();
  await server.status;
  await untilGone(home);
  const cache = `${home.root}/hermes-task-cache`;
  const kept = await Deno.stat(cache).then(() => true, () => false);
  if (kept && [...Deno.readDirSync(cache)].some(({ name }) => name.endsWith(".json"))) {
    assertEquals((await recordIn(home)).status, "cancelled");
  }
});
