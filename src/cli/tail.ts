// `hermes-task tail`: watches a task as Hermes works on it, and ends with it. It only reads: ending it ends nothing else.
import { refusal } from "../core/failure.ts";
import { isPlainId } from "../core/id.ts";
import { isOpen } from "../core/record.ts";
import { type FollowedLine, followTask } from "../flow/follow.ts";
import type { CommandContext } from "./context.ts";
import { type Look, paint } from "./paint.ts";
import { BROKEN_PIPE, exitStatusOf } from "./print.ts";
import { safeLine, safeText } from "./text.ts";
import { showFailure } from "./view_failure.ts";
import { STATES } from "./view_tasks.ts";

/** Prints what a task does until it has ended, or until the reader has had enough. Returns the exit status. */
export async function runTail(taskId: string, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  if (!isPlainId(taskId)) {
    throw refusal("invalid_args", 'Argument "task_id": missing or no id; see hermes-task tasks --state open');
  }
  const world = await context.openWorld();
  const look = { columns: terminal.columns, colour: terminal.colour, nowMs: world.clock.now() };
  const reader = new AbortController();
  const until = AbortSignal.any([signal, reader.signal]);
  const ended = await followTask(world, taskId, {
    signal: until,
    onLine: async (line) => {
      if (!await terminal.out(showLine(line, look) + "\n")) reader.abort();
    },
  });
  if (!ended) throw refusal("not_found", `No task "${taskId}" is known here; see hermes-task tasks`);
  if (reader.signal.aborted) return BROKEN_PIPE;
  if (isOpen(ended)) {
    await terminal.err(`The task goes on; to end it: hermes-task cancel ${taskId}\n`);
    return 0;
  }
  const { sign, tone } = STATES[ended.status];
  await terminal.out(`${paint(sign, tone, look.colour)} ${ended.status}\n`);
  if (ended.error === null) return 0;
  const failure = { error: ended.error, error_detail: ended.error_detail ?? ended.error };
  await terminal.err(showFailure(failure, look).join("\n") + "\n");
  return exitStatusOf({ ok: false, ...failure });
}

function showLine({ kind, text }: FollowedLine, look: Look): string {
  if (kind === "said") return safeText(text).trimEnd();
  const sign = { state: "·", tool: "→", result: "←" }[kind];
  return `${paint(sign, "dim", look.colour)} ${safeLine(text)}`;
}
