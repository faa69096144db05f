// Starts a supervisor: this very program in another role, in a session of its own, without our streams, and not as a
// child of ours, so that a host which ends everything below us does not find it.
import { PASSED_ON, registryKeyNames } from "../core/environment.ts";
import type { Located } from "./locate.ts";
import { namesInConfig } from "./rights.ts";

/** Rights of the bootstrap when it runs from source; a compiled program has them built in. */
const SOURCE_FLAGS = [
  "run",
  "--quiet",
  "--no-prompt",
  "--unstable-worker-options",
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-env",
  "--allow-sys=homedir",
];

/** By these Deno finds its modules. */
const DENO_OWN = ["DENO_DIR", "DENO_NO_UPDATE_CHECK", "JSR_URL", "NPM_CONFIG_REGISTRY", "DENO_TLS_CA_STORE"];

/** A shell that starts a program in the background and is gone at once: the program is then nobody's child. */
const DISOWN = '"$@" </dev/null >/dev/null 2>&1 &';

/** Starts one that finds the same Hermes and files as we do. `main` is our own main module, unused when compiled. */
export function launchSupervisor(
  place: Located,
  variables: readonly string[],
  main: string,
): string | undefined {
  // An update of this very program while it runs: Linux names the old file so, the new one is in its place.
  const program = Deno.execPath().replace(/ \(deleted\)$/, "");
  const args = [...Deno.build.standalone ? [] : [...SOURCE_FLAGS, main], "supervise"];
  const options = {
    cwd: place.root,
    clearEnv: true,
    env: environmentFor(place, variables),
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: Deno.build.os !== "windows",
  } as const;
  try {
    spawnDisowned(program, args, options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function spawnDisowned(program: string, args: readonly string[], options: Deno.CommandOptions): void {
  if (Deno.build.os !== "windows") {
    try {
      new Deno.Command("/bin/sh", { args: ["-c", DISOWN, "sh", program, ...args], ...options }).spawn()
        .unref();
      return;
    } catch (error) {
      // A script that imports us need not allow a shell: then it stays our child.
      if (!(error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  new Deno.Command(program, { args: [...args], ...options }).spawn().unref();
}

/** What every supervisor gets, where we found things, and of the keys only what was asked for. */
function environmentFor(place: Located, asked: readonly string[]): Record<string, string> {
  const keyNames = [...registryKeyNames(), ...namesInConfig(`${place.home}/config.yaml`)];
  const keys = asked.filter((name) => keyNames.includes(name));
  const ours = namesHere().filter((name) => name.startsWith("HERMES_") && !keyNames.includes(name));
  const env: Record<string, string> = {};
  for (const name of [...PASSED_ON, ...DENO_OWN, ...ours, ...keys]) {
    const value = valueOf(name);
    if (value !== undefined) env[name] = value;
  }
  return {
    ...env,
    HERMES_HOME: place.home,
    ...place.hermes.path ? { HERMES_TASK_HERMES_BIN: place.hermes.path } : {},
    HERMES_TASK_AUTH_PATH: place.authPath,
    HERMES_TASK_CACHE_DIR: place.cacheDir,
    HERMES_TASK_READ_ALLOWLIST: JSON.stringify(place.readAllowlist),
    ...place.modelsCachePath ? { HERMES_TASK_MODELS_CACHE_PATH: place.modelsCachePath } : {},
  };
}

/** A script that imports us may allow single names only. */
function namesHere(): string[] {
  try {
    return Object.keys(Deno.env.toObject());
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return [];
    throw error;
  }
}

function valueOf(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}
