// Everything that must be known before a route can be chosen and Hermes started.
import type { Catalog } from "../core/catalog.ts";
import { buildEnvironment } from "../core/invocation.ts";
import type { Failure } from "../core/failure.ts";
import type { ProviderHealth } from "../core/health.ts";
import { keepTaskConfig, readUserConfig, type UserConfig } from "../hermes/config.ts";
import { type HealthReading, readHealth } from "../hermes/credentials.ts";
import { type HermesFacts, missingFlags, probeHermes } from "../hermes/install.ts";
import type { Patience } from "../hermes/ended_within.ts";
import { readCatalog } from "../hermes/models.ts";
import { FileFault, SpawnFault, type World } from "../ports.ts";

/** Where Hermes will run: in the task profile, or, when that cannot be made, in the user's own home. */
export interface HermesHome {
  readonly path: string;
  readonly ignoreUserConfig: boolean;
  /** Why it is not the task profile. */
  readonly warning?: string;
}

/** What was found. */
export interface Facts {
  readonly user: UserConfig;
  readonly health: ReadonlyMap<string, ProviderHealth>;
  readonly catalog: Catalog;
  readonly home: HermesHome;
  /** Undefined with `failure`. */
  readonly hermes: HermesFacts | undefined;
  readonly failure: Failure | undefined;
  readonly warnings: readonly string[];
}

/** Gathers the facts. Broken surroundings end in `failure` or `warnings`, never in an exception. */
export async function gatherFacts(world: World, deadlineMs: number, signal?: AbortSignal): Promise<Facts> {
  const user = await readUserConfig(world);
  const [{ providers: health, warnings: ofCredentials }, catalog, home]: [
    HealthReading,
    Catalog,
    HermesHome,
  ] = await Promise.all([
    readHealth(world, user),
    readCatalog(world, { known: user }),
    // Without a Hermes nothing will run there: the user's home stays as it is.
    world.place.hermes.path
      ? settleHome(world, user)
      : { path: world.place.taskHome, ignoreUserConfig: false },
  ]);
  const { hermes, failure: noHermes, warning } = await lookAtHermes(world, home, {
    limitMs: (deadlineMs - world.clock.now()) / 2,
    signal,
  });
  const warnings = [user.problem, ...ofCredentials, home.warning, warning].filter((text) =>
    text !== undefined
  );
  const failure = noHermes ?? withoutSafeguards(user, home);
  return { user, health, catalog, home, hermes, failure, warnings };
}

/** Hermes 0.19 runs on its defaults where it cannot read its configuration: then nothing says what the user forbids. */
function withoutSafeguards(user: UserConfig, home: HermesHome): Failure | undefined {
  if (!user.broken || !home.ignoreUserConfig) return undefined;
  return {
    code: "spawn_failed",
    detail: user.problem ?? "The user's configuration cannot be read; run hermes doctor",
  };
}

/** Makes or mends the task profile; where that fails, tasks run as the user's own Hermes would, less its defaults. */
export async function settleHome(world: World, user: UserConfig): Promise<HermesHome> {
  const { ok, problem } = await world.guardian.prepareProfile();
  const why = ok ? await writeConfig(world, user) : problem;
  if (why === undefined) return { path: world.place.taskHome, ignoreUserConfig: false };
  return {
    path: world.place.home,
    ignoreUserConfig: true,
    warning:
      `No task profile (${why}): Hermes runs with --ignore-user-config, so a rate limit may hold it up for long; mend that, then try again`,
  };
}

/** A configuration that cannot be read leaves the profile as it was made the last time. */
async function writeConfig(world: World, user: UserConfig): Promise<string | undefined> {
  if (user.problem) {
    return await world.files.stat(`${world.place.taskHome}/config.yaml`) ? undefined : user.problem;
  }
  try {
    await keepTaskConfig(world, user);
    return undefined;
  } catch (error) {
    if (error instanceof FileFault) return error.message;
    throw error;
  }
}

async function lookAtHermes(
  world: World,
  home: HermesHome,
  limits: Patience,
): Promise<{ hermes?: HermesFacts; failure?: Failure; warning?: string }> {
  const { path } = world.place.hermes;
  if (!path) return { failure: noHermes(world) };
  try {
    const env = buildEnvironment(
      { home: home.path, mark: "", depth: world.place.depth, variables: [] },
      world.environment.get,
    );
    const hermes = await probeHermes(world, path, env, limits);
    const missing = missingFlags(hermes);
    if (missing.length > 0) return { failure: tooOld(path, hermes, missing) };
    return hermes.version === null
      ? { hermes, warning: `"${path}" does not say which version of Hermes it is` }
      : { hermes };
  } catch (error) {
    if (!(error instanceof SpawnFault)) throw error;
    return {
      failure: {
        code: "spawn_failed",
        detail: `Cannot start Hermes: ${error.message}; name another with HERMES_BIN`,
      },
    };
  }
}

function noHermes({ place }: World): Failure {
  const { problem, tried } = place.hermes;
  const found = problem ? `${problem}` : "there is none";
  return {
    code: "spawn_failed",
    detail: `No Hermes to start: ${found}; looked at ${
      tried.slice(0, 12).join(", ") || "nothing"
    }; install Hermes, or name it with HERMES_BIN`,
  };
}

function tooOld(path: string, hermes: HermesFacts, missing: readonly string[]): Failure {
  return {
    code: "hermes_too_old",
    detail: `Hermes ${hermes.version} at "${path}" lacks ${missing.join(", ")}; update it (0.19.0 or newer)`,
  };
}
