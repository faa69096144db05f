// What does the queue look like from here, and what can this process run?
import { type Look, type Needs, type Runner, takers } from "../core/queue.ts";
import { VERSION } from "../core/version.ts";
import { QUEUE_TOPIC, type QueueTurn, type World } from "../ports.ts";
import { keyValuesHere } from "./needs.ts";

/** The queue as it is now, or as a turn sees it; runners that died are left out. */
export function lookAt(
  world: World,
  seen: Pick<QueueTurn, "rows" | "runners" | "launches"> = world.queue,
): Look {
  const alive = rememberedFor((owner: string) => world.queue.alive(owner));
  return {
    rows: seen.rows(),
    runners: seen.runners().filter(({ owner }) => alive(owner)),
    launches: seen.launches(),
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

/** What wakes one runner. */
export function runnerTopic(owner: string): string {
  return `runner-${owner}`;
}

/** A task has come or gone: wakes those who want to know, and of the runners only those who can take one now. */
export function wakeQueue(world: World): void {
  world.queue.wake(QUEUE_TOPIC);
  if (!world.queue.rows().some(({ state }) => state === "queued")) return;
  for (const owner of takers(lookAt(world))) world.queue.wake(runnerTopic(owner));
}
