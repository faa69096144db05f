// How does the project keep a tool that it installed for its tests? In a folder of its own in the cache, which bears a
// stamp once all of it is there.
import { join } from "@std/path";
import { exists, toolsFolder } from "./npm_package.ts";

const STAMP = "hermes-task.stamp";

/** Says one line to the person who waits. */
export type Log = (line: string) => void;

/** A tool in the cache folder. */
export interface KeptTool {
  /** Name of its folder, with the version. */
  readonly name: string;
  /** What it is made from; another stamp means another tool. */
  readonly stamp: string;
  /** A file in the folder without which the tool is of no use. */
  readonly proof: string;
  /** Puts it into the folder, which is not there yet or is not whole; undefined when done, else the reason why not. */
  install(folder: string): Promise<string | undefined>;
}

/** Installs a tool unless it is there; many processes may ask at once. Undefined when done, else the reason why not. */
export async function installOnce(tool: KeptTool): Promise<string | undefined> {
  const folder = folderOf(tool.name);
  if (await isWhole(folder, tool)) return undefined;
  await Deno.mkdir(toolsFolder(), { recursive: true });
  using lock = await Deno.open(`${folder}.lock`, { write: true, create: true });
  await lock.lock(true);
  // Another process may have finished it while this one waited.
  if (await isWhole(folder, tool)) return undefined;
  if (await exists(folder)) await Deno.remove(folder, { recursive: true });
  const problem = await tool.install(folder);
  if (problem === undefined) await Deno.writeTextFile(join(folder, STAMP), tool.stamp);
  return problem;
}

/** Where the tool of that name lies. */
export function folderOf(name: string): string {
  return join(toolsFolder(), name);
}

async function isWhole(folder: string, { stamp, proof }: KeptTool): Promise<boolean> {
  const file = join(folder, STAMP);
  return await exists(file) && await Deno.readTextFile(file) === stamp && await exists(join(folder, proof));
}

/** How a program is run. */
export interface RunOptions {
  readonly env?: Record<string, string>;
  /** Finds the reason in what it printed to standard error; the last line when left out. */
  readonly reasonIn?: (stderr: string) => string | undefined;
}

/** Runs a program; undefined when it ended well, else the reason that it gave. */
export async function problemOf(
  program: string,
  args: readonly string[],
  { env = {}, reasonIn = lastLine }: RunOptions = {},
): Promise<string | undefined> {
  try {
    const { success, code, stderr } = await new Deno.Command(program, { args: [...args], env, stdin: "null" })
      .output();
    if (success) return undefined;
    return reasonIn(new TextDecoder().decode(stderr)) || `${program} ended with ${code}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) {
      return `${program} is not there`;
    }
    throw error;
  }
}

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}

/** Does the program start? Undefined when it does, else why not; what it writes at its first start is thrown away. */
export async function startProblem(program: string): Promise<string | undefined> {
  const home = await Deno.makeTempDir();
  try {
    return await problemOf(program, ["--version"], {
      env: { HOME: home, HERMES_HOME: join(home, ".hermes") },
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
