// Which calls are under way? Each can be ended by its host; the end of the server ends all and waits for them, so
// that every one has its record before the process is gone.

/** The calls under way. */
export class Calls {
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();

  /** Runs a call under a signal that the host and the end of the server both give. */
  run<T>(hostSignal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const call = work(AbortSignal.any([hostSignal, this.#ending.signal]));
    const settled = call.then(() => {}, () => {}).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return call;
  }

  /** Ends every call; resolves when the last one has come to its end. */
  async end(): Promise<void> {
    this.#ending.abort(new Error("the server is ending"));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
