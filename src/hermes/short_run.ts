// How is Hermes asked something that is no task? Watched, marked and ended like one, within a limit.
import type { World } from "../ports.ts";
import { endedWithin, type Patience } from "./ended_within.ts";
import { markOf } from "./mark.ts";

/** What is run. */
export interface ShortCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What for: a part of its mark. */
  readonly purpose: string;
}

/** Runs it to its end, and all that it started; undefined when it takes too long. Throws a spawn fault. */
export async function runShort(
  world: World,
  { program, args, env, purpose }: ShortCommand,
  patience: Patience,
): Promise<{ readonly code: number | null; readonly stdout: string } | undefined> {
  const mark = markOf(world.place.owner, purpose, crypto.randomUUID());
  world.guardian.watch(mark);
  const child = await world.processes.start({
    program,
    args,
    cwd: world.place.cwd,
    env: { ...env, XDG_HERMES_TASK_ID: mark },
    mark,
  });
  const ended = await endedWithin(world, child, patience);
  await world.guardian.stop(child.pid, mark);
  if (!ended) return undefined;
  return { code: (await child.exit).code, stdout: child.output().stdout.text };
}
