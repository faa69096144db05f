// Time for tests, moved by hand.
import type { Clock } from "../../src/ports.ts";

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  #nowMs: number;
  #timers: Timer[] = [];

  /** Starts at a moment in epoch milliseconds; 2026-08-02T12:00:00Z when left out. */
  constructor(nowMs: number = Date.UTC(2026, 7, 2, 12)) {
    this.#nowMs = nowMs;
  }

  /** The moment it stands at. */
  now(): number {
    return this.#nowMs;
  }

  /** Comes back once the clock has been moved that far, or at once with an aborted signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.at(this.#nowMs + ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      const onAbort = () => {
        cancel();
        resolve();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Calls back at a moment; the returned function takes that back. */
  at(atMs: number, fire: () => void): () => void {
    const timer = { atMs, fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves on by `ms`, stopping at each timer on the way so that what waited for it can go on. */
  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    await settle();
    for (let timer = this.#next(); timer && timer.atMs <= end; timer = this.#next()) await this.#reach(timer);
    this.#nowMs = end;
    await settle();
  }

  /** Moves from timer to timer until the promise is settled. Throws when nothing is left to wait for. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const watched = promise.finally(() => done = true);
    watched.catch(() => {}); // whoever awaits the result gets the error
    for (let idle = 0; idle < 50;) {
      await settle();
      if (done) return await watched;
      const timer = this.#next();
      if (timer) await this.#reach(timer);
      idle = timer ? 0 : idle + 1;
    }
    throw new Error("The clock has no timer left and the promise is still open");
  }

  #next(): Timer | undefined {
    return this.#timers.toSorted((a, b) => a.atMs - b.atMs)[0];
  }

  async #reach(timer: Timer) {
    this.#timers = this.#timers.filter((other) => other !== timer);
    this.#nowMs = Math.max(this.#nowMs, timer.atMs);
    timer.fire();
    await settle();
  }
}

/** Lets everything go on that does not wait for time. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
