// How long does a whole task take with the real Hermes and a model that answers at once, and how soon is a lost
// provider known?
import { buildArgs, buildEnvironment } from "../src/core/invocation.ts";
import { printedSessionId } from "../src/core/judge.ts";
import { makeRealHome } from "../tests/support/real_hermes.ts";
import type { ServerUnderTest } from "../tests/support/server_under_test.ts";
import type { ThrowAwayHome } from "../tests/support/throw_away_home.ts";
import { commandOf, ownPrograms, type Program, withServer } from "./bench_programs.ts";
import { median, type Row, rowOf, skippedRow, type Yardstick } from "./bench_table.ts";
import { ensureHermes } from "./install_hermes.ts";
import { startModelServer } from "./model_server.ts";

const TIMES = 5;
const TASK = { prompt: "Say hello", provider: "gemini", model: "mock-plain" };
/** What the provider asks us to wait. */
const RETRY_AFTER_SECONDS = 30;

/** Rows with the real Hermes, or one that says why there is none. */
export async function benchReal(): Promise<Row[]> {
  const said: string[] = [];
  const hermes = Deno.env.get("HERMES_TASK_REAL_HERMES") ?? await ensureHermes((line) => said.push(line));
  if (!hermes) return [skippedRow("rows with the real Hermes", said.join("; "))];
  const [program] = await ownPrograms();
  const times = await wholeTask(hermes, program);
  return [...rowsOf(times, program), await lostProvider(hermes, program)];
}

interface Times {
  readonly bare: number[];
  readonly exported: number[];
  readonly server: number[];
  readonly command: number[];
}

async function wholeTask(hermes: string, program: Program): Promise<Times> {
  await using model = await startModelServer();
  await using home = await makeRealHome(hermes, model);
  const times: Times = { bare: [], exported: [], server: [], command: [] };
  await withServer(program, home, async (server) => {
    await server.handshake();
    await callTool(server); // makes the task profile
    await bareStart(hermes, home);
    for (let time = 0; time < TIMES; time++) await measureOnce(times, { hermes, home, program, server });
  });
  return times;
}

interface Stage {
  readonly hermes: string;
  readonly home: ThrowAwayHome;
  readonly program: Program;
  readonly server: ServerUnderTest;
}

async function measureOnce(times: Times, { hermes, home, program, server }: Stage): Promise<void> {
  let sessionId = "";
  times.bare.push(await timeOf(async () => sessionId = await bareStart(hermes, home)));
  times.exported.push(await timeOf(() => bareExport(hermes, home, sessionId)));
  times.server.push(await timeOf(() => callTool(server)));
  times.command.push(await timeOf(() => runCommand(program, home)));
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** One start with nothing around it. Returns its session. */
async function bareStart(hermes: string, home: ThrowAwayHome): Promise<string> {
  const { code, stderr } = await bareChat(hermes, home);
  const sessionId = printedSessionId(stderr);
  if (code !== 0 || !sessionId) throw new Error(`A bare hermes chat failed: ${stderr}`);
  return sessionId;
}

/** The same call in the same profile. */
function bareChat(hermes: string, home: ThrowAwayHome): Promise<{ code: number; stderr: string }> {
  const args = buildArgs({
    ...TASK,
    source: "bench",
    toolsets: "",
    maxTurns: 500,
    sessionId: "",
    yolo: false,
    ignoreUserConfig: false,
  });
  return bareHermes(hermes, home, args);
}

/** The second start, by which the first server of this kind found out what the first had done. */
async function bareExport(hermes: string, home: ThrowAwayHome, sessionId: string): Promise<void> {
  const args = ["sessions", "export", "--session-id", sessionId, "--format", "jsonl", "-"];
  const { code, stderr } = await bareHermes(hermes, home, args);
  if (code !== 0) throw new Error(`hermes sessions export failed: ${stderr}`);
}

async function bareHermes(
  hermes: string,
  home: ThrowAwayHome,
  args: readonly string[],
): Promise<{ code: number; stderr: string }> {
  const plan = { home: `${home.root}/profiles/hermes-task`, mark: "bench.bare.1", depth: 0, variables: [] };
  const { code, stderr } = await new Deno.Command(hermes, {
    args: [...args],
    cwd: home.work,
    clearEnv: true,
    env: buildEnvironment(plan, (name) => home.env[name]),
    stdin: "null",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

async function callTool(server: ServerUnderTest): Promise<void> {
  const { isError, content } = await server.callTool("hermes_task", TASK, 120_000);
  if (isError) throw new Error(`The task failed: ${JSON.stringify(content)}`);
}

async function runCommand(program: Program, home: ThrowAwayHome): Promise<void> {
  const { prompt, provider, model } = TASK;
  const args = ["run", "--provider", provider, "--model", model, "--json", prompt];
  const child = commandOf(program, args, home).spawn();
  await child.stdin.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error(`The task failed: ${new TextDecoder().decode(stdout)}`);
}

function rowsOf({ bare, exported, server, command }: Times, { name }: Program): Row[] {
  const oneStart: Yardstick = { name: "one bare hermes chat", value: median(bare), unit: "ms" };
  const both = bare.map((ms, at) => ms + exported[at]!);
  const twoStarts: Yardstick = { name: "two starts (chat, export)", value: median(both), unit: "ms" };
  const row = (what: string, times: readonly number[], yardstick: Yardstick, ratio?: number) =>
    rowOf({
      what: `whole task, real Hermes, ${what} ${name}`,
      value: median(times),
      unit: "ms",
      yardstick,
      ...(ratio ? { limit: { ratio } } : {}),
    });
  return [
    row("server", server, oneStart, 1.1),
    row("server", server, twoStarts),
    row("command", command, oneStart, 1.1),
  ];
}

/** One attempt per model call: Hermes does not wait for the provider itself. */
async function lostProvider(hermes: string, program: Program): Promise<Row> {
  await using model = await startModelServer();
  await using home = await makeRealHome(hermes, model, {
    failing: { [TASK.provider]: `429_${RETRY_AFTER_SECONDS}` },
  });
  const [times, bare]: [number[], number[]] = [[], []];
  await withServer(program, home, async (server) => {
    await server.handshake();
    await expectRateLimit(server); // makes the task profile
    for (let time = 0; time < TIMES; time++) {
      bare.push(await timeOf(() => bareChat(hermes, home)));
      times.push(await timeOf(() => expectRateLimit(server)));
    }
  });
  return rowOf({
    what: `429 with Retry-After ${RETRY_AFTER_SECONDS} known, server ${program.name}`,
    value: median(times),
    unit: "ms",
    yardstick: { name: "the same hermes chat, bare", value: median(bare), unit: "ms" },
    limit: { value: 4000 },
  });
}

async function expectRateLimit(server: ServerUnderTest): Promise<void> {
  const { structuredContent } = await server.callTool("hermes_task", TASK, 120_000);
  const { error } = structuredContent as { error?: string };
  if (error !== "rate_limited") throw new Error(`Expected rate_limited, got ${error}`);
}
