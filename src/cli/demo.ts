// The main job end to end, in one command: with the machine's own Hermes where that can answer for free, else on the
// built-in stand-in; it says which, and what one's own needs.
import { parseArgs } from "../core/operation.ts";
import type { HermesTaskResult } from "../core/task.ts";
import type { CommandContext } from "./context.ts";

const PROMPT = "Which files here are over 1 MB? Answer in one sentence.";

/** Runs the demo; `run` carries out a command line. Returns its exit status. */
export async function runDemo(
  context: CommandContext,
  run: (argv: readonly string[], context: CommandContext) => Promise<number>,
): Promise<number> {
  const plan = await planOf(context);
  if (plan.ok) {
    await context.terminal.err(
      `demo: with the Hermes of this machine, by ${plan.provider} · ${plan.model} (free)\n`,
    );
    await context.terminal.err(`$ hermes-task run "${PROMPT}"\n\n`);
    return await run(["run", PROMPT], context);
  }
  await context.terminal.err(
    `demo: on the built-in stand-in, in a throw-away home: no model is asked. Your own cannot answer yet:\n` +
      `      ${plan.error_detail}\n$ hermes-task run "Which files here are over 1 MB?"\n\n`,
  );
  const status = await context.demo!();
  await context.terminal.err(
    '\nFor your own: install Hermes Agent, give it a free key (hermes auth add gemini), then: hermes-task run "…"\n',
  );
  return status;
}

/** Would a task find a Hermes and a free provider here? */
async function planOf(context: CommandContext): Promise<HermesTaskResult> {
  const operation = (await context.operations()).find(({ command }) => command === "run")!;
  const request = parseArgs(operation.input, { prompt: PROMPT, dry_run: true });
  const world = await context.openWorld();
  return await operation.run(world, request as never, {
    caller: { surface: "cli" },
    signal: context.signal,
  }) as HermesTaskResult;
}
