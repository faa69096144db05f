// Does a file keep to the layout of the house? A lint plugin: who may import whom, where Deno.* may stand, names, sizes.
// The table below is the project's architecture; a new library enters it in the change that brings it.
// What a look at one file cannot see (import cycles, requirement ids) is in tests/house_test.ts.
import { relative, sep } from "node:path";
import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";

interface Room {
  /** Rooms that it may import besides itself. */
  readonly ours: readonly string[];
  /** Rooms of which it may import types only. */
  readonly typesOf?: readonly string[];
  /** Single files of other rooms that it may import; `deno.json` is where the version stands. */
  readonly files?: readonly string[];
  /** Packages; one ending in `:` or `/` stands for all that begin so. */
  readonly outside: readonly string[];
}

/** Who may import whom. Rooms are folders of `src`; `ports.ts`, `messages.ts`, `main.ts` and `mod.ts` are rooms of one file. */
export const ROOMS: Readonly<Record<string, Room>> = {
  "core": { ours: [], outside: ["zod", "@std/path/posix"] },
  // How Hermes reads YAML is one fact.
  "auxiliary": { ours: ["core"], files: ["hermes/dialect.ts"], outside: ["zod", "yaml"] },
  // The faults are classes: who catches one asks what it is.
  "ports.ts": { ours: [], typesOf: ["core"], files: ["core/faults.ts"], outside: [] },
  "messages.ts": { ours: [], typesOf: ["ports.ts"], outside: [] },
  "hermes": { ours: ["core", "ports.ts"], outside: ["yaml", "jsonc-parser"] },
  "flow": { ours: ["hermes", "auxiliary", "core", "ports.ts"], outside: [] },
  "operations": { ours: ["flow", "auxiliary", "core", "ports.ts"], outside: ["zod"] },
  "hosts": { ours: ["core", "ports.ts"], outside: ["jsonc-parser", "yaml"] },
  "os": {
    ours: ["core", "messages.ts", "ports.ts"],
    outside: ["node:", "@std/path", "jsonc-parser", "@opentelemetry/"],
  },
  // A script that imports the module is its own bootstrap, and may be a server.
  "module": { ours: ["operations", "mcp", "os", "bootstrap", "core", "ports.ts"], outside: [] },
  "cli": { ours: ["operations", "flow", "hosts", "core", "ports.ts"], outside: ["@std/cli"] },
  // That a task has changed is told by no operation.
  "mcp": {
    ours: ["operations", "flow", "hosts", "core", "ports.ts"],
    files: ["deno.json"],
    outside: ["zod", "@modelcontextprotocol/server"],
  },
  "page": { ours: ["operations", "core", "ports.ts"], outside: [] },
  "workers": {
    ours: ["cli", "mcp", "page", "operations", "os", "flow"],
    files: ["core/version.ts"],
    outside: [],
  },
  "bootstrap": {
    ours: [],
    typesOf: ["ports.ts"],
    // The opening is answered before a worker is there.
    files: [
      "core/process_family.ts",
      "core/environment.ts",
      // Whose process is gone is told by a lock.
      "os/lock.ts",
      "mcp/lines.ts",
      "mcp/opening.ts",
      "mcp/opening_data.ts",
    ],
    outside: [],
  },
  "main.ts": {
    ours: ["bootstrap"],
    typesOf: ["messages.ts", "ports.ts"],
    files: ["core/process_family.ts", "os/lock.ts"],
    outside: [],
  },
  "mod.ts": { ours: ["module", "operations", "core", "ports.ts"], outside: [] },
};

const TOUCHES_DENO = ["os", "bootstrap", "main.ts", "workers"];
const VAGUE_FOLDERS = [
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "shared",
  "misc",
  "types",
  "manager",
  "service",
  "services",
];
const RESERVED_NAMES = ["aux", "con", "nul", "prn"];
const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;
const DATA_TABLE = "data table";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Path of a linted file from the project's folder, with `/`. */
function pathOf(context: Deno.lint.RuleContext): string {
  return relative(ROOT, context.filename).replaceAll(sep, "/");
}

