import { assert, assertEquals } from "@std/assert";
import { addAttempt, addWarnings, closeRecord, openRecord, settle } from "../../../src/core/record_steps.ts";
import type { AttemptRecord, TaskRecord } from "../../../src/core/record.ts";
import { parseArgs } from "../../../src/core/operation.ts";
import { taskInput } from "../../../src/core/task_request.ts";
import { replyOf } from "../../../src/core/task_reply.ts";

const NOW = Date.parse("2026-08-02T12:00:00Z");
const KEY = "AIzaSyA1234567890abcdefghijklmnopqrstuvw";
const LIMITS = { maxToolCalls: 2, maxToolCallArgsBytes: 40, maxToolCallResultBytes: 10 };
const CUTS = { ...LIMITS, maxDigestResultBytes: 8, maxResultBytes: 20, maxErrorDetailBytes: 500 };

const opened = (args: Record<string, unknown> = {}): TaskRecord => {
  const request = parseArgs(taskInput, { prompt: `use ${KEY}`, ...args });
  return openRecord({
    taskId: "1_abc",
    request,
    prompt: request.prompt,
    cwd: "/w",
    capability: "chat",
    outputMode: request.output_mode ?? "digest",
    caller: { surface: "module" },
    batch: null,
    nowMs: NOW,
  });
};

const ATTEMPT: AttemptRecord = {
  provider: "gemini",
  model: "m",
  outcome: "succeeded",
  error: null,
  error_detail: null,
  duration_ms: 5,
  reason: "alive",
  started_at: "2026-08-02T12:00:00.000Z",
  exit_code: 0,
  signal: null,
  session_id: "s1",
  output_tail: null,
};
const USAGE = {
  input_tokens: 1,
  output_tokens: 2,
  cache_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: null,
  cost_basis: null,
};
const call = (id: string, command: string, result: string | null) => ({
  id,
  name: "terminal",
  arguments: { command },
  result,
});

const answered = (answer: string | null, record = opened()) =>
  addAttempt(record, {
    record: ATTEMPT,
    answer,
    reading: {
      toolCalls: [
        call("1", `echo ${KEY}`, `out ${KEY}`),
        call("2", "x".repeat(90), "é".repeat(9)),
        call("3", "z", null),
      ],
      digest: { tool_call_count: 3, api_call_count: 2, message_count: 4, tools_used: ["terminal"] },
      usage: USAGE,
    },
    warnings: ["w"],
    freeBasis: "free_tier",
  });

Deno.test("[P5] a record holds no key, neither of the prompt nor of the answer nor of a tool call", () => {
  const record = answered(`the key is ${KEY}`);
  assert(!JSON.stringify(record).includes(KEY));
  assertEquals(record.prompt_len, `use ${KEY}`.length);
});

Deno.test("[P6] a reply cuts tool calls to their limits and says so; the record has them whole", () => {
  const record = closeRecord(answered("a", opened({ output_mode: "full" })), NOW);
  assertEquals(record.tool_calls!.length, 3);
  const { tool_calls, warnings } = replyOf(record, CUTS, NOW);
  assertEquals(tool_calls!.length, 2);
  assertEquals(tool_calls![1]!.result, "é".repeat(5));
  assertEquals(typeof tool_calls![1]!.arguments, "string");
  assert(warnings.at(-1)!.startsWith("3 tool calls, the first 2 shown, "), warnings.join());
});

Deno.test("addAttempt() knows that free is 0, and leaves unknown unknown", () => {
  assertEquals(answered("a").usage, { ...USAGE, cost_usd: 0, cost_basis: "free_tier" });
  const paid = addAttempt(opened(), {
    record: ATTEMPT,
    answer: "a",
    reading: undefined,
    warnings: [],
    freeBasis: null,
  });
  assertEquals([paid.usage, paid.tool_calls, paid.digest], [null, null, null]);
});

Deno.test("settle() lets the first cause win", () => {
  const first = settle(opened(), { code: "timeout", detail: "late" });
  assertEquals(settle(first, { code: "unknown", detail: "later" }).error, "timeout");
});

Deno.test("closeRecord() derives state, duration and status of the end", () => {
  const table = [[undefined, "succeeded"], ["timeout", "timed_out"], ["cancelled", "cancelled"], [
    "rate_limited",
    "failed",
  ]] as const;
  for (const [code, state] of table) {
    const record = closeRecord(settle(answered("a"), code && { code, detail: "d" }), NOW + 1234);
    assertEquals([record.status, record.duration_ms, record.exit_code], [
      state,
      1234,
      code === "timeout" ? 124 : 0,
    ]);
  }
});

Deno.test("addWarnings() says nothing twice", () => {
  assertEquals(addWarnings(addWarnings(opened(), ["a", "b"]), ["b", "c"]).warnings, ["a", "b", "c"]);
});

Deno.test("replyOf() cuts to the output mode and says how to read on", () => {
  const record = closeRecord(answered("0123456789".repeat(3)), NOW + 1);
  const digest = replyOf(record, CUTS, NOW);
  assertEquals([digest.result, digest.truncated, digest.next_offset, digest.result_bytes], [
    "01234567",
    true,
    8,
    30,
  ]);
  assertEquals("tool_calls" in digest, false);
  const full = replyOf(
    closeRecord(answered("0123456789".repeat(3), opened({ output_mode: "full" })), NOW),
    CUTS,
    NOW,
  );
  assertEquals([full.next_offset, full.tool_calls!.length], [20, 2]);
});

Deno.test("[P6] replyOf() is ok only for an answer, and keeps what there is of one otherwise", () => {
  const good = replyOf(closeRecord(answered("a"), NOW), CUTS, NOW);
  assertEquals([good.ok, good.error, good.truncated, good.next_offset], [true, undefined, false, undefined]);
  const limited = settle(answered("half"), { code: "rate_limited", detail: "wait", retryAtMs: NOW + 30_000 });
  const bad = replyOf(closeRecord(limited, NOW), CUTS, NOW);
  assertEquals([bad.ok, bad.status, bad.error, bad.result], [false, "failed", "rate_limited", "half"]);
  assertEquals([bad.retryable, bad.retry_after_seconds, bad.next_available_at], [
    true,
    30,
    "2026-08-02T12:00:30.000Z",
  ]);
});
