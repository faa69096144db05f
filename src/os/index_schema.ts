// The index as a SQLite file: its tables, how it is opened, and what can be wrong with it.
import { DatabaseSync } from "node:sqlite";

const VERSION = 1;
/** Short, since the wait blocks this thread; what could not be written is tried again. */
const BUSY_MS = 300;
/** How long several processes may contend for a new file. */
const CONTEND_MS = 2000;
const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Why the index file cannot be used. `broken` can be replaced, `newer` and `unusable` must be left alone. */
export class IndexFault extends Error {
  readonly kind: "broken" | "newer" | "unusable";
  /** `words` say what is wrong with the file. */
  constructor(kind: IndexFault["kind"], words: string) {
    super(words);
    this.name = "IndexFault";
    this.kind = kind;
  }
}

const TABLES = `
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY, task_id TEXT NOT NULL UNIQUE, file_ms REAL NOT NULL, session_id TEXT,
  created_ms INTEGER NOT NULL, day TEXT NOT NULL, status TEXT NOT NULL, provider TEXT, model TEXT, error TEXT,
  capability TEXT, exit_code INTEGER, cost_basis TEXT, duration_ms INTEGER, input_tokens INTEGER,
  output_tokens INTEGER, cache_tokens INTEGER, reasoning_tokens INTEGER, cost_usd REAL, tool_calls INTEGER,
  api_calls INTEGER, messages INTEGER, failovers INTEGER NOT NULL, failover_ms INTEGER NOT NULL);
CREATE INDEX tasks_by_time ON tasks (created_ms);
CREATE INDEX tasks_by_session ON tasks (session_id, created_ms);
CREATE INDEX tasks_open ON tasks (status) WHERE status IN ('queued', 'running');
CREATE TABLE attempts (
  task INTEGER NOT NULL, n INTEGER NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, outcome TEXT NOT NULL,
  error TEXT, duration_ms INTEGER, started_ms INTEGER, PRIMARY KEY (task, n)) WITHOUT ROWID;
CREATE TABLE tool_uses (task INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (task, name)) WITHOUT ROWID;
CREATE TABLE unreadable (task_id TEXT PRIMARY KEY, file_ms REAL NOT NULL, why TEXT NOT NULL);
CREATE TABLE day_sums (day TEXT PRIMARY KEY, sums TEXT);
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
`;

/** Opens the index file, made when missing, in WAL mode and with our tables. Throws {@link IndexFault}. */
export function openIndexFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_MS });
    enterWal(database);
    database.exec("PRAGMA synchronous = NORMAL");
    ensureTables(database);
    proveWritable(database);
    return database;
  } catch (error) {
    database?.close();
    throw indexFault(error);
  }
}

/** The same tables in memory, for a machine on which no index file can be used. */
export function openMemoryIndex(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  ensureTables(database);
  return database;
}

/** Switching a new file to WAL fails at once while another process does the same: the busy timeout does not help. */
function enterWal(database: DatabaseSync): void {
  const until = Date.now() + CONTEND_MS;
  for (;;) {
    try {
      const mode = database.prepare("PRAGMA journal_mode = WAL").get();
      if (mode?.journal_mode !== "wal") throw new IndexFault("unusable", "its file system has no WAL mode");
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
      pause(5 + Math.random() * 45);
    }
  }
}

/** A file on a file system without writes opens well and fails at the first row. */
function proveWritable(database: DatabaseSync): void {
  try {
    database.prepare("BEGIN IMMEDIATE").run();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return;
  }
  try {
    database.exec(`PRAGMA user_version = ${VERSION}`);
  } finally {
    database.exec("ROLLBACK");
  }
}

function ensureTables(database: DatabaseSync): void {
  const version = () => Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (version() === VERSION) return;
  if (version() > VERSION) throw new IndexFault("newer", "it was made by a newer hermes-task");
  inWrite(database, () => {
    if (version() !== VERSION) makeTables(database);
  });
}

/** Empties the index inside one transaction, whatever tables were in it. */
export function emptyIndex(database: DatabaseSync): void {
  inWrite(database, () => makeTables(database));
}

/** The fact that is another one in each index made or emptied: tells whether rows may be others than before. */
export const MADE_FACT = "made";

/** Opens the index file and looks at every page of it. Throws {@link IndexFault}, `broken` for a damaged one. */
export function openSoundFile(path: string): DatabaseSync {
  const database = openIndexFile(path);
  try {
    const found = String(database.prepare("PRAGMA integrity_check(1)").get()?.integrity_check);
    if (found !== "ok") throw new IndexFault("broken", found);
    return database;
  } catch (error) {
    database.close();
    throw indexFault(error);
  }
}

/** Makes empty tables in place of whatever is there. Inside a write transaction. */
export function makeTables(database: DatabaseSync): void {
  const there = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  for (const { name } of there.all()) database.exec(`DROP TABLE "${String(name).replaceAll('"', '""')}"`);
  database.exec(TABLES);
  database.prepare("INSERT INTO facts VALUES (?, ?)").run(MADE_FACT, crypto.randomUUID());
  database.exec(`PRAGMA user_version = ${VERSION}`);
}

/** Runs `work` in one write transaction: all of it is kept, or nothing. */
export function inWrite<T>(database: DatabaseSync, work: () => T): T {
  database.prepare("BEGIN IMMEDIATE").run();
  try {
    const value = work();
    database.prepare("COMMIT").run();
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Is the content of the file damaged? */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE ||
    /malformed|no such (?:table|column)/i.test(wordsOf(error));
}

/** Does another process keep the file locked? */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/** Puts a name to whatever went wrong at opening. */
export function indexFault(error: unknown): IndexFault {
  if (error instanceof IndexFault) return error;
  return new IndexFault(isDamage(error) ? "broken" : "unusable", wordsOf(error));
}

function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits without giving way: opening is synchronous, and this happens only in a race for a new file. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
