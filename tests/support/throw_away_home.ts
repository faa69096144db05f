// A home for one test: HOME and a root Hermes home below it, with keys that are none; gone afterwards. And the guard
// that proves that the real one was not touched.
import { dirname, join } from "@std/path";
import { aliveTasksIn, kill, supervisorsOf } from "./processes.ts";

/** What a test wants in its home. */
export interface HomeOptions {
  /** Text of `config.yaml`; a plain one when left out, none at all for null. */
  readonly config?: string | null;
  /** Text of `auth.json`, or an object to write as JSON; {@link plainAuth} when left out, none for null. */
  readonly auth?: string | Record<string, unknown> | null;
  /** Text of `.env`; empty when left out. */
  readonly dotenv?: string;
  /** Further files, by path below the root Hermes home. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A throw-away home. `await using` removes it. */
export interface ThrowAwayHome extends AsyncDisposable {
  /** The HOME folder. */
  readonly home: string;
  /** The root Hermes home, `<home>/.hermes`. */
  readonly root: string;
  /** An empty folder for programs, first on the PATH of {@link ThrowAwayHome.env}. */
  readonly bin: string;
  /** An empty working folder. */
  readonly work: string;
  /** HOME, PATH, locale: all that a program started in this home needs. */
  readonly env: Readonly<Record<string, string>>;
}

/** Makes a home. */
export async function makeHome(options: HomeOptions = {}): Promise<ThrowAwayHome> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "hermes-task-test-" }));
  const [root, bin, work] = [join(home, ".hermes"), join(home, "bin"), join(home, "work")];
  for (const dir of [root, bin, work]) await Deno.mkdir(dir, { mode: 0o700 });
  for (const [name, text] of Object.entries(filesOf(options))) {
    await Deno.mkdir(dirname(join(root, name)), { recursive: true });
    await Deno.writeTextFile(join(root, name), text, { mode: 0o600 });
  }
  return {
    home,
    root,
    bin,
    work,
    env: { HOME: home, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, LANG: "C.UTF-8" },
    [Symbol.asyncDispose]: () => removeHome(home),
  };
}

/** Supervisors live on for a while after their last task, and may write until they are gone; of a failed test more. */
async function removeHome(home: string): Promise<void> {
  for (let tries = 1;; tries++) {
    for (const { pid } of [...await supervisorsOf({ home }), ...await aliveTasksIn({ home })]) kill(pid);
    try {
      return await Deno.remove(home, { recursive: true });
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Runs `body` in a home of its own. */
export async function withHome<T>(
  options: HomeOptions,
  body: (home: ThrowAwayHome) => Promise<T>,
): Promise<T> {
  await using home = await makeHome(options);
  return await body(home);
}

function filesOf(options: HomeOptions): Record<string, string> {
  const files: Record<string, string> = { ".env": options.dotenv ?? "", ...options.files };
  if (options.config !== null) files["config.yaml"] = options.config ?? PLAIN_CONFIG;
  const auth = options.auth === undefined ? plainAuth() : options.auth;
  if (auth !== null) files["auth.json"] = typeof auth === "string" ? auth : JSON.stringify(auth, null, 2);
  return files;
}

const PLAIN_CONFIG = `model:
  default: some-model
  provider: openrouter
`;

/** One healthy key for each provider that tests use; all made up. */
export function plainAuth(): Record<string, unknown> {
  const providers = ["nvidia", "huggingface", "gemini", "kimi-coding", "openrouter", "opencode-zen"];
  const pool = providers.map((id) => [id, [poolRow(id)]]);
  return { version: 1, providers: {}, active_provider: null, credential_pool: Object.fromEntries(pool) };
}

/** A row of the credential pool as `hermes auth add` (0.19.0) writes it, with changes. */
export function poolRow(provider: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: "a1b2c3",
    label: `${provider}-1`,
    auth_type: "api_key",
    priority: 0,
    source: "manual",
    access_token: `planted-${provider}-key-0123456789`,
    last_status: null,
    last_status_at: null,
    last_error_code: null,
    last_error_reason: null,
    last_error_message: null,
    last_error_reset_at: null,
    base_url: "http://127.0.0.1:9/v1",
    request_count: 0,
    ...changes,
  };
}

/** Remembers the real `~/.hermes`; the returned function throws if anything in it was made, changed or removed. */
export async function guardRealHome(): Promise<() => Promise<void>> {
  const home = Deno.env.get("HOME");
  const path = home ? join(home, ".hermes") : undefined;
  const before = path ? await snapshot(path) : "";
  return async () => {
    if (path && await snapshot(path) !== before) {
      throw new Error(`The real Hermes home "${path}" changed during the tests; a test did not use its own`);
    }
  };
}

/** Names and times down to the second level; deep enough to see any write of Hermes or ours. */
async function snapshot(path: string, depth = 2): Promise<string> {
  const facts = await Deno.lstat(path).catch(() => undefined);
  if (!facts) return `${path} missing`;
  const own = `${path} ${facts.mtime?.getTime()} ${facts.size}`;
  if (!facts.isDirectory || depth === 0) return own;
  const names = [];
  for await (const entry of Deno.readDir(path)) names.push(entry.name);
  const below = await Promise.all(names.sort().map((name) => snapshot(join(path, name), depth - 1)));
  return [own, ...below].join("\n");
}
