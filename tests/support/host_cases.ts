// What must hold with a real MCP host in front and the real Hermes behind: a long task is handed over and waited for, and
// a host that gives up leaves nothing behind.
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { type HostModel, startHostModel } from "../../scripts/host_model.ts";
import type { HostScript } from "../../scripts/host_moves.ts";
import type { HostName } from "../../scripts/install_hosts.ts";
import { type ModelServer, startModelServer } from "../../scripts/model_server.ts";
import { isOpen, type TaskState } from "../../src/core/record.ts";
import { type HostRun, startHost } from "./host_runs.ts";
import { recordIn } from "./kept_record.ts";
import { aliveNaming, kill, type Living, waitUntil } from "./processes.ts";
import { escapes, makeRealHome, realHermes } from "./real_hermes.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

const BINARY = fromFileUrl(new URL("../../dist/hermes-task", import.meta.url));

/** One thing that must hold for a host. */
export interface HostCase {
  readonly name: string;
  readonly script: HostScript;
  /** Hosts that it holds for; all when left out. */
  readonly hosts?: readonly HostName[];
  readonly toolLimitSeconds?: number;
  play(stage: HostStage): Promise<void>;
}

/** Where a case plays; Hermes has just asked its model. */
export interface HostStage extends AsyncDisposable {
  readonly host: HostRun;
  readonly hostModel: HostModel;
  readonly home: ThrowAwayHome;
  /** The model behind Hermes. */
  readonly server: ModelServer;
}

/** Does one work after the other, in the order in which they ask. */
export type OneByOne = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Plays one case with a host, in a home of its own in which nothing may be left running. Many may play at once, as they
 * mostly wait; what needs the processor, the start of host, server and Hermes, goes one by one.
 */
export async function playWith(host: KnownHost, hostCase: HostCase, oneByOne: OneByOne): Promise<void> {
  await using stage = await oneByOne(() => openStage(host, hostCase));
  await hostCase.play(stage);
  const { home, server } = stage;
  await waitUntil(async () => (await aliveNaming(home.home)).length === 0, IDLE_MS, "an end of everything");
  assertEquals(escapes(server), [], "something tried to leave the machine");
}

/** A host that is installed. */
export interface KnownHost {
  readonly name: HostName;
  readonly program: string;
}

