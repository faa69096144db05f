// One task over its life: what was asked, each attempt, how it ended. A record is a value; it is kept after each
// change, in this very shape (`hermes-task-cache/<task_id>.json`).
import type { ErrorCode, Failure } from "./failure.ts";

/** The states of a task. The first two are open, the others final. */
export type TaskState = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "lost";

/** Has the task not ended yet? */
export function isOpen({ status }: Pick<TaskRecord, "status">): boolean {
  return status === "queued" || status === "running";
}

/** Which surface a task came through; `host` is the MCP client's own name for itself. */
export interface Caller {
  /** The surface. */
  readonly surface: "mcp" | "cli" | "module";
  /** `clientInfo.name` of an MCP client. */
  readonly host?: string;
}

/** Several tasks that were asked for in one call. */
export interface Batch {
  /** Names the batch; the id of its first task. */
  readonly id: string;
  /** `race`: the first answer ends the others; `vote`: equal answers are counted. */
  readonly strategy: "all" | "race" | "vote";
}

/** One tool call that Hermes made. `result` is null when no result was stored. */
export interface ToolCall {
  /** Hermes' id of the call. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Its arguments; JSON text when they were cut. */
  readonly arguments: unknown;
  /** What it returned, cut; null when no result was stored. */
  readonly result: string | null;
}

/** What a run amounted to. */
export interface Digest {
  /** Tool calls made; null when not known. */
  readonly tool_call_count: number | null;
  /** Calls of the model; null when not known. */
  readonly api_call_count: number | null;
  /** Messages of the session, or of the part that was added; null when not known. */
  readonly message_count: number | null;
  /** Distinct names in the order of first use. */
  readonly tools_used: readonly string[];
}

/** Tokens and money of a task, side calls included. Null is unknown, never 0. */
export interface Usage {
  /** Fresh input tokens, cached ones not counted. */
  readonly input_tokens: number | null;
  /** Output tokens, reasoning included. */
  readonly output_tokens: number | null;
  /** Cached input tokens, read and written. */
  readonly cache_tokens: number | null;
  /** Part of the output tokens. */
  readonly reasoning_tokens: number | null;
  /** US dollars. */
  readonly cost_usd: number | null;
  /** Where the cost comes from: Hermes' own word (`actual`, `estimated`, `included`), a free basis (`zero_price`, `free_id`, `free_tier`), or null. */
  readonly cost_basis: string | null;
}

/** One start of Hermes, or one that failed. */
export interface AttemptRecord {
  /** Canonical id. */
  readonly provider: string;
  /** Model asked for. */
  readonly model: string;
  /** How it ended. */
  readonly outcome: "succeeded" | "failed" | "cancelled" | "timed_out";
  /** The code of what went wrong; null after a success. */
  readonly error: ErrorCode | null;
  /** What went wrong, redacted. */
  readonly error_detail: string | null;
  /** Milliseconds from the start of Hermes to its judged end. */
  readonly duration_ms: number;
  /** Why this route was taken. */
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly started_at: string;
  /** Status of Hermes; null when it was not started. */
  readonly exit_code: number | null;
  /** The signal that ended it; null when it ended by itself. */
  readonly signal: string | null;
  /** Hermes' session; null when it left none. */
  readonly session_id: string | null;
  /** Redacted end of what Hermes printed, when the attempt failed. */
  readonly output_tail: string | null;
}

/** A provider, or one of its models, that was passed over. */
export interface PassedOverRecord {
  /** Canonical id. */
  readonly provider: string;
  /** Model that would have been taken; empty when none fits. */
  readonly model: string;
  /** Why it was passed over. */
  readonly reason: string;
  /** When it is back, ISO 8601 UTC; null when it does not rest. */
  readonly until: string | null;
}

