// What did the words of a command line say? Strict: nothing is guessed, and nothing is accepted and then ignored.
// Of our own, because @std/cli/parse-args takes `--model=` for a flag named "model=", eats a "true" that follows
// a switch, and tells neither an empty value nor a repeated flag from a single one.
import { refusal } from "../core/failure.ts";
import { nearest, nearestName } from "../core/near.ts";
import type { Command, Flag, Positional } from "./commands.ts";

/** A command line, understood. */
export interface ParsedLine {
  /** Argument name to value, the positional's among them. Only what was given. */
  readonly values: Readonly<Record<string, Value>>;
  readonly json: boolean;
  readonly help: boolean;
}

/** A value as a command line can give it. */
type Value = string | number | boolean | readonly string[];

/** Does the command line ask for JSON? Also answers for a line that cannot be parsed. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes("--json");
}

/** Reads the words after the command's name. Throws `invalid_args` that names the flag and the near one. */
export function parseLine(command: Command, flags: readonly Flag[], words: readonly string[]): ParsedLine {
  const given = new Map<string, Value>();
  const alone: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") {
      alone.push(...words.slice(at + 1));
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      alone.push(word);
      continue;
    }
    const { flag, negated, attached } = findFlag(command, flags, word);
    const value = flag.kind === "switch"
      ? switchValue(flag, negated, attached)
      : flagValue(flag, attached ?? separateValue(flag, words[++at]));
    if (flag.kind === "list") {
      given.set(flag.argument, [...given.get(flag.argument) as string[] ?? [], String(value)]);
      continue;
    }
    if (given.has(flag.argument)) {
      throw refusal("invalid_args", `Flag "--${flag.name}" is given twice; give it once`);
    }
    given.set(flag.argument, value);
  }
  takePositional(command, alone, given);
  const { json = false, help = false, ...values } = Object.fromEntries(given);
  return { values, json: json === true, help: help === true };
}

interface FoundFlag {
  readonly flag: Flag;
  readonly negated: boolean;
  /** What stands behind `=`. */
  readonly attached: string | undefined;
}

function findFlag(command: Command, flags: readonly Flag[], word: string): FoundFlag {
  const [name = "", attached] = splitOnce(word === "-h" ? "--help" : word);
  const flag = flags.find((it) => `--${it.name}` === name);
  if (flag) return { flag, negated: false, attached };
  const switchedOff = flags.find((it) =>
    it.kind === "switch" && it.argument !== "help" && `--no-${it.name}` === name
  );
  if (switchedOff) return { flag: switchedOff, negated: true, attached };
  throw refusal("invalid_args", `Unknown flag "${name}"${adviceFor(command, flags, name)}`);
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function adviceFor(command: Command, flags: readonly Flag[], name: string): string {
  const near = nearestName(name.replace(/^-+/, ""), flags.map((flag) => flag.name));
  if (near) return `: did you mean "--${near}"?`;
  const dashed = command.positional?.many ? '; text that begins with "-" goes after "--"' : "";
  return `${dashed}; run hermes-task help ${command.name}`;
}

function switchValue(flag: Flag, negated: boolean, attached: string | undefined): boolean {
  if (attached === undefined) return !negated;
  if (!negated && (attached === "true" || attached === "false")) return attached === "true";
  throw refusal("invalid_args", `Flag "--${flag.name}" takes no value, got "${attached}"; leave it away`);
}

function separateValue(flag: Flag, next: string | undefined): string {
  const wants = `Flag "--${flag.name}" needs a value`;
  if (next === undefined) throw refusal("invalid_args", `${wants}: ${flag.about}`);
  if (/^-./.test(next)) {
    throw refusal("invalid_args", `${wants}, got "${next}"; if it is one: --${flag.name}=${next}`);
  }
  return next;
}

function flagValue(flag: Flag, raw: string): string | number {
  if (flag.kind === "list") return raw;
  if (flag.kind !== "text") return numberValue(flag, raw);
  if (flag.choices && raw !== "" && !flag.choices.includes(raw)) {
    const advice = nearest(raw, flag.choices) ?? `known are ${flag.choices.join(", ")}`;
    throw refusal("invalid_args", `Flag "--${flag.name}" cannot be "${raw}": ${advice}`);
  }
  return raw;
}

function numberValue(flag: Flag, raw: string): number {
  const number = raw.trim() === "" ? NaN : Number(raw);
  if (!Number.isFinite(number) || (flag.kind === "integer" && !Number.isInteger(number))) {
    const kind = flag.kind === "integer" ? "a whole number" : "a number";
    throw refusal("invalid_args", `Flag "--${flag.name}" needs ${kind}, got "${raw}"`);
  }
  return number;
}

function takePositional(
  command: Command,
  alone: readonly string[],
  given: Map<string, Value>,
) {
  if (alone.length === 0) return;
  const taken = command.positional;
  if (!taken || (alone.length > 1 && !taken.many)) {
    const extra = alone[taken ? 1 : 0]!;
    throw refusal(
      "invalid_args",
      `Unexpected "${extra}" after "${command.name}"; run hermes-task help ${command.name}`,
    );
  }
  if (taken.list) {
    given.set(taken.argument, [...given.get(taken.argument) as string[] ?? [], ...alone]);
    return;
  }
  const value = alone.join(" ");
  if (given.has(taken.argument)) {
    const name = taken.argument.replaceAll("_", "-");
    throw refusal("invalid_args", `Flag "--${name}" and "${value}" say the same argument; give one of them`);
  }
  given.set(taken.argument, checked(taken, value));
}

function checked(positional: Positional, value: string): string {
  if (!positional.choices || positional.choices.includes(value)) return value;
  const advice = nearest(value, positional.choices) ?? `known are ${positional.choices.join(", ")}`;
  throw refusal("invalid_args", `Unknown ${positional.argument} "${value}": ${advice}`);
}
