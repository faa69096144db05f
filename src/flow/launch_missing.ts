// Is there somebody for each task that has a slot? Else a supervisor is started, one at a time.
import { needsLaunch, type QueueRow } from "../core/queue.ts";
import type { World } from "../ports.ts";
import { lookAt, runnerHere } from "./look.ts";

/**
 * Starts one supervisor if one is missing; `more` are tasks that are about to be added. Gives `none` when there was
 * nothing to do, undefined when one was started, else why none could be.
 */
export async function launchMissing(
  world: World,
  more: readonly QueueRow[] = [],
): Promise<"none" | string | undefined> {
  const me = await runnerHere(world);
  const missing = (seen: Parameters<typeof lookAt>[1] = world.queue) => {
    const look = lookAt(world, seen);
    return needsLaunch({ ...look, rows: [...look.rows, ...more] }, me);
  };
  // Most looks find nothing: those need no turn.
  if (!missing()) return "none";
  const row = await world.queue.turn((turn) => {
    const due = missing(turn);
    const launch = { id: crypto.randomUUID(), place: me.place, offers: due?.needs ?? {} };
    if (due) turn.launch({ ...launch, atMs: world.clock.now() });
    return due;
  });
  return row ? await world.guardian.launch(Object.keys(row.needs)) : "none";
}
