// A world made of the importing script's own permissions: the script is its own bootstrap.
import { locate } from "../bootstrap/locate.ts";
import { moduleGuardian } from "../bootstrap/module_guardian.ts";
import type { PathSettings } from "../bootstrap/path_settings.ts";
import { prepareProfile } from "../bootstrap/profile_links.ts";
import { refusal } from "../core/failure.ts";
import type { Settings } from "../core/settings.ts";
import { environment } from "../os/system.ts";
import { createWorld } from "../os/world.ts";
import type { World } from "../ports.ts";

/** What an embedding program may set besides the arguments of a call. */
export interface WorldOptions {
  /** Settings that beat environment and file. */
  readonly settings?: Partial<Settings>;
  /** Hermes' home; default: found as Hermes finds it, which needs `--allow-env=HOME,HERMES_HOME`. */
  readonly home?: string;
}

/** Opens the world, one for each set of options. `runsItself`: tasks that are waited for run in this process. */
export function worldKeeper(runsItself: boolean): (options: WorldOptions) => Promise<World> {
  const open = new Map<string, Promise<World>>();
  return (options) => {
    const key = JSON.stringify([options.home ?? null, options.settings ?? null]);
    const known = open.get(key) ?? openWorld(options, runsItself);
    open.set(key, known);
    // One that failed may succeed the next time.
    known.catch(() => open.delete(key));
    return known;
  };
}

async function openWorld({ settings = {}, home }: WorldOptions, runsItself: boolean): Promise<World> {
  const place = locate(environment.get, { home, paths: pathsIn(settings) });
  if (
    !home && !environment.get("HOME") && !environment.get("USERPROFILE") && !environment.get("HERMES_HOME")
  ) {
    throw refusal(
      "invalid_args",
      "Cannot tell where Hermes' home is: allow --allow-env=HOME,HERMES_HOME, or give { home }",
    );
  }
  const guardian = moduleGuardian(place, () => Promise.resolve(prepareProfile(place)));
  return await createWorld({ place }, guardian, { given: settings, runsItself });
}

function pathsIn(settings: Partial<Settings>): Partial<PathSettings> {
  const { hermesBin, authPath, cacheDir, modelsCachePath } = settings;
  return Object.fromEntries(
    Object.entries({ hermesBin, authPath, cacheDir, modelsCachePath }).filter(([, value]) => value),
  );
}
