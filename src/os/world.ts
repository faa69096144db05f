// Puts the outside world together.
import type { Settings } from "../core/settings.ts";
import { resolveSettings } from "../core/settings_layers.ts";
import type { Guardian, Place, World } from "../ports.ts";
import { createMemory } from "./memory.ts";
import { databases, systemFiles } from "./files.ts";
import { processes } from "./process.ts";
import { openQueue } from "./queue.ts";
import { openRecordStore } from "./records.ts";
import { readSettingsFile } from "./settings_file.ts";
import { clock, environment } from "./system.ts";

/** What is special about a world. */
export interface WorldOptions {
  /** Settings of an embedding program. */
  readonly given?: Partial<Settings>;
  /** Does this process run by itself what it waits for? */
  readonly runsItself?: boolean;
}

/** The world of one process, on the system's own clock, files and children. */
export async function createWorld(
  start: { readonly place: Place },
  guardian: Guardian,
  { given, runsItself = false }: WorldOptions = {},
): Promise<World> {
  const { place } = start;
  const files = systemFiles((path) => `${path}.${place.owner}.tmp`);
  const settings = resolveSettings({
    given,
    env: environment.get,
    pathSeparator: place.os === "windows" ? ";" : ":",
    ...await readSettingsFile(files, place.settingsPath),
  });
  return {
    place,
    settings: {
      ...settings,
      problems: [...settings.problems, ...cacheProblem(place, settings.values.cacheDir)],
    },
    clock,
    environment,
    files,
    databases,
    processes,
    guardian,
    records: openRecordStore({ dir: place.cacheDir, now: clock.now }),
    memory: createMemory(),
    queue: openQueue({ dir: place.cacheDir, owner: place.owner, clock }),
    runsItself,
  };
}

/** A cache folder that holds other files is not used: all of it would be ours to write. */
function cacheProblem({ root, cacheDir }: Place, asked: string): string[] {
  const isOwn = asked === "" || cacheDir !== `${root}/hermes-task-cache` ||
    asked.endsWith("hermes-task-cache");
  return isOwn ? [] : [`cacheDir: "${asked}" holds other files too; "${cacheDir}" is used instead`];
}
