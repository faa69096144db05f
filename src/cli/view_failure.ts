// What is shown when there is no answer: what is wrong, who was passed over and why, and the one next step.
import type { HermesTaskResult } from "../core/task.ts";
import { type Look, paint } from "./paint.ts";
import { showTable } from "./table.ts";
import { safeLine, wrap } from "./text.ts";
import { momentOf, showAge, showMoment, showUntil } from "./when.ts";

/** The fields of a failed result that are shown. `passed_over` is a list of {@link PassedOver}, when it is there. */
export type FailureFacts =
  & Partial<Pick<HermesTaskResult, "error" | "error_detail" | "next_available_at" | "plan">>
  & { readonly passed_over?: unknown };

/** A provider that was not tried. */
export interface PassedOver {
  readonly provider: string;
  readonly model?: string;
  readonly reason: string;
  /** ISO 8601; when it can be tried again. */
  readonly until?: string | null;
}

const INDENT = "  ";

/** `✗ …`, then `Next: …`, made of what the detail says after its last semicolon. */
export function showFailure(failure: FailureFacts, look: Look): string[] {
  const [problem, next] = splitDetail(safeLine(failure.error_detail ?? failure.error ?? "No answer"));
  const lines = wrap(problem, look.columns - INDENT.length);
  return [
    `${paint("✗", "red", look.colour)} ${lines[0] ?? ""}`,
    ...lines.slice(1).map((line) => INDENT + line),
    ...showPassedOver(failure, look),
    ...showReturn(failure, look),
    ...(next === undefined
      ? []
      : wrap(`Next: ${next}`, look.columns - INDENT.length).map((line) => INDENT + line)),
  ];
}

/** A detail says what is wrong, then after a semicolon what to do. */
function splitDetail(detail: string): [string, string | undefined] {
  const at = detail.lastIndexOf("; ");
  return at < 0 ? [detail, undefined] : [detail.slice(0, at), detail.slice(at + 2).replace(/^run: /, "")];
}

function showPassedOver({ plan, passed_over }: FailureFacts, look: Look): string[] {
  const all = plan?.passed_over ?? (Array.isArray(passed_over) ? passed_over : []);
  const rows = (all as readonly PassedOver[]).map(({ provider, model, reason, until }) => {
    const ms = momentOf(until);
    return [
      model ? `${provider} · ${model}` : provider,
      { text: reason, tone: "yellow" as const },
      ms === undefined ? "" : showUntil(ms, look.nowMs),
    ];
  });
  const columns = [{ title: "", flexible: true }, { title: "", flexible: true }, { title: "" }];
  return showTable(columns, rows, { ...look, columns: look.columns - INDENT.length }).map((line) =>
    INDENT + line
  );
}

function showReturn({ next_available_at }: FailureFacts, look: Look): string[] {
  const ms = momentOf(next_available_at);
  if (ms === undefined || ms <= look.nowMs) return [];
  const text = `free again at ${showMoment(ms, look.nowMs)} (in ${showAge(ms - look.nowMs)})`;
  return [INDENT + paint(text, "yellow", look.colour)];
}
