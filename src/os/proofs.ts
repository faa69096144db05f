// Who lives? Each process that has tasks holds a lock on a file of its own; the system frees it when the process is
// gone, however it went. So there is no heartbeat, and no number that somebody else may get.
import { type HeldLock, isLocked, isThere, tryLock, tryLockThere } from "./lock.ts";

/** The proofs of life of one folder, `<cache folder>/locks`. */
export class Proofs {
  readonly #dir: string;
  readonly #owner: string;
  #held: HeldLock | undefined;

  /** Nothing is held yet. */
  constructor(dir: string, owner: string) {
    this.#dir = dir;
    this.#owner = owner;
  }

  /** Holds this process' own lock until it ends. A file that somebody has taken away proves nothing: it is made anew. */
  hold(): void {
    const path = this.#pathOf(this.#owner);
    if (this.#held && isThere(path)) return;
    this.#held?.release();
    this.#held = undefined;
    Deno.mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    // Somebody who looks whether it is free holds it for a moment, or takes a file away that nobody holds yet.
    for (let lock = tryLock(path);; lock = tryLock(path)) {
      if (lock && isThere(path)) {
        this.#held = lock;
        return;
      }
      lock?.release();
    }
  }

  /** Does this process live, as far as its proof tells? */
  alive(owner: string): boolean {
    if (owner === this.#owner) return true;
    return isLocked(this.#pathOf(owner));
  }

  /** Takes the files of dead processes away. */
  tidy(): void {
    for (const { name } of entriesOf(this.#dir)) {
      if (!/^[a-z0-9]+$/.test(name) || name === this.#owner) continue;
      const path = this.#pathOf(name);
      const lock = tryLockThere(path);
      if (!lock) continue;
      removeQuietly(path);
      lock.release();
    }
  }

  #pathOf(owner: string): string {
    return `${this.#dir}/${owner}`;
  }
}

function entriesOf(dir: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(dir)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
