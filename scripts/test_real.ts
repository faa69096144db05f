// Does everything hold with the real Hermes, and as one file? Puts Hermes and the MCP hosts into the cache folder, builds
// dist/hermes-task when it is missing or older than what it is made of, and runs tests/real in a throw-away home.
import { fromFileUrl, join } from "@std/path";
import { ensureHermes } from "./install_hermes.ts";
import { ensureHost, HOST_NAMES } from "./install_hosts.ts";
import { runGuarded } from "./guarded.ts";
import { exists } from "./npm_package.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const BINARY = join(ROOT, "dist", "hermes-task");
const MADE_OF = ["src", "deno.json", "deno.lock", "scripts/build.ts"];

/** Is there no binary, or one from before the last change? */
async function isStale(): Promise<boolean> {
  if (!await exists(BINARY)) return true;
  const changes = await Promise.all(MADE_OF.map((name) => lastChange(join(ROOT, name))));
  return Math.max(...changes) > await changedMs(BINARY);
}

/** When a file, or anything below a folder, was changed last. */
async function lastChange(path: string): Promise<number> {
  if (!(await Deno.stat(path)).isDirectory) return await changedMs(path);
  const below: number[] = [];
  for await (const { name } of Deno.readDir(path)) below.push(await lastChange(join(path, name)));
  return Math.max(...below);
}

async function changedMs(path: string): Promise<number> {
  return (await Deno.stat(path)).mtime?.getTime() ?? 0;
}

async function build(): Promise<boolean> {
  console.error("test:real: dist/hermes-task is missing or older than src: building it");
  const args = ["run", "--frozen", "-A", join(ROOT, "scripts", "build.ts")];
  const building = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, stdin: "null", stdout: "null" });
  return (await building.spawn().status).success;
}

/** What of this lacks here is left out. */
async function installHosts(): Promise<void> {
  for (const host of HOST_NAMES) {
    const program = await ensureHost(host, (line) => console.error(`test:real: ${line}`));
    if (program === undefined) console.error(`test:real: the tests with ${host} are left out`);
  }
}

async function main(): Promise<number> {
  const hermes = await ensureHermes((line) => console.error(`test:real: ${line}`));
  if (hermes === undefined) {
    console.error("test:real: failed, as there is no real Hermes to test with");
    return 1;
  }
  await installHosts();
  if (await isStale() && !await build()) {
    console.error("test:real: failed, as dist/hermes-task could not be built");
    return 1;
  }
  return await runGuarded(Deno.execPath(), [
    "test",
    "--frozen",
    "--no-prompt",
    // Its files share nothing, and most of the time one Hermes or another is starting.
    "--parallel",
    "--allow-read",
    "--allow-write",
    "--allow-run",
    "--allow-env",
    "--allow-sys",
    "--allow-net=127.0.0.1",
    ...Deno.args,
    "tests/real",
  ]);
}

Deno.exit(await main());
