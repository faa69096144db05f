// Reads Hermes' `auth.json` without judging it: pool rows, logins, and what the user removed.
import { type Fields, isFields } from "../core/models_dev.ts";
import { FileFault, type Files } from "../ports.ts";

/** One credential store. Maps, so that a provider called `constructor` is just a name. */
export interface AuthStore {
  readonly path: string;
  readonly missing: boolean;
  /** Why nothing can be said of its providers, with the next step; the maps are empty then. */
  readonly problem?: string;
  /** Provider id to its rows, unread. */
  readonly pool: ReadonlyMap<string, readonly unknown[]>;
  /** `providers.<id>`: logins, and things that are none. */
  readonly logins: ReadonlyMap<string, Fields>;
  /** Provider id to the sources that the user removed. */
  readonly suppressed: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads a store. Never throws: what is wrong is in `problem`. Tokens stay inside the rows. */
export async function readAuthStore(files: Files, path: string): Promise<AuthStore> {
  try {
    return parseAuthStore(path, await files.readText(path));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (error.kind === "missing") return { ...emptyStore(path), missing: true };
    const next = error.kind === "denied" ? `let this user read it` : "run hermes doctor";
    return { ...emptyStore(path), problem: `Cannot read ${error.message}; ${next}` };
  }
}

function parseAuthStore(path: string, text: string): AuthStore {
  const root = parseObject(text);
  if (!root) {
    // The parser's own words would quote the text, keys included.
    const why = /[:[,]\s*-?(NaN|Infinity)\b/.exec(text)?.[1];
    const words = why ? `it holds ${why}, which is not JSON` : "it is not a JSON object";
    return {
      ...emptyStore(path),
      problem: `Cannot read "${path}": ${words}; mend it, or move it away and sign in again: hermes auth add`,
    };
  }
  return {
    path,
    missing: false,
    pool: new Map(
      entries(root.credential_pool).flatMap(([id, rows]) => Array.isArray(rows) ? [[id, rows]] : []),
    ),
    logins: new Map(entries(root.providers).flatMap(([id, state]) => isFields(state) ? [[id, state]] : [])),
    suppressed: new Map(entries(root.suppressed_sources).map(([id, sources]) => [id, sourcesOf(sources)])),
  };
}

/** Parses a JSON object; undefined for anything else. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isFields(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Own entries of an object; none of anything else. */
export function entries(value: unknown): [string, unknown][] {
  return isFields(value) ? Object.entries(value) : [];
}

function emptyStore(path: string): AuthStore {
  return { path, missing: false, pool: new Map(), logins: new Map(), suppressed: new Map() };
}

/** A list of sources; newer Hermes versions also know an object whose keys they are. */
function sourcesOf(value: unknown): ReadonlySet<string> {
  const names = Array.isArray(value) ? value : entries(value).filter(([, on]) => on).map(([name]) => name);
  return new Set(names.filter((name) => typeof name === "string"));
}
