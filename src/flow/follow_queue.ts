// When may something have changed in the queue? Whoever wants to tell others of it hears each time, from the first look
// to the end of its signal.
import type { QueueRow } from "../core/queue.ts";
import { FileFault, QUEUE_TOPIC, type World } from "../ports.ts";
import { tend } from "./tend.ts";

/** Longest wait without a look. A task that comes and goes within it is missed only where no waking arrives. */
const LOOK_MS = 1_000;
/** How often the queue is looked after while tasks are open: one whose runner died has ended too. */
const TEND_MS = 1_000;

/** How a queue is followed. */
export interface FollowQueueOptions {
  readonly signal: AbortSignal;
  /** Called at once, and then whenever something may have changed. Says whether it wants to be called again soon. */
  readonly onLook: (rows: readonly QueueRow[]) => boolean;
}

/** Looks at the queue until the signal aborts. */
export async function followQueue(world: World, { signal, onLook }: FollowQueueOptions): Promise<void> {
  const ear = world.queue.listen(QUEUE_TOPIC);
  let tendedMs = world.clock.now();
  try {
    while (!signal.aborted) {
      const rows = rowsNow(world);
      const soon = rows !== undefined && onLook(rows);
      if (rows && rows.length > 0 && Math.abs(world.clock.now() - tendedMs) >= TEND_MS) {
        await tend(world);
        tendedMs = world.clock.now();
      }
      await (soon ? ear.heard(LOOK_MS, signal) : ear.rung(LOOK_MS, signal));
    }
  } finally {
    ear.close();
  }
}

/** Undefined when the queue cannot be read now. */
function rowsNow({ queue }: Pick<World, "queue">): readonly QueueRow[] | undefined {
  try {
    return queue.rows();
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}
