// How is a list of tasks shown, and several tasks with their answers?
import type { TaskState } from "../core/record.ts";
import type { TaskReply } from "../core/task_list.ts";
import type { HermesTaskResult } from "../core/task.ts";
import type { HermesBatchResult } from "../operations/batch.ts";
import type { HermesCancelResult } from "../operations/cancel.ts";
import type { HermesTasksResult, ListedTask } from "../operations/tasks.ts";
import type { HermesWaitResult } from "../operations/wait.ts";
import { type Look, paint, type Tone } from "./paint.ts";
import type { Screen } from "./print.ts";
import { showTable } from "./table.ts";
import { safeLine, safeText, wrap } from "./text.ts";
import { showFailure } from "./view_failure.ts";
import { showFacts, showWarnings } from "./view_task.ts";
import { momentOf, showMoment, showSpan } from "./when.ts";

/** Sign and colour of a state. */
export const STATES: Readonly<Record<TaskState, { readonly sign: string; readonly tone: Tone }>> = {
  queued: { sign: "○", tone: "dim" },
  running: { sign: "◐", tone: "yellow" },
  succeeded: { sign: "✓", tone: "green" },
  failed: { sign: "✗", tone: "red" },
  cancelled: { sign: "–", tone: "dim" },
  timed_out: { sign: "✗", tone: "red" },
  lost: { sign: "✗", tone: "red" },
};

/** The screen of `tasks`. */
export function showTasks(result: HermesTasksResult, look: Look): string[] {
  if (result.tasks.length === 0) return ["No task here.", ...showWarnings(result, look)];
  const columns = [
    { title: "TASK" },
    { title: "STATE" },
    { title: "GIVEN" },
    { title: "TIME", align: "right" as const },
    { title: "MODEL", flexible: true },
    { title: "PROMPT", flexible: true },
  ];
  const rows = result.tasks.map((task) => [
    task.task_id,
    { text: stateWords(task), tone: STATES[task.status].tone },
    showMoment(momentOf(task.created_at) ?? 0, look.nowMs),
    task.duration_ms === null ? "" : showSpan(task.duration_ms),
    task.model ?? "",
    task.prompt ?? "",
  ]);
  const more = result.next_cursor === undefined
    ? []
    : [`more: hermes-task tasks --cursor ${result.next_cursor}`];
  return [...showTable(columns, rows, look), ...more, ...showWarnings(result, look)];
}

function stateWords({ status, error }: ListedTask): string {
  const state = status.replace("_", " ");
  return `${STATES[status].sign} ${
    error !== null && status === "failed" ? error.replaceAll("_", " ") : state
  }`;
}

/** The screen of `cancel`. */
export function showCancelled({ tasks, not_undone }: HermesCancelResult, look: Look): string[] {
  const lines = tasks.map(({ task_id, status, cancelled, note }) => {
    const { sign, tone } = cancelled ? STATES.cancelled : STATES[status ?? "lost"];
    return `${paint(sign, tone, look.colour)} ${safeLine(`${task_id}  ${status ?? "unknown"}: ${note}`)}`;
  });
  const after = tasks.some(({ cancelled }) => cancelled) ? wrap(not_undone, look.columns) : [];
  return [...lines, ...after.map((line) => paint(line, "dim", look.colour))];
}

/** The screen of `wait` and `batch`: each task under its own line, then what they came to together. */
export function showSeveral(result: HermesWaitResult | HermesBatchResult, look: Look): Screen {
  const blocks = result.tasks.flatMap((task) => [...showOne(task, look), ""]);
  const out = [...blocks, ...showOutcome(result, look), ...showWarnings(result, look)];
  while (out.at(-1) === "") out.pop();
  return { out, err: result.ok ? [] : ["", ...showFailure(result, look)] };
}

function showOne(task: TaskReply, look: Look): string[] {
  const { sign, tone } = STATES[task.status ?? "lost"];
  const head = `${paint(sign, tone, look.colour)} ${
    safeLine(`${task.task_id}  ${task.status ?? "unknown"}`)
  }`;
  const cut = task.truncated
    ? [`… cut; the rest: hermes-task detail ${task.task_id} --section result --offset ${task.next_offset}`]
    : [];
  const answer = task.result ? [safeText(task.result).trimEnd(), ...cut] : [];
  const failure = task.error ? showFailure(task as HermesTaskResult, look) : [];
  const facts = { provider: null, model: null, duration_ms: null, usage: null, ...task, task_id: null };
  return [head, ...answer, ...failure, ...showFacts(facts, look)];
}

function showOutcome(result: HermesWaitResult | HermesBatchResult, look: Look): string[] {
  const lines: string[] = [];
  if (typeof result.winner === "string") lines.push(`first: ${result.winner}`);
  for (const { count, task_ids, answer } of result.groups ?? []) {
    const [first = "", ...more] = wrap(safeLine(answer), look.columns - 6);
    lines.push(`${count} × ${first}${more.length > 0 ? " …" : ""}`);
    lines.push(paint(`    ${task_ids.join(", ")}`, "dim", look.colour));
  }
  if (result.compared) {
    lines.push(...wrap(result.compared, look.columns).map((line) => paint(line, "dim", look.colour)));
  }
  if (result.pending.length > 0) lines.push(`still at work: hermes-task wait ${result.pending.join(" ")}`);
  return lines;
}
