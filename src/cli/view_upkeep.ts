// What was tidied up: the screens of prune and reindex.
import type { PruneArgs } from "../core/prune.ts";
import type { PrunedTask, PruneResult } from "../flow/prune.ts";
import type { ReindexResult } from "../flow/reindex.ts";
import { type Look, paint } from "./paint.ts";
import { type Column, showTable } from "./table.ts";
import { safeLine, wrap } from "./text.ts";
import { showCount, showMoment, showSize, showSpan } from "./when.ts";

/** A dry run lists so many; all that the reply holds are in its JSON. */
const LISTED = 10;

const COLUMNS: readonly Column[] = [
  { title: "TASK" },
  { title: "CREATED" },
  { title: "SIZE", align: "right" },
  { title: "GOES BY", flexible: true },
];

/** The screen of `prune`. */
export function showPrune(result: PruneResult, args: PruneArgs, look: Look): string[] {
  return [
    ...(result.dry_run ? showDoomed(result, args, look) : []),
    sumOf(result),
    ...showWarnings(result, look),
    ...(result.dry_run && !isIdle(result) ? [`Next: ${commandOf(args)}`] : []),
  ];
}

function sumOf(result: PruneResult): string {
  const { removed, stray_logs, freed_bytes, kept, dry_run } = result;
  if (isIdle(result)) return `Nothing to remove: ${counted(kept, "task")} left.`;
  const what = [
    ...(removed > 0 ? [counted(removed, "task")] : []),
    ...(stray_logs > 0 ? [counted(stray_logs, "stray log")] : []),
  ];
  const [verb, rest] = dry_run ? ["Would remove", "would stay"] : ["Removed", "left"];
  return `${verb} ${what.join(" and ")}, ${showSize(freed_bytes)}; ${counted(kept, "task")} ${rest}.`;
}

function isIdle({ removed, stray_logs }: PruneResult): boolean {
  return removed === 0 && stray_logs === 0;
}

function counted(count: number, thing: string): string {
  return `${showCount(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function showDoomed({ tasks, removed }: PruneResult, args: PruneArgs, look: Look): string[] {
  if (removed === 0) return [];
  const rows = tasks.slice(0, LISTED).map((task) => [
    task.task_id,
    showMoment(Date.parse(task.created_at), look.nowMs),
    showSize(task.bytes),
    ruleOf(task, args),
  ]);
  const more = removed - rows.length;
  return [
    ...showTable(COLUMNS, rows, look),
    ...(more > 0 ? [paint(`… and ${showCount(more)} more`, "dim", look.colour)] : []),
  ];
}

function ruleOf({ why }: PrunedTask, args: PruneArgs): string {
  return `--${why.replace("_", "-")} ${args[why]}`;
}

/** The same again, in earnest. */
function commandOf(args: PruneArgs): string {
  const flags = (["older_than", "keep", "max_size"] as const)
    .filter((name) => args[name] !== undefined)
    .map((name) => {
      const value = String(args[name]).trim();
      return `--${name.replace("_", "-")} ${value.includes(" ") ? `"${value}"` : value}`;
    });
  return safeLine(`hermes-task prune ${flags.join(" ")}`);
}

/** The screen of `reindex`. */
export function showReindex(result: ReindexResult, look: Look): string[] {
  const { records, duration_ms } = result;
  return [
    `Indexed ${counted(records, "record")} in ${showSpan(duration_ms)}.`,
    ...showWarnings(result, look),
  ];
}

function showWarnings({ warnings }: { readonly warnings: readonly string[] }, look: Look): string[] {
  return warnings.flatMap((warning) =>
    wrap(safeLine(warning), look.columns - 2).map((line, at) =>
      paint(`${at === 0 ? "!" : " "} ${line}`, "yellow", look.colour)
    )
  );
}
