// What does the queue cost: a hand-over, a supervisor that must be started, a task among many?
import { installFake } from "../tests/support/fake_hermes.ts";
import { supervisorsOf, waitUntil } from "../tests/support/processes.ts";
import type { ServerUnderTest } from "../tests/support/server_under_test.ts";
import { makeHome, type ThrowAwayHome } from "../tests/support/throw_away_home.ts";
import { homeWithModels, nowMs, stampingHermes } from "./bench_home.ts";
import { ownPrograms, type Program, withServer } from "./bench_programs.ts";
import { median, type Row, rowOf, skippedRow } from "./bench_table.ts";

const TASK = { prompt: "say", provider: "gemini", model: "gemini-3.1-flash-lite" };
const TIMES = 7;
const WAIT_SECONDS = 1;
const FEW = 40;
const MANY = 200;
const AT_ONCE = 16;

/** All rows. */
export async function benchQueue(): Promise<Row[]> {
  const [program] = await ownPrograms();
  return [
    await coldRow(program),
    await handOverRow(program),
    await queuedRow(program),
  ];
}

/** The first task of a machine: nobody is there to run it. */
async function coldRow(program: Program): Promise<Row> {
  const what = `call → Hermes started when a supervisor must start, server ${program.name}`;
  await using home = await homeWithModels();
  const hermes = await stampingHermes(home, "answers");
  if (!hermes) return skippedRow(what, "date knows no nanoseconds here");
  const times: number[] = [];
  await withServer(program, home, async (server) => {
    await server.handshake();
    for (let time = -1; time < TIMES; time++) {
      await untilNoSupervisor(home);
      const calledMs = nowMs();
      await answer(server, "hermes_task", TASK);
      const { startedMs } = await hermes.stamps();
      if (time >= 0) times.push(startedMs - calledMs); // the first finds out what this Hermes is
    }
  });
  return rowOf({ what, value: median(times), unit: "ms", limit: { value: 120 } });
}

/** They would stay for half a minute. */
async function untilNoSupervisor(home: ThrowAwayHome): Promise<void> {
  for (const { pid } of await supervisorsOf(home)) Deno.kill(pid, "SIGTERM");
  await waitUntil(async () => (await supervisorsOf(home)).length === 0, 10_000, "the end of the supervisors");
}

/** How late a call that waits a second for a task that hangs is answered. */
async function handOverRow(program: Program): Promise<Row> {
  await using home = await makeHome();
  await installFake(home.bin, "hangs");
  const times: number[] = [];
  await withServer(program, home, async (server) => {
    await server.handshake();
    for (let time = 0; time < TIMES; time++) {
      const began = performance.now();
      const { task_id } = await answer(server, "hermes_task", { ...TASK, wait_seconds: WAIT_SECONDS });
      times.push(performance.now() - began - WAIT_SECONDS * 1000);
      await answer(server, "hermes_cancel", { task_ids: [task_id] });
    }
  });
  return rowOf({
    what: `hand-over: reply beyond wait_seconds, server ${program.name}`,
    value: median(times),
    unit: "ms",
    note: "a reply comes before its time is over",
    limit: { value: 0 },
  });
}

/** Does a task among many cost more than one among few? */
async function queuedRow(program: Program): Promise<Row> {
  const few = await eachOf(program, FEW);
  const many = await eachOf(program, MANY);
  return rowOf({
    what: `one of ${MANY} queued tasks, ${AT_ONCE} at once, server ${program.name}`,
    value: many,
    unit: "ms",
    yardstick: { name: `of ${FEW}`, value: few, unit: "ms" },
    limit: { ratio: 1.2 },
  });
}

async function eachOf(program: Program, tasks: number): Promise<number> {
  const settings = { maxConcurrent: AT_ONCE, maxQueued: MANY };
  await using home = await makeHome({ files: { "hermes-task.jsonc": JSON.stringify(settings) } });
  await installFake(home.bin, "soak");
  let took = 0;
  await withServer(program, home, async (server) => {
    await server.handshake();
    await answer(server, "hermes_task", TASK);
    const began = performance.now();
    const given = [];
    for (let n = 0; n < tasks; n++) {
      given.push((await answer(server, "hermes_task", { ...TASK, background: true })).task_id);
    }
    await answer(server, "hermes_wait", { task_ids: given, wait_seconds: 300 });
    took = performance.now() - began;
  });
  return took / tasks;
}

async function answer(server: ServerUnderTest, tool: string, args: unknown): Promise<{ task_id: string }> {
  const { isError, structuredContent } = await server.callTool(tool, args, 310_000);
  if (isError) throw new Error(`${tool} failed: ${JSON.stringify(structuredContent)}`);
  return structuredContent as { task_id: string };
}
