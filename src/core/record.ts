// One task over its life: what was asked, each attempt, how it ended. A record is a value; it is kept after each
// change, in this very shape (`hermes-task-cache/<task_id>.json`).
import type { ErrorCode, Failure } from "./failure.ts";

/** The states of a task. The first two are open, the others final. */
export type TaskState = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "lost";

/** Which surface a task came through; `host` is the MCP client's own name for itself. */
export interface Caller {
  readonly surface: "mcp" | "cli" | "module";
  readonly host?: string;
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
  /** Tool calls made. */
  readonly tool_call_count: number;
  /** Calls of the model; null when not known. */
  readonly api_call_count: number | null;
  /** Messages of the session, or of the part that was added. */
  readonly message_count: number;
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
  /** Where the cost comes from: Hermes' own word (`actual`, `estimated`, `included`), `free`, or null. */
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

/** A record file. Times are ISO 8601 UTC. */
export interface TaskRecord {
  readonly record_version: 1;
  readonly task_id: string;
  readonly status: TaskState;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly caller: Caller;
  /** The prompt, redacted. */
  readonly prompt: string;
  readonly prompt_len: number;
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
  };
  /** The capability that was settled on, and where it came from. */
  readonly capability: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly free_basis: string | null;
  readonly session_id: string | null;
  readonly output_mode: "digest" | "full";
  /** The whole answer; on a failure what there is of one. */
  readonly result: string | null;
  readonly tool_calls: readonly ToolCall[] | null;
  readonly digest: Digest | null;
  readonly usage: Usage | null;
  readonly exit_code: number | null;
  readonly duration_ms: number | null;
  readonly error: ErrorCode | null;
  readonly error_detail: string | null;
  readonly next_available_at: string | null;
  readonly attempts: readonly AttemptRecord[];
  readonly warnings: readonly string[];
  readonly hermes_version: string | null;
}

/** Which final state a failure leads to. */
export function stateAfter(failure: Failure | undefined): TaskState {
  if (!failure) return "succeeded";
  if (failure.code === "cancelled") return "cancelled";
  if (failure.code === "timeout") return "timed_out";
  return failure.code === "lost" ? "lost" : "failed";
}
