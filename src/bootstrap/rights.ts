// What may a worker do? The contract's table of permissions, for this machine's paths.
import { readableNames } from "../core/environment.ts";
import type { Place } from "../ports.ts";

/** Names of the temporary file beside the task profile's configuration; one for each process, so that none meets. */
export function configTemporary(place: Pick<Place, "taskHome" | "owner">): string {
  return `${place.taskHome}/config.yaml.${place.owner}.tmp`;
}

/** The explicit permissions of the server and of plain commands. */
export function workerRights(
  place: Place & { readonly readAllowlist: readonly string[]; readonly modelsCachePath?: string },
): Deno.PermissionOptionsObject {
  const read = [place.root, place.cacheDir, place.authPath, ...place.readAllowlist];
  if (place.modelsCachePath) read.push(place.modelsCachePath);
  // Its size and time tell whether it is the Hermes that was asked for its version.
  if (place.hermes.path) read.push(place.hermes.path);
  return {
    read,
    // Never the profile's folder nor the home: a write to the profile's `.env` or `auth.json` would go through the
    // link into the user's own file.
    write: [place.cacheDir, `${place.taskHome}/config.yaml`, configTemporary(place)],
    run: place.hermes.path ? [place.hermes.path] : false,
    env: readableNames(namesInConfig(`${place.home}/config.yaml`)),
    net: false,
    ffi: false,
    sys: false,
    import: false,
  };
}

/** The permissions of the stand-in that plays Hermes in the demo: the profile that it runs in, nothing else. */
export function standInRights({ taskHome }: Pick<Place, "taskHome">): Deno.PermissionOptionsObject {
  return {
    read: [taskHome],
    write: [taskHome],
    run: false,
    env: false,
    net: false,
    ffi: false,
    sys: false,
    import: false,
  };
}

/** Variables that the user's configuration mentions: every `key_env: NAME` and `${NAME}`. */
export function namesInConfig(path: string): string[] {
  try {
    const text = Deno.readTextFileSync(path);
    const found = text.matchAll(/\bkey_env:\s*["']?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}/g);
    return [...found].map(([, keyEnv, reference]) => keyEnv ?? reference!);
  } catch {
    return [];
  }
}
