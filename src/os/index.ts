// The index over the records: always usable. It opens the file when first needed, notices when another process has
// replaced it, mends or replaces a damaged one, and stands in memory where no file can be used.
import type { DatabaseSync } from "node:sqlite";
import {
  emptyIndex,
  indexFault,
  isDamage,
  MADE_FACT,
  openIndexFile,
  openMemoryIndex,
  openSoundFile,
} from "./index_schema.ts";
import { pause } from "./sqlite.ts";
import { factOf, putFact } from "./index_rows.ts";
import { tryLock } from "./lock.ts";

const RETRY_MS = 60_000;
const LOCK_TRIES = 100;

/** The index of one folder, in this process. */
export class RecordIndex {
  readonly #dir: string;
  readonly #now: () => number;
  #database: DatabaseSync | undefined;
  /** Device and number of the open file; undefined while the index is in memory. */
  #identity: string | undefined;
  #problem: string | undefined;
  #retryAtMs = 0;

  /** Opens nothing yet. */
  constructor(dir: string, now: () => number) {
    this.#dir = dir;
    this.#now = now;
  }

  /** Why there is no index file; undefined when there is one, or no folder yet. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Runs `work` on the index; once more on an emptied one when its content turns out to be damaged. */
  use<T>(work: (database: DatabaseSync) => T): T {
    const database = this.#current();
    try {
      return work(database);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return work(this.#mended(database));
    }
  }

  /** Opens the file anew, past everything that is kept of it in memory; a damaged one is replaced by an empty one. */
  reopenSound(): void {
    if (this.#database && !this.#identity) return;
    this.close();
    this.#database = this.#open(openSoundFile);
  }

  /** Closes the file. The index can be used again. */
  close(): void {
    this.#database?.close();
    this.#database = this.#identity = undefined;
  }

  get #path(): string {
    return `${this.#dir}/index.sqlite`;
  }

  #current(): DatabaseSync {
    if (this.#database && !this.#isOutdated()) return this.#database;
    const before = this.#database;
    const facts = before && !this.#identity ? before.prepare("SELECT key, value FROM facts").all() : [];
    this.close();
    this.#database = this.#open();
    for (const { key, value } of facts) this.#carry(String(key), String(value));
    return this.#database;
  }

  /** What was remembered in memory moves to the file, except what is true of the rows alone. */
  #carry(key: string, value: string): void {
    if (key === LISTED_FACT || key === MADE_FACT || factOf(this.#database!, key) !== undefined) return;
    putFact(this.#database!, key, value);
  }

  /** Replaced by another process? Without a file: is it time to look again? */
  #isOutdated(): boolean {
    if (this.#identity) return identityOf(this.#path) !== this.#identity;
    return this.#problem ? this.#now() >= this.#retryAtMs : identityOf(this.#dir) !== undefined;
  }

  #open(look = openIndexFile): DatabaseSync {
    this.#problem = undefined;
    if (identityOf(this.#dir) === undefined) return openMemoryIndex();
    try {
      return this.#openFile(look);
    } catch (error) {
      this.#problem = `Cannot use "${this.#path}": ${indexFault(error).message}`;
      this.#retryAtMs = this.#now() + RETRY_MS;
      return openMemoryIndex();
    }
  }

  #openFile(look: (path: string) => DatabaseSync): DatabaseSync {
    let database: DatabaseSync;
    try {
      database = look(this.#path);
    } catch (error) {
      if (indexFault(error).kind !== "broken") throw error;
      database = this.#replaced(look);
    }
    keepPrivate(this.#path);
    this.#identity = identityOf(this.#path);
    return database;
  }

  /** Renames a file away that `look` finds broken and makes a new one, alone: under a lock, after a second look. */
  #replaced(look: (path: string) => DatabaseSync): DatabaseSync {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const lock = tryLock(`${this.#dir}/index.lock`);
      if (!lock) {
        pause(20);
        continue;
      }
      try {
        return this.#replacedAlone(look);
      } finally {
        lock.release();
      }
    }
    return openIndexFile(this.#path);
  }

  #replacedAlone(look: (path: string) => DatabaseSync): DatabaseSync {
    try {
      return look(this.#path);
    } catch (error) {
      if (indexFault(error).kind !== "broken") throw error;
    }
    // The write-ahead log goes too: SQLite would apply it to the new file.
    for (const suffix of ["-wal", "-shm", ""]) {
      try {
        Deno.renameSync(this.#path + suffix, `${this.#path}.broken${suffix}`);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return openIndexFile(this.#path);
  }

  /** Empties a damaged index in place; one that not even takes that is replaced. */
  #mended(database: DatabaseSync): DatabaseSync {
    try {
      emptyIndex(database);
      return database;
    } catch (error) {
      if (!isDamage(error) || !this.#identity) throw error;
    }
    this.close();
    this.#database = this.#replaced(openEmptied);
    this.#identity = identityOf(this.#path);
    return this.#database;
  }
}

function openEmptied(path: string): DatabaseSync {
  const database = openIndexFile(path);
  try {
    emptyIndex(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The fact that says when the folder was compared with the rows last. */
export const LISTED_FACT = "listed_ms";

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino, birthtime } = Deno.statSync(path);
    return `${dev}:${ino}:${ino ? "" : birthtime?.getTime()}`;
  } catch {
    return undefined;
  }
}

/** SQLite makes files by the umask alone; the folder keeps others out already. */
function keepPrivate(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) {
    try {
      Deno.chmodSync(path + suffix, 0o600);
    } catch {
      // Not there, not ours, or a system without modes.
    }
  }
}
