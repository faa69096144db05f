// A record as `hermes_task` answers it: cut to the output mode, with what to do next.
import { cutUtf8 } from "./page.ts";
import type { TaskRecord } from "./record.ts";
import { failureFields } from "./refused.ts";
import type { Settings } from "./settings.ts";
import type { HermesTaskResult } from "./task.ts";

type Limits = Pick<Settings, "maxDigestResultBytes" | "maxResultBytes" | "maxErrorDetailBytes">;

/** Builds the reply of a finished task. */
export function replyOf(record: TaskRecord, limits: Limits, nowMs: number): HermesTaskResult {
  const mode = record.output_mode;
  const page = cutUtf8(
    record.result ?? "",
    mode === "full" ? limits.maxResultBytes : limits.maxDigestResultBytes,
  );
  const failure = record.error === null ? {} : failureFields(
    {
      code: record.error,
      detail: record.error_detail ?? "",
      ...(record.next_available_at ? { retryAtMs: Date.parse(record.next_available_at) } : {}),
    },
    nowMs,
    limits.maxErrorDetailBytes,
  );
  const tail = record.error === null ? null : record.attempts.at(-1)?.output_tail ?? null;
  return {
    ok: record.error === null && record.status === "succeeded",
    status: record.status,
    ...failure,
    task_id: record.task_id,
    provider: record.provider,
    model: record.model,
    output_mode: mode,
    truncated: page.nextOffset !== undefined,
    result_bytes: page.sizeBytes,
    ...(page.nextOffset === undefined ? {} : { next_offset: page.nextOffset }),
    result: record.result === null ? null : page.text,
    exit_code: record.exit_code,
    duration_ms: record.duration_ms,
    session_id: record.session_id,
    digest: record.digest,
    usage: record.usage,
    ...(mode === "full" && record.tool_calls !== null ? { tool_calls: record.tool_calls } : {}),
    free_basis: record.free_basis,
    ...(record.attempts.length === 0 && record.passed_over.length > 0
      ? { passed_over: record.passed_over }
      : {}),
    attempts: record.attempts.map((
      { provider, model, outcome, error, error_detail, duration_ms, reason },
    ) => ({
      provider,
      model,
      outcome,
      error,
      error_detail,
      duration_ms,
      reason,
    })),
    warnings: record.warnings,
    ...(tail ? { output_tail: tail } : {}),
  };
}
