// What does a caller hear when a call ended without a result? Every thrown thing becomes the contract's object here.
import { type ErrorCode, ERRORS, type Failure, TaskError } from "./failure.ts";
import { cutUtf8 } from "./page.ts";
import { redact } from "./redact.ts";

/** The fields that say what went wrong and what to do next, the same in every reply. */
export interface FailureFields {
  /** The code of what went wrong. */
  readonly error: ErrorCode;
  /** What went wrong, where, and what to do next. */
  readonly error_detail: string;
  /** Can the same call succeed later? */
  readonly retryable: boolean;
  /** Seconds until it can, where known. */
  readonly retry_after_seconds?: number;
  /** The same as a time, ISO 8601 UTC. */
  readonly next_available_at?: string;
  /** Further fields of an error, such as `prompt_len`. */
  readonly [extra: string]: unknown;
}

/** What a call that ended without a result gives. */
export interface RefusedResult extends FailureFields {
  readonly ok: false;
}

/** The object for a thrown failure; anything else thrown is a fault of ours and becomes `unknown`. */
export function refusedResult(error: unknown, nowMs: number, maxDetailBytes: number): RefusedResult {
  return { ok: false, ...failureFields(failureOf(error), nowMs, maxDetailBytes) };
}

/** The fields of a failure. */
export function failureFields(failure: Failure, nowMs: number, maxDetailBytes: number): FailureFields {
  return {
    error: failure.code,
    error_detail: cutUtf8(redact(failure.detail), maxDetailBytes).text,
    retryable: ERRORS[failure.code].retryable,
    ...moments(failure, nowMs),
    ...failure.extra,
  };
}

/** The one place where `unknown` is made. The stack stays here. */
function failureOf(error: unknown): Failure {
  if (error instanceof TaskError) return error.failure;
  const words = error instanceof Error ? error.message : String(error);
  return { code: "unknown", detail: `${words}; this is a fault of hermes-task, please report it` };
}

function moments({ retryAtMs }: Failure, nowMs: number): Partial<RefusedResult> {
  if (retryAtMs === undefined) return {};
  return {
    retry_after_seconds: Math.max(0, Math.ceil((retryAtMs - nowMs) / 1000)),
    next_available_at: new Date(retryAtMs).toISOString(),
  };
}