/** A record file. Times are ISO 8601 UTC. */
export interface TaskRecord {
  /** Version of this shape. */
  readonly record_version: 1;
  /** `<epoch ms>_<6 of a-z0-9>`. */
  readonly task_id: string;
  /** State of the task. */
  readonly status: TaskState;
  /** When it was asked for. */
  readonly created_at: string;
  /** When it began to run; null while it waits. */
  readonly started_at: string | null;
  /** When it was closed; null before. */
  readonly ended_at: string | null;
  /** Which surface asked; null for a session that Hermes alone knew. */
  readonly caller: Caller | null;
  /** The prompt, redacted; null when it was not recorded. */
  readonly prompt: string | null;
  /** Characters of the prompt; null when not known. */
  readonly prompt_len: number | null;
  /** What was asked for; null when it was not recorded. */
  readonly asked: {
    readonly provider: string;
    readonly model: string;
    readonly capability: string;
    readonly timeout_seconds: number;
    readonly cwd: string;
    readonly toolsets: string;
    readonly max_turns: number;
    readonly output_mode: "digest" | "full";
    readonly session_id: string;
  } | null;
  /** The capability that was settled on, and where it came from. */
  readonly capability: string | null;
  /** Provider of the last attempt; null when there was none. */
  readonly provider: string | null;
  /** Model of the last attempt. */
  readonly model: string | null;
  /** Why the model counts as free; null when it is not known to be. */
  readonly free_basis: string | null;
  /** Hermes' session. */
  readonly session_id: string | null;
  /** The output mode in force. */
  readonly output_mode: "digest" | "full";
  /** The whole answer; on a failure what there is of one. */
  readonly result: string | null;
  /** The tool calls, cut; null when not known. */
  readonly tool_calls: readonly ToolCall[] | null;
  /** What the run amounted to; null when not known. */
  readonly digest: Digest | null;
  /** Tokens and money; null when not known. */
  readonly usage: Usage | null;
  /** Status of Hermes; 124 after the deadline. */
  readonly exit_code: number | null;
  /** Milliseconds from request to end; null before. */
  readonly duration_ms: number | null;
  /** The code of what went wrong; null for none. */
  readonly error: ErrorCode | null;
  /** What went wrong and what to do next, redacted. */
  readonly error_detail: string | null;
  /** When the same call can succeed; null when not known. */
  readonly next_available_at: string | null;
  /** Who was not tried, and why. */
  readonly passed_over: readonly PassedOverRecord[];
  /** Every start of Hermes, in order. */
  readonly attempts: readonly AttemptRecord[];
  /** What is worth knowing and failed nothing. */
  readonly warnings: readonly string[];
  /** Version that Hermes gave; null when it did not. */
  readonly hermes_version: string | null;
  /** The batch that it belongs to; null for a single task. */
  readonly batch: Batch | null;
}

/** What a record does not know before its first attempt, or never did. */
export const NOTHING_KNOWN: Pick<
  TaskRecord,
  | "caller"
  | "prompt"
  | "prompt_len"
  | "asked"
  | "provider"
  | "model"
  | "free_basis"
  | "result"
  | "tool_calls"
  | "digest"
  | "usage"
  | "exit_code"
  | "duration_ms"
  | "error"
  | "error_detail"
  | "next_available_at"
  | "passed_over"
  | "attempts"
  | "warnings"
  | "hermes_version"
  | "batch"
> = {
  caller: null,
  prompt: null,
  prompt_len: null,
  asked: null,
  provider: null,
  model: null,
  free_basis: null,
  result: null,
  tool_calls: null,
  digest: null,
  usage: null,
  exit_code: null,
  duration_ms: null,
  error: null,
  error_detail: null,
  next_available_at: null,
  passed_over: [],
  attempts: [],
  warnings: [],
  hermes_version: null,
  batch: null,
};

/** Which final state a failure leads to. */
export function stateAfter(failure: Failure | undefined): TaskState {
  if (!failure) return "succeeded";
  if (failure.code === "cancelled") return "cancelled";
  if (failure.code === "timeout") return "timed_out";
  return failure.code === "lost" ? "lost" : "failed";
}
