// What does a task cost around Hermes, and how soon is a cancelled one gone?
import { hermesTask } from "../mod.ts";
import { installFake } from "../tests/support/fake_hermes.ts";
import { aliveTasksIn, waitUntil } from "../tests/support/processes.ts";
import type { ServerUnderTest } from "../tests/support/server_under_test.ts";
import { makeHome, type ThrowAwayHome } from "../tests/support/throw_away_home.ts";
import { homeWithModels, nowMs, type StampingHermes, stampingHermes } from "./bench_home.ts";
import { ownPrograms, type Program, withServer } from "./bench_programs.ts";
import { median, type Row, rowOf, showFigure, skippedRow } from "./bench_table.ts";

const TIMES = 15;
const CANCELS = 3;
const GRACE_MS = 1500;
const TASK = { prompt: "Say hello", provider: "gemini", model: "gemini-3.1-flash-lite" };

interface Cost {
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** Rows for the time before Hermes starts and after it has ended, beyond those of a bare start of the same stand-in. */
export async function benchTaskCost(): Promise<Row[]> {
  await using home = await homeWithModels();
  const hermes = await stampingHermes(home, "answers");
  if (!hermes) return [skippedRow("a task's own cost around Hermes", "date knows no nanoseconds here")];
  const [program] = await ownPrograms();
  const bare: Cost[] = [], inProcess: Cost[] = [], overStdio: Cost[] = [];
  await withServer(program, home, async (server) => {
    await server.handshake();
    for (let time = -1; time < TIMES; time++) {
      const costs = [
        await costOf(hermes, () => bareStart(hermes, home)),
        await costOf(hermes, () => callModule(hermes, home)),
        await costOf(hermes, () => callTool(server)),
      ] as const;
      if (time < 0) continue; // the first of each finds out what this Hermes is
      [bare, inProcess, overStdio].forEach((list, at) => list.push(costs[at]!));
    }
  });
  return [
    ...rowsFor("in-process", inProcess, bare),
    ...rowsFor(`server ${program.name}`, overStdio, bare),
  ];
}

async function costOf(hermes: StampingHermes, run: () => Promise<unknown>): Promise<Cost> {
  const calledMs = nowMs();
  await run();
  const repliedMs = nowMs();
  const { startedMs, endedMs } = await hermes.stamps();
  return { beforeMs: startedMs - calledMs, afterMs: repliedMs - endedMs };
}

async function bareStart(hermes: StampingHermes, home: ThrowAwayHome): Promise<void> {
  const args = ["chat", `--query=${TASK.prompt}`, "--quiet", `--model=${TASK.model}`, "--provider=gemini"];
  const env = { ...home.env, HERMES_HOME: home.root };
  const { success } = await new Deno.Command(hermes.path, { args, clearEnv: true, env, stdin: "null" })
    .output();
  if (!success) throw new Error("The stand-in for Hermes failed by itself");
}

async function callModule(hermes: StampingHermes, home: ThrowAwayHome): Promise<void> {
  const { ok, error_detail } = await hermesTask(TASK, {
    home: home.root,
    settings: { hermesBin: hermes.path },
  });
  if (!ok) throw new Error(`The task failed: ${error_detail}`);
}

async function callTool(server: ServerUnderTest): Promise<void> {
  const { isError, content } = await server.callTool("hermes_task", TASK, 60_000);
  if (isError) throw new Error(`The task failed: ${JSON.stringify(content)}`);
}

function rowsFor(where: string, own: readonly Cost[], bare: readonly Cost[]): Row[] {
  const row = (what: string, of: (cost: Cost) => number, limitMs: number) => {
    const bareMs = median(bare.map(of));
    return rowOf({
      what: `${what}, ${where}`,
      value: median(own.map(of)) - bareMs,
      unit: "ms",
      note: `beyond a bare spawn's ${showFigure({ value: bareMs, unit: "ms" })}`,
      limit: { value: limitMs },
    });
  };
  return [
    row("call → Hermes started", (cost) => cost.beforeMs, 10),
    row("Hermes ended → reply", (cost) => cost.afterMs, 20),
  ];
}

/** The row for a cancel that Hermes does not heed, with a helper in a session of its own and a daemon. */
export async function benchCancel(): Promise<Row[]> {
  await using home = await makeHome({
    files: { "hermes-task.jsonc": JSON.stringify({ killGraceMs: GRACE_MS }) },
  });
  await installFake(home.bin, "hangs_with_grandchild");
  const [program] = await ownPrograms();
  const times: number[] = [];
  for (let time = 0; time < CANCELS; time++) times.push(await cancelOnce(program, home));
  return [rowOf({
    what: `cancel → whole tree gone, server ${program.name}`,
    value: median(times) - GRACE_MS,
    unit: "ms",
    note: `beyond the grace of ${GRACE_MS} ms`,
    limit: { value: 500 },
  })];
}

async function cancelOnce(program: Program, home: ThrowAwayHome): Promise<number> {
  return await withServer(program, home, async (server) => {
    await server.handshake();
    const params = { name: "hermes_task", arguments: TASK };
    await server.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
    const living = async () => (await aliveTasksIn(home)).length;
    await waitUntil(async () => await living() >= 3, 20_000, "Hermes, its helper and its daemon run");
    const began = performance.now();
    await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    while (await living() > 0) {
      if (performance.now() - began > 30_000) throw new Error("A cancelled task is still running after 30 s");
    }
    return performance.now() - began;
  });
}
