// How long may something hold up an answer?
import type { Clock } from "../ports.ts";

/** Waits for work, but not longer than `ms`; the work itself goes on. Was it done in time? */
export async function within(
  clock: Pick<Clock, "sleep">,
  ms: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const done = work.then(() => true);
  if (ms === Infinity) return await done;
  const over = new AbortController();
  try {
    return await Promise.race([done, clock.sleep(ms, over.signal).then(() => false)]);
  } finally {
    over.abort();
  }
}
