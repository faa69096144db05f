// The queue of tasks over all processes of this user: rows in SQLite, proofs of life, ticks. It only does what it is
// told; who runs what is decided elsewhere. Where no file can be used it stands in memory, for this process alone.
import type { DatabaseSync } from "node:sqlite";
import type { Job, Launch, Needs, QueueRow, Runner } from "../core/queue.ts";
import { type Clock, type Ear, QUEUE_TOPIC, type QueueTurn, type TaskQueue } from "../ports.ts";
import { fileFault } from "./files.ts";
import { Proofs } from "./proofs.ts";
import { preparePrivateFolder } from "./record_file.ts";
import { inWrite, isBusy, sqliteCode } from "./sqlite.ts";
import { launchesOf, rowOf, rowsOf, runnersOf, Turn } from "./queue_turn.ts";
import { openMemoryState, openStateFile } from "./state_schema.ts";
import { Ticks } from "./ticks.ts";

/** Longest wait for a turn. */
const TURN_MS = 15_000;
/** How long a file that could not be used is left alone. */
const RETRY_MS = 10_000;

/** What a queue needs. */
export interface QueueOptions {
  /** The cache folder; undefined: in memory only. */
  readonly dir: string | undefined;
  /** Names this process. */
  readonly owner: string;
  readonly clock: Clock;
}

/** Opens the queue; nothing is read or written before it is used. */
export function openQueue(options: QueueOptions): TaskQueue {
  return new SqliteQueue(options);
}

class SqliteQueue implements TaskQueue {
  readonly #options: QueueOptions;
  readonly #proofs: Proofs;
  #ticks: Ticks;
  #database: DatabaseSync | undefined;
  /** Device and number of the open file; undefined in memory. */
  #identity: string | undefined;
  #problem: string | undefined;
  #retryAtMs = 0;
  #proving = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#proofs = new Proofs(`${options.dir}/locks`, options.owner);
    this.#ticks = this.#newTicks(options.dir);
  }

  problem(): string | undefined {
    this.#current(true);
    return this.#problem;
  }

  async turn<T>(work: (turn: QueueTurn) => T): Promise<T> {
    const until = Date.now() + TURN_MS;
    for (;;) {
      const database = this.#current(true);
      try {
        return inWrite(database, () => work(new Turn(database)));
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw this.#fault(error);
        await this.#options.clock.sleep(1 + Math.random() * 20);
      }
    }
  }

  rows(): readonly QueueRow[] {
    return this.#read((database) => rowsOf(database)) ?? [];
  }

  row(taskId: string): QueueRow | undefined {
    return this.#read((database) => rowOf(database, taskId));
  }

  runners(): readonly Runner[] {
    return this.#read((database) => runnersOf(database)) ?? [];
  }

  launches(): readonly Launch[] {
    return this.#read((database) => launchesOf(database)) ?? [];
  }

  job(taskId: string): Job | undefined {
    const text = this.#read((database) =>
      database.prepare("SELECT job FROM tasks WHERE task_id = ?").get(taskId)?.job
    );
    return text === undefined ? undefined : JSON.parse(String(text));
  }

  stamp(): string {
    this.#current(true);
    return this.#identity ?? "in memory";
  }

  async hashes(values: Readonly<Record<string, string>>): Promise<Needs> {
    const salt = String(
      this.#current(true).prepare("SELECT value FROM facts WHERE key = 'salt'").get()?.value,
    );
    const hashed = Object.entries(values).map(async ([name, value]) => [
      name,
      await hashOf(`${salt}\0${name}\0${value}`),
    ]);
    return Object.fromEntries(await Promise.all(hashed));
  }

  prove(): void {
    this.#proving = true;
    this.#current(true);
    if (this.#identity === undefined) return;
    try {
      this.#proofs.hold();
    } catch (error) {
      throw fileFault(`${this.#options.dir}/locks`, error);
    }
  }

  alive(owner: string): boolean {
    if (owner === this.#options.owner) return true;
    return this.#options.dir !== undefined && this.#problem === undefined && this.#proofs.alive(owner);
  }

  tidy(): void {
    if (this.#options.dir === undefined || this.#problem !== undefined) return;
    this.#proofs.tidy();
    this.#read((database) => {
      const open = new Set(rowsOf(database).map(({ taskId }) => taskId));
      const isRunner = (topic: string) =>
        topic.startsWith("runner-") && this.alive(topic.slice("runner-".length));
      this.#ticks.tidy((topic) => topic === QUEUE_TOPIC || open.has(topic) || isRunner(topic));
      if (open.size === 0) emptyLog(database);
    });
  }

  wake(topic: string, last = false): void {
    this.#ticks.wake(topic, last);
  }

  listen(topic: string): Ear {
    return this.#ticks.listen(topic);
  }

  /** Undefined where there is no file and none is to be made. */
  #read<T>(look: (database: DatabaseSync) => T): T | undefined {
    const database = this.#current(false);
    if (!database) return undefined;
    for (let tries = 0;; tries++) {
      try {
        return look(database);
      } catch (error) {
        if (!isBusy(error) || tries === 50) throw this.#fault(error);
      }
    }
  }

  #current(make: true): DatabaseSync;
  #current(make: boolean): DatabaseSync | undefined;
  #current(make: boolean): DatabaseSync | undefined {
    const { dir } = this.#options;
    if (this.#database && !this.#isOutdated(this.#database)) return this.#database;
    this.#database?.close();
    this.#database = this.#identity = undefined;
    if (dir === undefined) return this.#database = openMemoryState();
    if (!make && identityOf(this.#path) === undefined) return undefined;
    try {
      preparePrivateFolder(dir);
      Deno.mkdirSync(`${dir}/ticks`, { recursive: true, mode: 0o700 });
      this.#database = openStateFile(this.#path);
      for (const suffix of ["", "-wal", "-shm"]) keepPrivate(this.#path + suffix);
      if (this.#proving) this.#proofs.hold();
      this.#identity = identityOf(this.#path);
      if (this.#problem !== undefined) this.#ticks = this.#newTicks(dir);
      this.#problem = undefined;
    } catch (error) {
      const { message } = fileFault(this.#path, error);
      this.#problem =
        `Cannot use ${message}: tasks run in this process only, and end with it; move the file away, or mend its folder`;
      this.#database = openMemoryState();
      this.#retryAtMs = this.#options.clock.now() + RETRY_MS;
      this.#ticks = this.#newTicks(undefined);
    }
    return this.#database;
  }

  /** Replaced by another process? Without a file: is it time to look again, and nothing under way in memory? */
  #isOutdated(database: DatabaseSync): boolean {
    if (this.#identity !== undefined) return this.#identity !== identityOf(this.#path);
    return this.#problem !== undefined && this.#options.clock.now() >= this.#retryAtMs &&
      rowsOf(database).length === 0;
  }

  get #path(): string {
    return `${this.#options.dir}/state.sqlite`;
  }

  #newTicks(dir: string | undefined): Ticks {
    return new Ticks(dir && `${dir}/ticks`, this.#options.clock);
  }

  #fault(error: unknown): unknown {
    return sqliteCode(error) === undefined ? error : fileFault(this.#path, error);
  }
}

/** What was written last stands in the log too, prompts of tasks that have ended among it. */
function emptyLog(database: DatabaseSync): void {
  try {
    database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  } catch {
    // Somebody reads or writes just now: whoever tidies next does it.
  }
}

async function hashOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = Deno.statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function keepPrivate(path: string): void {
  try {
    Deno.chmodSync(path, 0o600);
  } catch {
    // Not there, or a system without modes; the folder keeps others out already.
  }
}
