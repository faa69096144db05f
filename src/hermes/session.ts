// What Hermes' session store says of a run: the answer, the tool calls, the usage. Read-only SQL, columns checked
// first, since they differ between versions (schema 22 in Hermes 0.19.0, 31 in 0.22.2).
import type { SessionPlace } from "../core/queue.ts";
import type { Digest, ToolCall, Usage } from "../core/record.ts";
import type { Query, Row, World } from "../ports.ts";
import {
  activityOf,
  FAILED_TURN,
  type FailedTurn,
  failedTurnOf,
  messageOf,
  type SessionMessage,
  text,
  toolCallsOf,
} from "./session_messages.ts";
import { count, difference, usageOf, usageSince } from "./session_usage.ts";

/** Where to look: by the id that Hermes printed, or by the `--source` that we gave. */
export interface SessionKey {
  readonly sessionId?: string;
  readonly source?: string;
}

/** A session's last message and counters before a run that continues it; who asks for no figures needs none. */
export interface Baseline extends SessionPlace {
  readonly usage?: Usage;
  readonly apiCalls?: number | null;
}

/** A session, or the part of it that followed a {@link Baseline}. */
export interface SessionReading {
  readonly sessionId: string;
  readonly source: string;
  /** Hermes home in whose store it was found. */
  readonly home: string;
  readonly model: string | null;
  /** Who was billed; `custom` for a provider of the user's own, null before the first answer. */
  readonly provider: string | null;
  /** Text of the last assistant message that has any; null when there is none. */
  readonly answer: string | null;
  readonly finishReason: string | null;
  readonly messages: readonly SessionMessage[];
  readonly toolCalls: readonly ToolCall[];
  readonly digest: Digest;
  readonly usage: Usage;
  /** Which provider and model did the main work, as Hermes billed it. */
  readonly billed: readonly { readonly provider: string | null; readonly model: string | null }[];
  /** What Hermes noted of a turn that failed; null before 0.22, and when none did. */
  readonly failedTurn: FailedTurn | null;
  /** Model rounds that were answered. */
  readonly turns: number;
  /** What Hermes is doing, such as `terminal: ls`; null when it waits for the model. */
  readonly activity: string | null;
  readonly startedMs: number;
  readonly lastMessageId: number;
}

const SESSION_COLUMNS = [
  "id",
  "source",
  "model",
  "billing_provider",
  "started_at",
  "api_call_count",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "estimated_cost_usd",
  "actual_cost_usd",
  "cost_status",
];
const MESSAGE_COLUMNS = [
  "id",
  "role",
  "content",
  "tool_call_id",
  "tool_calls",
  "tool_name",
  "finish_reason",
  "active",
  "display_kind",
  "display_metadata",
];
/** Read as bytes: node:sqlite (Deno 2.9) cuts text at a NUL, and Hermes stores such text. */
const AS_BYTES = ["content", "tool_calls"];
const USAGE_COLUMNS = [
  "task",
  "model",
  "billing_provider",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "estimated_cost_usd",
  "actual_cost_usd",
  "cost_status",
  "api_call_count",
];

/** Reads a session from the task profile's store, else from the user's own, else from the root's. */
export async function readSession(
  world: Pick<World, "databases" | "place">,
  key: SessionKey,
  since?: Baseline,
): Promise<SessionReading | undefined> {
  for (const home of homesOf(world, since)) {
    const found = await world.databases.read(`${home}/state.db`, (query) => lookUp(query, key, home, since));
    if (found) return found;
  }
  return undefined;
}

/** Notes where a session stands before it is continued; undefined when no store has it. */
export async function readBaseline(
  world: Pick<World, "databases" | "place">,
  sessionId: string,
): Promise<Baseline | undefined> {
  const reading = await readSession(world, { sessionId });
  if (!reading) return undefined;
  const { home, lastMessageId, usage, digest } = reading;
  return { home, sessionId: reading.sessionId, lastMessageId, usage, apiCalls: digest.api_call_count };
}

