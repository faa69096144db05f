// What stands in for jsr:@std where JSR cannot be reached? This script builds a folder that Deno accepts as a JSR
// registry through JSR_URL, from npm packages, and prints its URL; where JSR answers, or all is in Deno's cache, it
// prints nothing. Run by scripts/dev: jsr_bridge.ts TOOLS_FOLDER DENO_LOCK, with --cached-only.
//
// It holds the original TypeScript of @std/path, @std/internal/os and @std/cli/parse-args, read out of programs made by
// `deno compile`, and the JavaScript of @std/assert from the package deno-std, with types from std_types.ts. It carries the
// versions of the lock file as labels, so a lock file made against JSR holds here too: Deno checks no jsr
// integrity over file: URLs. For development and tests; what is published refers to JSR itself.
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { KNOWN_PROGRAM, programModules } from "./deno_program.ts";
import {
  checkSum,
  exists,
  inTemporaryFolder,
  readPinned,
  Refusal,
  sha256,
  takePackage,
} from "./npm_package.ts";
import { ASSERT_TYPES } from "./std_types.ts";

// Raise it when the folder's contents change.
const FORMAT = 1;

const CLI_SOURCE = {
  name: "@dgellow/pls-linux-x64",
  version: "0.7.3",
  file: "bin/pls",
  sum: "d567758d155c9bd1c081d5ece77ea72e5cf8ec2df8077c1cf01565216625fdb0",
};
const JAVASCRIPT_SOURCE = {
  name: "deno-std",
  version: "1.4.0",
  // Of the files of assert/ and internal/, name and text, in order.
  sum: "df727d459050e3e15352c5d3f269cb1fd9f1b25aed78abe8bb3c83341fa51513",
};

type StdName = "assert" | "cli" | "internal" | "path";
type Labels = Readonly<Record<StdName, string>>;
type Files = Map<string, string>;
type Source = typeof KNOWN_PROGRAM;

async function main([tools, lockFile]: string[]): Promise<string | undefined> {
  if (!tools || !lockFile) throw new Refusal("usage: jsr_bridge.ts TOOLS_FOLDER DENO_LOCK");
  const labels = await labelsOf(lockFile);
  if (await allCached(labels) || await jsrAnswers()) return undefined;
  const mark = await sha256(new TextEncoder().encode(JSON.stringify({ FORMAT, labels })));
  const folder = join(tools, `jsr-${mark.slice(0, 8)}`);
  if (!await exists(folder)) await build(tools, folder, labels);
  return pathToFileURL(folder).href + "/";
}

/** Takes the versions that the lock file names; one that the bridge does not hold is refused. */
async function labelsOf(lockFile: string): Promise<Labels> {
  const lock = JSON.parse(await Deno.readTextFile(lockFile)) as { jsr?: Record<string, unknown> };
  const labels: Record<StdName, string> = { assert: "", cli: "", internal: "", path: "" };
  for (const key of Object.keys(lock.jsr ?? {})) {
    const at = key.lastIndexOf("@");
    const name = key.slice("@std/".length, at);
    if (!(name in labels)) {
      throw new Refusal(`Cannot bridge ${key}: no npm package with it is known; go where JSR answers`);
    }
    labels[name as StdName] = key.slice(at + 1);
  }
  return labels;
}

