import { assert, assertEquals } from "@std/assert";
import { showDetail } from "../../../src/cli/view_detail.ts";
import type { HermesDetailResult } from "../../../src/operations/detail.ts";
import { NOW } from "../../support/command_line.ts";

const look = { columns: 80, colour: false, nowMs: NOW };

const call = { id: "1", name: "terminal", arguments: { command: "ls" }, result: "a\nb\n" };
const detail: HermesDetailResult = {
  ok: true,
  status: "succeeded",
  task_id: "1764537600123_k3x9qd",
  session_id: "20260811_115247_084e47",
  cached: true,
  error: null,
  error_detail: null,
  truncated: false,
  result_bytes: 4,
  provider: "gemini",
  model: "gemini-3.1-flash-lite",
  result: "Done\x1b[2J\n",
  tool_calls: [call, { ...call, id: "2" }, { ...call, id: "3", name: "read_file" }],
  digest: null,
  usage: null,
  exit_code: 0,
  duration_ms: 14_200,
  created_at: new Date(2026, 7, 11, 11, 52).toISOString(),
  warnings: [],
};

Deno.test("showDetail() shows how a task ended, by whom, with which tools, then its answer", () => {
  assertEquals(
    showDetail(detail, look).join("\n"),
    `✓ answered  1764537600123_k3x9qd  11:52
  gemini · gemini-3.1-flash-lite · 14.2 s
  tools    terminal ×2, read_file (more: --section tool_calls)
  session  20260811_115247_084e47

Done␛[2J`,
  );
});

Deno.test("showDetail() shows why a task failed, with its sign", () => {
  const failed = {
    ...detail,
    status: "failed",
    error: "rate_limited",
    error_detail: "Try later",
    result: null,
  } as const;
  const lines = showDetail({ ...failed, tool_calls: null }, look);
  assertEquals(lines.slice(0, 2), ["✗ failed  1764537600123_k3x9qd  11:52", "  rate limited: Try later"]);
  assert(showDetail(failed, { ...look, colour: true })[0]!.startsWith("\x1b[31m✗\x1b[0m failed"));
});

Deno.test("showDetail() of a section shows that text alone, and how to read on", () => {
  const part = {
    ...detail,
    section: "result",
    result: "beg",
    truncated: true,
    result_bytes: 2000,
    next_offset: 3,
  } as const;
  assertEquals(showDetail(part, look), [
    "beg",
    "… cut, 2.0 KB in all; the rest: hermes-task detail 1764537600123_k3x9qd --section result --offset 3",
  ]);
  assertEquals(showDetail({ ...part, section: "log", truncated: false, result: "" }, look), [""]);
});

Deno.test("showDetail() of tool calls shows what was called and what came back", () => {
  const { tool_calls } = detail;
  const lines = showDetail({
    ...detail,
    section: "tool_calls",
    result: null,
    tool_calls: tool_calls!.slice(0, 1),
  }, look);
  assertEquals(lines.slice(-3), ["", 'TOOL terminal {"command":"ls"}', "a\nb"]);
});

Deno.test("showDetail() of all shows prompt, attempts, log and answer", () => {
  const attempt = {
    provider: "nvidia",
    model: "m",
    outcome: "failed",
    error: "rate_limited",
    error_detail: null,
    duration_ms: 900,
    reason: "alive, free",
    started_at: "",
    exit_code: 1,
    signal: null,
    session_id: null,
    output_tail: null,
  } as const;
  const lines = showDetail(
    { ...detail, section: "all", tool_calls: [], prompt: "Do it", log: "line\n", attempts: [attempt] },
    look,
  );
  assertEquals(lines.slice(3), [
    "  attempt 1  nvidia · m  rate limited  900 ms  alive, free",
    "",
    "PROMPT",
    "Do it",
    "",
    "LOG",
    "line",
    "",
    "ANSWER",
    "Done␛[2J",
  ]);
});
