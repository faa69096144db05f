// One start of Hermes, from the spawn to the judged end. Whatever happens, nothing of it runs on.
import type { Failure } from "../core/failure.ts";
import { judge, printedSessionId, type StopCause, type Verdict } from "../core/judge.ts";
import { type Hide, hideInside } from "../core/hide.ts";
import { headAndTail } from "../core/page.ts";
import type { AttemptRecord } from "../core/record.ts";
import { LONGEST_KEY, redact } from "../core/redact.ts";
import type { Route } from "../core/route.ts";
import type { Progress } from "../core/task.ts";
import { type Baseline, readSession, type SessionReading } from "../hermes/session.ts";
import { type Captured, type Child, type ChildExit, SpawnFault, type World } from "../ports.ts";
import { keyOf, settledSession } from "./answer.ts";
import { type ChildEnd, runToItsEnd, sweepUp } from "./run_child.ts";

/** What one attempt needs. */
export interface AttemptPlan {
  readonly taskId: string;
  readonly route: Route;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly mark: string;
  readonly source: string;
  /** Epoch milliseconds at which the whole task must have ended. */
  readonly deadlineMs: number;
  readonly timeoutSeconds: number;
  /** Takes the keys with which the provider is asked out of any text. */
  readonly hide: Hide;
  /** Where the session that is continued stood before. */
  readonly since: Baseline | undefined;
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly record: AttemptRecord;
  readonly failure: Failure | undefined;
  readonly answer: string | null;
  readonly reading: SessionReading | undefined;
  readonly warnings: readonly string[];
}

/** What the caller can do while it runs. */
export interface AttemptOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

const PROGRESS_MS = 1000;
const TAIL_BYTES = 4 * 1024;

/** Runs Hermes once. Never throws for what Hermes does. */
export async function runAttempt(
  world: World,
  plan: AttemptPlan,
  options: AttemptOptions,
): Promise<AttemptEnd> {
  const startedMs = world.clock.now();
  world.guardian.watch(plan.mark);
  const child = await start(world, plan);
  if (child instanceof SpawnFault) return notStarted(world, plan, child, startedMs);
  const { exit, stoppedBy } = await watched(world, plan, child, options);
  const sweep = sweepUp(world, child, plan.mark, stoppedBy);
  const { reading: read, problem } = await settledSession(
    world,
    { ...plan, stoppedBy, signal: options.signal },
    stderrOf(child),
    exit,
  );
  const reading = read && hideInside(read, plan.hide);
  const verdict = judgeRun(world, plan, { child, exit, stoppedBy, reading });
  return {
    record: recordOf(world, plan, { child, exit, verdict, reading, startedMs }),
    failure: verdict.failure,
    answer: verdict.answer,
    reading,
    warnings: [...await sweep, ...problem ? [problem] : [], ...outputWarnings(child, verdict)],
  };
}

function stderrOf(child: Child): string {
  const { text, tail } = child.output().stderr;
  return tail ? `${text}\n${tail}` : text;
}

async function start(world: World, plan: AttemptPlan): Promise<Child | SpawnFault> {
  try {
    const child = await world.processes.start({
      program: world.place.hermes.path!,
      args: plan.args,
      cwd: plan.cwd,
      env: plan.env,
      mark: plan.mark,
      spillPath: `${world.place.cacheDir}/${plan.taskId}.log`,
      hide: plan.hide,
    });
    return {
      pid: child.pid,
      exit: child.exit,
      ask: () => child.ask(),
      output: () => hideInside(child.output(), plan.hide),
    };
  } catch (error) {
    if (error instanceof SpawnFault) return error;
    throw error;
  }
}

async function watched(
  world: World,
  plan: AttemptPlan,
  child: Child,
  options: AttemptOptions,
): Promise<ChildEnd> {
  const over = new AbortController();
  if (options.onProgress) void report(world, plan, options.onProgress, over.signal);
  const end = await runToItsEnd(world, child, { ...plan, signal: options.signal });
  over.abort();
  return end;
}

