// The commands that tend the records: prune and reindex.
import type { PruneArgs } from "../core/prune.ts";
import { pruneRecords } from "../flow/prune.ts";
import { reindexRecords } from "../flow/reindex.ts";
import type { World } from "../ports.ts";
import type { CommandContext } from "./context.ts";
import type { Look } from "./paint.ts";
import type { ParsedLine } from "./parse.ts";
import { printJson, printScreen } from "./print.ts";
import { showPrune, showReindex } from "./view_upkeep.ts";

/** Carries out `prune`. */
export async function printPrune(line: ParsedLine, context: CommandContext): Promise<number> {
  const args = line.values as PruneArgs;
  const world = await context.openWorld();
  const result = await pruneRecords(world, args, context.signal);
  return await print(result, (it, look) => showPrune(it, args, look), { line, context, world });
}

/** Carries out `reindex`. */
export async function printReindex(line: ParsedLine, context: CommandContext): Promise<number> {
  const world = await context.openWorld();
  return await print(await reindexRecords(world), showReindex, { line, context, world });
}

interface Call {
  readonly line: ParsedLine;
  readonly context: CommandContext;
  readonly world: World;
}

async function print<Result extends { readonly warnings: readonly string[] }>(
  bare: Result,
  show: (result: Result, look: Look) => string[],
  { line, context: { terminal }, world }: Call,
): Promise<number> {
  // A bad setting is named in every reply; here it may name the wrong folder.
  const result = { ...bare, warnings: [...bare.warnings, ...world.settings.problems] };
  if (line.json || !terminal.outIsTerminal) return await printJson(terminal, result, 0);
  const look = { columns: terminal.columns, colour: terminal.colour, nowMs: world.clock.now() };
  return await printScreen(terminal, { out: show(result, look), err: [] }, 0);
}
