// A world in which only files, variables and the clock matter: enough to read providers and models.
import { FileFault, type World } from "../../src/ports.ts";
import { fakeWorld, type WorldOptions } from "./fake_world.ts";

/** What a test puts into the world. Paths are absolute; the root Hermes home is `/h`. */
export interface ProviderWorldFacts {
  /** Text, or the kind of fault that reading it ends in. */
  readonly files?: Readonly<Record<string, string | { readonly fault: FileFault["kind"] }>>;
  /** When a file was changed, epoch milliseconds. Others: now. */
  readonly modifiedMs?: Readonly<Record<string, number>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly place?: WorldOptions["place"];
  readonly settings?: WorldOptions["settings"];
  /** Links that the guardian follows: path to real path. */
  readonly links?: Readonly<Record<string, string>>;
}

/** 2026-08-02T12:00:00Z, the "now" of `tests/fixtures/auth/sample.json`. */
export const NOW_MS = 1785672000_000;

/** Builds such a world. */
export function providerWorld(facts: ProviderWorldFacts = {}): World {
  const home = facts.place?.home ?? "/h";
  const world = fakeWorld({
    nowMs: NOW_MS,
    files: Object.fromEntries(
      Object.entries(facts.files ?? {}).map(([path, file]) => [
        path,
        typeof file === "string" ? file : new FileFault(file.fault, path, "access is denied"),
      ]),
    ),
    environment: facts.env ?? {},
    settings: facts.settings ?? {},
    place: {
      root: "/h",
      home,
      taskHome: "/h/profiles/hermes-task",
      authPath: `${home}/auth.json`,
      cwd: "/work",
      ...facts.place,
    },
  });
  const { stat } = world.files;
  return {
    ...world,
    files: {
      ...world.files,
      stat: async (path) => {
        const found = await stat(path);
        const modifiedMs = facts.modifiedMs?.[path];
        return found && modifiedMs !== undefined ? { ...found, modifiedMs } : found;
      },
    },
    guardian: { ...world.guardian, resolve: (path) => world.guardian.resolve(facts.links?.[path] ?? path) },
  };
}
