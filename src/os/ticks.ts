// How does one process wake another? By touching a small file that the other watches. A tick may be missed, so whoever
// waits looks again by itself as well.
import type { Clock, Ear } from "../ports.ts";

/** Longest wait without a look. */
const LOOK_MS = 250;

/**
 * The ticks of one folder, `<cache folder>/ticks/<topic>.tick`. Without a folder they stay in this process. A folder of
 * their own: a watch opens and closes what is in it, which takes locks away where they belong to the process (2.6).
 */
export class Ticks {
  readonly #dir: string | undefined;
  readonly #clock: Pick<Clock, "sleep">;
  readonly #ears = new Map<string, Set<TopicEar>>();
  #watcher: Deno.FsWatcher | undefined;

  /** Watches nothing until somebody waits. */
  constructor(dir: string | undefined, clock: Pick<Clock, "sleep">) {
    this.#dir = dir;
    this.#clock = clock;
  }

  /** Wakes those who wait for a topic, here and elsewhere; for the last time: then its file goes too. */
  wake(topic: string, last: boolean): void {
    this.#ring(topic);
    if (this.#dir === undefined) return;
    try {
      const path = `${this.#dir}/${topic}.tick`;
      Deno.writeTextFileSync(path, "", { mode: 0o600 });
      if (last) Deno.removeSync(path);
    } catch {
      // Who waits looks by itself.
    }
  }

  /** Takes away what a waking left that came behind the last one, or was cut short. */
  tidy(keep: (topic: string) => boolean): void {
    try {
      for (const { name } of this.#dir === undefined ? [] : Deno.readDirSync(this.#dir)) {
        const topic = topicOf(name);
        if (topic !== undefined && !keep(topic)) Deno.removeSync(`${this.#dir}/${name}`);
      }
    } catch {
      // Somebody else is tidying too.
    }
  }

  /** Listens to a topic until the ear is closed. */
  listen(topic: string): Ear {
    this.#watch();
    const close = () => {
      this.#ears.get(topic)?.delete(ear);
      if (this.#ears.get(topic)?.size === 0) this.#ears.delete(topic);
      if (this.#ears.size === 0) this.#unwatch();
    };
    const ear: TopicEar = new TopicEar(this.#clock, { close, watch: () => this.#watch() });
    const ears = this.#ears.get(topic) ?? new Set();
    this.#ears.set(topic, ears.add(ear));
    return ear;
  }

  #ring(topic: string): void {
    for (const ear of this.#ears.get(topic) ?? []) ear.ring();
  }

  #watch(): void {
    if (this.#watcher || this.#dir === undefined) return;
    try {
      this.#watcher = Deno.watchFs(this.#dir, { recursive: false });
    } catch {
      // No folder yet, or too many watches on this machine.
      return;
    }
    void this.#hear(this.#watcher);
  }

  async #hear(watcher: Deno.FsWatcher): Promise<void> {
    for await (const { paths } of watcher) {
      for (const path of paths) {
        const topic = topicOf(path);
        if (topic !== undefined) this.#ring(topic);
      }
    }
  }

  /** An open watch would keep a script that has imported us from ending. */
  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

function topicOf(path: string): string | undefined {
  return /([^/\\]+)\.tick$/.exec(path)?.[1];
}

class TopicEar implements Ear {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #watch: () => void;
  readonly close: () => void;
  #rung = new AbortController();

  constructor(
    clock: Pick<Clock, "sleep">,
    ticks: { readonly close: () => void; readonly watch: () => void },
  ) {
    this.#clock = clock;
    this.#watch = ticks.watch;
    this.close = ticks.close;
  }

  ring(): void {
    this.#rung.abort();
  }

  async heard(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#sleep(Math.min(ms, LOOK_MS), signal);
  }

  async rung(ms: number, signal?: AbortSignal): Promise<void> {
    // The folder may have come only now.
    this.#watch();
    await this.#sleep(ms, signal);
  }

  async #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const until = signal ? AbortSignal.any([signal, this.#rung.signal]) : this.#rung.signal;
    await this.#clock.sleep(Math.max(0, ms), until);
    if (this.#rung.signal.aborted) this.#rung = new AbortController();
  }
}
