// Which paths do the settings name? Read before anything else, because they decide what the worker may touch.
// A bad file means defaults here; the worker reads it again in full and reports what is wrong.

/** Settings that name paths. */
export interface PathSettings {
  readonly hermesBin?: string;
  readonly authPath?: string;
  readonly cacheDir?: string;
  readonly modelsCachePath?: string;
  readonly readAllowlist: readonly string[];
}

/** Reads the path settings out of `hermes-task.jsonc`, overridden by the environment. */
export function readPathSettings(
  file: string,
  env: (name: string) => string | undefined,
  separator: string,
): PathSettings {
  const named = parseFile(file);
  const text = (key: string, ...variables: string[]): string | undefined => {
    const value = variables.map(env).find(Boolean) ?? named[key];
    return typeof value === "string" && value ? value : undefined;
  };
  return {
    hermesBin: text("hermesBin", "HERMES_TASK_HERMES_BIN", "HERMES_BIN"),
    authPath: text("authPath", "HERMES_TASK_AUTH_PATH", "HERMES_AUTH_PATH"),
    cacheDir: text("cacheDir", "HERMES_TASK_CACHE_DIR"),
    modelsCachePath: text("modelsCachePath", "HERMES_TASK_MODELS_CACHE_PATH"),
    readAllowlist: list(env("HERMES_TASK_READ_ALLOWLIST"), named.readAllowlist, separator),
  };
}

function list(fromEnv: string | undefined, fromFile: unknown, separator: string): string[] {
  const value = fromEnv ? (parseJson(fromEnv) ?? fromEnv.split(separator)) : fromFile;
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string" && entry !== "") : [];
}

function parseFile(file: string): Record<string, unknown> {
  try {
    const value = parseJson(withoutComments(Deno.readTextFileSync(file)));
    return value !== null && typeof value === "object" && !Array.isArray(value)
      ? value as Record<string, unknown>
      : {};
  } catch {
    return {};
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Drops comments and trailing commas, outside of strings. In two steps: a pattern that looks for a comma's bracket past
 * any comments takes exponential time for a line of slashes.
 */
function withoutComments(text: string): string {
  const keepStrings = (_: string, string?: string): string => string ?? "";
  return text.replace(/^\uFEFF/, "")
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, keepStrings)
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, keepStrings);
}
