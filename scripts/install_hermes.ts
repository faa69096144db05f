// Where does a real Hermes for tests and demo come from? From PyPI by pip, pinned with all it needs, into a virtual
// environment of its own in the cache folder; the user's Hermes is neither used nor touched.
import { fromFileUrl, join } from "@std/path";
import { sha256 } from "./npm_package.ts";
import { folderOf, installOnce, type Log, problemOf, startProblem } from "./tool_folder.ts";

const VERSION = "0.19.0";
const CONSTRAINTS = fromFileUrl(new URL("./hermes-constraints.txt", import.meta.url));
// Hermes 0.19.0 runs on these.
const PYTHONS = ["python3.13", "python3.12", "python3.11", "python3", "python"];
const FITS = "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))";
// What Hermes needs, and where pip is told to keep quiet and to ask nothing.
const INSTALL = ["install", "--no-input", "--disable-pip-version-check", "--quiet"];

/**
 * Returns the path of a real `hermes`, installing it when needed (about 20 s, 230 MB, once).
 * Undefined when no Python fits or pip failed; then `log` has said why and what to do.
 */
export async function ensureHermes(log: Log): Promise<string | undefined> {
  const name = `hermes-${VERSION}`;
  const stamp = await sha256(await Deno.readFile(CONSTRAINTS));
  const proof = join("bin", "hermes");
  const problem = await installOnce({
    name,
    stamp,
    proof,
    install: (folder) => announceAndInstall(folder, log),
  });
  if (problem === undefined) return join(folderOf(name), proof);
  log(problem);
  return undefined;
}

async function announceAndInstall(folder: string, log: Log): Promise<string | undefined> {
  const python = await findPython();
  if (python === undefined) return "no Python from 3.11 to 3.13 is on PATH: install one, then run this again";
  log(`installing Hermes ${VERSION} with ${python} into ${folder} (230 MB, once)`);
  const problem = await install(python, folder);
  if (problem === undefined) return undefined;
  return `Cannot install Hermes ${VERSION}: ${problem}; check the network and that this Python has venv and pip`;
}

async function findPython(): Promise<string | undefined> {
  for (const name of PYTHONS) {
    if (await problemOf(name, ["-c", FITS]) === undefined) return name;
  }
}

async function install(python: string, folder: string): Promise<string | undefined> {
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

if (import.meta.main) {
  const hermes = await ensureHermes((line) => console.error(line));
  if (hermes === undefined) Deno.exit(1);
  console.log(hermes);
}