function homesOf({ place }: Pick<World, "place">, since: Baseline | undefined): string[] {
  return since ? [since.home] : [...new Set([place.taskHome, place.home, place.root])];
}

function lookUp(
  query: Query,
  key: SessionKey,
  home: string,
  since: Baseline | undefined,
): SessionReading | undefined {
  const sessions = known(query, "sessions", SESSION_COLUMNS);
  if (!sessions) return undefined;
  const [column, value] = key.sessionId !== undefined ? ["id", key.sessionId] : ["source", key.source ?? ""];
  const [row] = query(
    `SELECT ${sessions} FROM sessions WHERE ${column} = ? ORDER BY started_at DESC LIMIT 1`,
    value,
  );
  if (!row) return undefined;
  const messages = known(query, "messages", MESSAGE_COLUMNS, AS_BYTES);
  const rows = messages
    ? query(
      `SELECT ${messages} FROM messages WHERE session_id = ? AND id > ? ORDER BY id`,
      String(row.id),
      since?.lastMessageId ?? 0,
    )
    : [];
  return readingOf(row, rows.filter(isActive), usageRows(query, String(row.id)), home, since);
}

/** The columns of a table that we know, or undefined when the table or its key is missing. */
function known(
  query: Query,
  table: string,
  wanted: readonly string[],
  asBytes: readonly string[] = [],
): string | undefined {
  const there = new Set(query(`SELECT name FROM pragma_table_info('${table}')`).map((row) => row.name));
  const columns = wanted.filter((name) => there.has(name))
    .map((name) => asBytes.includes(name) ? `CAST(${name} AS BLOB) AS ${name}` : name);
  return columns.length > 0 ? columns.join(", ") : undefined;
}

function usageRows(query: Query, sessionId: string): readonly Row[] {
  const columns = known(query, "session_model_usage", USAGE_COLUMNS);
  return columns ? query(`SELECT ${columns} FROM session_model_usage WHERE session_id = ?`, sessionId) : [];
}

function isActive(row: Row): boolean {
  return row.active === undefined || row.active === 1;
}

/** Builds a reading from a session row, its message rows and its side calls. */
export function readingOf(
  row: Row,
  rows: readonly Row[],
  usageRows: readonly Row[],
  home: string,
  since: Baseline | undefined,
): SessionReading {
  // Hermes' own words about a failed turn are no answer.
  const messages = rows.filter((one) => one.display_kind !== FAILED_TURN).map(messageOf);
  const toolCalls = toolCallsOf(rows);
  const last = messages.findLast(({ role, text }) => role === "assistant" && text !== "");
  const apiCalls = difference(count(row.api_call_count), since?.apiCalls ?? 0);
  const total = usageOf(row, usageRows);
  return {
    sessionId: String(row.id),
    source: String(row.source ?? ""),
    home,
    model: text(row.model),
    provider: text(row.billing_provider),
    answer: last?.text ?? null,
    finishReason: messages.findLast(({ role }) => role === "assistant")?.finishReason ?? null,
    messages,
    toolCalls,
    digest: {
      tool_call_count: toolCalls.length,
      api_call_count: apiCalls,
      message_count: messages.length,
      tools_used: [...new Set(toolCalls.map(({ name }) => name))],
    },
    usage: since?.usage ? usageSince(total, since.usage) : total,
    billed: since ? [] : billedBy(usageRows),
    failedTurn: failedTurnOf(rows),
    turns: messages.filter(({ role }) => role === "assistant").length,
    activity: activityOf(rows, toolCalls),
    startedMs: Number(row.started_at ?? 0) * 1000,
    lastMessageId: Number(rows.at(-1)?.id ?? since?.lastMessageId ?? 0),
  };
}

/** Side calls have a task of their own. */
function billedBy(rows: readonly Row[]): SessionReading["billed"] {
  return rows.filter((row) => row.task === "" || row.task === null)
    .map((row) => ({ provider: text(row.billing_provider), model: text(row.model) }));
}
