// Finds what is known of an earlier task: its record, else the newest record of its session, else the session in
// Hermes' own store, which is recorded then.
import { recordOfSession } from "../core/session_record.ts";
import { refusal } from "../core/failure.ts";
import { isPlainId } from "../core/id.ts";
import { isOpen, type TaskRecord } from "../core/record.ts";
import { redact, redactValue } from "../core/redact.ts";
import { sourceOf } from "../hermes/mark.ts";
import { readSession, type SessionReading } from "../hermes/session.ts";
import { FileFault, type World } from "../ports.ts";
import { seeTask } from "./see_task.ts";
import { tendBriefly } from "./tend.ts";

/** Which task; one of the two is enough. Empty: not known. */
export interface Wanted {
  readonly taskId: string;
  readonly sessionId: string;
}

/** What was found. `cached` is false when it was read from Hermes' store just now. */
export interface Recalled {
  readonly record: TaskRecord;
  readonly cached: boolean;
  readonly warnings: readonly string[];
}

/** The most of a log file that is read at once. */
const LOG_BYTES = 8 * 1024 * 1024;

/** Undefined when nothing matches. A record file that is there and cannot be read is refused with its name. */
export async function recall(world: World, { taskId, sessionId }: Wanted): Promise<Recalled | undefined> {
  try {
    const byTask = taskId === "" ? undefined : await world.records.byTask(taskId);
    const found = byTask ?? (sessionId === "" ? undefined : await world.records.bySession(sessionId));
    const record = found && isOpen(found) ? await seeNow(world, found) : found;
    if (record) return { record, cached: true, warnings: [] };
    return sessionId === "" ? undefined : await recallSession(world, sessionId);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw refusal("not_found", `Cannot read ${error.message}; ${nextStepAfter(error)}`);
  }
}

async function seeNow(world: World, record: TaskRecord): Promise<TaskRecord | undefined> {
  await tendBriefly(world);
  return (await seeTask(world, record.task_id, [record]))?.record;
}

async function recallSession(world: World, sessionId: string): Promise<Recalled | undefined> {
  const reading = await readSession(world, { sessionId });
  if (!reading) return undefined;
  const ended = reading.messages.at(-1)?.role === "assistant" && reading.answer !== null;
  const record = redactValue(recordOfSession({ ...reading, ended }));
  // A session that still goes on is not recorded: the record would hide how it ends.
  if (!ended || !isPlainId(record.task_id)) return { record, cached: false, warnings: [] };
  const problem = await world.records.keep(record);
  return { record, cached: false, warnings: problem ? [problem] : [] };
}

function nextStepAfter(fault: FileFault): string {
  if (fault.kind === "denied") return "give yourself the right to read it";
  return fault.path.endsWith(".json")
    ? "move it away, or ask by session_id: Hermes' own store may still have the session"
    : "ask again later";
}

/** The log of a task as one redacted text: each attempt, what Hermes printed, and what it does while it runs. */
export async function readLog(
  world: World,
  record: TaskRecord,
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const parts = record.attempts.map((attempt, n) => {
    const { provider, model, outcome, error, error_detail, duration_ms, output_tail } = attempt;
    const how = [outcome, error, error_detail].filter((word) => word).join(" · ");
    return `attempt ${n + 1}: ${provider} · ${model} · ${how} · ${duration_ms} ms\n${output_tail ?? ""}`;
  });
  const warnings: string[] = [];
  if (record.status === "running") parts.push(await liveLog(world, record, warnings));
  parts.push(await spilledLog(world, record, warnings));
  return { text: redact(parts.map((part) => part.trimEnd()).filter(Boolean).join("\n\n")), warnings };
}

async function liveLog(world: World, record: TaskRecord, warnings: string[]): Promise<string> {
  const attempt = record.attempts.length + 1;
  let reading: SessionReading | undefined;
  try {
    const since = world.queue.row(record.task_id)?.since ?? undefined;
    const source = sourceOf(record.task_id, attempt);
    reading = await readSession(world, since ? { sessionId: since.sessionId } : { source }, since);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    warnings.push(`Cannot read what Hermes is doing: ${error.message}; ask again later`);
  }
  if (!reading) return "";
  const calls = reading.toolCalls.map(({ name, arguments: args }) => `${name}: ${JSON.stringify(args)}`);
  const now = reading.activity === null ? [] : [`now: ${reading.activity}`];
  return [`attempt ${attempt}: running, ${reading.turns} rounds so far`, ...calls, ...now].join("\n");
}

/** What Hermes printed beyond the memory bound. */
async function spilledLog(world: World, record: TaskRecord, warnings: string[]): Promise<string> {
  const path = `${world.place.cacheDir}/${record.task_id}.log`;
  const facts = await world.files.stat(path);
  if (facts?.kind !== "file") return "";
  if (facts.sizeBytes > LOG_BYTES) {
    warnings.push(`The rest of the output has ${facts.sizeBytes} bytes: read it in "${path}"`);
    return "";
  }
  try {
    return `further output:\n${await world.files.readText(path)}`;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    warnings.push(`Cannot read the rest of the output: ${error.message}`);
    return "";
  }
}
