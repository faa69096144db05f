// Reads the session of a run that has ended: from the store, with a short retry while Hermes still writes, else by
// asking Hermes for an export.
import { printedSessionId, type StopCause } from "../core/judge.ts";
import { type Baseline, readSession, type SessionKey, type SessionReading } from "../hermes/session.ts";
import { exportSession } from "../hermes/session_export.ts";
import { type ChildExit, FileFault, type World } from "../ports.ts";

/** Waits between looks. Hermes writes from a thread of its own, so the last rows may come after its end. */
const WAITS_MS = [0, 50, 100, 200, 400, 800];

/** What is known of a run that has ended. */
export interface EndedRun {
  readonly source: string;
  readonly since: Baseline | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Epoch milliseconds at which the whole task must have ended. */
  readonly deadlineMs: number;
  /** Set when we ended it: then there is no time for an export. */
  readonly stoppedBy: StopCause | undefined;
  readonly signal?: AbortSignal;
}

/** How a running or ended run's session is found. A continued one keeps its first `--source` (0.19.0). */
export function keyOf({ since, source }: Pick<EndedRun, "since" | "source">): SessionKey {
  return since ? { sessionId: since.sessionId } : { source };
}

/** The session, and why it could not be read if so. Both undefined for a program that keeps none. */
export async function settledSession(
  world: World,
  run: EndedRun,
  stderr: string,
  exit: ChildExit,
): Promise<{ reading?: SessionReading; problem?: string }> {
  const printed = printedSessionId(stderr);
  const key = printed === undefined ? keyOf(run) : { sessionId: printed };
  let reading: SessionReading | undefined;
  let fault: FileFault | undefined;
  for (const waitMs of WAITS_MS) {
    await world.clock.sleep(waitMs);
    [reading, fault] = await look(world, key, run.since);
    const expected = printed !== undefined || fault !== undefined || reading !== undefined;
    if (!expected || isWhole(reading, exit)) break;
  }
  if (reading || printed === undefined) return reading ? { reading } : {};
  const exported = await byExport(world, run, printed);
  if (exported) return { reading: exported };
  return {
    problem: `Cannot read session ${printed}: ${
      fault?.message ?? "Hermes' store does not have it"
    }; tool calls and usage are unknown`,
  };
}

/** The second way: inside the task's deadline, and only for a run that ended by itself. */
async function byExport(world: World, run: EndedRun, sessionId: string): Promise<SessionReading | undefined> {
  const leftMs = run.deadlineMs - world.clock.now();
  if (run.stoppedBy || run.signal?.aborted || leftMs <= 0) return undefined;
  const home = run.since?.home ?? world.place.taskHome;
  const limitMs = Math.min(leftMs, world.settings.values.sessionExportTimeoutMs);
  return await exportSession(world, sessionId, { home, env: run.env, limitMs, signal: run.signal });
}

async function look(
  world: World,
  key: SessionKey,
  since: Baseline | undefined,
): Promise<[SessionReading | undefined, FileFault | undefined]> {
  try {
    return [await readSession(world, key, since), undefined];
  } catch (error) {
    if (error instanceof FileFault) return [undefined, error];
    throw error;
  }
}

/** A run that ended well ends with the model's word. */
function isWhole(reading: SessionReading | undefined, exit: ChildExit): boolean {
  if (!reading) return false;
  return exit.code !== 0 || reading.messages.at(-1)?.role === "assistant";
}
