// What does the queue look like from here, and what can this process run?
import type { Look, Needs, QueueRow, Runner } from "../core/queue.ts";
import { VERSION } from "../core/version.ts";
import type { World } from "../ports.ts";
import { keyValuesHere } from "./needs.ts";

/** The queue as it is now, or as a turn sees it; runners that died are left out. */
export function lookAt(
  world: World,
  seen: { rows(): readonly QueueRow[]; runners(): readonly Runner[] } = world.queue,
): Look {
  const alive = rememberedFor((owner: string) => world.queue.alive(owner));
  return {
    rows: seen.rows(),
    runners: seen.runners().filter(({ owner }) => alive(owner)),
    alive,
    nowMs: world.clock.now(),
  };
}

/** One look asks once whether a process lives. */
function rememberedFor(ask: (owner: string) => boolean): (owner: string) => boolean {
  const known = new Map<string, boolean>();
  return (owner) => {
    const there = known.get(owner);
    if (there !== undefined) return there;
    const lives = ask(owner);
    known.set(owner, lives);
    return lives;
  };
}

/** This process as a runner. */
export async function runnerHere(world: World): Promise<Runner> {
  const offers = await world.memory.kept(
    "offers",
    // Hashes of a queue that was taken away are worth nothing in the one that has come in its place.
    world.queue.stamp(),
    async (): Promise<Needs> => await world.queue.hashes(await keyValuesHere(world)),
  );
  return { owner: world.place.owner, place: placeKey(world), offers };
}

/** Two processes with the same key find the same Hermes, credentials and files. */
function placeKey({ place }: World): string {
  const { home, taskHome, hermes, authPath, cacheDir } = place;
  return JSON.stringify([VERSION, home, taskHome, hermes.path ?? null, authPath, cacheDir]);
}
