// What is a task doing, line by line, as Hermes writes it down?
import { cutUtf8 } from "../core/page.ts";
import { isOpen, type TaskRecord } from "../core/record.ts";
import { redact } from "../core/redact.ts";
import { sourceOf } from "../hermes/mark.ts";
import { type Baseline, readSession, type SessionReading } from "../hermes/session.ts";
import { FileFault, type World } from "../ports.ts";
import { tend } from "./tend.ts";
import { seeTask } from "./see_task.ts";

/** One thing that happened. */
export interface FollowedLine {
  readonly kind: "state" | "tool" | "result" | "said";
  readonly text: string;
}

/** How a task is followed. */
export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onLine: (line: FollowedLine) => Promise<void>;
}

/** Bytes of a tool's arguments and of its result in one line. */
const LINE_BYTES = 300;
const LOOK_MS = 500;

/** Tells everything that a task does until it has ended or the signal aborts. Undefined when it is not known. */
export async function followTask(
  world: World,
  taskId: string,
  { signal, onLine }: FollowOptions,
): Promise<TaskRecord | undefined> {
  const ear = world.queue.listen(taskId);
  const told = new Told(onLine);
  try {
    for (;;) {
      const seen = await seeTask(world, taskId);
      if (!seen) return undefined;
      const { record, row } = seen;
      await told.state(record);
      await told.session(await sessionOf(world, record, row?.since ?? undefined));
      if (!isOpen(record)) await told.answer(record);
      if (!isOpen(record) || signal.aborted) return record;
      await tend(world);
      await ear.heard(LOOK_MS, signal);
    }
  } finally {
    ear.close();
  }
}

async function sessionOf(
  world: World,
  record: TaskRecord,
  since: Baseline | undefined,
): Promise<SessionReading | undefined> {
  // Of a task that has ended the session may go on for another one: its record has all.
  if (!isOpen(record)) return undefined;
  const source = sourceOf(record.task_id, record.attempts.length + 1);
  try {
    return await readSession(world, since ? { sessionId: since.sessionId } : { source }, since);
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}

/** What was told already, so that each thing is told once. */
class Told {
  readonly #onLine: FollowOptions["onLine"];
  #state = "";
  readonly #calls = new Map<string, "called" | "done">();
  readonly #said: string[] = [];

  constructor(onLine: FollowOptions["onLine"]) {
    this.#onLine = onLine;
  }

  async state({ status, provider, model }: TaskRecord): Promise<void> {
    if (status !== "queued" && status !== "running") return;
    const state = [status, provider, model].filter((word) => word !== null).join(" · ");
    if (state === this.#state) return;
    this.#state = state;
    await this.#tell("state", state);
  }

  async session(reading: SessionReading | undefined): Promise<void> {
    if (!reading) return;
    await this.#tellCalls(reading.toolCalls);
    const said = reading.messages.filter(({ role, text }) => role === "assistant" && text !== "");
    for (const { text } of said.slice(this.#said.length)) await this.#say(text);
  }

  async answer({ tool_calls, result }: TaskRecord): Promise<void> {
    await this.#tellCalls(tool_calls ?? []);
    if (result !== null && this.#said.at(-1) !== result) await this.#say(result);
  }

  async #tellCalls(calls: SessionReading["toolCalls"]): Promise<void> {
    for (const { id, name, arguments: args, result } of calls) {
      if (!this.#calls.has(id)) await this.#tell("tool", `${name}: ${oneLine(args)}`);
      if (result !== null && this.#calls.get(id) !== "done") await this.#tell("result", oneLine(result));
      this.#calls.set(id, result === null ? "called" : "done");
    }
  }

  async #say(text: string): Promise<void> {
    this.#said.push(text);
    await this.#tell("said", text);
  }

  async #tell(kind: FollowedLine["kind"], text: string): Promise<void> {
    await this.#onLine({ kind, text: redact(text) });
  }
}

function oneLine(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  const page = cutUtf8(text.replace(/\s+/g, " ").trim(), LINE_BYTES);
  return page.nextOffset === undefined ? page.text : `${page.text}…`;
}
