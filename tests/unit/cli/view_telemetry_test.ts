import { assert, assertEquals } from "@std/assert";
import { type Group, showBar, showSparkline, showTelemetry } from "../../../src/cli/view_telemetry.ts";
import type { HermesTelemetryResult } from "../../../src/operations/telemetry.ts";
import { NOW } from "../../support/command_line.ts";

const look = { columns: 80, colour: false, nowMs: NOW };

function group(key: string, runs: number, success_rate: number, p50: number, error_breakdown = {}): Group {
  return {
    key,
    runs,
    success_rate,
    duration_ms: { total: 1, avg: 1, p50, p95: 1 },
    tokens: { input: null, output: null, cache: null, reasoning: null, runs: 0 },
    estimated_cost_usd: null,
    error_breakdown,
  };
}

const result: HermesTelemetryResult = {
  ok: true,
  window: { since: null, until: null, earliest: null, latest: null },
  runs: 312,
  success_rate: 0.94,
  duration_ms: { total: 1, avg: 1, p50: 8100, p95: 41_000 },
  tokens: { input: 400_000, output: 12_000, cache: 5, reasoning: 0, runs: 300 },
  estimated_cost_usd: 0,
  estimate: false,
  error_breakdown: {},
  open_tasks: 1,
  status_breakdown: {},
  exit_code_breakdown: {},
  provider_breakdown: {},
  model_breakdown: {},
  tool_usage: {
    tool_calls: 1,
    api_calls: 1,
    messages: 1,
    with_digest: 1,
    tools: { terminal: 40, read_file: 2 },
  },
  cost_breakdown: { free: { runs: 312, usd: 0 } },
  attempts: { total: 1, failed: 1, error_breakdown: {} },
  failover: { tasks: 15, saved: 14, lost_ms: 38_000 },
  group_by: "provider",
  groups: [
    group("gemini", 201, 0.97, 6900, { rate_limited: 5, timeout: 1 }),
    group("openrouter", 88, 0.84, 12_000, { no_credit: 9 }),
    group("opencode-zen", 23, 1, 9400),
  ],
  groups_left_out: 2,
  warnings: ["index was rebuilt"],
};

const days = [group("2026-08-11", 4, 1, 1), group("2026-08-08", 1, 1, 1), group("2026-08-10", 8, 1, 1)];

Deno.test("showTelemetry() shows totals, days, and a bar a provider in 80 columns", () => {
  assertEquals(
    showTelemetry(result, days, look).join("\n"),
    `312 tasks   94 % answered   median 8.1 s   p95 41 s   412 k tokens
$0.00 (free)
▁·█▄  per day, 2026-08-08 to 2026-08-11
PROVIDER      TASKS  ANSWERED                MEDIAN  FAILED MOSTLY BY
gemini          201  ██████████████▌   97 %   6.9 s  rate limited (5)
openrouter       88  ████████████▋     84 %    12 s  out of credit (9)
opencode-zen     23  ███████████████  100 %   9.4 s
… 2 more: --limit 5
failover saved 14 tasks, cost 38 s in all
1 not ended yet
tools used most: terminal (40), read_file (2)
! index was rebuilt`,
  );
});

Deno.test("showTelemetry() says what is not known instead of 0", () => {
  const nothing = { input: null, output: null, cache: null, reasoning: null, runs: 0 };
  const unknown = {
    ...result,
    tokens: nothing,
    estimated_cost_usd: null,
    duration_ms: { total: null, avg: null, p50: null, p95: null },
  };
  assertEquals(showTelemetry(unknown, [], look)[0], "312 tasks   94 % answered   cost unknown");
});

Deno.test("showTelemetry() tells an estimate from a bill, and for how many runs nothing is known", () => {
  const mixed = {
    ...result,
    estimated_cost_usd: 1.5,
    estimate: true,
    cost_breakdown: { estimated: { runs: 2, usd: 1.5 }, unknown: { runs: 7, usd: null } },
  };
  assert(showTelemetry(mixed, [], { ...look, columns: 100 })[0]!.endsWith("   about $1.50 (unknown for 7)"));
});

Deno.test("showTelemetry() groups failures without a share of answers", () => {
  const failures = {
    ...result,
    group_by: "error" as const,
    groups: [group("timeout", 3, 0, 300_000)],
    groups_left_out: 0,
  };
  assertEquals(showTelemetry(failures, [], look).slice(2, 4), [
    "ERROR    TASKS  MEDIAN",
    "timeout      3   5 min",
  ]);
});

Deno.test("showTelemetry() says that nothing is recorded", () => {
  const none = { ...result, runs: 0, open_tasks: 0, warnings: [] };
  assertEquals(showTelemetry(none, [], look), ["No task is recorded in this time."]);
});

Deno.test("showTelemetry() keeps years of days on one line", () => {
  const years = [group("2020-01-01", 1, 1, 1), group("2026-08-11", 2, 1, 1)];
  assert(showTelemetry(result, years, look).every((line) => line.length <= 80));
});

Deno.test("showBar() and showSparkline() are in proportion", () => {
  assertEquals([0, 0.5, 1].map(showBar), ["", "███████▌", "███████████████"]);
  assertEquals(showSparkline([0, 1, 4, 8]), "·▁▄█");
});
