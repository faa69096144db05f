// The messages of a Hermes session, as its store has them: text, tool calls with their results, a note of a failed turn.
import type { ToolCall } from "../core/record.ts";
import type { Row } from "../ports.ts";
import { count } from "./session_usage.ts";

/** One message, as far as it matters here. */
export interface SessionMessage {
  readonly role: "user" | "assistant" | "tool" | "other";
  readonly text: string;
  readonly finishReason: string | null;
}

/** What Hermes noted of a turn that failed. */
export interface FailedTurn {
  readonly error: string;
  readonly resetsAtMs: number | null;
}

/** Deepest nesting of a tool call's arguments that is kept as data. */
const MOST_LEVELS = 100;

/** Kind of the message by which Hermes notes a failed turn; its text is Hermes' own, no answer. */
export const FAILED_TURN = "failed_turn";

/** Reads one message row. */
export function messageOf(row: Row): SessionMessage {
  const role = row.role === "user" || row.role === "assistant" || row.role === "tool" ? row.role : "other";
  return { role, text: contentOf(row.content), finishReason: text(row.finish_reason) };
}

/** Text, or null for none. */
export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A list of parts is stored as `\0json:` and JSON (Hermes 0.19). */
function contentOf(stored: unknown): string {
  const content = storedText(stored);
  if (!content.startsWith("\0json:")) return content;
  const parts = parseJson(content.slice("\0json:".length));
  if (!Array.isArray(parts)) return content;
  return parts.map((part) => typeof part?.text === "string" ? part.text : "").filter(Boolean).join("\n");
}

function storedText(stored: unknown): string {
  if (stored instanceof Uint8Array) return new TextDecoder().decode(stored);
  return typeof stored === "string" ? stored : "";
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** The tool calls of a session, each with its result. */
export function toolCallsOf(rows: readonly Row[]): ToolCall[] {
  const results = new Map(
    rows.filter((row) => row.role === "tool").map((row) => [row.tool_call_id, contentOf(row.content)]),
  );
  return rows.flatMap((row) => {
    const calls = parseJson(storedText(row.tool_calls));
    if (!Array.isArray(calls)) return [];
    return calls.map((call): ToolCall => {
      const id = String(call?.id ?? "");
      const given: unknown = call?.function?.arguments;
      return {
        id,
        name: String(call?.function?.name ?? call?.name ?? ""),
        arguments: argumentsOf(given),
        result: results.get(id) ?? null,
      };
    });
  });
}

/** What Hermes noted of a turn that failed (0.22 and newer). */
export function failedTurnOf(rows: readonly Row[]): FailedTurn | null {
  const last = rows.at(-1);
  if (last?.display_kind !== FAILED_TURN) return null;
  const noted = parseJson(storedText(last.display_metadata)) as Record<string, unknown> | undefined;
  const surface = noted?.error_surface as Record<string, unknown> | undefined;
  const resets = count(surface?.resets_at);
  return { error: String(noted?.error ?? ""), resetsAtMs: resets === null ? null : resets * 1000 };
}

/** What is nested too deep to be walked stays text. */
function argumentsOf(given: unknown): unknown {
  const value = typeof given === "string" ? parseJson(given) ?? given : given ?? {};
  return isShallow(value, MOST_LEVELS) ? value : String(given);
}

function isShallow(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return true;
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1));
}

/** The tool call that has no result yet, with the first words of what it does. */
export function activityOf(rows: readonly Row[], toolCalls: readonly ToolCall[]): string | null {
  if (rows.at(-1)?.role !== "assistant") return null;
  const call = toolCalls.findLast(({ result }) => result === null);
  if (!call) return null;
  const first = Object.values((call.arguments ?? {}) as Record<string, unknown>).find((value) =>
    typeof value === "string"
  );
  return first === undefined ? call.name : `${call.name}: ${String(first).replace(/\s+/g, " ").slice(0, 80)}`;
}
