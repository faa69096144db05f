// History: what the recorded tasks add up to, with bars by provider and a line of days.
import type { RunSummary } from "../core/statistics.ts";
import type { HermesTelemetryResult } from "../operations/telemetry.ts";
import { type Look, paint } from "./paint.ts";
import { type Cell, type Column, showTable } from "./table.ts";
import { fillLines, safeLine } from "./text.ts";
import { showAbout, showCount, showMoney, showShare, showSpan } from "./when.ts";
import { errorWords } from "./words.ts";

/** One group of a result. */
export type Group = NonNullable<HermesTelemetryResult["groups"]>[number];

const BAR_COLUMNS = 15;
const EIGHTHS = " ▏▎▍▌▋▊▉";
const HEIGHTS = "▁▂▃▄▅▆▇█";
const DAY_MS = 86_400_000;

/** The screen of `telemetry`. `days` are the groups by day, in any order. */
export function showTelemetry(result: HermesTelemetryResult, days: readonly Group[], look: Look): string[] {
  if (result.runs === 0 && result.open_tasks === 0) {
    return ["No task is recorded in this time.", ...showWarnings(result, look)];
  }
  return [
    ...fillLines(totalsOf(result), "   ", look.columns),
    ...showDays(days, look),
    ...showGroups(result, look),
    ...showRemarks(result, look),
    ...showWarnings(result, look),
  ];
}

/** A bar of up to 15 columns, in steps of an eighth. */
export function showBar(share: number): string {
  const eighths = Math.round(share * BAR_COLUMNS * 8);
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "").trim();
}

/** One sign a number, the highest being `█`; `·` for none. */
export function showSparkline(counts: readonly number[]): string {
  const most = Math.max(...counts);
  return counts.map((count) => count === 0 ? "·" : HEIGHTS[Math.ceil((count / most) * HEIGHTS.length) - 1])
    .join("");
}

function totalsOf(result: HermesTelemetryResult): string[] {
  const { p50, p95 } = result.duration_ms;
  const { input, output } = result.tokens;
  return [
    `${showCount(result.runs)} ${result.runs === 1 ? "task" : "tasks"}`,
    ...(result.success_rate === null ? [] : [`${showShare(result.success_rate)} answered`]),
    ...(p50 === null ? [] : [`median ${showSpan(p50)}`]),
    ...(p95 === null ? [] : [`p95 ${showSpan(p95)}`]),
    ...(input === null && output === null ? [] : [`${showAbout((input ?? 0) + (output ?? 0))} tokens`]),
    showCost(result),
  ];
}

function showCost({ estimated_cost_usd, estimate, cost_breakdown }: HermesTelemetryResult): string {
  if (estimated_cost_usd === null) return "cost unknown";
  const known = Object.entries(cost_breakdown).filter(([, part]) => part.usd !== null);
  const unknown = cost_breakdown.unknown?.runs ?? 0;
  const remarks = [
    ...(known.every(([basis]) => basis === "free") ? ["free"] : []),
    ...(unknown > 0 ? [`unknown for ${showCount(unknown)}`] : []),
  ];
  const sum = `${estimate ? "about " : ""}${showMoney(estimated_cost_usd)}`;
  return remarks.length > 0 ? `${sum} (${remarks.join(", ")})` : sum;
}

function showDays(days: readonly Group[], look: Look): string[] {
  const counts = new Map(days.map((day) => [Date.parse(day.key), day.runs]));
  const times = [...counts.keys()].filter((time) => !Number.isNaN(time));
  if (times.length < 2) return [];
  const [last, room] = [Math.max(...times), look.columns - 40];
  const first = Math.max(Math.min(...times), last - (room - 1) * DAY_MS);
  const all = Array.from(
    { length: (last - first) / DAY_MS + 1 },
    (_, at) => counts.get(first + at * DAY_MS) ?? 0,
  );
  return [
    `${showSparkline(all)}  ${paint(`per day, ${isoDay(first)} to ${isoDay(last)}`, "dim", look.colour)}`,
  ];
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function showGroups({ group_by, groups, groups_left_out }: HermesTelemetryResult, look: Look): string[] {
  if (!group_by || !groups || groups.length === 0) return [];
  const failuresOnly = group_by === "error";
  const columns: readonly Column[] = [
    { title: group_by.toUpperCase(), flexible: true },
    { title: "TASKS", align: "right" },
    ...(failuresOnly ? [] : [{ title: "ANSWERED" }, { title: "", align: "right" as const }]),
    { title: "MEDIAN", align: "right" },
    ...(failuresOnly ? [] : [{ title: "FAILED MOSTLY BY", flexible: true }]),
  ];
  const rows = groups.map((group): Cell[] => [
    group.key,
    showCount(group.runs),
    ...(failuresOnly ? [] : answeredCells(group)),
    group.duration_ms.p50 === null ? "–" : showSpan(group.duration_ms.p50),
    ...(failuresOnly ? [] : [mostFailures(group)]),
  ]);
  const left = groups_left_out ?? 0;
  return [
    ...showTable(columns, rows, look),
    ...(left > 0
      ? [paint(`… ${showCount(left)} more: --limit ${groups.length + left}`, "dim", look.colour)]
      : []),
  ];
}

function answeredCells({ success_rate }: RunSummary): Cell[] {
  return success_rate === null
    ? ["", "–"]
    : [{ text: showBar(success_rate), tone: "green" }, showShare(success_rate)];
}

function mostFailures({ error_breakdown }: RunSummary): string {
  const [most] = Object.entries(error_breakdown);
  return most ? `${errorWords(most[0])} (${most[1]})` : "";
}

function showRemarks(result: HermesTelemetryResult, look: Look): string[] {
  const { failover, open_tasks, tool_usage } = result;
  const tools = Object.entries(tool_usage.tools).slice(0, 5).map(([name, runs]) => `${name} (${runs})`);
  return [
    ...(failover.tasks > 0
      ? [`failover saved ${showCount(failover.saved)} tasks, cost ${showSpan(failover.lost_ms)} in all`]
      : []),
    ...(open_tasks > 0 ? [`${showCount(open_tasks)} not ended yet`] : []),
    ...(tools.length > 0 ? [`tools used most: ${tools.join(", ")}`] : []),
  ].map((line) => paint(safeLine(line), "dim", look.colour));
}

function showWarnings({ warnings }: HermesTelemetryResult, look: Look): string[] {
  return warnings.map((warning) => paint(`! ${safeLine(warning)}`, "yellow", look.colour));
}
