// A long history of made-up runs, always the same, for what must stay fast with many of them.
import type { TaskRecord } from "../../src/core/record.ts";
import { recordText } from "../../src/core/record_text.ts";
import { taskRecord } from "./records.ts";

const FIRST_MS = Date.parse("2026-01-01T00:00:00Z");
const EVERY_MS = 300_000;
const PROVIDERS = ["gemini", "openrouter", "nvidia", "huggingface", "opencode-zen"];
const TOOLS = ["terminal", "read_file", "web_search", "search_files", "patch", "write_file", "todo"];

/** The `n`th run: one each five minutes, four in five answered, over five providers and fifteen models. */
export function madeUpRun(n: number): TaskRecord {
  const createdMs = FIRST_MS + n * EVERY_MS;
  const provider = PROVIDERS[(n * 7) % 5]!;
  const failed = n % 5 === 3;
  return taskRecord({
    task_id: `${createdMs}_${n.toString(36).padStart(6, "0")}`,
    created_at: new Date(createdMs).toISOString(),
    session_id: `s${n >> 1}`,
    provider,
    model: `${provider}-model-${n % 3}`,
    status: failed ? "failed" : "succeeded",
    error: failed ? (n % 2 ? "rate_limited" : "hermes_failed") : null,
    exit_code: failed ? 1 : 0,
    duration_ms: 500 + (n * 7919) % 60_000,
    result: "An answer of some length. ".repeat(120),
    digest: {
      tool_call_count: n % 4,
      api_call_count: 1 + n % 4,
      message_count: 2 + n % 8,
      tools_used: TOOLS.filter((_, i) => (n + i) % 3 === 0),
    },
    attempts: [{
      provider,
      model: `${provider}-model-${n % 3}`,
      outcome: failed ? "failed" : "succeeded",
      error: failed ? "hermes_failed" : null,
      error_detail: null,
      duration_ms: 500,
      reason: "alive, free",
      started_at: new Date(createdMs).toISOString(),
      exit_code: failed ? 1 : 0,
      signal: null,
      session_id: `s${n >> 1}`,
      output_tail: null,
    }],
  });
}

/** Writes the files of `count` runs, as a store would have left them. */
export async function writeMadeUpRuns(dir: string, count: number): Promise<void> {
  await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
  for (let at = 0; at < count; at += 200) {
    await Promise.all(Array.from({ length: Math.min(200, count - at) }, (_, i) => {
      const record = madeUpRun(at + i);
      return Deno.writeTextFile(`${dir}/${record.task_id}.json`, recordText(record), { mode: 0o600 });
    }));
  }
}
