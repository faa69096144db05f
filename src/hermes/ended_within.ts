// How long is a child waited for?
import type { Child, World } from "../ports.ts";

/** How long, and what ends the wait before. */
export interface Patience {
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

/** Waits for a child's end, but not beyond the limit; tells whether it has ended. */
export async function endedWithin(
  { clock }: Pick<World, "clock">,
  child: Child,
  { limitMs, signal }: Patience,
): Promise<boolean> {
  const over = new AbortController();
  const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const ended = await Promise.race([
    child.exit.then(() => true),
    clock.sleep(limitMs, until).then(() => false),
  ]);
  over.abort();
  return ended;
}
