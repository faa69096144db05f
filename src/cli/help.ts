// What do `help`, `help COMMAND` and `--help` say? Each fits a screen of 24 lines by 80 columns.
import { type Command, COMMANDS, type Flag } from "./commands.ts";
import { padTo, wrap } from "./text.ts";

const COLUMNS = 80;
/** Choices as short as `digest|full` stand beside the flag. */
const SHORT_CHOICES = 12;

/** The list of all commands. */
export function showHelp(version: string): string[] {
  const names = COMMANDS.map((command) =>
    [command.name, command.positional?.shown].filter(Boolean).join(" ")
  );
  return [
    `hermes-task ${version}: hands tasks to the Hermes agent on this machine`,
    "",
    ...twoColumns(names.map((name, at) => [name, COMMANDS[at]!.about])),
    "",
    "In a pipe, or with --json, the answer is one JSON object and nothing else.",
    "Exit status: 0 answered, 2 wrong use, 3 unknown model or no key, 4 resting,",
    "5 busy, 6 no Hermes, 7 Hermes failed, 9 not found, 124 timeout, 130 cancelled.",
    "More, with examples: hermes-task help COMMAND",
  ];
}

/** What one command does, takes, and an example of it. */
export function showCommandHelp(command: Command, flags: readonly Flag[]): string[] {
  const { positional } = command;
  const usage = ["hermes-task", command.name, flags.length > 1 ? "[FLAGS]" : "", positional?.shown];
  const shown = flags.filter((flag) => flag.argument !== positional?.argument);
  const notes = command.notes ?? [];
  return [
    `hermes-task ${command.name}: ${command.about}`,
    "",
    `Usage:    ${usage.filter(Boolean).join(" ")}`,
    ...command.examples.map((example, at) => `${at === 0 ? "Example:" : "        "}  ${example}`),
    "",
    ...twoColumns(shown.map((flag) => [usageOf(flag), aboutOf(flag)])),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ];
}

function usageOf(flag: Flag): string {
  if (flag.kind === "switch") return `--${flag.name}`;
  if (isShort(flag.choices)) return `--${flag.name} ${flag.choices!.join("|")}`;
  return `--${flag.name} ${flag.kind === "text" || flag.kind === "list" ? "TEXT" : "N"}`;
}

function aboutOf(flag: Flag): string {
  const about = flag.choices && !isShort(flag.choices) ? flag.choices.join(", ") : flag.about;
  return flag.fallback === undefined ? about : `${about} (${flag.fallback})`;
}

function isShort(choices: readonly string[] | undefined): boolean {
  return choices !== undefined && choices.join("|").length <= SHORT_CHOICES;
}

function twoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrap(right, COLUMNS - width - 4).map((line, at) => `  ${padTo(at === 0 ? left : "", width)}  ${line}`)
  );
}
