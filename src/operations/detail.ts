// `hermes_task_detail`: the full record of an earlier task, or a part of it.
import { z } from "zod";
import { type ErrorCode, refusal } from "../core/failure.ts";
import { isPlainId } from "../core/id.ts";
import type { Operation } from "../core/operation.ts";
import { cutUtf8 } from "../core/page.ts";
import type { AttemptRecord, Digest, TaskRecord, TaskState, ToolCall, Usage } from "../core/record.ts";
import { readLog, recall, type Recalled } from "../flow/recall.ts";
import type { World } from "../ports.ts";

/** Part of a record. Empty: the answer, the tool calls and the figures. */
export type DetailSection = "" | "result" | "tool_calls" | "log" | "all";

/** Arguments of `hermes_task_detail`. One of the two ids is needed. */
export interface HermesDetailArgs {
  /** The task. */
  readonly task_id?: string;
  /** A Hermes session; of several tasks in it the newest is meant. */
  readonly session_id?: string;
  /** Most bytes of text in the reply; 0: all that fits. */
  readonly max_bytes?: number;
  /** Byte at which to begin; one inside a character moves back to its border. */
  readonly offset?: number;
  /** Which part to show. */
  readonly section?: DetailSection;
}

/** {@link HermesDetailArgs} with every default filled in. */
export type DetailRequest = Readonly<Required<HermesDetailArgs>>;

/** What `hermes_task_detail` answers. `ok` says that the record was found, `status` and `error` how the task ended. */
export interface HermesDetailResult {
  /** Always true: a record that is not found is an error. */
  readonly ok: true;
  /** State of the task. */
  readonly status: TaskState;
  /** The task; `ses_…` for a session that Hermes alone knew. */
  readonly task_id: string;
  /** Hermes' session; null when there was none. */
  readonly session_id: string | null;
  /** The part shown; absent for the ordinary one. */
  readonly section?: DetailSection;
  /** False when it was read from Hermes' session store just now. */
  readonly cached: boolean;
  /** How the task failed; null when it did not. */
  readonly error: ErrorCode | null;
  /** What went wrong and what to do next. */
  readonly error_detail: string | null;
  /** Is there text before or behind what is shown? */
  readonly truncated: boolean;
  /** Size in bytes of the whole text of which `result` is a part. */
  readonly result_bytes: number;
  /** Where to read on; absent at the end. */
  readonly next_offset?: number;
  /** Who answered; null when nobody was asked. */
  readonly provider?: string | null;
  /** The model that answered. */
  readonly model?: string | null;
  /** How the answer was asked for. */
  readonly output_mode?: "digest" | "full";
  /** The answer; of `log` the log, of a paged `tool_calls` their JSON text. */
  readonly result: string | null;
  /** What Hermes did; null when it is not known. */
  readonly tool_calls?: readonly ToolCall[] | null;
  /** What the run amounted to. */
  readonly digest?: Digest | null;
  /** Tokens and money. */
  readonly usage?: Usage | null;
  /** Length of the prompt in characters; null when not known. */
  readonly prompt_len?: number | null;
  /** Hermes' exit status; null when it was not started or did not end. */
  readonly exit_code?: number | null;
  /** Milliseconds from the call to the end. */
  readonly duration_ms?: number | null;
  /** When the task was asked for, ISO 8601 UTC. */
  readonly created_at?: string;
  /** The prompt, redacted; null when it was not recorded. With section `all`. */
  readonly prompt?: string | null;
  /** What was asked for; with section `all`. */
  readonly asked?: TaskRecord["asked"];
  /** Each start of Hermes; with section `all`. */
  readonly attempts?: readonly AttemptRecord[];
  /** What was odd, then and now. */
  readonly warnings: readonly string[];
  /** The other fields of the record; with section `all`. */
  readonly [extra: string]: unknown;
}

const MOST_BYTES = 1_000_000_000;

const input: z.ZodType<DetailRequest, HermesDetailArgs> = z.strictObject({
  task_id: z.string().default("").describe(
    "The task_id that hermes_task gave. This or session_id is needed.",
  ),
  session_id: z.string().default("")
    .describe("A Hermes session id, when the task_id is not known; the newest task in it is shown."),
  max_bytes: z.int().min(0).max(MOST_BYTES).default(0).describe(
    "Most bytes of text to show; 0: all that fits.",
  ),
  offset: z.int().min(0).max(MOST_BYTES).default(0)
    .describe("Byte at which to begin: the next_offset of the reply before."),
  section: z.enum(["", "result", "tool_calls", "log", "all"]).default("").describe(
    "Which part: result (the answer alone), tool_calls (what Hermes did), log (what it printed), all. " +
      "Empty: answer, tool calls and figures.",
  ),
});

const text = z.string().nullable();

