// What does a shell need to complete our commands and flags? One script a shell, made from the same tables as help.
import type { Command, Flag, SHELLS } from "./commands.ts";

/** A command with all its flags. */
export interface CompletedCommand {
  readonly command: Command;
  readonly flags: readonly Flag[];
}

/** Lines of the completion script. */
export function completionScript(
  shell: (typeof SHELLS)[number],
  commands: readonly CompletedCommand[],
): string[] {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

function bashScript(commands: readonly CompletedCommand[]): string[] {
  return [
    "_hermes_task() {",
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${names(commands).join(" ")}"`,
    "  else",
    '    case "${COMP_WORDS[1]} $before" in',
    ...commands.flatMap(({ command, flags }) =>
      flags.filter((flag) => flag.choices).map((flag) =>
        `      "${command.name} --${flag.name}") words="${flag.choices!.join(" ")}" ;;`
      )
    ),
    '      *) case "${COMP_WORDS[1]}" in',
    ...commands.map((it) => `        ${it.command.name}) words="${wordsOf(it, commands).join(" ")}" ;;`),
    "      esac ;;",
    "    esac",
    "  fi",
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "}",
    "complete -o default -F _hermes_task hermes-task",
  ];
}

function zshScript(commands: readonly CompletedCommand[]): string[] {
  return [
    "#compdef hermes-task",
    "_hermes_task() {",
    "  if (( CURRENT == 2 )); then",
    "    local -a commands=(",
    ...commands.map(({ command }) => `      ${quoted(`${command.name}:${command.about}`)}`),
    "    )",
    "    _describe command commands",
    "    return",
    "  fi",
    "  local name=${words[2]}",
    "  shift words; (( CURRENT-- ))",
    "  case $name in",
    ...commands.map((it) => `    ${it.command.name}) _arguments ${zshArguments(it, commands)} ;;`),
    "  esac",
    "}",
    "compdef _hermes_task hermes-task",
  ];
}

function zshArguments(completed: CompletedCommand, commands: readonly CompletedCommand[]): string {
  const flags = completed.flags.map((flag) => {
    const value = flag.kind === "switch"
      ? ""
      : `:${flag.argument}:${flag.choices ? `(${flag.choices.join(" ")})` : ""}`;
    return quoted(`--${flag.name}[${flag.about.replace(/[[\]:\\]/g, "\\$&")}]${value}`);
  });
  const words = positionalWords(completed.command, commands);
  const positional = words.length > 0 ? `(${words.join(" ")})` : "_files";
  return [...flags, quoted(`*: :${positional}`)].join(" ");
}

function fishScript(commands: readonly CompletedCommand[]): string[] {
  const start = "complete -c hermes-task";
  return [
    `${start} -f`,
    ...commands.map(({ command }) =>
      `${start} -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.about)}`
    ),
    ...commands.flatMap((it) => {
      const when = `${start} -n ${quoted(`__fish_seen_subcommand_from ${it.command.name}`)}`;
      const words = positionalWords(it.command, commands);
      return [
        ...(words.length > 0 ? [`${when} -a ${quoted(words.join(" "))}`] : []),
        ...it.flags.map((flag) => `${when} -l ${flag.name}${fishValue(flag)} -d ${quoted(flag.about)}`),
      ];
    }),
  ];
}

function fishValue(flag: Flag): string {
  if (flag.kind === "switch") return "";
  return flag.choices ? ` -x -a ${quoted(flag.choices.join(" "))}` : " -x";
}

function wordsOf(completed: CompletedCommand, commands: readonly CompletedCommand[]): string[] {
  return [
    ...completed.flags.map((flag) => `--${flag.name}`),
    ...positionalWords(completed.command, commands),
  ];
}

function positionalWords(command: Command, commands: readonly CompletedCommand[]): readonly string[] {
  return command.name === "help" ? names(commands) : command.positional?.choices ?? [];
}

function names(commands: readonly CompletedCommand[]): string[] {
  return commands.map(({ command }) => command.name);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
