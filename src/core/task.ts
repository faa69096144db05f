// What a caller may ask of a task and what it gets back (the wire shapes of `hermes_task`).
import type { AttemptRecord, Digest, PassedOverRecord, TaskState, ToolCall, Usage } from "./record.ts";
import type { ErrorCode } from "./failure.ts";

/** What a task needs of a model. `reason` is a synonym of `reasoning`. */
export type Capability =
  | "reasoning"
  | "coding"
  | "vision"
  | "multimodal"
  | "planning"
  | "image-gen"
  | "voice"
  | "chat";

/** Arguments of `hermes_task`. Everything but the prompt has a default. */
export interface HermesTaskArgs {
  /** The task. Trimmed; longer than the limit is refused with `prompt_too_long`. */
  readonly prompt: string;
  /** `auto`, or a provider id or alias. Default `auto`. */
  readonly provider?: string;
  /** A model id; empty: chosen. */
  readonly model?: string;
  /** What the task needs; empty: told from the prompt. */
  readonly capability?: Capability | "reason" | "";
  /** Seconds for the whole task, clamped to 10–1800. Default 300. */
  readonly timeout_seconds?: number;
  /** Seconds that this call may wait, 0–1800; then the task goes on in the background. Omitted: as long as the host can. */
  readonly wait_seconds?: number;
  /** Reply at once; the task goes on in the background. */
  readonly background?: boolean;
  /** Working directory inside the allowlist; empty: the caller's folder. */
  readonly cwd?: string;
  /** Hermes toolsets, comma separated; empty: Hermes' own choice. */
  readonly toolsets?: string;
  /** Hermes' own turn limit. Default 500. */
  readonly max_turns?: number;
  /** `digest` cuts the answer at 8 KB, `full` at 200 KB and adds the tool calls. */
  readonly output_mode?: "digest" | "full";
  /** Continue this Hermes session. */
  readonly session_id?: string;
  /** Everything up to the start; nothing is started. */
  readonly dry_run?: boolean;
}

/** One attempt as a reply shows it. */
export type AttemptReply = Pick<
  AttemptRecord,
  "provider" | "model" | "outcome" | "error" | "error_detail" | "duration_ms" | "reason"
>;

/** What a dry run shows. */
export interface TaskPlan {
  /** The routes that would be tried, in order, each with its reason. */
  readonly candidates: readonly {
    readonly provider: string;
    readonly model: string;
    readonly reason: string;
  }[];
  /** What is out, and why. */
  readonly passed_over: readonly PassedOverRecord[];
  /** What the task needs of a model, and how that was told. */
  readonly capability: { readonly name: string; readonly reason: string };
  /** Program and arguments, just as they would be started. */
  readonly argv: readonly string[];
  /** Names of the variables that Hermes would get; never values. */
  readonly env_names: readonly string[];
  /** The folder that Hermes would work in. */
  readonly cwd: string;
  /** The task profile's folder, or null when Hermes would start with `--ignore-user-config`. */
  readonly profile: string | null;
}

/** What `hermes_task` answers, whatever the outcome. */
export interface HermesTaskResult {
  /** True only when Hermes answered. */
  readonly ok: boolean;
  /** State of the task; null for a dry run and for a request refused before a task existed. */
  readonly status: TaskState | null;
  /** Names the record; null when there is none. */
  readonly task_id: string | null;
  /** Canonical id of the provider that was used; null when none was. */
  readonly provider: string | null;
  /** Model that was used; null when none was. */
  readonly model: string | null;
  /** The output mode in force. */
  readonly output_mode: "digest" | "full";
  /** The answer, cut to the output mode; on a failure what there is of one. */
  readonly result: string | null;
  /** Was the answer cut? Then `next_offset` says where to read on. */
  readonly truncated: boolean;
  /** Size of the whole answer in UTF-8 bytes. */
  readonly result_bytes: number;
  /** Byte offset of what was cut, for `hermes_task_detail`; absent when nothing was. */
  readonly next_offset?: number;
  /** Status of Hermes; 124 after the deadline; null when it was not started. */
  readonly exit_code: number | null;
  /** Milliseconds from the request to the closed record. */
  readonly duration_ms: number | null;
  /** Hermes' session, to be continued with `session_id`. */
  readonly session_id: string | null;
  /** What the run amounted to; null when Hermes left no session. */
  readonly digest: Digest | null;
  /** Tokens and money; null when not known. */
  readonly usage: Usage | null;
  /** In full mode: the tool calls, cut; absent when they could not be read. */
  readonly tool_calls?: readonly ToolCall[];
  /** Why the model counts as free: `zero_price`, `free_id`, `free_tier`; null when it is not known to be. */
  readonly free_basis?: string | null;
  /** When nothing was tried: who was passed over, and why. */
  readonly passed_over?: readonly PassedOverRecord[];
  /** Every start of Hermes, in order. */
  readonly attempts: readonly AttemptReply[];
  /** What is worth knowing and failed nothing. */
  readonly warnings: readonly string[];
  /** The code of what went wrong. */
  readonly error?: ErrorCode;
  /** What went wrong, where, and what to do next. */
  readonly error_detail?: string;
  /** Can the same call succeed later? */
  readonly retryable?: boolean;
  /** Seconds until it can, where known. */
  readonly retry_after_seconds?: number;
  /** The same as a time, ISO 8601 UTC. */
  readonly next_available_at?: string;
  /** What to call next, when the task goes on or its answer was cut. */
  readonly next?: string;
  /** Set for a dry run. */
  readonly dry_run?: boolean;
  /** What a dry run would have done. */
  readonly plan?: TaskPlan;
  /** Further fields of an error, such as `prompt_len`. */
  readonly [extra: string]: unknown;
}

/** How far a running task is. */
export interface Progress {
  /** The task. */
  readonly task_id: string;
  /** Provider that is asked; null before Hermes is started. */
  readonly provider: string | null;
  /** Model that is asked; null before Hermes is started. */
  readonly model: string | null;
  /** Milliseconds since Hermes was started, or before that since the task was given. */
  readonly elapsed_ms: number;
  /** Model rounds so far; null until Hermes has written its session. */
  readonly turns: number | null;
  /** What Hermes is doing, such as `terminal: ls`; null when it waits for the model. */
  readonly activity: string | null;
}
