// The steps of a record's life: opened, added to, settled, closed. Each makes a new value.
import { ERRORS, type Failure } from "./failure.ts";
import {
  type AttemptRecord,
  type Batch,
  type Caller,
  type Digest,
  NOTHING_KNOWN,
  stateAfter,
  type TaskRecord,
  type ToolCall,
  type Usage,
} from "./record.ts";
import { redact, redactValue } from "./redact.ts";
import type { Capability } from "./task.ts";
import type { TaskRequest } from "./task_request.ts";

/** What a record is opened with. */
export interface RecordSeed {
  readonly taskId: string;
  readonly request: TaskRequest;
  readonly prompt: string;
  readonly cwd: string;
  readonly capability: Capability;
  readonly outputMode: "digest" | "full";
  readonly caller: Caller | null;
  readonly batch: Batch | null;
  readonly nowMs: number;
}

/** Opens the record of a task that waits for its turn. */
export function openRecord(seed: RecordSeed): TaskRecord {
  const { request } = seed;
  const now = new Date(seed.nowMs).toISOString();
  return {
    ...NOTHING_KNOWN,
    record_version: 1,
    task_id: seed.taskId,
    status: "queued",
    created_at: now,
    started_at: null,
    ended_at: null,
    caller: seed.caller,
    prompt: redact(seed.prompt),
    prompt_len: [...seed.prompt].length,
    asked: {
      provider: request.provider,
      model: request.model,
      capability: request.capability,
      timeout_seconds: request.timeout_seconds,
      cwd: seed.cwd,
      toolsets: request.toolsets,
      max_turns: request.max_turns,
      output_mode: seed.outputMode,
      session_id: request.session_id,
    },
    capability: seed.capability,
    session_id: request.session_id || null,
    output_mode: seed.outputMode,
    batch: seed.batch,
  };
}

/** The task begins to run. */
export function beginRecord(record: TaskRecord, nowMs: number): TaskRecord {
  return { ...record, status: "running", started_at: new Date(nowMs).toISOString() };
}

/** Adds warnings that are not there yet. */
export function addWarnings(record: TaskRecord, warnings: readonly string[]): TaskRecord {
  const fresh = warnings.map(redact).filter((text) => !record.warnings.includes(text));
  return fresh.length === 0 ? record : { ...record, warnings: [...record.warnings, ...new Set(fresh)] };
}

/** What an attempt brought. */
export interface AttemptYield {
  readonly record: AttemptRecord;
  readonly answer: string | null;
  readonly reading: {
    readonly toolCalls: readonly ToolCall[];
    readonly digest: Digest;
    readonly usage: Usage;
  } | undefined;
  readonly warnings: readonly string[];
  readonly freeBasis: string | null;
}

/** Adds an attempt and what it brought; the last attempt's answer is the task's. */
export function addAttempt(record: TaskRecord, attempt: AttemptYield): TaskRecord {
  const { reading } = attempt;
  return addWarnings({
    ...record,
    provider: attempt.record.provider,
    model: attempt.record.model,
    free_basis: attempt.freeBasis,
    session_id: attempt.record.session_id ?? record.session_id,
    result: attempt.answer === null ? null : redact(attempt.answer),
    tool_calls: reading ? reading.toolCalls.map(redactedCall) : null,
    digest: reading?.digest ?? null,
    usage: reading ? priced(reading.usage, attempt.freeBasis) : null,
    exit_code: attempt.record.exit_code,
    attempts: [...record.attempts, attempt.record],
  }, attempt.warnings);
}

function redactedCall(call: ToolCall): ToolCall {
  return {
    id: call.id,
    name: call.name,
    arguments: redactValue(call.arguments),
    result: call.result === null ? null : redact(call.result),
  };
}

/** Within a free basis the cost is known to be nothing, where Hermes knows no price. */
function priced(usage: Usage, freeBasis: string | null): Usage {
  if (usage.cost_usd !== null || freeBasis === null) return usage;
  return { ...usage, cost_usd: 0, cost_basis: freeBasis };
}

/** Settles how the task ended. The first cause wins. */
export function settle(record: TaskRecord, failure: Failure | undefined): TaskRecord {
  if (record.error !== null || !failure) return record;
  return {
    ...record,
    error: failure.code,
    error_detail: redact(failure.detail),
    next_available_at: failure.retryAtMs === undefined ? null : new Date(failure.retryAtMs).toISOString(),
  };
}

/** Closes the record: its state follows from its error, its duration from its start. */
export function closeRecord(record: TaskRecord, nowMs: number): TaskRecord {
  const failure = record.error === null
    ? undefined
    : { code: record.error, detail: record.error_detail ?? "" };
  return {
    ...record,
    status: stateAfter(failure),
    ended_at: new Date(nowMs).toISOString(),
    duration_ms: Math.max(0, Math.round(nowMs - Date.parse(record.created_at))),
    exit_code: record.error === "timeout" ? ERRORS.timeout.exit : record.exit_code,
  };
}
