// What the index keeps of a record, and how a row is put in, found and taken out.
import type { DatabaseSync } from "node:sqlite";
import type { AttemptRecord, TaskRecord, TaskState } from "../core/record.ts";
import type { ReindexReport, UnreadableFiles } from "../core/stored.ts";

import type { ListPlace, ListQuery } from "../core/task_page.ts";

/** One record file, as far as the index knows it: read, or not readable. */
export type IndexEntry =
  | { readonly taskId: string; readonly fileMs: number; readonly record: TaskRecord }
  | { readonly taskId: string; readonly fileMs: number; readonly why: string };

/** A file, and when it was changed last by what the index knows. */
export interface FileRow {
  readonly taskId: string;
  readonly fileMs: number;
}

const COLUMNS = [
  "task_id",
  "file_ms",
  "session_id",
  "created_ms",
  "day",
  "status",
  "provider",
  "model",
  "error",
  "capability",
  "exit_code",
  "cost_basis",
  "duration_ms",
  "input_tokens",
  "output_tokens",
  "cache_tokens",
  "reasoning_tokens",
  "cost_usd",
  "tool_calls",
  "api_calls",
  "messages",
  "failovers",
  "failover_ms",
] as const;

type Cells = Readonly<Record<typeof COLUMNS[number], string | number | null>>;

