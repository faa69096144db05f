// Records to test with: one of ours, and one as the original server wrote it.
import type { TaskRecord } from "../../src/core/record.ts";
import { parseRecord } from "../../src/core/record_text.ts";

/** A finished task of ours; `fields` change it. */
export function taskRecord(fields: Partial<TaskRecord> = {}): TaskRecord {
  const parsed = parseRecord(
    fields.task_id ?? "1764537600000_aaaaaa",
    JSON.stringify({
      record_version: 1,
      status: "succeeded",
      created_at: "2026-08-01T10:00:00.000Z",
      started_at: "2026-08-01T10:00:00.000Z",
      ended_at: "2026-08-01T10:00:01.000Z",
      caller: { surface: "cli" },
      prompt: "say hello",
      prompt_len: 9,
      capability: "chat",
      provider: "gemini",
      model: "gemini-3.1-flash-lite",
      free_basis: "free_tier",
      session_id: "20260801_100000_abcdef",
      result: "hello",
      tool_calls: [],
      digest: { tool_call_count: 2, api_call_count: 3, message_count: 5, tools_used: ["terminal"] },
      usage: {
        input_tokens: 1000,
        output_tokens: 100,
        cache_tokens: 0,
        reasoning_tokens: 0,
        cost_usd: 0,
        cost_basis: "free",
      },
      exit_code: 0,
      duration_ms: 1000,
      ...fields,
    }),
  );
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.record;
}

/** The text of a record file of the original server. */
export function originalRecordText(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    task_id: "1723380000000_abc123",
    session_id: "20260811_115247_084e47",
    provider: "gemini",
    model: "gemini-2.5-pro",
    output_mode: "full",
    result: "an answer",
    tool_calls: [{ id: "call_1", name: "search_files", arguments: {}, result: "{}" }],
    digest: { tool_call_count: 1, api_call_count: 3, message_count: 8, tools_used: ["search_files", "bash"] },
    prompt_len: 12,
    exit_code: 0,
    duration_ms: 4213,
    created_at: "2026-08-11T11:52:47.000Z",
    ...fields,
  });
}
