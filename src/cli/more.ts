// What does a screen show beyond the result? It is read here, through the same operations.
import { parseArgs } from "../core/operation.ts";
import type { HermesTaskResult } from "../core/task.ts";
import type { HermesTelemetryResult } from "../operations/telemetry.ts";
import type { World } from "../ports.ts";
import type { Command } from "./commands.ts";
import type { CommandOperation } from "./flags.ts";
import type { Shown } from "./view.ts";

/** Reads what the screen of a command needs besides the result; what cannot be read is left out. */
export async function readMore(
  command: Command,
  { result, args }: Pick<Shown, "result" | "args">,
  world: World,
  operations: readonly CommandOperation[],
): Promise<Partial<Shown>> {
  const ask = async (name: string, request: object): Promise<Readonly<Record<string, unknown>>> => {
    const operation = operations.find((it) => it.command === name);
    if (!operation) return {};
    const checked = parseArgs(operation.input, request) as never;
    return { ...await operation.run(world, checked, { caller: { surface: "cli" } }) };
  };
  try {
    if (command.name === "run") return await wholeAnswer(result as HermesTaskResult, ask);
    if (command.name === "telemetry") {
      return await groupsForPerson(result as HermesTelemetryResult, args, ask);
    }
    return {};
  } catch {
    // Whatever is wrong with the record or the index, the result in hand is shown.
    return {};
  }
}

type Ask = (command: string, request: object) => Promise<Readonly<Record<string, unknown>>>;

/** On a terminal `run` prints the whole answer: what the reply cut is read from the record. */
async function wholeAnswer(task: HermesTaskResult, ask: Ask): Promise<Partial<Shown>> {
  if (!task.truncated || task.task_id === null) return {};
  const { ok, truncated, result } = await ask("detail", { task_id: task.task_id, section: "result" });
  const whole = ok === true && truncated !== true && typeof result === "string";
  return whole ? { result: { ...task, result, truncated: false } } : {};
}

/** A person sees providers when no other grouping is asked for, and always a line of days. */
async function groupsForPerson(
  result: HermesTelemetryResult,
  args: Shown["args"],
  ask: Ask,
): Promise<Partial<Shown>> {
  const byDay = await ask("telemetry", { ...args, group_by: "day", limit: MOST_DAYS });
  const days = { days: byDay.groups as Shown["days"] };
  if (result.group_by) return days;
  const byProvider = await ask("telemetry", { ...args, group_by: "provider" });
  const { group_by, groups, groups_left_out } = byProvider as Partial<HermesTelemetryResult>;
  return { ...days, result: { ...result, group_by, groups, groups_left_out } };
}

const MOST_DAYS = 400;
