// What do the recorded runs add up to? The index counts in groups; here they are folded into one reply.
import type { RunGroup, RunSums, RunWindow } from "./run_sums.ts";

export type { AttemptGroup, RunGroup, RunSums, RunWindow } from "./run_sums.ts";

/** By what runs can be grouped. */
export type GroupBy = "provider" | "model" | "day" | "error" | "capability";

/** Milliseconds of the runs whose duration is known; null when there is none. */
export interface DurationSummary {
  /** Sum. */
  readonly total: number | null;
  /** Mean, rounded. */
  readonly avg: number | null;
  /** Median, by nearest rank. */
  readonly p50: number | null;
  /** 95th percentile, by nearest rank. */
  readonly p95: number | null;
}

/** Tokens of the runs whose tokens are known; null when there is none. */
export interface TokenSummary {
  /** Fresh input tokens. */
  readonly input: number | null;
  /** Output tokens. */
  readonly output: number | null;
  /** Cached input tokens, read and written. */
  readonly cache: number | null;
  /** Part of the output tokens. */
  readonly reasoning: number | null;
  /** Runs that these sums are over. */
  readonly runs: number;
}

/** What runs have in common to say: as a whole, or of one group. */
export interface RunSummary {
  /** Runs that have ended. */
  readonly runs: number;
  /** Share of the runs that were answered, 3 decimals; null without runs. */
  readonly success_rate: number | null;
  /** How long they took. */
  readonly duration_ms: DurationSummary;
  /** Tokens used. */
  readonly tokens: TokenSummary;
  /** USD, 4 decimals; null when no run's cost is known. */
  readonly estimated_cost_usd: number | null;
  /** How runs failed, by error code, most first. */
  readonly error_breakdown: Readonly<Record<string, number>>;
}

/** The numbers of telemetry. Where a run has no provider, model or exit status, its key is `none`. */
export interface Statistics extends RunSummary {
  /** What was asked for, and the first and last task found in it; ISO 8601 UTC. */
  readonly window: {
    readonly since: string | null;
    readonly until: string | null;
    readonly earliest: string | null;
    readonly latest: string | null;
  };
  /** Tasks that have not ended; they count nowhere else. */
  readonly open_tasks: number;
  /** Runs by final state. */
  readonly status_breakdown: Readonly<Record<string, number>>;
  /** Runs by Hermes' exit status. */
  readonly exit_code_breakdown: Readonly<Record<string, number>>;
  /** Runs by provider, largest first. */
  readonly provider_breakdown: Readonly<Record<string, number>>;
  /** Runs by model, largest first. */
  readonly model_breakdown: Readonly<Record<string, number>>;
  /** What Hermes did, over the runs with a digest; `tools` counts the runs that used each. */
  readonly tool_usage: {
    readonly tool_calls: number;
    readonly api_calls: number;
    readonly messages: number;
    readonly with_digest: number;
    readonly tools: Readonly<Record<string, number>>;
  };
  /** Is any part of the cost an estimate? */
  readonly estimate: boolean;
  /** Runs and USD by where the cost comes from; `unknown` has no figure. */
  readonly cost_breakdown: Readonly<Record<string, { readonly runs: number; readonly usd: number | null }>>;
  /** Starts of Hermes; one task may need several. */
  readonly attempts: {
    readonly total: number;
    readonly failed: number;
    readonly error_breakdown: Readonly<Record<string, number>>;
  };
  /** What trying another provider was good for. */
  readonly failover: {
    /** Tasks that needed more than one attempt. */
    readonly tasks: number;
    /** Those of them that were answered. */
    readonly saved: number;
    /** Time spent in attempts that failed before another one was made. */
    readonly lost_ms: number;
  };
}

const OPEN = new Set(["queued", "running"]);
const EXACT_BASES = new Set(["actual", "included", "zero_price", "free_id", "free_tier"]);