async function report(
  world: World,
  plan: AttemptPlan,
  onProgress: (progress: Progress) => void,
  over: AbortSignal,
): Promise<void> {
  const startedMs = world.clock.now();
  while (!over.aborted) {
    const reading = await readSession(world, keyOf(plan), plan.since).catch(() => undefined);
    if (over.aborted) return;
    onProgress({
      task_id: plan.taskId,
      provider: plan.route.provider,
      model: plan.route.model,
      elapsed_ms: world.clock.now() - startedMs,
      turns: reading?.turns ?? null,
      activity: reading?.activity ? redact(plan.hide(reading.activity)) : null,
    });
    await world.clock.sleep(PROGRESS_MS, over);
  }
}

interface Ended {
  readonly child: Child;
  readonly exit: ChildExit;
  readonly stoppedBy: StopCause | undefined;
  readonly reading: SessionReading | undefined;
}

function judgeRun(world: World, plan: AttemptPlan, { child, exit, stoppedBy, reading }: Ended): Verdict {
  const { stdout, stderr } = child.output();
  return judge({
    exitCode: exit.code,
    signal: exit.signal,
    stoppedBy,
    stdout: stdout.text,
    stderr: stderr.text,
    session: reading,
    timeoutSeconds: plan.timeoutSeconds,
    provider: plan.route.provider,
    model: plan.route.model,
    nowMs: world.clock.now(),
    longestRestMs: world.settings.values.resetWindowMs,
  });
}

function outputWarnings(child: Child, verdict: Verdict): string[] {
  if (!verdict.fromOutput || verdict.answer === null) return [];
  const { stdout } = child.output();
  const warnings = ["Hermes left no session: the answer is what it printed"];
  if (stdout.cut) {
    warnings.push(
      `It printed ${stdout.sizeBytes} bytes: the first MiB is the answer, the rest is in the task's log file`,
    );
  }
  return warnings;
}

function recordOf(
  world: World,
  plan: AttemptPlan,
  end: Pick<Ended, "child" | "exit" | "reading"> & { verdict: Verdict; startedMs: number },
): AttemptRecord {
  const { failure } = end.verdict;
  const { stdout, stderr } = end.child.output();
  return {
    provider: plan.route.provider,
    model: plan.route.model,
    outcome: outcomeOf(failure),
    error: failure?.code ?? null,
    error_detail: failure ? redact(failure.detail) : null,
    duration_ms: Math.round(world.clock.now() - end.startedMs),
    reason: plan.route.reason,
    started_at: new Date(end.startedMs).toISOString(),
    exit_code: failure?.code === "timeout" ? 124 : end.exit.code,
    signal: end.exit.signal,
    session_id: end.reading?.sessionId ?? printedSessionId(stderr.text) ?? null,
    output_tail: failure ? tailOf(stdout, stderr) || null : null,
  };
}

function outcomeOf(failure: Failure | undefined): AttemptRecord["outcome"] {
  if (!failure) return "succeeded";
  return failure.code === "cancelled" ? "cancelled" : failure.code === "timeout" ? "timed_out" : "failed";
}

function tailOf(...streams: readonly Captured[]): string {
  const parts = streams.map((stream) => redact(endOf(stream).replace(/^session_id: .*$/m, "").trim()));
  return headAndTail(parts.filter(Boolean).join("\n---- standard error\n"), TAIL_BYTES);
}

/** A tail may begin inside a secret that would not be known for one: its first line is left out. */
function endOf({ text, tail, cut }: Captured): string {
  return cut ? tail.slice(tail.indexOf("\n") + 1 || LONGEST_KEY) : text;
}

function notStarted(world: World, plan: AttemptPlan, fault: SpawnFault, startedMs: number): AttemptEnd {
  const { hermes } = world.place;
  const failure: Failure = fault.kind === "too_long"
    ? { code: "prompt_too_long", detail: `${fault.message}; put the text into a file that the task reads` }
    : {
      code: "spawn_failed",
      detail: `Cannot start Hermes: ${fault.message}; name another with HERMES_BIN (found by ${hermes.from})`,
    };
  return {
    record: {
      provider: plan.route.provider,
      model: plan.route.model,
      outcome: "failed",
      error: failure.code,
      error_detail: redact(failure.detail),
      duration_ms: Math.round(world.clock.now() - startedMs),
      reason: plan.route.reason,
      started_at: new Date(startedMs).toISOString(),
      exit_code: null,
      signal: null,
      session_id: null,
      output_tail: null,
    },
    failure,
    answer: null,
    reading: undefined,
    warnings: [],
  };
}
