// A started Hermes until nothing of it runs any more: by itself, at the deadline, or because the caller cancels.
import { ERRORS } from "../core/failure.ts";
import type { StopCause } from "../core/judge.ts";
import { endedWithin } from "../hermes/ended_within.ts";
import type { Child, ChildExit, StopReport, World } from "../ports.ts";

/** What may end a child before it ends by itself. */
export interface ChildLimits {
  readonly mark: string;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** How it ended; `stoppedBy` when we ended it. */
export interface ChildEnd {
  readonly exit: ChildExit;
  readonly stoppedBy: StopCause | undefined;
}

/** How long a killed child may take to be gone before the task goes on without it. */
const STUCK_MS = 2000;

/** Waits for a child's end, or brings it about. */
export async function runToItsEnd(world: World, child: Child, limits: ChildLimits): Promise<ChildEnd> {
  const over = new AbortController();
  const first = await Promise.race([child.exit, stopCause(world, limits, over.signal)]);
  over.abort();
  if (typeof first !== "string") return { exit: first, stoppedBy: undefined };
  return { exit: await askToEnd(world, child, limits.mark, first), stoppedBy: first };
}

function stopCause(world: World, { deadlineMs, signal }: ChildLimits, over: AbortSignal): Promise<StopCause> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve("cancel");
    signal?.addEventListener("abort", () => resolve("cancel"), { signal: over });
    world.clock.sleep(deadlineMs - world.clock.now(), over).then(() => over.aborted || resolve("deadline"));
  });
}

/** Asks once, waits a grace, then ends the whole tree. */
async function askToEnd(world: World, child: Child, mark: string, cause: StopCause): Promise<ChildExit> {
  const { killGraceMs, deadlineGraceMs } = world.settings.values;
  child.ask();
  const limitMs = cause === "deadline" ? deadlineGraceMs : killGraceMs;
  if (await endedWithin(world, child, { limitMs })) return await child.exit;
  await stopQuietly(world, child, mark);
  if (await endedWithin(world, child, { limitMs: STUCK_MS })) return await child.exit;
  return { code: ERRORS.timeout.exit, signal: null };
}

/** Ends what is left, also after a success: Hermes' background processes outlive a normal end. Returns warnings. */
export async function sweepUp(
  world: World,
  child: Child,
  mark: string,
  stoppedBy: StopCause | undefined,
): Promise<string[]> {
  if (!stoppedBy && world.settings.values.keepBackgroundProcesses) {
    world.guardian.release(mark);
    return [];
  }
  return leftWarnings(await stopQuietly(world, child, mark));
}

/** What is to be said of what could not be ended. */
export function leftWarnings({ left, limited }: StopReport): string[] {
  const warnings = limited ? [limited] : [];
  if (left.length > 0) warnings.push(`Could not end process ${left.join(", ")}; end it by hand`);
  return warnings;
}

/** Why nothing was looked for. */
export function lookFailed(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return `Could not look for what Hermes left running: ${words}`;
}

/** That a tree could not be ended is told, not thrown: the answer is worth more. */
async function stopQuietly(world: World, child: Child, mark: string): Promise<StopReport> {
  try {
    return await world.guardian.stop(child.pid, mark);
  } catch (error) {
    return { left: [], limited: lookFailed(error) };
  }
}
