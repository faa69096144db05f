// Where does a real Hermes for tests and demo come from? From PyPI by pip, pinned with all it needs, into a virtual
// environment of its own in the cache folder; the user's Hermes is neither used nor touched.
import { fromFileUrl, join } from "@std/path";
import { exists, sha256, toolsFolder } from "./npm_package.ts";

const VERSION = "0.19.0";
const CONSTRAINTS = fromFileUrl(new URL("./hermes-constraints.txt", import.meta.url));
// Hermes 0.19.0 runs on these.
const PYTHONS = ["python3.13", "python3.12", "python3.11", "python3", "python"];
const FITS = "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))";
// What Hermes needs, and where pip is told to keep quiet and to ask nothing.
const INSTALL = ["install", "--no-input", "--disable-pip-version-check", "--quiet"];

/** Says one line to the person who waits. */
export type Log = (line: string) => void;

/**
 * Returns the path of a real `hermes`, installing it when needed (about 20 s, 230 MB, once).
 * Undefined when no Python fits or pip failed; then `log` has said why and what to do.
 */
export async function ensureHermes(log: Log): Promise<string | undefined> {
  const folder = join(toolsFolder(), `hermes-${VERSION}`);
  const hermes = join(folder, "bin", "hermes");
  const stamp = await sha256(await Deno.readFile(CONSTRAINTS));
  if (await stampOf(folder) === stamp && await exists(hermes)) return hermes;
  const python = await findPython();
  if (python === undefined) {
    log("no Python from 3.11 to 3.13 is on PATH: install one, then run this again");
    return undefined;
  }
  await Deno.mkdir(toolsFolder(), { recursive: true });
  using lock = await Deno.open(join(toolsFolder(), "hermes.lock"), { write: true, create: true });
  await lock.lock(true);
  // Another process may have finished it while this one waited.
  if (await stampOf(folder) === stamp && await exists(hermes)) return hermes;
  log(`installing Hermes ${VERSION} with ${python} into ${folder} (230 MB, once)`);
  const problem = await install(python, folder);
  if (problem !== undefined) {
    log(
      `Cannot install Hermes ${VERSION}: ${problem}; check the network and that this Python has venv and pip`,
    );
    return undefined;
  }
  await Deno.writeTextFile(join(folder, "hermes-task.stamp"), stamp);
  return hermes;
}

async function stampOf(folder: string): Promise<string | undefined> {
  const file = join(folder, "hermes-task.stamp");
  return await exists(file) ? await Deno.readTextFile(file) : undefined;
}

async function findPython(): Promise<string | undefined> {
  for (const name of PYTHONS) {
    if (await problemOf(name, ["-c", FITS]) === undefined) return name;
  }
}

async function install(python: string, folder: string): Promise<string | undefined> {
  if (await exists(folder)) await Deno.remove(folder, { recursive: true });
  const wanted = ["--constraint", CONSTRAINTS, `hermes-agent==${VERSION}`];
  const inside = join(folder, "bin", "python");
  let problem: string | undefined;
  if (await problemOf(python, ["-m", "venv", folder]) === undefined) {
    problem = await problemOf(inside, ["-m", "pip", ...INSTALL, ...wanted]);
  } else {
    // Debian's python3 without its venv package has no pip to put into the environment; the outer one can serve it.
    problem = await problemOf(python, ["-m", "venv", "--clear", "--without-pip", folder]) ??
      await problemOf(python, ["-m", "pip", "--python", inside, ...INSTALL, ...wanted]);
  }
  return problem ?? await startProblem(join(folder, "bin", "hermes"));
}

// Even `--version` writes logs and a cache into the Hermes home.
async function startProblem(hermes: string): Promise<string | undefined> {
  const home = await Deno.makeTempDir();
  try {
    return await problemOf(hermes, ["--version"], { HOME: home, HERMES_HOME: join(home, ".hermes") });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Runs a program; undefined when it ended well, else its last line. */
async function problemOf(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string | undefined> {
  try {
    const { success, code, stderr } = await new Deno.Command(program, { args: [...args], env, stdin: "null" })
      .output();
    if (success) return undefined;
    return new TextDecoder().decode(stderr).trimEnd().split("\n").at(-1) || `${program} ended with ${code}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) {
      return `${program} is not there`;
    }
    throw error;
  }
}

if (import.meta.main) {
  const hermes = await ensureHermes((line) => console.error(line));
  if (hermes === undefined) Deno.exit(1);
  console.log(hermes);
}
