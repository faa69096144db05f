// The index as a SQLite file: its tables, how it is opened, and what can be wrong with it.
import { DatabaseSync } from "node:sqlite";
import { enterWal, inWrite, isBusy, sqliteCode } from "./sqlite.ts";

const VERSION = 1;
/** Short, since the wait blocks this thread; what could not be written is tried again. */
const BUSY_MS = 300;
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

/** Is the content of the file damaged? */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE ||
    /malformed|no such (?:table|column)/i.test(wordsOf(error));
}

/** Puts a name to whatever went wrong at opening. */
export function indexFault(error: unknown): IndexFault {
  if (error instanceof IndexFault) return error;
  return new IndexFault(isDamage(error) ? "broken" : "unusable", wordsOf(error));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
