// The record of an earlier task, for reading.
import type { AttemptRecord, ToolCall } from "../core/record.ts";
import type { HermesDetailResult } from "../operations/detail.ts";
import { type Look, paint } from "./paint.ts";
import { showTable } from "./table.ts";
import { safeLine, safeText, wrap } from "./text.ts";
import { showFacts, showWarnings } from "./view_task.ts";
import { momentOf, showMoment, showSize, showSpan } from "./when.ts";
import { errorWords, stateWords } from "./words.ts";

/** The screen of `detail`: with a section of its own only that text, else how the task ended and its answer. */
export function showDetail(result: HermesDetailResult, look: Look): string[] {
  const { section } = result;
  const bare = section === "result" || section === "log";
  return [
    ...(bare ? [] : showEnd(result, look)),
    ...(section === "all" ? showPrompt(result) : []),
    ...(section === "all" || section === "tool_calls" ? (result.tool_calls ?? []).flatMap(showToolCall) : []),
    ...(section === "all" ? showLog(result.log) : []),
    ...showText(result, bare),
    ...showRest(result, look),
    ...showWarnings(result, look),
  ];
}

function showEnd(result: HermesDetailResult, look: Look): string[] {
  const { sign, tone, words } = stateWords(result.status);
  const createdMs = momentOf(result.created_at);
  const head = [
    `${paint(sign, tone, look.colour)} ${words}`,
    safeLine(result.task_id),
    ...(createdMs === undefined ? [] : [showMoment(createdMs, look.nowMs)]),
  ];
  return [
    head.join("  "),
    ...showWhy(result, look),
    ...showFigures(result, look),
    ...showRows([["tools", showTools(result)], ["session", result.session_id ?? ""]], look),
    ...showAttempts(result.attempts ?? [], look),
  ];
}

function showWhy({ error, error_detail }: HermesDetailResult, look: Look): string[] {
  if (error === null) return [];
  const text = error_detail ? `${errorWords(error)}: ${error_detail}` : errorWords(error);
  return wrap(safeLine(text), look.columns - 2).map((line) => `  ${line}`);
}

function showFigures(result: HermesDetailResult, look: Look): string[] {
  const { provider = null, model = null, duration_ms = null, usage = null } = result;
  const free_basis = typeof result.free_basis === "string" ? result.free_basis : null;
  return showFacts({ provider, model, duration_ms, usage, free_basis, task_id: null }, look).map((line) =>
    `  ${line}`
  );
}

/** `terminal ×2, read_file`: each tool once, in the order of first use. */
function showTools({ digest, tool_calls, section }: HermesDetailResult): string {
  const counts = new Map<string, number>();
  for (const { name } of tool_calls ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = counts.size > 0
    ? [...counts].map(([name, count]) => count > 1 ? `${name} ×${count}` : name)
    : digest?.tools_used ?? [];
  if (names.length === 0) return "";
  return `${names.join(", ")}${
    section === undefined && counts.size > 0 ? " (more: --section tool_calls)" : ""
  }`;
}

function showRows(rows: readonly (readonly [string, string])[], look: Look): string[] {
  const cells = rows.filter(([, value]) => value !== "")
    .map(([label, value]) => [{ text: label, tone: "dim" as const }, value]);
  return indented(
    showTable([{ title: "" }, { title: "", flexible: true }], cells, { ...look, columns: look.columns - 2 }),
  );
}

function showAttempts(attempts: readonly AttemptRecord[], look: Look): string[] {
  const rows = attempts.map((attempt, at) => [
    { text: `attempt ${at + 1}`, tone: "dim" as const },
    `${attempt.provider} · ${attempt.model}`,
    attempt.error ? errorWords(attempt.error) : attempt.outcome,
    showSpan(attempt.duration_ms),
    attempt.reason,
  ]);
  const columns = [{ title: "" }, { title: "", flexible: true }, { title: "" }, { title: "" }, {
    title: "",
    flexible: true,
  }];
  return indented(showTable(columns, rows, { ...look, columns: look.columns - 2 }));
}

function showPrompt({ prompt }: HermesDetailResult): string[] {
  return typeof prompt !== "string" ? [] : ["", "PROMPT", safeText(prompt)];
}

function showToolCall({ name, arguments: given, result }: ToolCall): string[] {
  const args = typeof given === "string" ? given : JSON.stringify(given);
  return [
    "",
    `TOOL ${safeLine(name)} ${safeLine(args ?? "")}`,
    safeText(result ?? "(no result was stored)").trimEnd(),
  ];
}

function showLog(log: unknown): string[] {
  return typeof log === "string" && log !== "" ? ["", "LOG", safeText(log).trimEnd()] : [];
}

function showText({ result, section }: HermesDetailResult, bare: boolean): string[] {
  if (result === null || (result === "" && !bare)) return [];
  const heading = section === "all" ? ["", "ANSWER"] : bare ? [] : [""];
  return [...heading, safeText(result).trimEnd()];
}

function showRest(
  { truncated, next_offset, result_bytes, task_id, section }: HermesDetailResult,
  look: Look,
): string[] {
  if (!truncated || next_offset === undefined) return [];
  const part = section ? ` --section ${section}` : "";
  const text = `… cut, ${
    showSize(result_bytes)
  } in all; the rest: hermes-task detail ${task_id}${part} --offset ${next_offset}`;
  return [paint(safeLine(text), "dim", look.colour)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
