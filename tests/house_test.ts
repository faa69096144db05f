// Is the house in order? What no look at a single file can see: import cycles, promises without a test, the lock file,
// texts that must not be here, documents that tell of the tree as it is.
import { assert, assertEquals } from "@std/assert";
import { dirname, fromFileUrl, join, relative, SEPARATOR } from "@std/path";
import { RIGHTS, sourceArgs } from "../scripts/program_line.ts";
import { LATER, REQUIREMENTS } from "./requirements.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url)).replace(/[/\\]$/, "");
const NOT_OURS = [".git", "dist", "coverage", "node_modules"];

// As JSR gave them; a bridge's own hashes (see scripts/jsr_bridge.ts) would refuse the real packages.
const JSR_HASHES = {
  "@std/assert@1.0.19": "eaada96ee120cb980bc47e040f82814d786fe8162ecc53c91d8df60b8755991e",
  "@std/cli@1.0.30": "769446536522d0417d7127ebcabcafac1ab0ce6766d0eb3fca1d36326fe98d13",
  "@std/internal@1.0.12": "972a634fd5bc34b242024402972cd5143eac68d8dffaca5eaa4dba30ce17b027",
  "@std/path@1.1.4": "1d2d43f39efb1b42f0b1882a25486647cb851481862dc7313390b2bb044314b5",
};

/** Every file below a folder, as a path from the project's folder with `/`. */
function filesBelow(folder: string): string[] {
  return Array.from(Deno.readDirSync(join(ROOT, folder))).flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    // In a linked working tree `.git` is a file.
    if (NOT_OURS.includes(entry.name)) return [];
    return entry.isDirectory ? filesBelow(path) : entry.isFile ? [path] : [];
  }).sort();
}

const read = (path: string): string => Deno.readTextFileSync(join(ROOT, path));
const json = <T>(path: string): T => JSON.parse(read(path)) as T;
const sources = (folder: string): string[] => filesBelow(folder).filter((path) => path.endsWith(".ts"));

/** The files of ours that a file imports, types included. */
function importsOf(path: string): string[] {
  const found = read(path).matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+\.ts)["']/g);
  return Array.from(found, ([_all, specifier]) => {
    const target = join(ROOT, dirname(path), specifier ?? "");
    return relative(ROOT, target).replaceAll(SEPARATOR, "/");
  });
}

/** Every way from a file back to itself, found once. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      found.push([...trail.slice(trail.indexOf(file)), file].join(" -> "));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

Deno.test("house: cycles() finds a way back over three files", () => {
  const graph = new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", ["a"]], ["d", []]]);
  assertEquals(cycles(graph), ["a -> b -> c -> a"]);
});

Deno.test("house: no file of src imports itself in a circle, types included", () => {
  const graph = new Map(["mod.ts", ...sources("src")].map((path) => [path, importsOf(path)]));
  assert([...graph.values()].flat().length > 20, "the imports are not found any more");
  assertEquals(cycles(graph), []);
});

/** The ids that test names cite, in the first string after `[`. */
function citedIds(): Set<string> {
  const tests = sources("tests").filter((path) =>
    path.endsWith("_test.ts") && path !== "tests/house_test.ts"
  );
  const cited = tests.flatMap((path) =>
    read(path).split("\n").filter((line) => !line.trimStart().startsWith("//"))
      .flatMap((line) =>
        Array.from(line.matchAll(/\[((?:F-ORIG-|FAULT-|P)\d+)\]/g), ([_all, id]) => id ?? "")
      )
  );
  return new Set(cited);
}

Deno.test("house: every requirement is cited by a test, or says why it comes later", () => {
  const cited = citedIds();
  const uncited = Object.keys(REQUIREMENTS).filter((id) => !cited.has(id) && !(id in LATER));
  assertEquals(uncited.join(", "), "", "these have no test");
});

Deno.test("house: every cited id and every id that comes later is a requirement", () => {
  const unknown = [...citedIds(), ...Object.keys(LATER)].filter((id) => !(id in REQUIREMENTS));
  assertEquals(unknown, []);
});

Deno.test("house: what comes later is not cited yet", () => {
  const built = [...citedIds()].filter((id) => id in LATER);
  assertEquals(built, [], `take ${built.join(", ")} out of LATER in tests/requirements.ts`);
});

