// A record as `hermes_task` answers it: cut to the output mode, with what to do next.
import { cutUtf8 } from "./page.ts";
import { isOpen, type TaskRecord, type ToolCall } from "./record.ts";
import { failureFields } from "./refused.ts";
import type { Settings } from "./settings.ts";
import type { HermesTaskResult } from "./task.ts";

type Limits = Pick<
  Settings,
  | "maxDigestResultBytes"
  | "maxResultBytes"
  | "maxErrorDetailBytes"
  | "maxToolCalls"
  | "maxToolCallArgsBytes"
  | "maxToolCallResultBytes"
>;

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
  const calls = mode === "full" && record.tool_calls !== null
    ? cutCalls(record.tool_calls, limits)
    : undefined;
  const tail = record.error === null ? null : record.attempts.at(-1)?.output_tail ?? null;
  return {
    ok: record.error === null && (record.status === "succeeded" || isOpen(record)),
    status: record.status,
    ...failure,
    task_id: record.task_id,
    ...(isOpen(record) ? { next: nextFor(record) } : {}),
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
    ...(calls ? { tool_calls: calls.shown } : {}),
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
    warnings: calls?.cut ? [...record.warnings, calls.cut] : record.warnings,
    ...(tail ? { output_tail: tail } : {}),
  };
}

/** The task goes on without its caller. */
function nextFor({ task_id, status }: TaskRecord): string {
  return `The task is ${status} and goes on without you: call hermes_wait with task_ids ["${task_id}"] for its answer, ` +
    "hermes_cancel to end it";
}

/** Tool calls within their limits, and what was cut, with the way to the rest. */
function cutCalls(calls: readonly ToolCall[], limits: Limits): { shown: ToolCall[]; cut?: string } {
  const shown = calls.slice(0, limits.maxToolCalls).map((call) => ({
    ...call,
    arguments: cutValue(call.arguments, limits.maxToolCallArgsBytes),
    result: call.result === null ? null : cutUtf8(call.result, limits.maxToolCallResultBytes).text,
  }));
  const texts = shown.filter((call, at) =>
    call.result !== calls[at]!.result || call.arguments !== calls[at]!.arguments
  );
  const parts = [
    ...shown.length < calls.length ? [`${calls.length} tool calls, the first ${shown.length} shown`] : [],
    ...texts.length > 0 ? [`${texts.length} of them cut`] : [],
  ];
  if (parts.length === 0) return { shown };
  return { shown, cut: `${parts.join(", ")}: hermes_task_detail with section tool_calls has them whole` };
}

/** Arguments that are too long become their own JSON text, cut. */
function cutValue(value: unknown, maxBytes: number): unknown {
  const { text, nextOffset } = cutUtf8(JSON.stringify(value) ?? "null", maxBytes);
  return nextOffset === undefined ? value : text;
}
