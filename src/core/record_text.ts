// How does a record become the text of its file, and back, whichever version wrote it? The original server's files
// have neither `record_version` nor `status`; it recorded successes only.
import { estimateByCalls, PER_CALL_ESTIMATE } from "./call_cost.ts";
import { type Digest, NOTHING_KNOWN, type TaskRecord, type ToolCall } from "./record.ts";

/** What a file's text turned out to be. */
export type ParsedRecord =
  | { readonly ok: true; readonly record: TaskRecord }
  /** `why` can follow the name of the file and a colon. */
  | { readonly ok: false; readonly why: string };

/** The text of a record's file. */
export function recordText(record: TaskRecord): string {
  return JSON.stringify(record, null, 1) + "\n";
}

/** Reads the text of the file `<taskId>.json`. The name of the file counts, not the id inside. */
export function parseRecord(taskId: string, text: string): ParsedRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, why: text.trim() === "" ? "it is empty" : "it is not JSON, perhaps cut off" };
  }
  if (!isObject(value)) return { ok: false, why: "it is not a record" };
  if (value.record_version === undefined) return original(taskId, value);
  if (typeof value.status !== "string") return { ok: false, why: "it is a record without a status" };
  return { ok: true, record: { ...blank(taskId), ...value, task_id: taskId } as TaskRecord };
}

type Fields = Readonly<Record<string, unknown>>;

function original(taskId: string, value: Fields): ParsedRecord {
  if (!("result" in value) && !("exit_code" in value)) return { ok: false, why: "it is not a record" };
  const provider = text(value.provider);
  const model = text(value.model);
  const digest = isObject(value.digest) ? digestOf(value.digest) : null;
  const createdAt = createdOf(taskId, value.created_at);
  const record: TaskRecord = {
    ...blank(taskId),
    status: "succeeded",
    created_at: createdAt,
    ended_at: createdAt,
    caller: { surface: "mcp" },
    prompt_len: count(value.prompt_len),
    provider,
    model,
    session_id: text(value.session_id),
    output_mode: value.output_mode === "full" ? "full" : "digest",
    result: text(value.result),
    tool_calls: Array.isArray(value.tool_calls) ? value.tool_calls.filter(isObject).map(toolCall) : null,
    digest,
    usage: {
      input_tokens: null,
      output_tokens: null,
      cache_tokens: null,
      reasoning_tokens: null,
      cost_usd: estimateByCalls(provider, model, digest?.api_call_count ?? null),
      cost_basis: PER_CALL_ESTIMATE,
    },
    exit_code: count(value.exit_code),
    duration_ms: count(value.duration_ms),
  };
  return { ok: true, record };
}

/** A record of which nothing is known but its name. */
function blank(taskId: string): TaskRecord {
  return {
    ...NOTHING_KNOWN,
    record_version: 1,
    task_id: taskId,
    status: "succeeded",
    created_at: createdOf(taskId, undefined),
    started_at: null,
    ended_at: null,
    capability: null,
    session_id: null,
    output_mode: "digest",
  };
}

/** The time in the file, else the one that a task's id begins with, else the beginning of time. */
function createdOf(taskId: string, written: unknown): string {
  const ms = typeof written === "string" ? Date.parse(written) : NaN;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  const fromId = Number(/^(\d{12,14})_/.exec(taskId)?.[1] ?? 0);
  return new Date(fromId).toISOString();
}

function digestOf(value: Fields): Digest {
  const tools = Array.isArray(value.tools_used) ? value.tools_used : [];
  return {
    tool_call_count: count(value.tool_call_count),
    api_call_count: count(value.api_call_count),
    message_count: count(value.message_count),
    tools_used: tools.filter((name): name is string => typeof name === "string"),
  };
}

function toolCall(value: Fields): ToolCall {
  return {
    id: text(value.id) ?? "",
    name: text(value.name) ?? "",
    arguments: value.arguments ?? {},
    result: text(value.result),
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