/** Works because scripts/dev runs this with --cached-only. */
async function allCached(labels: Labels): Promise<boolean> {
  try {
    await import(`jsr:@std/path@${labels.path}`);
    await import(`jsr:@std/cli@${labels.cli}/parse-args`);
    await import(`jsr:@std/assert@${labels.assert}`);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function jsrAnswers(): Promise<boolean> {
  try {
    const reply = await fetch("https://jsr.io/@std/path/meta.json", { signal: AbortSignal.timeout(3000) });
    return reply.ok && (await reply.json()).name === "path";
  } catch {
    // No route, no name, no certificate, no JSON, no time: it does not answer.
    return false;
  }
}

async function build(tools: string, folder: string, labels: Labels): Promise<void> {
  console.error("scripts/dev: JSR does not answer: bridging jsr:@std by npm packages (35 MB, once)");
  await inTemporaryFolder(tools, async (temporary) => {
    const fresh = join(temporary, "jsr");
    const range = `^${labels.internal}`;
    const fromPath = await stdModules(KNOWN_PROGRAM, join(temporary, "path"), range);
    const fromCli = await stdModules(CLI_SOURCE, join(temporary, "cli"), range);
    const javascript = await javascriptModules(join(temporary, "js"), range);
    const write = (name: StdName, files: Files, main: string) =>
      writePackage(fresh, name, labels[name], files, main);
    await write("path", pathFiles(fromPath), "mod.ts");
    await write(
      "cli",
      new Map([["parse_args.ts", pick(fromCli, "cli").get("parse_args.ts") ?? ""]]),
      "parse_args.ts",
    );
    await write("internal", internalFiles(fromPath, javascript), "os.ts");
    await write("assert", assertFiles(javascript), "mod.ts");
    await Deno.rename(fresh, folder).catch(async (error) => {
      // A run at the same time was first; what it made is the same.
      if (!await exists(folder)) throw error;
    });
  });
}

/** The modules of @std in a compiled program, as `name/version/file` to text. */
async function stdModules(source: Source, into: string, range: string): Promise<Files> {
  const folder = await takePackage(source.name, source.version, into);
  const modules = programModules(await readPinned(join(folder, source.file), source.sum));
  const files: Files = new Map();
  for (const [specifier, text] of modules) {
    const name = /\/@std\/([a-z-]+\/[0-9.]+\/.+)$/.exec(specifier)?.[1];
    if (name) files.set(name, outward(text, range));
  }
  return files;
}

/** The files of deno-std's folders assert and internal, as `folder/file` to text. */
async function javascriptModules(into: string, range: string): Promise<Files> {
  const { name, version, sum } = JAVASCRIPT_SOURCE;
  const folder = await takePackage(name, version, into);
  const files: Files = new Map();
  for (const part of ["assert", "internal"]) {
    const names = Array.from(Deno.readDirSync(join(folder, part)), (entry) => entry.name).sort();
    for (const file of names) files.set(`${part}/${file}`, await Deno.readTextFile(join(folder, part, file)));
  }
  await checkSum(`${name}@${version}`, new TextEncoder().encode(JSON.stringify([...files])), sum);
  return new Map([...files].map(([file, text]) => [file, outward(text, range)]));
}

/** Imports of @std/internal by path or by another range become ones by the lock file's range. */
function outward(text: string, range: string): string {
  return text
    .replace(
      /(\bfrom\s+")\.\.\/internal\/(\w+)\.js"/g,
      (_all, from: string, file: string) => `${from}jsr:@std/internal@${range}/${file.replaceAll("_", "-")}"`,
    )
    .replace(/"jsr:@std\/internal@[^/"]+/g, `"jsr:@std/internal@${range}`);
}

/** One package's files out of `name/version/file`. */
function pick(modules: Files, name: string): Files {
  const files: Files = new Map();
  for (const [path, text] of modules) {
    const [owner, _version, ...rest] = path.split("/");
    if (owner === name) files.set(rest.join("/"), text);
  }
  if (files.size === 0) throw new Refusal(`Cannot bridge @std/${name}: the program does not hold it`);
  return files;
}

function pathFiles(fromPath: Files): Files {
  const files = pick(fromPath, "path");
  for (const system of ["posix", "windows"]) {
    const inside = [...files.keys()].filter((file) => posix.dirname(file) === system && isPublic(file));
    files.set(
      `${system}/mod.ts`,
      barrel(inside.map((file) => posix.basename(file))) + `export * from "../types.ts";\n`,
    );
  }
  return files;
}

function internalFiles(fromPath: Files, javascript: Files): Files {
  const files = pick(fromPath, "internal");
  for (const [path, text] of javascript) {
    const file = path.slice("internal/".length);
    const original = file.replace(/\.js$/, ".ts");
    if (!path.startsWith("internal/") || file === "mod.js" || files.has(original)) continue;
    files.set(file, text.replace(/(\bfrom\s+"\.\/os)\.js"/g, '$1.ts"'));
  }
  return files;
}

function assertFiles(javascript: Files): Files {
  const files: Files = new Map();
  for (const [module, types] of Object.entries(ASSERT_TYPES)) {
    const text = javascript.get(`assert/${module}.js`);
    if (text === undefined) throw new Refusal(`Cannot bridge @std/assert: deno-std has no ${module}.js`);
    files.set(`${module}.d.ts`, types);
    files.set(`${module}.js`, `/* @ts-self-types="./${module}.d.ts" */\n${text}`);
  }
  return files.set("mod.ts", barrel([...files.keys()].filter(isPublic)));
}

function isPublic(file: string): boolean {
  return !file.endsWith(".d.ts") && !posix.basename(file).startsWith("_");
}

function barrel(files: string[]): string {
  return files.sort().map((file) => `export * from "./${file}";\n`).join("");
}

/** Writes a package as JSR lays it out: its files, and two lists that Deno reads. */
async function writePackage(
  root: string,
  name: StdName,
  version: string,
  files: Files,
  main: string,
): Promise<void> {
  const base = join(root, "@std", name);
  const manifest: Record<string, unknown> = {};
  const exports: Record<string, string> = { ".": `./${main}` };
  for (const [file, text] of [...files].sort(([a], [b]) => a < b ? -1 : 1)) {
    const bytes = new TextEncoder().encode(text);
    await Deno.mkdir(join(base, version, posix.dirname(file)), { recursive: true });
    await Deno.writeFile(join(base, version, file), bytes);
    manifest[`/${file}`] = { size: bytes.length, checksum: `sha256-${await sha256(bytes)}` };
    if (isPublic(file)) exports[exportName(file)] ??= `./${file}`;
  }
  const list = { scope: "std", name, latest: version, versions: { [version]: {} } };
  await Deno.writeTextFile(join(base, "meta.json"), JSON.stringify(list));
  await Deno.writeTextFile(join(base, `${version}_meta.json`), JSON.stringify({ manifest, exports }));
}

function exportName(file: string): string {
  const name = file.replace(/\.(ts|js)$/, "").replaceAll("_", "-").replace(/(^|\/)mod$/, "");
  return name ? `./${name}` : ".";
}

if (import.meta.main) {
  try {
    const url = await main(Deno.args);
    if (url) console.log(url);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`scripts/dev: ${error.message}`);
    Deno.exit(1);
  }
}
