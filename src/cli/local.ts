// The commands that have no operation: config, version, completions, and those that other files carry out.
import { refusal } from "../core/failure.ts";
import { type SettingName, SETTINGS, variableOf } from "../core/settings.ts";
import type { Place, World } from "../ports.ts";
import { type Command, COMMANDS, SHELLS } from "./commands.ts";
import { completionScript } from "./completions.ts";
import type { CommandContext } from "./context.ts";
import { runDemo } from "./demo.ts";
import { flagsOf } from "./flags.ts";
import type { ParsedLine } from "./parse.ts";
import { printJson, printScreen } from "./print.ts";
import { runTail } from "./tail.ts";
import { printPrune, printReindex } from "./upkeep.ts";
import { type ConfigResult, type SettingReport, showConfig } from "./view_config.ts";

/** What a command without an operation needs. */
export interface LocalCall {
  readonly command: Command;
  readonly line: ParsedLine;
  readonly context: CommandContext;
  /** Carries out another command line. */
  readonly run: (argv: readonly string[], context: CommandContext) => Promise<number>;
}

/** Carries out a command without an operation. */
export async function runLocal(
  { command, line, context, run }: LocalCall,
): Promise<number> {
  switch (command.name) {
    case "config":
      return await printConfig(line, context);
    case "prune":
      return await printPrune(line, context);
    case "reindex":
      return await printReindex(line, context);
    case "version":
      return await printVersion(line, context);
    case "completions":
      return await printCompletions(line, context);
    case "tail":
      return await runTail(String(line.values.task_id ?? ""), context);
    case "demo":
      if (!context.demo) {
        throw refusal("not_found", "This build has no demo; from a clone run scripts/dev demo");
      }
      return await runDemo(context, run);
    default:
      throw new Error(`The command "${command.name}" was not carried out`);
  }
}

/** Every setting with what it means here. */
export function configResult(world: Pick<World, "settings" | "place">): ConfigResult {
  const { values, sources, problems } = world.settings;
  const settings = (Object.keys(SETTINGS) as SettingName[]).map((name) => ({
    name,
    value: values[name],
    ...foundFor(name, values[name], world.place),
    source: sources[name],
    variable: variableOf(name),
    ...(SETTINGS[name].legacyName ? { legacy_variable: SETTINGS[name].legacyName } : {}),
    about: SETTINGS[name].about,
  }));
  return { ok: true, file: world.place.settingsPath, settings, problems };
}

function foundFor(name: SettingName, value: unknown, place: Place): Pick<SettingReport, "found"> {
  if (value !== "") return {};
  const found =
    { hermesBin: place.hermes.path, authPath: place.authPath, cacheDir: place.cacheDir }[name as "cacheDir"];
  return found === undefined ? {} : { found };
}

async function printConfig(line: ParsedLine, { openWorld, terminal }: CommandContext): Promise<number> {
  const world = await openWorld();
  const result = configResult(world);
  if (line.json || !terminal.outIsTerminal) return await printJson(terminal, result, 0);
  const look = { columns: terminal.columns, colour: terminal.colour, nowMs: world.clock.now() };
  return await printScreen(terminal, { out: showConfig(result, look), err: [] }, 0);
}

/** A script that asks for the version wants the bare word, so only `--json` makes an object of it. */
async function printVersion(line: ParsedLine, { terminal, version }: CommandContext): Promise<number> {
  if (line.json) return await printJson(terminal, { ok: true, version }, 0);
  return await printScreen(terminal, { out: [`hermes-task ${version}`], err: [] }, 0);
}

async function printCompletions(line: ParsedLine, { operations, terminal }: CommandContext): Promise<number> {
  const shell = SHELLS.find((known) => known === line.values.shell);
  if (!shell) throw refusal("invalid_args", `Name the shell: hermes-task completions ${SHELLS.join("|")}`);
  const known = await operations();
  const entries = COMMANDS.map((command) => ({
    command,
    flags: flagsOf(command, known.find((it) => command.operation && it.command === command.name)),
  }));
  return await printScreen(terminal, { out: completionScript(shell, entries), err: [] }, 0);
}