async function openStage(known: KnownHost, { script, toolLimitSeconds }: HostCase): Promise<HostStage> {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await startModelServer());
  const home = opened.use(await makeRealHome(await realHermes(), server));
  opened.defer(() => endAllIn(home));
  const hostModel = opened.use(startHostModel(script));
  const setup = { home, modelUrl: hostModel.url, server: BINARY, toolLimitSeconds };
  const host = opened.use(await startHost(known.name, known.program, setup));
  await untilHermesAsks(server, host);
  const all = opened.move();
  return { host, hostModel, home, server, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function untilHermesAsks(server: ModelServer, host: HostRun): Promise<void> {
  let said: unknown;
  host.output.then((output) => said = output);
  const asks = () => said !== undefined || server.requests().some(({ kind }) => kind === "chat");
  await waitUntil(asks, UNDER_WAY_MS, "a Hermes that asks its model");
  assertEquals(said, undefined, "the host ended before Hermes was at work");
}

/** So that a test that failed leaves nothing either. */
async function endAllIn({ home }: ThrowAwayHome): Promise<void> {
  for (const { pid } of await aliveNaming(home)) kill(pid);
}

/** From the host's end to that of the server and of Hermes; the grace is 1.5 s. */
const GONE_MS = 5_000;
const CLOSED_MS = 10_000;
/** A supervisor without work stays for 30 s. */
const IDLE_MS = 45_000;
/** For the start of host, server and Hermes on a busy machine. */
const UNDER_WAY_MS = 60_000;

const asking = (model: string, more: Readonly<Record<string, unknown>> = {}) => ({
  prompt: "hello",
  provider: "gemini",
  model,
  timeout_seconds: 300,
  ...more,
});

/** 20 words, one each 3.5 s. */
const LONG_TASK: HostCase = {
  name: "[P1][FAULT-1] a task of 70 s goes through hand-over and wait, and its answer reaches the user",
  script: { task: asking("mock-slow_20_3500") },
  play: async ({ host, hostModel, home }) => {
    const { code, stdout, stderr } = await host.output;
    await untilGone(home);
    assertEquals(code, 0, stderr);
    assertMatch(stdout, /HOST-SAYS w0 w1 .*w19/);
    assert(waitsFor(hostModel), callsOf(hostModel).join(" "));
    const { status, result } = await recordIn(home);
    assertEquals(status, "succeeded");
    assertStringIncludes(result!, "w19");
  },
};

const HANGING: HostScript = { task: asking("mock-hang") };

const signalled = (signal: Deno.Signal, whom: "host" | "group", name: string): HostCase => ({
  name: `[P2][FAULT-16] ${name} during a task that hangs leaves nothing behind`,
  script: HANGING,
  play: async ({ host, home }) => {
    host.kill(signal, whom);
    await host.output;
    await untilGone(home);
    await untilClosed(home, "cancelled");
  },
});

const TIMED_OUT: HostCase = {
  name: "[P2][FAULT-18] its own limit for a tool during a task that hangs leaves nothing behind",
  script: HANGING,
  // For opencode each progress note puts it off (1.18.33).
  hosts: ["codex", "claude-code"],
  toolLimitSeconds: 15,
  play: async ({ host, home }) => {
    const { code, stdout } = await host.output;
    await untilGone(home);
    assertEquals(code, 0);
    assertMatch(stdout, /HOST-GAVE-UP.* timed out/s);
    await untilClosed(home, "cancelled");
  },
};

/** A host that gives up while it waits for an answer, in each way. */
const GIVING_UP: readonly HostCase[] = [
  signalled("SIGINT", "group", "Ctrl-C"),
  signalled("SIGTERM", "host", "SIGTERM to the host"),
  signalled("SIGKILL", "host", "SIGKILL to the host"),
  TIMED_OUT,
];

/** What was handed over belongs to nobody: its own deadline ends it. */
const HANDED_OVER: HostCase = {
  name: "[P2][FAULT-19] SIGTERM to the host after a hand-over ends the server, and its deadline the task",
  script: { task: asking("mock-hang", { wait_seconds: 5, timeout_seconds: 40 }) },
  play: async ({ host, hostModel, home }) => {
    await waitUntil(() => waitsFor(hostModel), UNDER_WAY_MS, "a wait after the hand-over");
    host.kill("SIGTERM", "host");
    await host.output;
    await untilNone(home, isServer, GONE_MS);
    await untilNone(home, isHermes, 40_000 + GONE_MS);
    await untilClosed(home, "timed_out");
  },
};

function waitsFor(hostModel: HostModel): boolean {
  return callsOf(hostModel).some((tool) => tool.endsWith("hermes_wait"));
}

function callsOf(hostModel: HostModel): string[] {
  return hostModel.turns().flatMap(({ move }) => move.kind === "call" ? [move.tool.name] : []);
}

async function untilGone(home: ThrowAwayHome): Promise<void> {
  await untilNone(home, (one) => isServer(one) || isHermes(one), GONE_MS);
}

const isServer = ({ command }: Living): boolean => command.startsWith(`${BINARY} mcp`);
const isHermes = ({ command }: Living): boolean => command.includes("--query=");

async function untilNone(
  { home }: ThrowAwayHome,
  isOne: (living: Living) => boolean,
  ms: number,
): Promise<void> {
  let left: Living[] = [];
  const none = async () => (left = (await aliveNaming(home)).filter(isOne)).length === 0;
  await waitUntil(none, ms, "an end of server and Hermes").catch((error) => {
    throw new Error(`${error.message}: ${left.map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`)}`);
  });
}

/** A record may be closed by whoever notices the end of its owner. */
async function untilClosed(home: ThrowAwayHome, status: TaskState): Promise<void> {
  await waitUntil(async () => !isOpen(await recordIn(home)), CLOSED_MS, "a closed record");
  assertEquals((await recordIn(home)).status, status);
}

/** All of them, the longest first. */
export const HOST_CASES: readonly HostCase[] = [LONG_TASK, HANDED_OVER, ...GIVING_UP];
