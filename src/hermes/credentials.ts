// Which providers exist here, and how is each? From Hermes' credential stores, `.env`, the environment and the user's
// configuration, all only read. Verdicts leave this file, tokens never.
import { PROVIDERS } from "../core/provider.ts";
import {
  parseTimeMs,
  plainHealth,
  type ProviderHealth,
  providerHealth,
  type RowHealth,
  rowHealth,
  type SecretState,
} from "../core/health.ts";
import { FileFault, type World } from "../ports.ts";
import { type Fields, isFields } from "../core/models_dev.ts";
import { type AuthStore, parseObject, readAuthStore } from "./auth_store.ts";
import { readUserConfig, type UserConfig } from "./config.ts";
import { keyNames, type KeyPresence, presenceOf } from "./dotenv.ts";

/** What {@link readHealth} found. */
export interface HealthReading {
  /** Canonical id or `custom:<name>` to its health. A provider that is not in it has no credential here. */
  readonly providers: ReadonlyMap<string, ProviderHealth>;
  /** False when a credential store could not be read: then of a provider not listed nothing is known. */
  readonly complete: boolean;
  readonly warnings: readonly string[];
}

/** Reads the health of every provider that exists here; `known` is the configuration, if it was read. Never throws for a bad file. */
export async function readHealth(world: World, known?: UserConfig): Promise<HealthReading> {
  const { place } = world;
  const ownPath = `${place.home}/auth.json`;
  const rootPath = `${place.root}/auth.json`;
  // A store that a setting names is the whole truth; a profile's own falls through to the root's, as in Hermes.
  const fallsThrough = place.authPath === ownPath && ownPath !== rootPath;
  const warnings: string[] = [];
  const [own, root, config, dotenv, breakerUntilMs] = await Promise.all([
    readAuthStore(world.files, place.authPath),
    fallsThrough ? readAuthStore(world.files, rootPath) : undefined,
    known ?? readUserConfig(world),
    readDotenv(world, warnings),
    readBreaker(world, warnings),
  ]);
  const stores = root ? [own, root] : [own];
  const here: Surroundings = { world, stores, config, dotenv, breakerUntilMs, nowMs: world.clock.now() };
  const providers = new Map<string, ProviderHealth>();
  for (const id of idsHere(here)) {
    const health = healthOf(id, here);
    if (health) providers.set(id, health);
  }
  warnings.unshift(
    ...[...stores.map((store) => store.problem), config.problem].filter((line) => line !== undefined),
  );
  if (providers.size === 0 && own.missing) {
    warnings.push(
      `There is no "${own.path}" and no key is set; run hermes auth add gemini`,
    );
  }
  return { providers, complete: stores.every((store) => !store.problem), warnings };
}

/** All that a verdict rests on. */
interface Surroundings {
  readonly world: World;
  /** The active profile's store, then the root's when that is another. */
  readonly stores: readonly AuthStore[];
  readonly config: UserConfig;
  readonly dotenv: ReadonlyMap<string, KeyPresence>;
  readonly breakerUntilMs: number | undefined;
  readonly nowMs: number;
}

type ConfigEntry = UserConfig["providers"][number];

async function readDotenv(world: World, warnings: string[]): Promise<ReadonlyMap<string, KeyPresence>> {
  const text = await readOptional(world, `${world.place.home}/.env`, warnings);
  return keyNames(text ?? "");
}

/** Hermes' breaker for Nous: all its sessions hold back until then. */
async function readBreaker(world: World, warnings: string[]): Promise<number | undefined> {
  const text = await readOptional(world, `${world.place.home}/rate_limits/nous.json`, warnings);
  return text === undefined ? undefined : parseTimeMs(parseObject(text)?.reset_at);
}

async function readOptional(world: World, path: string, warnings: string[]): Promise<string | undefined> {
  try {
    return await world.files.readText(path);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (error.kind !== "missing") warnings.push(`Cannot read ${error.message}; let this user read it`);
    return undefined;
  }
}

function idsHere({ stores, config }: Surroundings): Set<string> {
  return new Set([
    ...PROVIDERS.map((facts) => facts.id),
    ...stores.flatMap((store) => [...store.pool.keys()]),
    ...config.providers.map(idOfEntry),
  ]);
}

/** An entry with an address or a key is a provider of its own, also under a known name (0.19.0); else it is about that one. */
function idOfEntry(entry: ConfigEntry): string {
  const name = entry.name.toLowerCase();
  const isOwn = entry.baseUrl !== undefined || entry.keyEnv !== undefined || entry.hasKey;
  return !isOwn && PROVIDERS.some((facts) => facts.id === name) ? name : entry.id;
}

/** Undefined when nothing here speaks of the provider. */
function healthOf(id: string, here: Surroundings): ProviderHealth | undefined {
  const entry = here.config.providers.find((one) => idOfEntry(one) === id);
  if (entry && !entry.enabled) {
    return plainHealth(id, "unconfigured", `switched off in config.yaml (providers.${entry.name}.enabled)`);
  }
  const owner = here.stores.find((store) => store.pool.get(id)?.length);
  const pool = owner?.pool.get(id) ?? [];
  const rows = [
    ...pool.map((row) => judged(row, rowSecret(id, row, here), id, here)),
    ...unseenRows(id, pool, here, entry),
  ];
  if (rows.length === 0) return quarantined(id, here) ?? onlyGitHubToken(id, here);
  // A store that cannot be read may hold a mark on any of these.
  const hidden = here.stores.find((store) => store === owner || store.problem)?.problem;
  return hidden
    ? plainHealth(id, "unknown", "its state is not known: the credential store cannot be read")
    : providerHealth(id, rows);
}

