// Where do the real MCP hosts for tests come from? From npm, pinned, each in a folder of its own in the cache; the user's
// own ones are neither used nor touched. Which registry is asked is for npm's own configuration to say.
import { join, relative } from "@std/path";
import { exists } from "./npm_package.ts";
import { folderOf, installOnce, type Log, problemOf, startProblem } from "./tool_folder.ts";

/** The hosts that tests run. */
export type HostName = "codex" | "claude-code" | "opencode";

interface HostPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the executable in the package of a platform. */
  readonly program: string;
  /** On the disk, for the person who waits. */
  readonly size: string;
}

const PACKAGES: Readonly<Record<HostName, HostPackage>> = {
  "codex": { name: "@openai/codex", version: "0.171.0", program: "codex", size: "420 MB" },
  "claude-code": {
    name: "@anthropic-ai/claude-code",
    version: "2.1.332",
    program: "claude",
    size: "380 MB",
  },
  "opencode": { name: "opencode-ai", version: "1.18.33", program: "opencode", size: "350 MB" },
};

/** Every host, in the order of the documents. */
export const HOST_NAMES = Object.keys(PACKAGES) as readonly HostName[];

/** Holds the path of the executable that runs here. */
const PROGRAM_FILE = "program.path";

// Scripts of packages only copy the executable to another place.
const INSTALL = ["install", "--include=optional", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"];
const QUICK_TO_FAIL = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--loglevel=error"];

/**
 * Returns the path of a real host, installing it when needed (about 6 s, once).
 * Undefined when there is no npm, or the package cannot be had or does not run here; then `log` has said why.
 */
export async function ensureHost(host: HostName, log: Log): Promise<string | undefined> {
  const { name, version, size } = PACKAGES[host];
  const kept = `host-${host}-${version}`;
  const install = async (folder: string) => {
    log(`installing ${name} ${version} with npm into ${folder} (${size}, once)`);
    return await installInto(folder, PACKAGES[host]);
  };
  const stamp = `${name}@${version}`;
  const problem = await installOnce({ name: kept, stamp, proof: PROGRAM_FILE, install });
  if (problem === undefined) return await Deno.readTextFile(join(folderOf(kept), PROGRAM_FILE));
  log(`Cannot install ${name} ${version}: ${problem}`);
  return undefined;
}

async function installInto(folder: string, wanted: HostPackage): Promise<string | undefined> {
  await Deno.mkdir(folder, { recursive: true });
  const what = `${wanted.name}@${wanted.version}`;
  const args = [...INSTALL, ...QUICK_TO_FAIL, "--prefix", folder, what];
  const problem = await problemOf("npm", args, { env: await nodeCertificates(), reasonIn: npmReason });
  if (problem !== undefined) return `${problem}; check that npm is on PATH and reaches its registry`;
  // There may be several, for older processors or another C library, of which one runs here.
  const found = await executables(join(folder, "node_modules"), wanted.program);
  let reason = `no executable "${wanted.program}" came with it, so it is not made for this platform`;
  for (const path of found) {
    const failed = await startProblem(path);
    if (failed === undefined) return void await Deno.writeTextFile(join(folder, PROGRAM_FILE), path);
    reason = `${relative(folder, path)} does not start: ${failed}`;
  }
  return reason;
}

const CERTIFICATES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/cert.pem",
];

/** Node looks only into its own list unless told; a machine behind a proxy has more. */
async function nodeCertificates(): Promise<Record<string, string>> {
  if (Deno.env.get("NODE_EXTRA_CA_CERTS")) return {};
  for (const file of CERTIFICATES) if (await exists(file)) return { NODE_EXTRA_CA_CERTS: file };
  return {};
}

/** The first line that is a sentence; codes stand above it, advice and a trace below. */
function npmReason(stderr: string): string | undefined {
  const lines = stderr.split("\n").map((line) => line.replace(/^npm error( notarget| network| \d+)? ?/, ""));
  return lines.find((line) => line !== "" && !/^(code|syscall|errno) /.test(line));
}

/** Launchers of the same name are scripts of a few KB. */
const SMALLEST_BYTES = 5_000_000;

async function executables(folder: string, program: string): Promise<string[]> {
  const found: string[] = [];
  if (!await exists(folder)) return found;
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await executables(path, program));
    const named = isFile && (name === program || name === `${program}.exe`);
    if (named && (await Deno.stat(path)).size >= SMALLEST_BYTES) found.push(path);
  }
  // The one without a surname comes first.
  return found.sort((a, b) => a.length - b.length);
}

if (import.meta.main) {
  for (const host of HOST_NAMES) {
    const program = await ensureHost(host, (line) => console.error(line));
    if (program === undefined) Deno.exitCode = 1;
    else console.log(program);
  }
}
