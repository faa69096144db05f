// Several tasks in one reply: each as short as it must be, none without the way to the rest.
import type { TaskRecord } from "./record.ts";
import type { Settings } from "./settings.ts";
import type { HermesTaskResult } from "./task.ts";
import { replyOf } from "./task_reply.ts";

/** One of several tasks. */
export type TaskReply = Partial<HermesTaskResult> & Pick<HermesTaskResult, "ok" | "status" | "task_id">;

/** How several tasks are shown. */
export interface ListShape {
  readonly outputMode: "digest" | "full" | undefined;
  /** Bytes that the answers may have together; `Infinity` where nobody counts. */
  readonly bytes: number;
}

/** Shorter than this no answer is cut. */
const LEAST_BYTES = 300;

/** What a reply about several tasks has of each. */
const BRIEF = [
  "ok",
  "status",
  "error",
  "error_detail",
  "retryable",
  "next_available_at",
  "task_id",
  "truncated",
  "result_bytes",
  "next_offset",
  "next",
  "session_id",
  "provider",
  "model",
  "duration_ms",
  "result",
  "warnings",
] as const;

/** Shows each record as `hermes_task` would answer it now; several in a digest have their main fields only. */
export function repliesOf(
  records: readonly TaskRecord[],
  limits: Settings,
  nowMs: number,
  { outputMode, bytes }: ListShape,
): TaskReply[] {
  const share = Math.max(LEAST_BYTES, Math.floor(bytes / Math.max(1, records.length)));
  return records.map((record) => {
    const shown = { ...record, output_mode: outputMode ?? record.output_mode };
    const cut = Math.min(limits.maxDigestResultBytes, share);
    const reply = replyOf(shown, { ...limits, maxDigestResultBytes: cut }, nowMs);
    return records.length === 1 || shown.output_mode === "full" ? reply : briefOf(reply);
  });
}

function briefOf(reply: HermesTaskResult): TaskReply {
  const kept = BRIEF.filter((name) => reply[name] !== undefined && !isEmpty(reply[name]));
  return Object.fromEntries(kept.map((name) => [name, reply[name]])) as unknown as TaskReply;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** What is said of a task that is not known. */
export function unknownTask(taskId: string): TaskReply {
  return {
    ok: false,
    status: null,
    error: "not_found",
    error_detail: `No task "${taskId}" is known here: check the id, see hermes_tasks`,
    retryable: false,
    task_id: taskId,
  };
}
