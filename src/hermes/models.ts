// Which models does Hermes know? Reads its provider list and its copy of the models.dev catalogue; only Hermes itself
// can refresh them.
import { buildCatalog, type Catalog, type ModelList } from "../core/catalog.ts";
import { parseTimeMs } from "../core/health.ts";
import { type Fields, isFields } from "../core/models_dev.ts";
import { FileFault, type World } from "../ports.ts";
import { entries, parseObject } from "./auth_store.ts";
import { readUserConfig, type UserConfig } from "./config.ts";

const LIST_NAME = "provider_models_cache.json";
const FACTS_NAME = "models_dev_cache.json";
/** Hermes 0.19 itself no longer uses a list older than this. */
const OLD_MS = 7 * 86_400_000;
const REFRESH = "run hermes model in a terminal";

/** Reads the catalogue. Never throws for a bad file; `cachePath` is read instead of Hermes' own provider lists. */
export async function readCatalog(
  world: World,
  options: { readonly cachePath?: string; readonly known?: UserConfig } = {},
): Promise<Catalog> {
  const warnings: string[] = [];
  const [lists, facts, config] = await Promise.all([
    readLists(world, options.cachePath ?? world.settings.values.modelsCachePath, warnings),
    readFacts(world, warnings),
    options.known ?? readUserConfig(world),
  ]);
  const configured = config.providers.flatMap(({ id, defaultModel, enabled }) =>
    defaultModel && enabled ? [{ provider: id, model: defaultModel }] : []
  );
  return buildCatalog(
    { lists, modelsDev: facts?.root, modelsDevAtMs: facts?.atMs, configured, warnings },
    world.settings.values,
  );
}

/** Merges the lists of all homes, per provider the newer one. */
async function readLists(
  world: World,
  chosenPath: string,
  warnings: string[],
): Promise<ReadonlyMap<string, ModelList>> {
  const paths = chosenPath ? [chosenPath] : pathsOf(world, LIST_NAME);
  const files = await Promise.all(paths.map((path) => readJson(world, path, warnings, chosenPath !== "")));
  const lists = new Map<string, ModelList>();
  for (const [provider, entry] of files.flatMap((root) => entries(root))) {
    const list = parseList(entry);
    const there = lists.get(provider);
    if (list && (!there || (list.atMs ?? 0) > (there.atMs ?? 0))) lists.set(provider, list);
  }
  const newestMs = Math.max(0, ...[...lists.values()].map((list) => list.atMs ?? 0));
  if (lists.size === 0) {
    if (warnings.length === 0) warnings.push(`No provider list of Hermes at "${paths[0]}": ${REFRESH}`);
  } else warnIfOld("provider list", newestMs, world, warnings);
  return lists;
}

function parseList(entry: unknown): ModelList | undefined {
  if (!isFields(entry) || !Array.isArray(entry.models)) return undefined;
  const models = entry.models.filter((id): id is string => typeof id === "string" && id !== "");
  return { models: [...new Set(models)], atMs: parseTimeMs(entry.at) ?? null };
}

/** The newest readable copy: it is large, so the others stay unread. */
async function readFacts(
  world: World,
  warnings: string[],
): Promise<{ root: Fields; atMs: number } | undefined> {
  const paths = pathsOf(world, FACTS_NAME);
  const found = await Promise.all(paths.map(async (path) => ({ path, facts: await world.files.stat(path) })));
  const newestFirst = found.flatMap(({ path, facts }) =>
    facts?.kind === "file" ? [{ path, atMs: facts.modifiedMs, sizeBytes: facts.sizeBytes }] : []
  )
    .toSorted((a, b) => b.atMs - a.atMs);
  for (const { path, atMs, sizeBytes } of newestFirst) {
    // 1.5 MB for 5,000 models: to read and parse it takes longer than all else before a start of Hermes.
    const root = await world.memory.kept(
      path,
      `${sizeBytes} ${atMs}`,
      () => readJson(world, path, warnings, true),
    );
    if (!root) continue;
    warnIfOld("copy of models.dev", atMs, world, warnings);
    return { root, atMs };
  }
  if (newestFirst.length === 0) {
    warnings.push(`No abilities and prices of models at "${paths[0]}": ${REFRESH}`);
  }
  return undefined;
}

/** Every home whose Hermes may have written a cache: the root, the active profile, the task profile. */
function pathsOf({ place }: World, name: string): string[] {
  return [...new Set([place.root, place.home, place.taskHome])].map((home) => `${home}/${name}`);
}

async function readJson(
  world: World,
  path: string,
  warnings: string[],
  mustBeThere: boolean,
): Promise<Fields | undefined> {
  try {
    const root = parseObject(await world.files.readText(path));
    if (!root) warnings.push(`Cannot read "${path}": it is not a JSON object; ${REFRESH} to write it anew`);
    return root;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (error.kind !== "missing" || mustBeThere) warnings.push(`Cannot read ${error.message}; ${REFRESH}`);
    return undefined;
  }
}

function warnIfOld(what: string, atMs: number, world: World, warnings: string[]): void {
  const ageMs = world.clock.now() - atMs;
  if (atMs > 0 && ageMs > OLD_MS) {
    warnings.push(`Hermes' ${what} is ${Math.floor(ageMs / 86_400_000)} days old: ${REFRESH}`);
  }
}
