// How is the outcome of a task shown: the answer, and beneath it who gave it at what expense?
import type { AttemptReply, HermesTaskResult } from "../core/task.ts";
import type { Usage } from "../core/record.ts";
import { type Look, paint } from "./paint.ts";
import type { Screen } from "./print.ts";
import { safeLine, safeText } from "./text.ts";
import { showFailure } from "./view_failure.ts";
import { showPlan } from "./view_plan.ts";
import { showCount, showMoney, showSize, showSpan } from "./when.ts";
import { errorWords } from "./words.ts";

/** Facts that the last line is made of. */
export type TaskFacts =
  & Pick<HermesTaskResult, "provider" | "model" | "duration_ms" | "usage" | "task_id">
  & Partial<Pick<HermesTaskResult, "free_basis" | "attempts" | "ok">>;

/** The screen of `run`. */
export function showTask(result: HermesTaskResult, look: Look): Screen {
  if (result.ok && result.plan) {
    return { out: [...showPlan(result.plan, look), ...showWarnings(result, look)], err: [] };
  }
  if (result.ok && result.next !== undefined && result.result === null) return showHandedOver(result, look);
  const answer = result.result ? showAnswer(result) : [];
  const below = [...showWarnings(result, look), ...showFacts(result, look)];
  if (result.ok) return { out: [...answer, ...spaced(answer), ...below], err: [] };
  return { out: answer, err: [...spaced(answer), ...showFailure(result, look), ...below] };
}

/** The task goes on without the caller. */
function showHandedOver(result: HermesTaskResult, look: Look): Screen {
  const lines = [
    `${paint("◐", "yellow", look.colour)} ${result.status}: the task goes on in the background`,
    `  Next: hermes-task wait ${result.task_id}   (or tail, cancel)`,
  ];
  return { out: [...lines, ...showWarnings(result, look)], err: [] };
}

/** One dim line: `provider · model · time · tokens · price · task id`. */
export function showFacts(facts: TaskFacts, look: Look): string[] {
  const parts = [
    facts.provider,
    facts.model,
    typeof facts.duration_ms === "number" ? showSpan(facts.duration_ms) : undefined,
    showTokens(facts.usage),
    showPrice(facts),
    ...(facts.attempts ?? []).slice(0, -1).map(showDetour),
    facts.task_id,
  ].filter(Boolean);
  return parts.length > 0 ? [paint(safeLine(parts.join(" · ")), "dim", look.colour)] : [];
}

/** One yellow line for each warning. */
export function showWarnings({ warnings }: Pick<HermesTaskResult, "warnings">, look: Look): string[] {
  return (warnings ?? []).map((warning) => paint(`! ${safeLine(warning)}`, "yellow", look.colour));
}

/** The answer, whole; says how to get at what is missing of it. */
function showAnswer(result: HermesTaskResult): string[] {
  const answer = safeText(result.result ?? "").trimEnd();
  if (!result.truncated) return [answer];
  const rest = `hermes-task detail ${result.task_id} --section result --offset ${result.next_offset}`;
  return [answer, `… cut, ${showSize(result.result_bytes)} in all; the rest: ${rest}`];
}

function spaced(above: readonly string[]): string[] {
  return above.length > 0 ? [""] : [];
}

function showTokens(usage: Usage | null): string | undefined {
  if (!usage || (usage.input_tokens === null && usage.output_tokens === null)) return undefined;
  return `${showCount(usage.input_tokens)} + ${showCount(usage.output_tokens)} tokens`;
}

function showPrice({ free_basis, usage, ok }: TaskFacts): string | undefined {
  if (usage?.cost_basis === "free" || (free_basis && ok !== false)) return "free";
  if (typeof usage?.cost_usd !== "number") return undefined;
  return usage.cost_basis === "actual" ? showMoney(usage.cost_usd) : `about ${showMoney(usage.cost_usd)}`;
}

function showDetour(attempt: AttemptReply): string {
  return `after ${attempt.provider}: ${errorWords(attempt.error ?? attempt.outcome)}`;
}
