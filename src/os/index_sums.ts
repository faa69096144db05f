// The sums of a window, out of the index. The sums of a whole day are kept beside the rows until one of its
// records changes, so that telemetry costs by the day and not by the run.
import type { DatabaseSync } from "node:sqlite";
import type { AttemptGroup, RunGroup, RunSums, RunWindow } from "../core/run_sums.ts";
import { inWrite } from "./sqlite.ts";

interface DaySums {
  readonly groups: readonly RunGroup[];
  readonly attempts: readonly AttemptGroup[];
  readonly tools: Readonly<Record<string, number>>;
}

const DAY_MS = 86_400_000;
const FIRST_MS = 0;
const LAST_MS = 253_402_300_799_999;

/** Sums over all runs of a window. */
export function sumsOf(database: DatabaseSync, window: RunWindow): Omit<RunSums, "warnings"> {
  const fromMs = Math.max(FIRST_MS, window.sinceMs ?? FIRST_MS);
  const toMs = Math.min(LAST_MS, window.untilMs ?? LAST_MS);
  if (fromMs > toMs) return { earliestMs: null, latestMs: null, ...merged([]) };
  const edges = database.prepare(
    "SELECT min(created_ms) AS first, max(created_ms) AS last FROM tasks WHERE created_ms BETWEEN ? AND ?",
  ).get(fromMs, toMs)!;
  return {
    earliestMs: edges.first as number | null,
    latestMs: edges.last as number | null,
    ...merged(daysOf(database, fromMs, toMs)),
  };
}

function daysOf(database: DatabaseSync, fromMs: number, toMs: number): DaySums[] {
  const days = database.prepare("SELECT day, sums FROM day_sums WHERE day BETWEEN ? AND ?")
    .all(dayOf(fromMs), dayOf(toMs)) as { day: string; sums: string | null }[];
  const found: DaySums[] = [];
  const missing: string[] = [];
  for (const { day, sums } of days) {
    const startMs = Date.parse(day);
    const endMs = startMs + DAY_MS - 1;
    if (startMs < fromMs || endMs > toMs) {
      found.push(countRuns(database, day, Math.max(startMs, fromMs), Math.min(endMs, toMs)));
      continue;
    }
    const kept = sums === null ? undefined : parseSums(sums);
    if (kept) found.push(kept);
    else missing.push(day);
  }
  return missing.length === 0 ? found : [...found, ...countDays(database, missing)];
}

/** Undefined for what damage to the file has left of them. */
function parseSums(text: string): DaySums | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts in the same transaction that keeps the sums, so that no run slips in between. */
function countDays(database: DatabaseSync, days: readonly string[]): DaySums[] {
  return inWrite(database, () => {
    const keep = database.prepare("UPDATE day_sums SET sums = ? WHERE day = ?");
    return days.map((day) => {
      const startMs = Date.parse(day);
      const sums = countRuns(database, day, startMs, startMs + DAY_MS - 1);
      keep.run(JSON.stringify(sums), day);
      return sums;
    });
  });
}

const GROUPS = `
SELECT provider, model, status, error, capability, exit_code AS exitCode, cost_basis AS costBasis,
  count(*) AS runs, group_concat(duration_ms) AS durations,
  total(input_tokens) AS inputTokens, total(output_tokens) AS outputTokens, total(cache_tokens) AS cacheTokens,
  total(reasoning_tokens) AS reasoningTokens, count(coalesce(input_tokens, output_tokens)) AS withTokens,
  total(cost_usd) AS costUsd, count(cost_usd) AS withCost, total(tool_calls) AS toolCalls,
  total(api_calls) AS apiCalls, total(messages) AS messages, count(messages) AS withDigest,
  total(failovers) AS failovers, total(failover_ms) AS failoverMs
FROM tasks WHERE created_ms BETWEEN ? AND ?
GROUP BY provider, model, status, error, capability, exit_code, cost_basis`;

const ATTEMPTS = `
SELECT attempts.provider, outcome, attempts.error, count(*) AS attempts
FROM tasks JOIN attempts ON attempts.task = tasks.id WHERE created_ms BETWEEN ? AND ?
GROUP BY attempts.provider, outcome, attempts.error`;

const TOOLS = `
SELECT name, count(*) AS runs FROM tasks JOIN tool_uses ON tool_uses.task = tasks.id
WHERE created_ms BETWEEN ? AND ? GROUP BY name`;

function countRuns(database: DatabaseSync, day: string, fromMs: number, toMs: number): DaySums {
  const groups = database.prepare(GROUPS).all(fromMs, toMs).map(({ durations, ...group }) => ({
    ...group,
    day,
    durationsMs: typeof durations === "string" ? durations.split(",").map(Number) : [],
  }));
  const attempts = database.prepare(ATTEMPTS).all(fromMs, toMs).map((row) => ({ ...row }));
  const tools = database.prepare(TOOLS).all(fromMs, toMs).map((row) => [String(row.name), Number(row.runs)]);
  return {
    groups: groups as unknown as RunGroup[],
    attempts: attempts as unknown as AttemptGroup[],
    tools: Object.fromEntries(tools),
  };
}

function merged(days: readonly DaySums[]): DaySums {
  const tools = new Map<string, number>();
  for (const day of days) {
    for (const [name, runs] of Object.entries(day.tools)) tools.set(name, (tools.get(name) ?? 0) + runs);
  }
  return {
    groups: days.flatMap((day) => day.groups),
    attempts: days.flatMap((day) => day.attempts),
    tools: Object.fromEntries(tools),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
