// Does the lint plugin see what breaks the layout, and leave alone what keeps to it?
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import plugin from "../../../scripts/layers.ts";

/** Rules that report something in a file of this path and text. */
function broken(path: string, text: string): string[] {
  const file = fromFileUrl(new URL(`../../../${path}`, import.meta.url));
  const found = Deno.lint.runPlugin(plugin, file, text).map((one) => one.id.replace("house/", ""));
  return [...new Set(found)].sort();
}

const opened = (text: string) => `// Which question?\n${text}\n`;

const imports: readonly (readonly [file: string, statement: string, allowed: boolean])[] = [
  ["src/core/route.ts", `import { a } from "./record.ts";`, true],
  ["src/core/route.ts", `import { z } from "zod";`, true],
  ["src/core/route.ts", `import { join } from "@std/path/posix";`, true],
  ["src/core/route.ts", `import { join } from "@std/path";`, false],
  ["src/core/route.ts", `import { a } from "../hermes/models.ts";`, false],
  ["src/core/route.ts", `import type { A } from "../ports.ts";`, false],
  ["src/core/route.ts", `export { a } from "../flow/attempt.ts";`, false],
  ["src/core/route.ts", `export * from "../flow/attempt.ts";`, false],
  ["src/core/route.ts", `const a = await import("../flow/attempt.ts");`, false],
  ["src/core/route.ts", `type A = import("../flow/attempt.ts").A;`, false],
  ["src/core/route.ts", `import { a } from "npm:zod";`, false],
  ["src/core/route.ts", `import { a } from "../../tests/support/fake_world.ts";`, false],
  ["src/core/route.ts", `import { readFile } from "node:fs";`, false],
  ["src/core/deep/route.ts", `import { a } from "../record.ts";`, true],
  ["src/ports.ts", `import type { A } from "./core/record.ts";`, true],
  ["src/ports.ts", `import { type A, type B } from "./core/record.ts";`, true],
  ["src/ports.ts", `export type { A } from "./core/record.ts";`, true],
  ["src/ports.ts", `import { a, type B } from "./core/record.ts";`, false],
  ["src/hermes/config.ts", `import { parse } from "yaml";`, true],
  ["src/hermes/config.ts", `import { parse } from "jsonc-parser";`, true],
  ["src/flow/delegate.ts", `import { parse } from "yaml";`, false],
  ["src/operations/task.ts", `import { a } from "../hermes/models.ts";`, false],
  ["src/os/process.ts", `import { spawn } from "node:child_process";`, true],
  ["src/os/process.ts", `import { trace } from "@opentelemetry/api";`, true],
  ["src/os/process.ts", `import { a } from "../bootstrap/launch.ts";`, false],
  ["src/cli/app.ts", `import { parseArgs } from "@std/cli/parse-args";`, true],
  ["src/cli/app.ts", `import { a } from "@std/client";`, false],
  ["src/mcp/server.ts", `import { a } from "@modelcontextprotocol/server/stdio";`, true],
  ["src/mcp/server.ts", `import { a } from "@modelcontextprotocol/client";`, false],
  ["src/main.ts", `import { a } from "./bootstrap/locate.ts";`, true],
  ["src/main.ts", `import { a } from "./core/process_family.ts";`, true],
  ["src/main.ts", `import { a } from "./core/record.ts";`, false],
  ["src/bootstrap/locate.ts", `import type { A } from "../ports.ts";`, true],
  ["src/bootstrap/locate.ts", `import { a } from "../ports.ts";`, false],
  ["mod.ts", `export { a } from "./src/module/functions.ts";`, true],
  ["mod.ts", `export { a } from "./src/cli/app.ts";`, false],
  ["tests/unit/core/route_test.ts", `import { a } from "../../../src/cli/app.ts";`, true],
];
for (const [file, statement, allowed] of imports) {
  Deno.test(`layers plugin ${allowed ? "allows" : "refuses"} in ${file}: ${statement}`, () => {
    assertEquals(broken(file, opened(statement)), allowed ? [] : ["imports"]);
  });
}

const long = (lines: number) => "\n".repeat(lines - 2) + "export {};";
const rules: readonly (readonly [what: string, file: string, text: string, broken: readonly string[]])[] = [
  ["Deno.* in core", "src/core/a.ts", opened("Deno.cwd();"), ["deno-at-the-edge"]],
  ["a type of Deno's in core", "src/core/a.ts", opened("type A = Deno.Command;"), ["deno-at-the-edge"]],
  ["Deno by globalThis", "src/core/a.ts", opened("globalThis.Deno;"), ["deno-at-the-edge"]],
  ["Deno.* in os", "src/os/a.ts", opened("Deno.cwd();"), []],
  ["Deno.* in a worker", "src/workers/a.ts", opened("Deno.cwd();"), []],
  ["a key called Deno", "src/core/a.ts", opened("const a = { Deno: 1 };a.Deno;"), []],
  ["console", "src/os/a.ts", opened("console.log(1);"), ["no-console"]],
  ["console handed on", "src/cli/a.ts", opened("const log = console;"), ["no-console"]],
  ["console in a script", "scripts/a.ts", "console.log(1);", []],
  ["a default export", "src/core/a.ts", opened("export default 1;"), ["no-default-export"]],
  ["an enum", "src/core/a.ts", opened("enum A { B }"), ["no-enum"]],
  ["code in mod.ts", "mod.ts", "export const a = 1;", ["entry-is-a-list"]],
  ["a star export in mod.ts", "mod.ts", `export * from "./src/module/a.ts";`, ["entry-is-a-list"]],
  ["a named re-export in mod.ts", "mod.ts", `export type { A } from "./src/core/a.ts";`, []],
  ["300 lines", "src/core/a.ts", opened(long(300)), []],
  ["301 lines", "src/core/a.ts", opened(long(301)), ["sizes"]],
  ["301 lines in a test", "tests/a_test.ts", opened(long(301)), []],
  ["301 lines of a data table", "src/core/a.ts", `// Who? A data table.${long(301)}`, []],
  ["60 lines of function", "src/core/a.ts", opened(`function a() {${"\n".repeat(59)}}`), []],
  ["61 lines of function", "src/core/a.ts", opened(`const a = () => {${"\n".repeat(60)}};`), ["sizes"]],
  ["no opening comment", "src/core/a.ts", "export {};", ["opening"]],
  ["a vague folder", "src/core/helpers/a.ts", opened(""), ["names"]],
  ["a vague folder of tests", "tests/utils/a.ts", opened(""), ["names"]],
  ["a reserved folder", "src/core/aux/a.ts", opened(""), ["names"]],
  ["a reserved file", "src/core/con.ts", opened(""), ["names"]],
  ["a capital letter", "src/core/processFamily.ts", opened(""), ["names"]],
  ["an unknown room", "src/things/a.ts", opened(""), ["imports"]],
];
for (const [what, file, text, expected] of rules) {
  Deno.test(`layers plugin ${expected.length > 0 ? "refuses" : "allows"} ${what}`, () => {
    assertEquals(broken(file, text), expected);
  });
}
