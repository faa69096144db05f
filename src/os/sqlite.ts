// What every SQLite file of ours needs: the write-ahead log, one transaction at a time, the codes of its faults.
import type { DatabaseSync } from "node:sqlite";

const BUSY = 5;
/** How long several processes may contend for a new file. */
const CONTEND_MS = 2000;

/** Switching a new file to WAL fails at once while another process does the same: the busy timeout does not help. */
export function enterWal(database: DatabaseSync): void {
  const until = Date.now() + CONTEND_MS;
  for (;;) {
    try {
      const mode = database.prepare("PRAGMA journal_mode = WAL").get();
      if (mode?.journal_mode !== "wal") throw new Error("its file system has no WAL mode");
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
      pause(5 + Math.random() * 45);
    }
  }
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

/** SQLite's own code of a fault, without its extension; undefined for any other fault. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** Does another process keep the file locked? */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/** Waits without giving way: opening is synchronous, and this happens only in a race for a new file. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
