// Of which changes must a host hear, and when? Of what somebody wants to hear of, about once a second each, and of the
// last state in any case.
import type { QueueRow } from "../core/queue.ts";
import { taskOf } from "./resources.ts";

/** What can be heard of: the list of resources, or a resource by its address. */
export type Topic = string;

/** The list of resources. */
export const LIST: Topic = "list";

/** Who wants to hear: a `subscriptions/listen` request by its id, or the host as such. */
export type Subscriber = string | number | undefined;

/** Shortest time between two notices of one topic. */
const PACE_MS = 1_000;

interface Heard {
  /** What it was like at the last look; undefined before the first one. */
  stamp: string | undefined;
  changed: boolean;
  toldMs: number | undefined;
}

/** What one connection wants to hear of. Neither waits nor tells; who looks at the queue asks it. */
export class Notices {
  readonly #wanted = new Map<Subscriber, ReadonlySet<Topic>>();
  readonly #heard = new Map<Topic, Heard>();

  /** From the next look on a subscriber hears of these topics, and of no others. What never changes is left out. */
  want(by: Subscriber, topics: Iterable<Topic>): void {
    const wanted = new Set([...topics].filter((topic) => topic === LIST || taskOf(topic) !== undefined));
    if (wanted.size > 0) this.#wanted.set(by, wanted);
    else this.#wanted.delete(by);
    for (const topic of wanted) {
      if (!this.#heard.has(topic)) {
        this.#heard.set(topic, { stamp: undefined, changed: false, toldMs: undefined });
      }
    }
    for (const topic of this.#heard.keys()) if (!this.#isWanted(topic)) this.#heard.delete(topic);
  }

  /** Does nobody want to hear of anything? */
  get idle(): boolean {
    return this.#wanted.size === 0;
  }

  /** Is there something to be told that was put off? */
  get waiting(): boolean {
    return [...this.#heard.values()].some(({ changed }) => changed);
  }

  /** Takes a look at the queue in; returns what is to be told now. */
  look(rows: readonly QueueRow[], nowMs: number): Topic[] {
    const due: Topic[] = [];
    for (const [topic, heard] of this.#heard) {
      const stamp = stampOf(topic, rows);
      if (heard.stamp !== undefined && heard.stamp !== stamp) heard.changed = true;
      heard.stamp = stamp;
      if (!heard.changed || !isDue(heard, nowMs)) continue;
      heard.changed = false;
      heard.toldMs = nowMs;
      due.push(topic);
    }
    return due;
  }

  #isWanted(topic: Topic): boolean {
    return [...this.#wanted.values()].some((topics) => topics.has(topic));
  }
}

/** A clock that was set back must not silence anything. */
function isDue({ toldMs }: Heard, nowMs: number): boolean {
  return toldMs === undefined || Math.abs(nowMs - toldMs) >= PACE_MS;
}

function stampOf(topic: Topic, rows: readonly QueueRow[]): string {
  if (topic === LIST) return rows.map(({ taskId }) => taskId).join(" ");
  const row = rows.find(({ taskId }) => taskId === taskOf(topic));
  if (!row) return "ended";
  const { provider, model, turns, activity } = row.progress ?? {};
  return JSON.stringify([row.state, row.outcome !== null, provider, model, turns, activity]);
}
