// Why this one? What a dry run would use, what it passed over, and what it would start.
import type { TaskPlan } from "../core/task.ts";
import { type Look, paint } from "./paint.ts";
import { padTo, safeLine, widthOf, wrap } from "./text.ts";
import { momentOf, showMoment } from "./when.ts";

const LABEL_COLUMNS = 11;
/** A reason gets at least this much. */
const REASON_COLUMNS = 28;

/** The screen of `run --dry-run`. */
export function showPlan(plan: TaskPlan, look: Look): string[] {
  return [
    ...showRoutes(plan, look),
    ...labelled("for", `${plan.capability.name} (${plan.capability.reason})`, look),
    ...labelled("would run", showCommandLine(plan.argv), look),
    ...labelled("in", plan.cwd, look),
    ...(plan.profile === null ? labelled("profile", "none: without the user's configuration", look) : []),
  ];
}

/** Rows `label  provider · model  reason`, the label only once; a reason is never cut, it goes on beneath. */
function showRoutes(plan: TaskPlan, look: Look): string[] {
  const rows = [
    ...plan.candidates.map((route, at) => ({
      label: at === 0 ? "would use" : at === 1 ? "then" : "",
      route,
    })),
    ...plan.passed_over.map((route, at) => ({ label: at === 0 ? "passed over" : "", route })),
  ].map(({ label, route }) => ({
    label: paint(padTo(label, LABEL_COLUMNS), "dim", look.colour),
    name: safeLine(route.model ? `${route.provider} · ${route.model}` : route.provider),
    reason: safeLine("until" in route ? withUntil(route.reason, route.until, look.nowMs) : route.reason),
  }));
  const room = look.columns - LABEL_COLUMNS - 2;
  const width = Math.min(Math.max(0, ...rows.map(({ name }) => widthOf(name))), room - REASON_COLUMNS - 2);
  return rows.flatMap(({ label, name, reason }) => {
    const [first = "", ...more] = wrap(reason, room - width - 2);
    const beneath = (text: string) => `${" ".repeat(LABEL_COLUMNS + width + 4)}${text}`;
    if (widthOf(name) > width) return [`${label}  ${name}`, ...[first, ...more].map(beneath)];
    return [`${label}  ${padTo(name, width)}  ${first}`, ...more.map(beneath)];
  });
}

function withUntil(reason: string, until: unknown, nowMs: number): string {
  const ms = momentOf(until);
  return ms === undefined ? reason : `${reason}, until ${showMoment(ms, nowMs)}`;
}

function labelled(label: string, text: string, look: Look): string[] {
  const lines = wrap(safeLine(text), Math.max(20, look.columns - LABEL_COLUMNS - 2));
  return lines.map((line, at) => {
    return `${paint(padTo(at === 0 ? label : "", LABEL_COLUMNS), "dim", look.colour)}  ${line}`;
  });
}

/** The command line as a shell would take it; the prompt, which the caller knows, is left out. */
function showCommandLine(argv: readonly string[]): string {
  return argv.map((word) => word.startsWith("--query=") ? "--query=…" : quoted(word)).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
