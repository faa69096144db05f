// What happens inside one turn of the queue, and how its rows are read outside of one.
import type { DatabaseSync } from "node:sqlite";
import { type Job, type Launch, LAUNCH_MS, type QueueRow, type Runner } from "../core/queue.ts";
import type { QueueTurn } from "../ports.ts";
import { cellsOf, readLaunch, readRow, readRunner, ROW_COLUMNS } from "./state_schema.ts";

/** A turn on an open database, inside its transaction. */
export class Turn implements QueueTurn {
  readonly #database: DatabaseSync;

  /** The transaction is begun and ended by who makes it. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  rows(): readonly QueueRow[] {
    return rowsOf(this.#database);
  }

  row(taskId: string): QueueRow | undefined {
    return rowOf(this.#database, taskId);
  }

  runners(): readonly Runner[] {
    return runnersOf(this.#database);
  }

  launches(): readonly Launch[] {
    return launchesOf(this.#database);
  }

  add(row: Omit<QueueRow, "seq">, job: Job): void {
    const { names, cells } = cellsOf(row);
    const places = names.map(() => "?").join(", ");
    this.#database.prepare(`INSERT INTO tasks (${names.join(", ")}, job) VALUES (${places}, ?)`)
      .run(...cells, JSON.stringify(job));
  }

  change(taskId: string, changes: Partial<Omit<QueueRow, "seq" | "taskId">>): boolean {
    const { names, cells } = cellsOf(changes);
    const set = names.map((name) => `${name} = ?`).join(", ");
    return this.#database.prepare(`UPDATE tasks SET ${set} WHERE task_id = ?`).run(...cells, taskId).changes >
      0;
  }

  remove(taskId: string): void {
    this.#database.prepare("DELETE FROM tasks WHERE task_id = ?").run(taskId);
  }

  launch({ id, place, offers, atMs }: Launch): void {
    this.#database.prepare("DELETE FROM launches WHERE abs(at_ms - ?) > ?").run(atMs, 10 * LAUNCH_MS);
    this.#database.prepare("INSERT INTO launches VALUES (?, ?, ?, ?)").run(
      id,
      place,
      JSON.stringify(offers),
      atMs,
    );
  }

  register({ owner, place, offers }: Runner): void {
    this.#database.prepare(
      "DELETE FROM launches WHERE id = (SELECT id FROM launches WHERE place = ? ORDER BY at_ms LIMIT 1)",
    ).run(place);
    this.#database.prepare("INSERT OR REPLACE INTO runners VALUES (?, ?, ?)")
      .run(owner, place, JSON.stringify(offers));
  }

  unregister(owner: string): void {
    this.#database.prepare("DELETE FROM runners WHERE owner = ?").run(owner);
  }
}

/** All rows, in the order of admission. */
export function rowsOf(database: DatabaseSync): QueueRow[] {
  return database.prepare(`SELECT ${ROW_COLUMNS} FROM tasks ORDER BY seq`).all().map(readRow);
}

/** One row. */
export function rowOf(database: DatabaseSync, taskId: string): QueueRow | undefined {
  const cells = database.prepare(`SELECT ${ROW_COLUMNS} FROM tasks WHERE task_id = ?`).get(taskId);
  return cells && readRow(cells);
}

/** All that have registered. */
export function runnersOf(database: DatabaseSync): Runner[] {
  return database.prepare("SELECT * FROM runners").all().map(readRunner);
}

/** All that were started and have not registered. */
export function launchesOf(database: DatabaseSync): Launch[] {
  return database.prepare("SELECT * FROM launches").all().map(readLaunch);
}
