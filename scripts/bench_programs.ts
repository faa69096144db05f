// What does the bench start? This program, compiled and from source, and the yardstick beside them: a bare node server.
import { fromFileUrl, join } from "@std/path";
import { OPENING } from "../src/mcp/opening_data.ts";
import { denoDir } from "../tests/support/deno_cache.ts";
import { ServerUnderTest } from "../tests/support/server_under_test.ts";
import type { ThrowAwayHome } from "../tests/support/throw_away_home.ts";
import { programRuntime } from "./deno_program.ts";
import { exists, Refusal } from "./npm_package.ts";
import { denoEnvironment, sourceArgs } from "./program_line.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));

/** A program that can be a server. */
export interface Program {
  readonly name: string;
  readonly path: string;
  /** Before its own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Programs of ours that are there. The first one is what users have. */
export async function ownPrograms(): Promise<readonly [Program, ...Program[]]> {
  const path = Deno.env.get("HERMES_TASK_BINARY") ?? join(ROOT, "dist", "hermes-task");
  if (!await exists(path)) return [fromSource()];
  return [{ name: "compiled", path, args: [], env: {} }, fromSource()];
}

function fromSource(): Program {
  return {
    name: "from source",
    path: Deno.execPath(),
    args: sourceArgs(),
    env: denoEnvironment(denoDir()),
  };
}

/** What the compiled program of {@link ownPrograms} is; the first line under the table. */
export async function aboutCompiled(): Promise<string> {
  const [{ name, path }] = await ownPrograms();
  if (name !== "compiled") return "Nothing is compiled here (scripts/dev build): all from source.";
  const standIn = await isOnStandIn(path);
  return standIn
    ? "The compiled program is on the stand-in runtime of scripts/build.ts, an older Deno."
    : "The compiled program is on Deno's own runtime.";
}

/** Only the stand-in of `scripts/build.ts` has the older form that can be taken apart. */
async function isOnStandIn(path: string): Promise<boolean> {
  try {
    return programRuntime(await Deno.readFile(path)).length > 0;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Writes the yardstick into a folder: a node server without dependencies, with the same tools; undefined without node. */
export async function bareNodeServer(dir: string): Promise<Program | undefined> {
  const node = await pathOf("node");
  if (!node) return undefined;
  const file = join(dir, "bare_server.mjs");
  await Deno.writeTextFile(file, bareServerText());
  return { name: "bare node server", path: node, args: [file], env: {} };
}

async function pathOf(name: string): Promise<string | undefined> {
  for (const dir of (Deno.env.get("PATH") ?? "").split(":")) {
    if (dir && await exists(join(dir, name))) return join(dir, name);
  }
  return undefined;
}

function bareServerText(): string {
  return `const LIST = ${JSON.stringify(OPENING.lists["tools/list"])};
const results = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bare", version: "1.0.0" },
  }),
  "tools/list": () => LIST,
};
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || !results[method]) continue;
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) }) + "\\n");
  }
});
process.stdin.on("end", () => process.exit(0));
`;
}

/** Starts a program as a server, lets `body` talk to it, and waits for its clean end. */
export async function withServer<T>(
  program: Program,
  home: ThrowAwayHome,
  body: (server: ServerUnderTest) => Promise<T>,
): Promise<T> {
  await using server = new ServerUnderTest(commandOf(program, ["mcp"], home).spawn());
  const result = await body(server);
  await server.closeInput();
  const { code } = await server.status;
  if (code !== 0) throw new Error(`${program.name} ended with ${code}: ${await server.stderr}`);
  return result;
}

/** A command of a program, in a home. */
export function commandOf(program: Program, args: readonly string[], home: ThrowAwayHome): Deno.Command {
  return new Deno.Command(program.path, {
    args: [...program.args, ...args],
    cwd: home.work,
    clearEnv: true,
    env: { ...program.env, ...home.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}
