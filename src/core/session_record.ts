// How does a session that Hermes alone knows become a record?
import type { Digest, TaskRecord, ToolCall, Usage } from "./record.ts";
import { parseRecord } from "./record_text.ts";

/** What was read of a session, as far as a record can hold it. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly answer: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly digest: Digest;
  readonly usage: Usage;
  readonly startedMs: number;
  /** Does it end with the model's word? Else it may still be going on, or was stopped. */
  readonly ended: boolean;
}

/** The id of such a record; the original server named them so. */
export function sessionTaskId(sessionId: string): string {
  return `ses_${sessionId}`;
}

/** Makes the record: `succeeded` with the answer, or `running` with a warning while there is none. */
export function recordOfSession(session: SessionFacts): TaskRecord {
  const created_at = new Date(session.startedMs).toISOString();
  const blank = parseRecord(
    sessionTaskId(session.sessionId),
    JSON.stringify({ record_version: 1, status: session.ended ? "succeeded" : "running" }),
  );
  if (!blank.ok) throw new Error(blank.why);
  return {
    ...blank.record,
    created_at,
    started_at: created_at,
    provider: session.provider,
    model: session.model,
    session_id: session.sessionId,
    output_mode: "full",
    result: session.answer,
    tool_calls: session.toolCalls,
    digest: session.digest,
    usage: session.usage,
    warnings: session.ended ? [] : [
      "The session does not end with an answer: Hermes may still be at work on it, or was stopped; ask again later",
    ],
  };
}
