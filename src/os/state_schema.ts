// The file of what is going on, `state.sqlite`: its tables, how it is opened, how a row is read and written. It is
// never rebuilt by deletion: what stands in it is nowhere else.
import { DatabaseSync } from "node:sqlite";
import type { Launch, QueueRow, Runner } from "../core/queue.ts";
import { enterWal, inWrite, isBusy } from "./sqlite.ts";

const VERSION = 1;
/** Short, since the wait blocks this thread: who finds it busy waits outside and comes again. */
const BUSY_MS = 20;

const TABLES = `
CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, task_id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, kind TEXT NOT NULL,
  place TEXT NOT NULL, needs TEXT NOT NULL, "limit" INTEGER NOT NULL, created_ms INTEGER NOT NULL,
  deadline_ms INTEGER NOT NULL, admitted_by TEXT NOT NULL, waiter TEXT, runner TEXT, own INTEGER NOT NULL,
  wish TEXT, session TEXT, batch TEXT, progress TEXT, since TEXT, dead TEXT NOT NULL, outcome TEXT, job TEXT NOT NULL);
CREATE TABLE runners (owner TEXT PRIMARY KEY, place TEXT NOT NULL, offers TEXT NOT NULL);
CREATE TABLE launches (id TEXT PRIMARY KEY, place TEXT NOT NULL, offers TEXT NOT NULL, at_ms INTEGER NOT NULL);
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
`;

/** Opens the file, made when missing. Throws what SQLite or the system says. */
export function openStateFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    enterWal(database);
    // A row holds a prompt: nothing of it stays in the file once the task has ended.
    database.exec("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
    ensureTables(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The same tables in memory, where no file can be used. */
export function openMemoryState(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  ensureTables(database);
  return database;
}

function ensureTables(database: DatabaseSync): void {
  const version = () => Number(database.prepare("PRAGMA user_version").get()?.user_version);
  for (let tries = 0; version() !== VERSION; tries++) {
    if (version() > VERSION) throw new Error("it was made by a newer hermes-task");
    try {
      inWrite(database, () => {
        if (version() === VERSION) return;
        database.exec(TABLES);
        database.prepare("INSERT INTO facts VALUES ('salt', ?)").run(crypto.randomUUID());
        database.exec(`PRAGMA user_version = ${VERSION}`);
      });
    } catch (error) {
      if (!isBusy(error) || tries > 100) throw error;
    }
  }
}

type Cell = string | number | null;

/** What most rows have; a queue is read often. */
const EMPTY: Readonly<Record<string, unknown>> = { "{}": {}, "[]": [] };

/** Name of a column, how a value becomes a cell, and back. */
interface Column {
  readonly name: string;
  readonly write: (value: never) => Cell;
  readonly read: (cell: Cell) => unknown;
}

const plain = (name: string): Column => ({ name, write: (value: Cell) => value, read: (cell) => cell });
const json = (name: string): Column => ({
  name,
  write: (value: unknown) => value === null ? null : JSON.stringify(value),
  read: (cell) => cell === null ? null : EMPTY[String(cell)] ?? JSON.parse(String(cell)),
});

/** Every field of a row but its job, and its column. */
const COLUMNS: Readonly<Record<Exclude<keyof QueueRow, "seq">, Column>> = {
  taskId: plain("task_id"),
  state: plain("state"),
  kind: plain("kind"),
  place: plain("place"),
  needs: json("needs"),
  limit: plain('"limit"'),
  createdMs: plain("created_ms"),
  deadlineMs: plain("deadline_ms"),
  admittedBy: plain("admitted_by"),
  waiter: plain("waiter"),
  runner: plain("runner"),
  own: { name: "own", write: (value: boolean) => value ? 1 : 0, read: (cell) => cell === 1 },
  wish: plain("wish"),
  session: plain("session"),
  batch: json("batch"),
  progress: json("progress"),
  since: json("since"),
  dead: json("dead"),
  outcome: plain("outcome"),
};

/** Columns that {@link readRow} needs. */
export const ROW_COLUMNS = ["seq", ...Object.values(COLUMNS).map(({ name }) => name)].join(", ");

/** A row as the queue knows it. */
export function readRow(cells: Readonly<Record<string, unknown>>): QueueRow {
  const fields = Object.entries(COLUMNS).map(([field, { name, read }]) => [
    field,
    read(cells[name.replaceAll('"', "")] as Cell),
  ]);
  return { seq: cells.seq, ...Object.fromEntries(fields) } as QueueRow;
}

/** Columns and cells of the fields given. */
export function cellsOf(fields: Partial<Omit<QueueRow, "seq">>): { names: string[]; cells: Cell[] } {
  const given = Object.entries(fields) as [keyof typeof COLUMNS, never][];
  return {
    names: given.map(([field]) => COLUMNS[field].name),
    cells: given.map(([field, value]) => COLUMNS[field].write(value)),
  };
}

/** A launch as the queue knows it. */
export function readLaunch(cells: Readonly<Record<string, unknown>>): Launch {
  const { owner: id, ...launch } = readRunner({ ...cells, owner: cells.id });
  return { id, ...launch, atMs: Number(cells.at_ms) };
}

/** A runner as the queue knows it. */
export function readRunner(cells: Readonly<Record<string, unknown>>): Runner {
  return {
    owner: String(cells.owner),
    place: String(cells.place),
    offers: JSON.parse(String(cells.offers)),
  };
}
