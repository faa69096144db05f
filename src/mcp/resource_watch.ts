// How does a host hear that a task has changed, whoever runs it? While somebody wants to hear of it, and the connection
// lives, this looks at the queue; else it does nothing at all.
import type { QueueRow } from "../core/queue.ts";
import { followQueue } from "../flow/follow_queue.ts";
import type { World } from "../ports.ts";
import { LIST, Notices, type Subscriber, type Topic } from "./notices.ts";

/** Who tells the host: the SDK's server of the connection. */
export interface Teller {
  sendResourceUpdated(params: { readonly uri: string }): Promise<void>;
  sendResourceListChanged(): Promise<void>;
}

/** The watch of one connection. */
export class ResourceWatch {
  readonly #createWorld: () => Promise<World>;
  readonly #notices = new Notices();
  #teller: Teller | undefined;
  /** Ends the watch that is going on. */
  #going: AbortController | undefined;
  #ended = false;

  /** Watches nothing until somebody wants it. */
  constructor(createWorld: () => Promise<World>) {
    this.#createWorld = createWorld;
  }

  /** From now on this one tells the host. */
  tellBy(teller: Teller): void {
    this.#teller = teller;
  }

  /** Makes a subscriber hear of every change of these topics from now on, and of no others; none: of nothing. */
  async want(by: Subscriber, topics: Iterable<Topic>): Promise<void> {
    this.#notices.want(by, topics);
    if (this.#notices.idle) return this.#rest();
    const world = await this.#world();
    if (!world || this.#ended || this.#notices.idle) return;
    // Begun anew, it looks at once: what is new must be seen as it is now, not as it will be at the next look.
    this.#rest();
    void this.#follow(world);
  }

  /** Nothing is told after this. */
  stop(): void {
    this.#ended = true;
    this.#rest();
  }

  async #world(): Promise<World | undefined> {
    try {
      return await this.#createWorld();
    } catch {
      // Every call says why there is none.
      return undefined;
    }
  }

  #rest(): void {
    this.#going?.abort();
    this.#going = undefined;
  }

  async #follow(world: World): Promise<void> {
    const going = this.#going = new AbortController();
    try {
      await followQueue(world, {
        signal: going.signal,
        onLook: (rows) => {
          if (!going.signal.aborted) this.#look(world, rows);
          return this.#notices.waiting;
        },
      });
    } catch {
      // A fault of ours must not end a server whose calls work: the next wish begins anew.
      if (this.#going === going) this.#going = undefined;
    }
  }

  #look(world: World, rows: readonly QueueRow[]): void {
    for (const topic of this.#notices.look(rows, world.clock.now())) this.#tell(topic);
  }

  #tell(topic: Topic): void {
    const told = topic === LIST
      ? this.#teller?.sendResourceListChanged()
      : this.#teller?.sendResourceUpdated({ uri: topic });
    told?.catch(() => {/* the line is closed: its end is seen elsewhere */});
  }
}
