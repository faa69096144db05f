// The world as a task sees it: the settings of whoever gave it, and of the environment's keys only those that it asked
// for. So a task never runs on a key that its caller did not have.
import type { Job, QueueRow, Runner } from "../core/queue.ts";
import type { World } from "../ports.ts";

/** Narrows the world to one task; `offers` names every key that is set here. */
export function jobWorld(
  world: World,
  { needs }: Pick<QueueRow, "needs">,
  { settings }: Job,
  { offers }: Pick<Runner, "offers">,
): World {
  const { environment } = world;
  return {
    ...world,
    settings: { ...world.settings, values: settings, problems: [] },
    environment: {
      get: (name) => name in offers && !(name in needs) ? undefined : environment.get(name),
    },
  };
}