/** Puts entries in, in place of older ones of the same files. Inside a write transaction. */
export function putEntries(database: DatabaseSync, entries: Iterable<IndexEntry>): void {
  const known = database.prepare("SELECT id, file_ms, day FROM tasks WHERE task_id = ?");
  const put = database.prepare(
    `INSERT INTO tasks (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
  );
  const attempt = database.prepare("INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const tool = database.prepare("INSERT OR IGNORE INTO tool_uses VALUES (?, ?)");
  const readable = database.prepare("DELETE FROM unreadable WHERE task_id = ?");
  const unreadable = database.prepare("INSERT OR REPLACE INTO unreadable VALUES (?, ?, ?)");
  const stale = database.prepare("INSERT OR REPLACE INTO day_sums VALUES (?, NULL)");
  const takeOut = taker(database);
  for (const entry of entries) {
    const old = known.get(entry.taskId);
    if (old && Number(old.file_ms) > entry.fileMs) continue;
    if (old) takeOut(Number(old.id), String(old.day));
    if (!("record" in entry)) {
      unreadable.run(entry.taskId, entry.fileMs, entry.why);
      continue;
    }
    readable.run(entry.taskId);
    const cells = cellsOf(entry.record, entry.fileMs);
    const id = put.run(...COLUMNS.map((name) => cells[name])).lastInsertRowid;
    entry.record.attempts.forEach((one, n) => attempt.run(id, n, ...attemptCells(one)));
    for (const name of entry.record.digest?.tools_used ?? []) tool.run(id, name);
    stale.run(cells.day);
  }
}

/** Takes out what is known of these files. Inside a write transaction. */
export function removeEntries(database: DatabaseSync, taskIds: Iterable<string>): void {
  const known = database.prepare("SELECT id, day FROM tasks WHERE task_id = ?");
  const unreadable = database.prepare("DELETE FROM unreadable WHERE task_id = ?");
  const takeOut = taker(database);
  for (const taskId of taskIds) {
    const old = known.get(taskId);
    if (old) takeOut(Number(old.id), String(old.day));
    unreadable.run(taskId);
  }
}

/** Takes rows out, one after the other. */
function taker(database: DatabaseSync): (id: number, day: string) => void {
  const ofTask = ["attempts WHERE task", "tool_uses WHERE task", "tasks WHERE id"]
    .map((rows) => database.prepare(`DELETE FROM ${rows} = ?`));
  const stale = database.prepare("INSERT OR REPLACE INTO day_sums VALUES (?, NULL)");
  return (id, day) => {
    for (const statement of ofTask) statement.run(id);
    stale.run(day);
  };
}

/** The ids of all files that the index knows. */
export function knownIds(database: DatabaseSync): Set<string> {
  const rows = database.prepare("SELECT task_id FROM tasks UNION ALL SELECT task_id FROM unreadable").all();
  return new Set(rows.map((row) => String(row.task_id)));
}

/** Tasks that have not ended and files that could not be read: another process may have changed them since. */
export function unsettledRows(database: DatabaseSync): FileRow[] {
  return database.prepare(
    `SELECT task_id, file_ms FROM tasks WHERE status IN ('queued', 'running')
     UNION ALL SELECT task_id, file_ms FROM unreadable LIMIT 1000`,
  ).all().map((row) => ({ taskId: String(row.task_id), fileMs: Number(row.file_ms) }));
}

/** All files, with the time of change that the index knows. */
export function allRows(database: DatabaseSync): FileRow[] {
  return database.prepare(
    "SELECT task_id, file_ms FROM tasks UNION ALL SELECT task_id, file_ms FROM unreadable",
  )
    .all().map((row) => ({ taskId: String(row.task_id), fileMs: Number(row.file_ms) }));
}

/** What the index knows of a record, as far as removing it asks. `createdMs` is 0 where it is not known. */
export interface TaskRow {
  readonly taskId: string;
  readonly fileMs: number;
  readonly createdMs: number;
  readonly state: TaskState;
}

/** Every record. */
export function taskRows(database: DatabaseSync): TaskRow[] {
  return database.prepare(
    "SELECT task_id AS taskId, file_ms AS fileMs, created_ms AS createdMs, status AS state FROM tasks",
  ).all() as unknown as TaskRow[];
}

/** Tasks of a session, the newest first. */
export function tasksOfSession(database: DatabaseSync, sessionId: string): string[] {
  return database.prepare(
    "SELECT task_id FROM tasks WHERE session_id = ? ORDER BY created_ms DESC, file_ms DESC, id DESC LIMIT 20",
  ).all(sessionId).map((row) => String(row.task_id));
}

/** Tasks that a query asks for, the newest first. */
export function listedTasks(
  database: DatabaseSync,
  { states, sinceMs, before, limit }: ListQuery,
): ListPlace[] {
  const terms: [sql: string, values: readonly (string | number)[]][] = [
    ...states ? [[`status IN (${states.map(() => "?").join(", ")})`, states] as [string, string[]]] : [],
    ...sinceMs === undefined ? [] : [["created_ms >= ?", [sinceMs]] as [string, number[]]],
    ...before
      ? [
        ["(created_ms, task_id) < (?, ?)", [before.createdMs, before.taskId]] as [
          string,
          (string | number)[],
        ],
      ]
      : [],
  ];
  const where = terms.length > 0 ? `WHERE ${terms.map(([sql]) => sql).join(" AND ")}` : "";
  return database.prepare(
    `SELECT task_id, created_ms FROM tasks ${where} ORDER BY created_ms DESC, task_id DESC LIMIT ?`,
  ).all(...terms.flatMap(([, values]) => values), limit)
    .map((row) => ({ taskId: String(row.task_id), createdMs: Number(row.created_ms) }));
}

/** Files that hold no record, the first few with the reason. */
export function unreadableFiles(database: DatabaseSync): UnreadableFiles {
  const { n } = database.prepare("SELECT count(*) AS n FROM unreadable").get() as { n: number };
  const rows = database.prepare("SELECT task_id, why FROM unreadable ORDER BY task_id LIMIT 3").all();
  return { count: n, first: rows.map((row) => `"${row.task_id}.json" (${row.why})`) };
}

/** How many files hold a record, and which do not. */
export function countFiles(database: DatabaseSync): Pick<ReindexReport, "records" | "unreadable"> {
  const { n } = database.prepare("SELECT count(*) AS n FROM tasks").get() as { n: number };
  return { records: n, unreadable: unreadableFiles(database) };
}

/** A small fact beside the rows. */
export function factOf(database: DatabaseSync, key: string): string | undefined {
  const value = database.prepare("SELECT value FROM facts WHERE key = ?").get(key)?.value;
  return value === undefined ? undefined : String(value);
}

/** Keeps a small fact, in place of an older one. */
export function putFact(database: DatabaseSync, key: string, value: string): void {
  database.prepare("INSERT OR REPLACE INTO facts VALUES (?, ?)").run(key, value);
}

function cellsOf(record: TaskRecord, fileMs: number): Cells {
  const createdMs = Date.parse(record.created_at) || 0;
  const { usage, digest } = record;
  const failed = record.attempts.slice(0, -1);
  return {
    task_id: record.task_id,
    file_ms: fileMs,
    session_id: record.session_id,
    created_ms: createdMs,
    day: new Date(createdMs).toISOString().slice(0, 10),
    status: record.status,
    provider: record.provider,
    model: record.model,
    error: record.error,
    capability: record.capability,
    exit_code: record.exit_code,
    cost_basis: usage?.cost_basis ?? null,
    duration_ms: record.duration_ms,
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cache_tokens: usage?.cache_tokens ?? null,
    reasoning_tokens: usage?.reasoning_tokens ?? null,
    cost_usd: usage?.cost_usd ?? null,
    tool_calls: digest?.tool_call_count ?? null,
    api_calls: digest?.api_call_count ?? null,
    messages: digest?.message_count ?? null,
    failovers: failed.length > 0 ? 1 : 0,
    failover_ms: failed.reduce((sum, attempt) => sum + attempt.duration_ms, 0),
  };
}

function attemptCells(attempt: AttemptRecord): (string | number | null)[] {
  const { provider, model, outcome, error, duration_ms } = attempt;
  return [provider, model, outcome, error, duration_ms, Date.parse(attempt.started_at) || null];
}
