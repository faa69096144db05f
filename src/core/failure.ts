// What can go wrong, as data: each code's exit status, whether trying again can help, and whether another
// provider may be tried. Surfaces map errors by this table and by nothing else.

/** Every error code that a caller can see. A code is never renamed or reused. */
export type ErrorCode =
  | "invalid_args"
  | "prompt_too_long"
  | "cwd_not_allowed"
  | "paid_model"
  | "provider_not_found"
  | "model_not_found"
  | "no_credential"
  | "all_exhausted"
  | "rate_limited"
  | "no_credit"
  | "auth_failed"
  | "busy"
  | "timeout"
  | "cancelled"
  | "spawn_failed"
  | "hermes_too_old"
  | "hermes_failed"
  | "empty_response"
  | "lost"
  | "turn_limit"
  | "truncated_answer"
  | "provider_drift"
  | "schema_mismatch"
  | "depth_exceeded"
  | "not_found"
  | "session_not_found"
  | "unknown";

/** What follows from a code. */
export interface ErrorFacts {
  /** Exit status of the command line. */
  readonly exit: number;
  /** May the same call succeed later without a change by the caller? */
  readonly retryable: boolean;
  /** May another provider be tried after an attempt ended so? */
  readonly failover: boolean;
}

const final = (exit: number): ErrorFacts => ({ exit, retryable: false, failover: false });
const later = (exit: number): ErrorFacts => ({ exit, retryable: true, failover: false });
const elsewhere = (exit: number, retryable: boolean): ErrorFacts => ({ exit, retryable, failover: true });

/** The contract's table of errors. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorFacts>> = {
  invalid_args: final(2),
  prompt_too_long: final(2),
  cwd_not_allowed: final(2),
  paid_model: final(2),
  provider_not_found: final(3),
  model_not_found: elsewhere(3, false),
  no_credential: final(3),
  all_exhausted: later(4),
  rate_limited: elsewhere(4, true),
  no_credit: elsewhere(4, false),
  auth_failed: elsewhere(4, false),
  busy: later(5),
  timeout: later(124),
  cancelled: final(130),
  spawn_failed: final(6),
  hermes_too_old: final(6),
  hermes_failed: elsewhere(7, true),
  empty_response: elsewhere(7, true),
  lost: later(7),
  turn_limit: final(7),
  truncated_answer: final(7),
  provider_drift: final(7),
  schema_mismatch: final(7),
  depth_exceeded: final(8),
  not_found: final(9),
  session_not_found: final(9),
  unknown: final(1),
};

/** What one failure says: plain, JSON-safe; redacted where it leaves the program. */
export interface Failure {
  /** The code; it decides the exit status and what can be tried. */
  readonly code: ErrorCode;
  /** What is wrong and where, then the next step. At most 500 bytes once it leaves. */
  readonly detail: string;
  /** Epoch milliseconds from which trying again can help; absent when unknown. */
  readonly retryAtMs?: number;
  /** Further fields of the reply, such as `prompt_len`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Carries a {@link Failure}. Thrown for a request that is refused before a record exists, and for nothing else. */
export class TaskError extends Error {
  /** What went wrong. */
  readonly failure: Failure;

  /** Wraps a failure. */
  constructor(failure: Failure) {
    super(`${failure.code}: ${failure.detail}`);
    this.name = "TaskError";
    this.failure = failure;
  }
}

/** Makes the error that refuses a request. */
export function refusal(
  code: ErrorCode,
  detail: string,
  more: Omit<Failure, "code" | "detail"> = {},
): TaskError {
  return new TaskError({ code, detail, ...more });
}
