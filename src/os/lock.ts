// A lock between processes that the kernel frees when its holder dies, however it dies.
// Used by the bootstrap too: SQLite is loaded only where it is needed.
import type { DatabaseSync } from "node:sqlite";

/** A lock that this process holds. */
export interface HeldLock {
  release(): void;
}

/**
 * Takes the lock on a file, which is made when missing; undefined while somebody else holds it. Where the runtime
 * has no `tryLock` (Deno 2.6) the file is an empty SQLite database that is kept locked instead.
 */
export function tryLock(path: string): HeldLock | undefined {
  // Not asked of an open file: its close, which may come late, would take SQLite's lock of this process away.
  if (typeof Deno.FsFile.prototype.tryLockSync !== "function") return trySqliteLock(path);
  const file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  if (file.tryLockSync(true)) return { release: () => file.close() };
  file.close();
  return undefined;
}

/** The same for a file that is there; undefined also when there is none. */
export function tryLockThere(path: string): HeldLock | undefined {
  return lockThere(path, true);
}

/**
 * Does somebody hold the lock on this file? False when there is no such file. Who only looks does not look like a
 * holder to others who look.
 */
export function isLocked(path: string): boolean {
  const lock = lockThere(path, false);
  lock?.release();
  return lock === undefined && isThere(path);
}

/** No file is made: one that is taken away at this moment would be there again, and nobody's. */
function lockThere(path: string, alone: boolean): HeldLock | undefined {
  if (!isThere(path)) return undefined;
  if (typeof Deno.FsFile.prototype.tryLockSync !== "function") return trySqliteLock(path);
  try {
    const file = Deno.openSync(path, { read: true, write: alone });
    if (file.tryLockSync(alone)) return { release: () => file.close() };
    file.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return undefined;
}

/** Is there such a file? */
export function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** The fallback of {@link tryLock}: a SQLite file, locked by an open transaction. */
export function trySqliteLock(path: string): HeldLock | undefined {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database: DatabaseSync = new DatabaseSync(path, { timeout: 0 });
  try {
    database.prepare("BEGIN EXCLUSIVE").run();
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    return undefined;
  }
}

const BUSY = 5;
