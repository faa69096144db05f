// The command line, whole: words in, exit status out. Everything it needs of the machine comes in the context.
import { refusal } from "../core/failure.ts";
import { nearest } from "../core/near.ts";
import { refusedResult } from "../core/refused.ts";
import { callOperation } from "./call.ts";
import { type Command, commandOf, COMMANDS, type Flag } from "./commands.ts";
import type { CommandContext } from "./context.ts";
import { type CommandOperation, flagsOf } from "./flags.ts";
import { showCommandHelp, showHelp } from "./help.ts";
import { runLocal } from "./local.ts";
import { asksForJson, parseLine } from "./parse.ts";
import { exitStatusOf, printJson, printScreen } from "./print.ts";
import { showFailure } from "./view_failure.ts";

/** The contract's limit; the setting may be what cannot be read here. */
const MAX_DETAIL_BYTES = 500;

/**
 * Runs one command line, the program's name not included.
 *
 * Returns the exit status: 0, that of the error (contract 4), or 141 when the reader of the output is gone.
 * Never throws and never ends the process.
 */
export async function runCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await dispatch(argv, context);
  } catch (error) {
    return await reportRefusal(error, argv, context);
  }
}

async function dispatch(argv: readonly string[], context: CommandContext): Promise<number> {
  const [first = "help", ...rest] = argv;
  const command = commandOf(LEADING_FLAGS.get(first) ?? first);
  if (!command) throw unknownCommand(first);
  const operation = command.operation ? await operationOf(command, context) : undefined;
  const flags = flagsOf(command, operation);
  const line = parseLine(command, flags, rest);
  if (line.help) return await printHelp(showCommandHelp(command, flags), context);
  if (command.name === "help") return await explain(line.values.command, context);
  if (operation) return await callOperation({ command, operation, line, context });
  return await runLocal({ command, line, context, run: runCommand });
}

const LEADING_FLAGS: ReadonlyMap<string, string> = new Map([
  ["--help", "help"],
  ["-h", "help"],
  ["--version", "version"],
  ["-V", "version"],
]);

function unknownCommand(word: string) {
  const near = nearest(word, COMMANDS.map((command) => command.name));
  if (near) return refusal("invalid_args", `Unknown command "${word}": ${near}`);
  const advice = word.startsWith("-")
    ? "flags stand after the command"
    : 'a task is given by hermes-task run "…"';
  return refusal("invalid_args", `Unknown command "${word}": ${advice}; run hermes-task help`);
}

async function operationOf(command: Command, context: CommandContext): Promise<CommandOperation> {
  const found = (await context.operations()).find((operation) => operation.command === command.name);
  if (!found) throw new Error(`No operation for the command "${command.name}"`);
  return found;
}

async function explain(name: unknown, context: CommandContext): Promise<number> {
  if (name === undefined) return await printHelp(showHelp(context.version), context);
  const command = commandOf(String(name));
  if (!command) throw unknownCommand(String(name));
  return await printHelp(showCommandHelp(command, await allFlags(command, context)), context);
}

async function allFlags(command: Command, context: CommandContext): Promise<Flag[]> {
  return flagsOf(command, command.operation ? await operationOf(command, context) : undefined);
}

async function printHelp(lines: readonly string[], { terminal }: CommandContext): Promise<number> {
  return await printScreen(terminal, { out: lines, err: [] }, 0);
}

async function reportRefusal(
  error: unknown,
  argv: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const nowMs = context.now();
  const result = refusedResult(error, nowMs, MAX_DETAIL_BYTES);
  const status = exitStatusOf(result);
  if (asksForJson(argv) || !terminal.outIsTerminal) return await printJson(terminal, result, status);
  const look = { columns: terminal.columns, colour: terminal.colour && terminal.errIsTerminal, nowMs };
  return await printScreen(terminal, { out: [], err: showFailure(result, look) }, status);
}
