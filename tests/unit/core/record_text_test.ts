import { assert, assertEquals } from "@std/assert";
import type { TaskRecord } from "../../../src/core/record.ts";
import { parseRecord, recordText } from "../../../src/core/record_text.ts";
import { originalRecordText, taskRecord } from "../../support/records.ts";

function original(fields: Record<string, unknown>, id = "1723380000000_abc123"): TaskRecord {
  const parsed = parseRecord(id, originalRecordText(fields));
  assert(parsed.ok);
  return parsed.record;
}

Deno.test("parseRecord() gives back what recordText() wrote", () => {
  const record = taskRecord({ result: "漢字\n😀\u2028" });
  assertEquals(parseRecord(record.task_id, recordText(record)), { ok: true, record });
});

Deno.test("parseRecord() reads a file of the original server as a success", () => {
  const record = original({});
  assertEquals(record.status, "succeeded");
  assertEquals(record.error, null);
  assertEquals(record.result, "an answer");
  assertEquals(record.created_at, "2026-08-11T11:52:47.000Z");
  assertEquals(record.duration_ms, 4213);
  assertEquals(record.tool_calls?.[0]?.name, "search_files");
  assertEquals(record.attempts, []);
});

Deno.test("parseRecord() estimates the cost of an original record by its calls, and leaves tokens unknown", () => {
  assertEquals(original({}).usage, {
    input_tokens: null,
    output_tokens: null,
    cache_tokens: null,
    reasoning_tokens: null,
    cost_usd: 0.0018,
    cost_basis: "per_call_estimate",
  });
  const cost = (fields: Record<string, unknown>) => original(fields).usage?.cost_usd;
  assertEquals(cost({ digest: null }), null);
  assertEquals(cost({ model: "gemini-9" }), 0.0003);
  assertEquals(cost({ provider: "opencode-zen", model: "x" }), 0.00006);
  assertEquals(cost({ provider: "constructor", model: "toString" }), 0.00015);
});

Deno.test("parseRecord() takes the time from the id when the file has none", () => {
  assertEquals(original({ created_at: undefined }).created_at, "2024-08-11T12:40:00.000Z");
  assertEquals(original({ created_at: "soon" }, "ses_x").created_at, "1970-01-01T00:00:00.000Z");
});

Deno.test("parseRecord() leaves unknown what the original did not write", () => {
  const { prompt, prompt_len, asked, caller } = original({ prompt_len: undefined });
  assertEquals([prompt, prompt_len, asked, caller], [null, null, null, { surface: "mcp" }]);
  assertEquals(original({ prompt_len: 17 }).prompt_len, 17);
});

Deno.test("parseRecord() takes the name of the file for the id, not what stands inside", () => {
  assertEquals(original({ task_id: "../../evil" }).task_id, "1723380000000_abc123");
});

Deno.test("parseRecord() makes sense of odd fields instead of trusting them", () => {
  const record = original({
    tool_calls: [null, "x", { name: 5 }],
    digest: { tools_used: [1, "a"] },
    result: 7,
  });
  assertEquals(record.tool_calls, [{ id: "", name: "", arguments: {}, result: null }]);
  assertEquals(record.digest, {
    tool_call_count: null,
    api_call_count: null,
    message_count: null,
    tools_used: ["a"],
  });
  assertEquals(record.result, null);
});

Deno.test("parseRecord() says what a broken file is", async (t) => {
  for (
    const [text, why] of [
      ["", "it is empty"],
      ["{", "it is not JSON, perhaps cut off"],
      ["null", "it is not a record"],
      ['{"a": 1}', "it is not a record"],
      ['{"record_version": 1}', "it is a record without a status"],
    ] as const
  ) {
    await t.step(why, () => assertEquals(parseRecord("x", text), { ok: false, why }));
  }
});
