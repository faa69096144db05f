// From a parsed command line to an operation, its result, and what is printed of it.
import { refusal } from "../core/failure.ts";
import { parseArgs, perform } from "../core/operation.ts";
import type { World } from "../ports.ts";
import type { Command } from "./commands.ts";
import type { CommandContext } from "./context.ts";
import type { CommandOperation } from "./flags.ts";
import { startLiveLine } from "./live.ts";
import { readMore } from "./more.ts";
import type { ParsedLine } from "./parse.ts";
import { exitStatusOf, printJson, printScreen } from "./print.ts";
import { showResult } from "./view.ts";

/** What one call needs to know. */
export interface Call {
  readonly command: Command;
  readonly operation: CommandOperation;
  readonly line: ParsedLine;
  readonly context: CommandContext;
}

/** Runs the operation of a command and prints its result. Returns the exit status. */
export async function callOperation(call: Call): Promise<number> {
  const { context, line, operation } = call;
  const forProgram = line.json || !context.terminal.outIsTerminal;
  const args = await withPrompt(call);
  const request = parseArgs(operation.input, args);
  const world = await context.openWorld();
  const result = await (forProgram ? start(call, world, request) : startLive(call, world, request));
  const status = exitStatusOf(result);
  if (forProgram) return await printJson(context.terminal, result, status);
  const { columns, errIsTerminal } = context.terminal;
  // A failure is told on standard error, which may be a file although standard output is a terminal.
  const colour = context.terminal.colour && (status === 0 || errIsTerminal);
  const look = { columns, colour, nowMs: world.clock.now() };
  const more = await readMore(call.command, { result, args }, world, await context.operations());
  const screen = showResult(call.command.name, { result, args, ...more }, look);
  return await printScreen(context.terminal, screen, status);
}

/** `run` takes its prompt from standard input when it is `-`, or missing and nobody types there. */
async function withPrompt({ command, line, context }: Call): Promise<Readonly<Record<string, unknown>>> {
  const { values } = line;
  const missing = values.prompt === undefined && !context.inIsTerminal;
  if (command.name !== "run" || !(missing || values.prompt === "-")) return values;
  return { ...values, prompt: await readPrompt(context) };
}

async function readPrompt({ readStdin, signal }: CommandContext): Promise<string> {
  const ended = Promise.withResolvers<never>();
  const end = () =>
    ended.reject(refusal("cancelled", "Ended while the prompt was read, nothing was started"));
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([readStdin(), ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function start({ operation, context }: Call, world: World, request: unknown): Promise<object> {
  return perform(operation, world, request as never, { caller: { surface: "cli" }, signal: context.signal });
}

async function startLive({ operation, context }: Call, world: World, request: unknown): Promise<object> {
  const live = startLiveLine(context.terminal, world.clock, context.signal);
  try {
    return await perform(operation, world, request as never, {
      caller: { surface: "cli" },
      signal: context.signal,
      onProgress: live.report,
    });
  } finally {
    await live.stop();
  }
}