const output = z.looseObject({
  ok: z.boolean().describe("Was the record found? How the task ended say status and error."),
  status: text.optional().describe("queued, running, succeeded, failed, cancelled, timed_out or lost."),
  task_id: text.optional(),
  session_id: text.optional(),
  cached: z.boolean().optional().describe("false: read from Hermes' session store just now."),
  error: text.optional(),
  error_detail: text.optional(),
  result: text.optional(),
  truncated: z.boolean().optional(),
  result_bytes: z.number().optional().describe("Size of the whole text of which result is a part."),
  next_offset: z.number().optional().describe("Where to read on."),
  tool_calls: z.array(z.looseObject({ name: z.string() })).nullable().optional(),
  warnings: z.array(z.string()).optional(),
});

/** The operation behind `hermes_task_detail`, `hermes-task detail` and `hermesTaskDetail`. */
export const detailOperation: Operation<World, HermesDetailArgs, DetailRequest, HermesDetailResult> = {
  name: "hermes_task_detail",
  command: "detail",
  title: "Read an earlier Hermes task",
  description:
    "Gives the full record of an earlier hermes_task: the whole answer, the tool calls, usage, how it ended. " +
    "Also answers for a running task (section log: what it does now). Where an answer was cut, call this with the " +
    "task_id and offset = next_offset of that reply, until no next_offset comes. Tool calls in pages: section " +
    "tool_calls with max_bytes. ok: true means that the record was found; status and error say how the task ended.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  async run(world, request) {
    admitIds(request);
    const found = await recall(world, { taskId: request.task_id, sessionId: request.session_id });
    if (!found) throw notFound(request);
    const log = request.section === "log" || request.section === "all"
      ? await readLog(world, found.record)
      : { text: "", warnings: [] };
    return showDetail({ ...found, warnings: [...found.warnings, ...log.warnings] }, request, log.text);
  },
};

function admitIds({ task_id, session_id }: DetailRequest): void {
  if (task_id === "" && session_id === "") {
    throw refusal(
      "invalid_args",
      'Argument "task_id": missing; give it or session_id, as hermes_task replied',
    );
  }
  for (const [name, id] of Object.entries({ task_id, session_id })) {
    if (id === "" || isPlainId(id)) continue;
    const shown = JSON.stringify(id.slice(0, 60));
    throw refusal(
      "invalid_args",
      `Argument "${name}": ${shown} is no id; an id has up to 128 letters, digits, "_" and "-"`,
    );
  }
}

function notFound({ task_id, session_id }: DetailRequest) {
  const asked = [task_id && `task "${task_id}"`, session_id && `session "${session_id}"`].filter(Boolean);
  const next = session_id === ""
    ? "check the id, or give the session_id"
    : "check the id; hermes sessions list shows what Hermes has";
  return refusal("not_found", `No ${asked.join(" and no ")} is known here: ${next}`);
}

/** Shows the part of a record that was asked for. */
export function showDetail(
  { record, cached, warnings }: Recalled,
  request: DetailRequest,
  log: string,
): HermesDetailResult {
  const { section, max_bytes, offset } = request;
  const paged = section === "tool_calls" && (max_bytes > 0 || offset > 0);
  const whole = textOf(record, section, paged, log);
  const page = cutUtf8(whole ?? "", max_bytes > 0 ? max_bytes : Number.MAX_SAFE_INTEGER, offset);
  return {
    ok: true,
    status: record.status,
    task_id: record.task_id,
    session_id: record.session_id,
    ...(section === "" ? {} : { section }),
    cached,
    error: record.error,
    error_detail: record.error_detail,
    truncated: page.text !== (whole ?? ""),
    result_bytes: page.sizeBytes,
    ...(page.nextOffset === undefined ? {} : { next_offset: page.nextOffset }),
    result: whole === null ? null : page.text,
    ...fieldsOf(record, section, paged),
    ...(section === "all" ? { log } : {}),
    warnings: [...record.warnings, ...warnings],
  };
}

/** The text that `offset` and `max_bytes` count in. */
function textOf(record: TaskRecord, section: DetailSection, paged: boolean, log: string): string | null {
  if (section === "log") return log;
  if (section === "tool_calls") return paged ? JSON.stringify(record.tool_calls) : null;
  return record.result;
}

function fieldsOf(record: TaskRecord, section: DetailSection, paged: boolean): Partial<HermesDetailResult> {
  if (section === "result" || section === "log") return {};
  if (section === "tool_calls") return paged ? {} : { tool_calls: record.tool_calls };
  const { warnings: _warnings, result: _result, record_version: _version, ...all } = record;
  if (section === "all") return all;
  const { provider, model, output_mode, tool_calls, digest, usage, prompt_len } = record;
  const { exit_code, duration_ms, created_at } = record;
  return {
    provider,
    model,
    output_mode,
    exit_code,
    duration_ms,
    created_at,
    prompt_len,
    digest,
    usage,
    tool_calls,
  };
}
