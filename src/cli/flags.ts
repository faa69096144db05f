// Which flags a command takes: the arguments of its operation under their own names, and `--json`, `--help`.
import { type InputProperty, inputSchema, type Operation } from "../core/operation.ts";
import type { World } from "../ports.ts";
import type { Command, Flag } from "./commands.ts";

/** An operation as the command line calls it: requests are checked by its own schema before `run`. */
export interface CommandOperation extends Omit<Operation<World, unknown, unknown, unknown>, "run"> {
  readonly run: (
    world: World,
    request: never,
    options: Parameters<Operation<World, 0, 0, 0>["run"]>[2],
  ) => Promise<object>;
}

const JSON_FLAG: Flag = {
  name: "json",
  argument: "json",
  kind: "switch",
  about: "Print the result object as JSON",
};

/** `--help`, which every command takes. */
export const HELP_FLAG: Flag = { name: "help", argument: "help", kind: "switch", about: "Show this" };

/** All flags of a command. `operation` is given when the command has one. */
export function flagsOf(command: Command, operation?: CommandOperation): Flag[] {
  const own = operation ? operationFlags(operation) : command.flags ?? [];
  return [...own, ...(command.json ? [JSON_FLAG] : []), HELP_FLAG];
}

function operationFlags(operation: CommandOperation): Flag[] {
  return Object.entries(inputSchema(operation.input).properties).map(([argument, property]) => ({
    name: argument.replaceAll("_", "-"),
    argument,
    kind: kindOf(argument, property),
    ...(property.enum ? { choices: property.enum.filter(Boolean) } : {}),
    about: firstClause(property.description ?? ""),
    ...fallbackOf(property),
  }));
}

function kindOf(argument: string, property: InputProperty): Flag["kind"] {
  switch (property.type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return property.type;
    case "boolean":
      return "switch";
    case "array":
      return "list";
    default:
      throw new TypeError(`Argument "${argument}" of type ${property.type} has no flag yet`);
  }
}

/** Descriptions are written for models; a person gets their first clause. */
function firstClause(description: string): string {
  const clause = /^.*?(?=[.;](?:\s|$)| \()/s.exec(description)?.[0] ?? description;
  return clause.replace(/\s+/g, " ").trim();
}

function fallbackOf(property: InputProperty): Pick<Flag, "fallback"> {
  const value = property.default;
  return value === undefined || value === "" || value === false || value === 0 || Array.isArray(value)
    ? {}
    : { fallback: String(value) };
}
