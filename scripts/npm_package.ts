// How do the project's scripts get a file out of an npm package? Through Deno's own npm client, so no npm is needed
// and the machine's registry, proxy and certificates hold. What is taken is checked by sha256.
import { dirname, join } from "node:path";

/** Why a script could not do its work; the text is for the person who ran it. */
export class Refusal extends Error {}

/** The cache folder in which the project's scripts keep what they fetch; never inside the checkout. */
export function toolsFolder(): string {
  const given = Deno.env.get("HERMES_TASK_TOOLS");
  if (given) return given;
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "", ".cache");
  return join(cache, "hermes-task-tools");
}

/** Fetches `name@version` into the empty folder `into` and returns the folder of the package's files. */
export async function takePackage(name: string, version: string, into: string): Promise<string> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", "--no-config", "--no-lock", `npm:${name}@${version}`],
    env: { DENO_DIR: into, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const folder = success ? await folderEndingWith(join(into, "npm"), join(name, version)) : undefined;
  if (folder) return folder;
  throw new Refusal(
    `Cannot get the npm package ${name}@${version}: ${
      firstLine(stderr)
    }; check the network, or the registry that .npmrc names`,
  );
}

/** Reads a file and throws unless its sha256 is the pinned one. */
export async function readPinned(file: string, sum: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Deno.readFile(file);
  await checkSum(file, bytes, sum);
  return bytes;
}

/** Throws unless the sha256 of `bytes` is the pinned one. */
export async function checkSum(what: string, bytes: Uint8Array<ArrayBuffer>, sum: string): Promise<void> {
  const got = await sha256(bytes);
  if (got !== sum) throw new Refusal(`Cannot use ${what}: its sha256 is ${got}, expected ${sum}`);
}

/** Returns the sha256 in hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Runs `work` with a temporary folder beside the other tools; the folder is gone afterwards. */
export async function inTemporaryFolder<T>(
  tools: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await Deno.mkdir(tools, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: tools, prefix: ".fresh-" });
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Puts a finished file in its place in one step, so that two runs at once do no harm. */
export async function putInPlace(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.rename(from, to);
}

// The folders above it are named after the registry.
async function folderEndingWith(start: string, end: string): Promise<string | undefined> {
  if (await exists(join(start, end, "package.json"))) return join(start, end);
  for await (const entry of Deno.readDir(start)) {
    const found = entry.isDirectory ? await folderEndingWith(join(start, entry.name), end) : undefined;
    if (found) return found;
  }
}

/** Tells whether something lies at the path. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function firstLine(stderr: Uint8Array): string {
  const lines = new TextDecoder().decode(stderr).split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.find((line) => line.startsWith("error:"))?.slice(7) ?? lines[0] ?? "no reason given";
}
