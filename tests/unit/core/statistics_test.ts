import { assertEquals } from "@std/assert";
import type { RunGroup, RunSums } from "../../../src/core/run_sums.ts";
import { summarize, summarizeBy } from "../../../src/core/statistics.ts";

function group(fields: Partial<RunGroup> = {}): RunGroup {
  return {
    provider: "gemini",
    model: "m1",
    status: "succeeded",
    error: null,
    capability: "chat",
    exitCode: 0,
    day: "2026-08-01",
    costBasis: null,
    runs: 1,
    durationsMs: [],
    inputTokens: 0,
    outputTokens: 0,
    cacheTokens: 0,
    reasoningTokens: 0,
    withTokens: 0,
    costUsd: 0,
    withCost: 0,
    toolCalls: 0,
    apiCalls: 0,
    messages: 0,
    withDigest: 0,
    failovers: 0,
    failoverMs: 0,
    ...fields,
  };
}

function sums(groups: readonly RunGroup[], more: Partial<RunSums> = {}): RunSums {
  return { earliestMs: null, latestMs: null, groups, attempts: [], tools: {}, warnings: [], ...more };
}

Deno.test("summarize() says null, never 0, where nothing is known", () => {
  const empty = summarize(sums([]), {});
  assertEquals(empty.runs, 0);
  assertEquals(empty.success_rate, null);
  assertEquals(empty.duration_ms, { total: null, avg: null, p50: null, p95: null });
  assertEquals(empty.tokens, { input: null, output: null, cache: null, reasoning: null, runs: 0 });
  assertEquals(empty.estimated_cost_usd, null);
  assertEquals(empty.estimate, false);
  assertEquals(empty.window, { since: null, until: null, earliest: null, latest: null });
});

Deno.test("summarize() [F-ORIG-9] counts failures", () => {
  const all = summarize(
    sums([
      group({ runs: 2 }),
      group({ status: "failed", error: "rate_limited", exitCode: 1 }),
      group({ status: "timed_out", error: "timeout", exitCode: 124, provider: null, model: null }),
      group({ status: "running", runs: 9, exitCode: null }),
    ]),
    {},
  );
  assertEquals(all.runs, 4);
  assertEquals(all.open_tasks, 9);
  assertEquals(all.success_rate, 0.5);
  assertEquals(all.error_breakdown, { rate_limited: 1, timeout: 1 });
  assertEquals(all.exit_code_breakdown, { "0": 2, "1": 1, "124": 1 });
  assertEquals(all.status_breakdown, { succeeded: 2, failed: 1, timed_out: 1 });
});

Deno.test("summarize() rounds the rate to 3 decimals and the cost to 4", () => {
  const all = summarize(
    sums([
      group({ runs: 2, withCost: 2, costUsd: 0.000123 }),
      group({ status: "failed", error: "hermes_failed" }),
    ]),
    {},
  );
  assertEquals([all.success_rate, all.estimated_cost_usd], [0.667, 0.0001]);
});

Deno.test("summarize() puts the largest first", () => {
  const all = summarize(
    sums([group({ model: "b" }), group({ model: "a" }), group({ model: "c", provider: "x", runs: 5 })], {
      tools: { terminal: 1, web: 3, bash: 1 },
    }),
    {},
  );
  assertEquals(Object.entries(all.model_breakdown), [["c", 5], ["a", 1], ["b", 1]]);
  assertEquals(Object.entries(all.provider_breakdown), [["x", 5], ["gemini", 2]]);
  assertEquals(Object.entries(all.tool_usage.tools), [["web", 3], ["bash", 1], ["terminal", 1]]);
});

Deno.test("summarize() takes percentiles by nearest rank over all groups", () => {
  const one = (durationsMs: number[]) => summarize(sums([group({ durationsMs })]), {}).duration_ms;
  assertEquals(one([7]), { total: 7, avg: 7, p50: 7, p95: 7 });
  assertEquals(one([4, 1, 3, 2]), { total: 10, avg: 3, p50: 2, p95: 4 });
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);
  const split = summarize(
    sums([group({ durationsMs: hundred.slice(0, 30) }), group({ durationsMs: hundred.slice(30) })]),
    {},
  );
  assertEquals(split.duration_ms, { total: 5050, avg: 51, p50: 50, p95: 95 });
});

Deno.test("summarize() keeps apart where costs come from", () => {
  const all = summarize(
    sums([
      group({ runs: 3, withCost: 2, costUsd: 0.02, costBasis: "per_call_estimate" }),
      group({ runs: 1, withCost: 1, costUsd: 0.5, costBasis: "actual" }),
      group({ runs: 4 }),
    ]),
    {},
  );
  assertEquals(all.cost_breakdown, {
    per_call_estimate: { runs: 2, usd: 0.02 },
    unknown: { runs: 5, usd: null },
    actual: { runs: 1, usd: 0.5 },
  });
  assertEquals([all.estimated_cost_usd, all.estimate], [0.52, true]);
  const exact = summarize(sums([group({ withCost: 1, costUsd: 0, costBasis: "free_tier" })]), {});
  assertEquals([exact.estimated_cost_usd, exact.estimate], [0, false]);
});

Deno.test("summarize() adds up attempts, failover, tokens and tool use", () => {
  const all = summarize(
    sums([
      group({
        runs: 2,
        failovers: 1,
        failoverMs: 300,
        withTokens: 1,
        inputTokens: 10,
        outputTokens: 5,
        withDigest: 1,
        toolCalls: 4,
        apiCalls: 3,
        messages: 8,
      }),
      group({ status: "failed", error: "all_exhausted", failovers: 1, failoverMs: 50 }),
    ], {
      attempts: [
        { provider: "gemini", outcome: "succeeded", error: null, attempts: 2 },
        { provider: "gemini", outcome: "failed", error: "rate_limited", attempts: 2 },
        { provider: "nvidia", outcome: "failed", error: "rate_limited", attempts: 1 },
      ],
    }),
    {},
  );
  assertEquals(all.attempts, { total: 5, failed: 3, error_breakdown: { rate_limited: 3 } });
  assertEquals(all.failover, { tasks: 2, saved: 1, lost_ms: 350 });
  assertEquals(all.tokens, { input: 10, output: 5, cache: 0, reasoning: 0, runs: 1 });
  const { tools: _tools, ...usage } = all.tool_usage;
  assertEquals(usage, { tool_calls: 4, api_calls: 3, messages: 8, with_digest: 1 });
});

Deno.test("summarizeBy() groups, days from the latest on, errors without successes", () => {
  const three = sums([
    group({ day: "2026-08-01", runs: 5, durationsMs: [10] }),
    group({ day: "2026-08-03", provider: "nvidia" }),
    group({ day: "2026-08-03", status: "failed", error: "timeout" }),
    group({ day: "2026-08-03", status: "queued", error: null, runs: 7 }),
  ]);
  const keys = (by: Parameters<typeof summarizeBy>[0]) =>
    summarizeBy(by, three).map(({ key, runs }) => [key, runs]);
  assertEquals(keys("day"), [["2026-08-03", 2], ["2026-08-01", 5]]);
  assertEquals(keys("provider"), [["gemini", 6], ["nvidia", 1]]);
  assertEquals(keys("error"), [["timeout", 1]]);
  assertEquals(keys("capability"), [["chat", 7]]);
  assertEquals(summarizeBy("provider", three)[0]?.success_rate, 0.833);
});
