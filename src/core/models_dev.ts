// What does the models.dev catalogue, as Hermes caches it, say about a model of one of Hermes' providers?
import { PROVIDERS } from "./provider.ts";

/** Any JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The catalogue, opened provider by provider when asked for. */
export interface ModelsDev {
  /** The entry of a model. `own` is false when only another seller's entry for the same model was found. */
  entryOf(provider: string, model: string): { readonly entry: Fields; readonly own: boolean } | undefined;
  /** Ids of a provider's models, newest first: there is no order of merit, and the oldest are years old. */
  idsOf(provider: string): readonly string[];
}

/** Opens the parsed `models_dev_cache.json`; undefined: there is none. */
export function openModelsDev(root: Fields | undefined): ModelsDev {
  const opened = new Map<string, Entries>();
  const entriesOf = (id: string | undefined): Entries => {
    if (!root || id === undefined) return new Map();
    const entries = opened.get(id) ?? readEntries(root, id);
    opened.set(id, entries);
    return entries;
  };
  return {
    entryOf(provider, model) {
      const name = model.toLowerCase();
      const own = entriesOf(IDS.get(provider));
      const found = own.get(name) ?? (provider === "ollama-cloud" ? cloudEntry(own, name) : undefined);
      if (found) return { entry: found.entry, own: true };
      // Hermes looks ids with a vendor up at OpenRouter when their own provider is not mapped.
      const elsewhere = name.includes("/") ? entriesOf("openrouter").get(name) : undefined;
      return elsewhere && { entry: elsewhere.entry, own: false };
    },
    idsOf: (provider) => [...entriesOf(IDS.get(provider)).values()].toSorted(byRelease).map((one) => one.id),
  };
}

interface Entry {
  readonly id: string;
  readonly entry: Fields;
}

/** By id in lower case. */
type Entries = ReadonlyMap<string, Entry>;

const IDS: ReadonlyMap<string, string | undefined> = new Map(
  PROVIDERS.map((facts) => [facts.id, facts.modelsDevId]),
);

/** Ollama's service leaves out an ending that models.dev writes. */
function cloudEntry(own: Entries, name: string): Entry | undefined {
  return own.get(`${name}:cloud`) ?? own.get(`${name}-cloud`);
}

function readEntries(root: Fields, id: string): Entries {
  const provider = Object.hasOwn(root, id) ? root[id] : undefined;
  const models = isFields(provider) && isFields(provider.models) ? provider.models : {};
  const entries = new Map<string, Entry>();
  for (const [name, entry] of Object.entries(models)) {
    if (isFields(entry)) entries.set(name.toLowerCase(), { id: name, entry });
  }
  return entries;
}

function byRelease(a: Entry, b: Entry): number {
  const [dateA, dateB] = [dateOf(a), dateOf(b)];
  return dateA < dateB ? 1 : dateA > dateB ? -1 : 0;
}

function dateOf({ entry }: Entry): string {
  return typeof entry.release_date === "string" ? entry.release_date : "";
}

/** Is this a JSON object (no array, no null)? */
export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