/** Folds the sums of a window into the numbers of telemetry. */
export function summarize(sums: RunSums, window: RunWindow): Statistics {
  const groups = sums.groups.filter((group) => !OPEN.has(group.status));
  const costs = costBreakdown(groups);
  return {
    window: {
      since: iso(window.sinceMs),
      until: iso(window.untilMs),
      earliest: iso(sums.earliestMs),
      latest: iso(sums.latestMs),
    },
    ...summaryOf(groups),
    open_tasks: total(sums.groups, (group) => group.runs) - total(groups, (group) => group.runs),
    status_breakdown: breakdown(groups, (group) => group.status),
    exit_code_breakdown: breakdown(groups, (group) => String(group.exitCode ?? "none")),
    provider_breakdown: breakdown(groups, (group) => group.provider ?? "none"),
    model_breakdown: breakdown(groups, (group) => group.model ?? "none"),
    tool_usage: {
      tool_calls: total(groups, (group) => group.toolCalls),
      api_calls: total(groups, (group) => group.apiCalls),
      messages: total(groups, (group) => group.messages),
      with_digest: total(groups, (group) => group.withDigest),
      tools: largestFirst(new Map(Object.entries(sums.tools))),
    },
    estimate: Object.keys(costs).some((basis) => !EXACT_BASES.has(basis) && costs[basis]!.usd !== null),
    cost_breakdown: costs,
    attempts: {
      total: total(sums.attempts, (group) => group.attempts),
      failed: total(sums.attempts, (group) => group.outcome === "succeeded" ? 0 : group.attempts),
      error_breakdown: largestFirst(
        count(sums.attempts, (group) => group.error ?? undefined, (group) => group.attempts),
      ),
    },
    failover: {
      tasks: total(groups, (group) => group.failovers),
      saved: total(groups, (group) => group.status === "succeeded" ? group.failovers : 0),
      lost_ms: total(groups, (group) => group.failoverMs),
    },
  };
}

/** Summaries by key: days from the latest on, everything else by the number of runs. By error: only what failed. */
export function summarizeBy(by: GroupBy, sums: RunSums): (RunSummary & { readonly key: string })[] {
  const parts = new Map<string, RunGroup[]>();
  for (const group of sums.groups) {
    if (OPEN.has(group.status) || (by === "error" && group.status === "succeeded")) continue;
    const key = group[by] ?? "none";
    const part = parts.get(key);
    if (part) part.push(group);
    else parts.set(key, [group]);
  }
  const rows = [...parts].map(([key, groups]) => ({ key, ...summaryOf(groups) }));
  return by === "day"
    ? rows.sort((a, b) => b.key < a.key ? -1 : 1)
    : rows.sort((a, b) => b.runs - a.runs || (a.key < b.key ? -1 : 1));
}

function summaryOf(groups: readonly RunGroup[]): RunSummary {
  const runs = total(groups, (group) => group.runs);
  const answered = total(groups, (group) => group.status === "succeeded" ? group.runs : 0);
  const known = groups.some((group) => group.withCost > 0);
  return {
    runs,
    success_rate: runs === 0 ? null : rounded(answered / runs, 3),
    duration_ms: durations(groups),
    tokens: tokens(groups),
    estimated_cost_usd: known ? rounded(total(groups, (group) => group.costUsd), 4) : null,
    error_breakdown: breakdown(groups.filter((group) => group.error !== null), (group) => group.error!),
  };
}

function durations(groups: readonly RunGroup[]): DurationSummary {
  const sorted = new Float64Array(total(groups, (group) => group.durationsMs.length));
  let at = 0;
  for (const group of groups) {
    sorted.set(group.durationsMs, at);
    at += group.durationsMs.length;
  }
  if (sorted.length === 0) return { total: null, avg: null, p50: null, p95: null };
  sorted.sort();
  const sum = sorted.reduce((a, b) => a + b, 0);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
  return { total: sum, avg: Math.round(sum / sorted.length), p50: rank(0.5), p95: rank(0.95) };
}

function tokens(groups: readonly RunGroup[]): TokenSummary {
  const runs = total(groups, (group) => group.withTokens);
  const sum = (pick: (group: RunGroup) => number) => runs === 0 ? null : total(groups, pick);
  return {
    input: sum((group) => group.inputTokens),
    output: sum((group) => group.outputTokens),
    cache: sum((group) => group.cacheTokens),
    reasoning: sum((group) => group.reasoningTokens),
    runs,
  };
}

function costBreakdown(groups: readonly RunGroup[]): Record<string, { runs: number; usd: number | null }> {
  const parts: Record<string, { runs: number; usd: number | null }> = {};
  const add = (basis: string, runs: number, usd: number | null) => {
    if (runs === 0) return;
    const part = parts[basis] ??= { runs: 0, usd: usd === null ? null : 0 };
    part.runs += runs;
    if (usd !== null) part.usd = rounded((part.usd ?? 0) + usd, 6);
  };
  for (const group of groups) {
    add(group.costBasis ?? "unstated", group.withCost, group.costUsd);
    add("unknown", group.runs - group.withCost, null);
  }
  return parts;
}

function breakdown(groups: readonly RunGroup[], key: (group: RunGroup) => string): Record<string, number> {
  return largestFirst(count(groups, key, (group) => group.runs));
}

function count<T>(
  items: readonly T[],
  key: (item: T) => string | undefined,
  many: (item: T) => number,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const name = key(item);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + many(item));
  }
  return counts;
}

function largestFirst(counts: Map<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}

function total<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((sum, item) => sum + pick(item), 0);
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function iso(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}
