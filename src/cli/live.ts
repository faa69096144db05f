// What does a person see while a command works? One line that is drawn over, and gone before the answer comes.
// Only for a terminal. It uses no escape sequence, so that it also works on a dumb one.
import type { Progress } from "../core/task.ts";
import type { Clock, Terminal } from "../ports.ts";
import { cutTo, padTo, safeLine, widthOf } from "./text.ts";
import { showElapsed } from "./when.ts";

/** A line that is alive until it is stopped. */
export interface LiveLine {
  /** What to show from now on. */
  readonly report: (progress: Progress) => void;
  /** Removes the line; afterwards nothing of it is left on the terminal. */
  readonly stop: () => Promise<void>;
}

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MS = 100;
/** What is done sooner shows no line, so that quick commands do not flicker. */
const PATIENCE_MS = 200;

/** Starts the line on standard output. `ending` is the order to end the command: it is shown when it comes. */
export function startLiveLine(terminal: Terminal, clock: Clock, ending: AbortSignal): LiveLine {
  const stopped = new AbortController();
  let latest: Progress | undefined;
  const drawing = draw(
    terminal,
    clock,
    stopped.signal,
    (elapsedMs) => liveText(latest, elapsedMs, ending.aborted),
  );
  return {
    report: (progress) => {
      latest = progress;
    },
    stop: async () => {
      stopped.abort();
      await drawing;
    },
  };
}

/** The text of the line, without its turning sign. */
export function liveText(progress: Progress | undefined, elapsedMs: number, ending: boolean): string {
  const seconds = showElapsed(elapsedMs);
  if (ending) return `ending what was started · ${seconds}`;
  if (!progress) return `working · ${seconds}`;
  const doing = progress.activity ?? (progress.turns === null ? "starting Hermes" : "waiting for the model");
  return safeLine([progress.provider, progress.model, seconds, doing].filter(Boolean).join(" · "));
}

async function draw(
  terminal: Terminal,
  clock: Clock,
  stopped: AbortSignal,
  text: (elapsedMs: number) => string,
): Promise<void> {
  const startMs = clock.now();
  let width = 0;
  await clock.sleep(PATIENCE_MS, stopped);
  for (let frame = 0; !stopped.aborted; frame++) {
    const line = cutTo(
      `${FRAMES[frame % FRAMES.length]} ${text(clock.now() - startMs)}`,
      terminal.columns - 1,
    );
    if (!await terminal.out(`\r${padTo(line, width)}`)) return;
    width = widthOf(line);
    await clock.sleep(FRAME_MS, stopped);
  }
  if (width > 0) await terminal.out(`\r${" ".repeat(width)}\r`);
}