/** The room of a file, or undefined outside of `src` and `mod.ts`. */
function roomOf(path: string): string | undefined {
  if (path === "mod.ts") return path;
  return path.startsWith("src/") ? path.split("/")[1] : undefined;
}

/** A rule that holds in `src` and `mod.ts` only. */
function inRooms(
  create: (context: Deno.lint.RuleContext, room: string, path: string) => Deno.lint.LintVisitor,
): Deno.lint.Rule {
  return {
    create(context) {
      const path = pathOf(context);
      const room = roomOf(path);
      return room === undefined ? {} : create(context, room, path);
    },
  };
}

const imports = inRooms((context, room, path) => {
  const check = (node: Deno.lint.Node, specifier: string, typesOnly: boolean) => {
    const problem = importProblem(path, room, specifier, typesOnly);
    if (problem) context.report({ node, message: problem });
  };
  const checkSource = (
    node: Deno.lint.ImportDeclaration | Deno.lint.ExportAllDeclaration | Deno.lint.ExportNamedDeclaration,
  ) => {
    if (node.source) check(node, node.source.value, typesOnly(node));
  };
  return {
    Program(node) {
      if (!(room in ROOMS)) {
        context.report({
          node,
          message: `No room is called "${room}": enter it in ROOMS of scripts/layers.ts`,
        });
      }
    },
    ImportDeclaration: checkSource,
    ExportNamedDeclaration: checkSource,
    ExportAllDeclaration: checkSource,
    ImportExpression(node) {
      if (node.source.type === "Literal") check(node, String(node.source.value), false);
    },
    TSImportType(node) {
      const specifier = /import\(\s*["']([^"']+)/.exec(context.sourceCode.getText(node))?.[1];
      if (specifier) check(node, specifier, true);
    },
  };
});

function typesOnly(
  node: Deno.lint.ImportDeclaration | Deno.lint.ExportAllDeclaration | Deno.lint.ExportNamedDeclaration,
): boolean {
  if (node.type !== "ImportDeclaration") return node.exportKind === "type";
  return node.importKind === "type" ||
    node.specifiers.length > 0 &&
      node.specifiers.every((one) => one.type === "ImportSpecifier" && one.importKind === "type");
}

function importProblem(
  path: string,
  room: string,
  specifier: string,
  typesOnly: boolean,
): string | undefined {
  const rules = ROOMS[room];
  if (!rules) return undefined;
  if (!specifier.startsWith(".")) {
    if (rules.outside.some((allowed) => covers(allowed, specifier))) return undefined;
    return `"${room}" may not import "${specifier}": see ROOMS in scripts/layers.ts`;
  }
  const target = join(path, "..", specifier);
  if (rules.files?.includes(target.replace(/^src\//, ""))) return undefined;
  const other = roomOf(target);
  if (other === undefined) return `"${room}" may not import "${target}": it lies outside of src`;
  if (other === room || rules.ours.includes(other)) return undefined;
  if (!rules.typesOf?.includes(other)) {
    return `"${room}" may not import "${other}": see ROOMS in scripts/layers.ts`;
  }
  return typesOnly ? undefined : `"${room}" may import only types of "${other}": write import type`;
}

function covers(allowed: string, specifier: string): boolean {
  return /[:/]$/.test(allowed)
    ? specifier.startsWith(allowed)
    : specifier === allowed || specifier.startsWith(`${allowed}/`);
}

const denoAtTheEdge = inRooms((context, room) => {
  if (TOUCHES_DENO.includes(room)) return {};
  return {
    Identifier(node) {
      if (!isGlobal(node, "Deno")) return;
      context.report({
        node,
        message: `Deno.* stands in ${TOUCHES_DENO.join(", ")} only: go through src/ports.ts`,
      });
    },
  };
});

const noConsole = inRooms((context) => ({
  Identifier(node) {
    if (!isGlobal(node, "console")) return;
    context.report({
      node,
      message: "console can spoil the protocol channel: write through the terminal port",
    });
  },
}));

/** Is this the global of that name, and not a property or key that happens to be called so? */
function isGlobal(node: Deno.lint.Identifier, name: string): boolean {
  if (node.name !== name) return false;
  const parent = node.parent;
  if (parent.type === "MemberExpression" && parent.property === node && !parent.computed) {
    return parent.object.type === "Identifier" && parent.object.name === "globalThis";
  }
  return !(parent.type === "Property" && parent.key === node && !parent.shorthand);
}

const noDefaultExport = inRooms((context) => ({
  ExportDefaultDeclaration(node) {
    context.report({ node, message: "Nothing is exported as default: give it its name" });
  },
}));

const noEnum = inRooms((context) => ({
  TSEnumDeclaration(node) {
    context.report({ node, message: "No enum: use a union of strings" });
  },
}));

const entryIsAList = inRooms((context, room) => {
  if (room !== "mod.ts") return {};
  return {
    Program(program) {
      for (const node of program.body) {
        if (node.type === "ExportNamedDeclaration" && node.source) continue;
        context.report({ node, message: "mod.ts holds named re-exports and a module comment, nothing else" });
      }
    },
  };
});

const sizes = inRooms((context) => {
  const checkFunction = (node: Deno.lint.Node) => {
    if (linesOf(context.sourceCode.getText(node)) <= MAX_FUNCTION_LINES) return;
    context.report({
      node,
      message: `A function of over ${MAX_FUNCTION_LINES} lines is two stories: split it`,
    });
  };
  return {
    Program(node) {
      const lines = context.sourceCode.text.trimEnd().split("\n");
      if (lines.length <= MAX_FILE_LINES || lines[0]?.includes(DATA_TABLE)) return;
      const message = `A file of over ${MAX_FILE_LINES} lines: split it by a new noun ` +
        `(one that is a ${DATA_TABLE} says so in its first line)`;
      context.report({ node, message });
    },
    FunctionDeclaration: checkFunction,
    FunctionExpression: checkFunction,
    ArrowFunctionExpression: checkFunction,
  };
});

function linesOf(text: string): number {
  return text.split("\n").length;
}

const opening = inRooms((context, room) => ({
  Program(node) {
    if (room === "mod.ts" || context.sourceCode.text.startsWith("//")) return;
    context.report({
      node,
      message: "The first lines of a file say which question it answers: begin with //",
    });
  },
}));

const names: Deno.lint.Rule = {
  create(context) {
    const path = pathOf(context);
    return {
      Program(node) {
        for (const message of nameProblems(path.split("/"))) context.report({ node, message });
      },
    };
  },
};

function nameProblems(parts: readonly string[]): string[] {
  const folders = parts.slice(0, -1);
  const problems = folders.filter((folder) => VAGUE_FOLDERS.includes(folder))
    .map((folder) => `"${folder}" says nothing about what is inside: name the folder after its subject`);
  for (const part of parts) {
    const stem = part.split(".")[0]?.toLowerCase() ?? "";
    if (RESERVED_NAMES.includes(stem)) problems.push(`"${part}" is a name that Windows and JSR refuse`);
  }
  const file = parts.at(-1) ?? "";
  if (!/^[a-z0-9_]+(\.[a-z]+)+$/.test(file)) problems.push(`"${file}" is not in snake_case`);
  return problems;
}

const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    "imports": imports,
    "deno-at-the-edge": denoAtTheEdge,
    "no-console": noConsole,
    "no-default-export": noDefaultExport,
    "no-enum": noEnum,
    "entry-is-a-list": entryIsAList,
    "sizes": sizes,
    "opening": opening,
    "names": names,
  },
};
export default plugin;