function judged(row: unknown, secret: SecretState, id: string, here: Surroundings): RowHealth {
  return rowHealth(row, here.nowMs, {
    secret,
    forgiveTtlMs: here.world.settings.values.exhaustedForgiveTtlMs,
    breakerUntilMs: id === "nous" ? here.breakerUntilMs : undefined,
  });
}

/** Credentials that Hermes has not made a row for yet: keys in `.env` and environment, logins, configuration. */
function unseenRows(
  id: string,
  pool: readonly unknown[],
  here: Surroundings,
  entry?: ConfigEntry,
): RowHealth[] {
  const sources = new Set(pool.map((row) => isFields(row) ? row.source : undefined));
  const rows: RowHealth[] = [];
  const add = (source: string, secret: SecretState) => rows.push(judged({ source }, secret, id, here));
  for (const name of keyVariablesOf(id)) {
    const source = `env:${name}`;
    const secret = variableSecret(name, here);
    const seen = sources.has(source) || isSuppressed(id, source, here) || isAnyGitHubToken(name);
    if (!seen && !isAbsent(secret)) add(source, secret);
  }
  if (pool.length === 0 && hasLogin(id, loginOf(id, here))) add("login", "present");
  if (entry && !sources.has(`config:${entry.name}`)) {
    const secret = entrySecret(entry, here);
    if (id.startsWith("custom:") || entry.hasKey || (entry.keyEnv && !isAbsent(secret))) {
      add(`config:${entry.name}`, secret);
    }
  }
  return rows;
}

function keyVariablesOf(id: string): readonly string[] {
  return PROVIDERS.find((facts) => facts.id === id)?.keyVariables ?? [];
}

/** Where the secret of a pool row is. Rows with a borrowed secret hold none themselves. */
function rowSecret(id: string, row: unknown, here: Surroundings): SecretState {
  if (!isFields(row)) return { absent: "" };
  if ([row.access_token, row.agent_key, row.refresh_token].some(presenceOf)) return "present";
  const source = typeof row.source === "string" ? row.source : "";
  if (isSuppressed(id, source, here)) {
    return { absent: `removed with hermes auth remove: run hermes auth add ${id}` };
  }
  if (source.startsWith("env:")) {
    const secret = variableSecret(source.slice("env:".length), here);
    if (!isAbsent(secret) || typeof row.secret_source !== "string" || !row.secret_source) return secret;
    return { probably: `its key comes from ${row.secret_source}, which cannot be seen from here` };
  }
  if (source.startsWith("config:")) {
    const entry = here.config.providers.find((one) => idOfEntry(one) === id);
    return entry ? entrySecret(entry, here) : { probably: "its key is in config.yaml" };
  }
  if (["claude_code", "qwen-cli", "gh_cli", "model_config"].includes(source)) {
    return { probably: `its login is kept by ${source}, which cannot be seen from here` };
  }
  return { absent: `no key is stored: run hermes auth add ${id}` };
}

function variableSecret(name: string, { dotenv, world }: Surroundings): SecretState {
  const presence = dotenv.get(name);
  if (presence === "key" || presenceOf(world.environment.get(name)) === "key") return "present";
  if (presence) return { probably: `${name} refers to a secret manager` };
  return { absent: `no key: set ${name}` };
}

function entrySecret(entry: ConfigEntry, here: Surroundings): SecretState {
  if (entry.hasKey) return "present";
  // Local servers often want no key.
  return entry.keyEnv ? variableSecret(entry.keyEnv, here) : { probably: "config.yaml names no key for it" };
}

function isAbsent(secret: SecretState): boolean {
  return typeof secret === "object" && "absent" in secret;
}

function isSuppressed(id: string, source: string, { stores }: Surroundings): boolean {
  return stores[0]?.suppressed.get(id)?.has(source) ?? false;
}

function loginOf(id: string, { stores }: Surroundings): Fields | undefined {
  return stores.map((store) => store.logins.get(id)).find((login) => login !== undefined);
}

/** Of `providers.<id>` only these are logins; the others are caches, markers and tools. */
function hasLogin(id: string, login: Fields | undefined): boolean {
  if (!login) return false;
  if (id === "nous") return [login.access_token, login.agent_key].some(presenceOf);
  if (id === "minimax-oauth") return presenceOf(login.access_token) !== undefined;
  if (id !== "openai-codex" && id !== "xai-oauth") return false;
  return isFields(login.tokens) && presenceOf(login.tokens.access_token) !== undefined;
}

/** A login that Hermes removed because it was refused. */
function quarantined(id: string, here: Surroundings): ProviderHealth | undefined {
  const error = loginOf(id, here)?.last_auth_error;
  return isFields(error) ? plainHealth(id, "dead", `login refused: run hermes auth add ${id}`) : undefined;
}

/** These variables usually hold a token for git; whether Copilot takes it only a call can tell. */
function isAnyGitHubToken(name: string): boolean {
  return name === "GH_TOKEN" || name === "GITHUB_TOKEN";
}

function onlyGitHubToken(id: string, here: Surroundings): ProviderHealth | undefined {
  const name = keyVariablesOf(id).find((one) =>
    isAnyGitHubToken(one) && !isSuppressed(id, `env:${one}`, here) && !isAbsent(variableSecret(one, here))
  );
  return name ? plainHealth(id, "unknown", `${name} may not be a token for it`) : undefined;
}
