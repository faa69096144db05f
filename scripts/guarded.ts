// Do the tests keep their hands off the user's own Hermes? Runs a command in a throw-away home, without the user's keys,
// and fails when anything in the real Hermes home changed meanwhile: guarded.ts PROGRAM ARG…
import { join, relative } from "@std/path";
import { exists, toolsFolder } from "./npm_package.ts";

// Program code that no task touches.
const NOT_LOOKED_AT = ["hermes-agent", "node_modules", "venv", ".venv"];

/** Runs the command guarded and returns its exit status; 1 when the real Hermes home changed. */
export async function runGuarded(program: string, args: readonly string[]): Promise<number> {
  const real = Deno.env.get("HERMES_HOME") || join(Deno.env.get("HOME") ?? "", ".hermes");
  const before = await fingerprint(real);
  const home = await Deno.makeTempDir({ prefix: "hermes-task-home-" });
  try {
    const env = await environment(home);
    const command = new Deno.Command(program, { args: [...args], clearEnv: true, env, stdin: "null" });
    const { code } = await command.spawn().status;
    const changed = difference(before, await fingerprint(real));
    if (changed.length === 0) return code;
    console.error(`\nguard: changed in ${real} while this ran: ${changed.slice(0, 5).join(", ")}`);
    console.error(
      "guard: a test left its throw-away home, or a Hermes of yours was at work; end it and run again",
    );
    return code || 1;
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** By these a caller says what is to be tested. */
const KEPT = ["HERMES_TASK_BINARY", "HERMES_TASK_REAL_HERMES"];

/** The environment of a throw-away home: the machine's, less all that leads to the user's Hermes and keys. */
async function environment(home: string): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(Deno.env.toObject())) {
    if (KEPT.includes(name) || !/^(HERMES_|XDG_)|_(KEY|TOKEN|SECRET|BASE_URL)$/.test(name)) env[name] = value;
  }
  return { ...env, HOME: home, DENO_DIR: await denoFolder(), HERMES_TASK_TOOLS: toolsFolder() };
}

/** Where this Deno keeps its cache; it would move with the home. */
export async function denoFolder(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stdin: "null" })
    .output();
  return (JSON.parse(new TextDecoder().decode(stdout)) as { denoDir: string }).denoDir;
}

/** Size and time of change of every file, by path from the folder; empty when there is none. */
async function fingerprint(folder: string, root = folder): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (!await exists(folder)) return found;
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory && NOT_LOOKED_AT.includes(entry.name)) continue;
    if (entry.isDirectory) {
      for (const [name, mark] of await fingerprint(path, root)) found.set(name, mark);
    }
    const { size, mtime } = await Deno.lstat(path);
    found.set(relative(root, path), entry.isDirectory ? "folder" : `${size} ${mtime?.getTime()}`);
  }
  return found;
}

function difference(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

if (import.meta.main) {
  const [program, ...args] = Deno.args;
  if (!program) throw new Error("usage: guarded.ts PROGRAM ARG…");
  Deno.exit(await runGuarded(program === "deno" ? Deno.execPath() : program, args));
}