Deno.test("house: deno.lock has the hashes of JSR, not of a bridge", () => {
  const { jsr } = json<{ jsr: Record<string, { integrity: string }> }>("deno.lock");
  const hashes = Object.entries(jsr).map(([name, { integrity }]) => [name, integrity]);
  assertEquals(Object.fromEntries(hashes), JSR_HASHES);
});

Deno.test("house: no file names a path of the machine it was written on", () => {
  const parent = dirname(ROOT);
  const paths = ["/", "/tmp", "/home", "/Users"].includes(parent) ? [ROOT] : [ROOT, parent + SEPARATOR];
  const naming = filesBelow(".").filter((path) => paths.some((one) => read(path).includes(one)));
  assertEquals(naming, []);
});

// Tests hold made-up secrets, to see that they go.
const SECRETS =
  /AIza[\w-]{35}|\b(sk|nvapi)-[\w-]{24,}|\b(gh[pousr]|hf)_[A-Za-z0-9]{30,}|\beyJ[\w-]{20,}\.|BEGIN [A-Z ]*PRIVATE KEY-----/;

Deno.test("house: nothing outside of tests looks like a secret", () => {
  const files = filesBelow(".").filter((path) => !path.startsWith("tests/"));
  assertEquals(files.filter((path) => SECRETS.test(read(path))), []);
});

Deno.test("house: no mark of unfinished work", () => {
  const mark = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "X".repeat(3)].join("|")})\\b|\\bignore: true`);
  const files = [...sources("src"), ...sources("scripts"), ...sources("tests")];
  assertEquals(files.filter((path) => mark.test(read(path))), []);
});

Deno.test("house: the documents are there, and docs/architecture.md names every room", () => {
  const documents = ["README.md", "CHANGELOG.md", "LICENSE", "docs/architecture.md", "docs/performance.md"];
  assertEquals(documents.filter((path) => read(path).length < 200), []);
  const architecture = read("docs/architecture.md");
  const rooms = Array.from(Deno.readDirSync(join(ROOT, "src")), (entry) => entry.name);
  assertEquals(rooms.filter((room) => !architecture.includes(room)), []);
});

Deno.test("house: deno.json, the changelog and the program say the same version", async () => {
  const { version } = json<{ version: string }>("deno.json");
  assertEquals(/^## \[?v?(\d+\.\d+\.\d+)/m.exec(read("CHANGELOG.md"))?.[1], version);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...sourceArgs(), "--version"],
    stdin: "null",
  }).output();
  assert(new TextDecoder().decode(stdout).includes(version), "hermes-task --version does not say it");
});

Deno.test("house: the program has the same rights wherever it is started", () => {
  for (
    const [path, from] of [["scripts/dev", "task == hermes-task"], ["src/bootstrap/demo.ts", ""]] as const
  ) {
    const text = read(path);
    assertEquals(text.slice(text.indexOf(from)).match(/--allow-[a-z]+(=\w+)?/g), [...RIGHTS], path);
  }
});

Deno.test("house: scripts/dev takes just the tasks of deno.json, and hermes-task", () => {
  const { tasks } = json<{ tasks: Record<string, string> }>("deno.json");
  const line = read("scripts/dev").split("\n").find((one) =>
    one.trimStart().startsWith("demo | hermes-task |")
  );
  const taken = line?.replace(/\).*/, "").split("|").map((task) => task.trim()).sort();
  assertEquals(taken, [...Object.keys(tasks), "hermes-task"].sort());
});

// Deno 2.9.6 leaves --ignore out where a file is among the paths: the folders are named instead.
Deno.test("house: every test is run by the task test or by test:real", () => {
  const words = json<{ tasks: { test: string } }>("deno.json").tasks.test.split(" ");
  const paths = [...words.filter((word) => word.startsWith("tests/")), "tests/real"];
  const missed = sources("tests").filter((file) =>
    file.endsWith("_test.ts") && !file.startsWith("tests/support/") &&
    !paths.some((path) => file === path || file.startsWith(`${path}/`))
  );
  assertEquals(missed, []);
  assert(!words.includes("tests") && !words.includes("tests/real"), "the task test runs the real Hermes");
});
