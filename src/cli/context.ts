// What a command gets from the one who starts it.
import type { Terminal, World } from "../ports.ts";
import type { CommandOperation } from "./flags.ts";

/** What a command may use. What is a function is called only by the commands that need it. */
export interface CommandContext {
  readonly openWorld: () => Promise<World>;
  /** The operations; `run`, `detail`, `models`, `telemetry` are found by their `command`. */
  readonly operations: () => Promise<readonly CommandOperation[]>;
  readonly terminal: Terminal;
  /** Is standard input a terminal, where a person would have to type? */
  readonly inIsTerminal: boolean;
  /** The whole of standard input as text. */
  readonly readStdin: () => Promise<string>;
  /** Ends the command and what it started: Ctrl-C, SIGTERM, a closed terminal. */
  readonly signal: AbortSignal;
  readonly version: string;
  /** The present, epoch milliseconds; asked when there is no world. */
  readonly now: () => number;
  /** Shows the main job on the built-in stand-in; returns its exit status. Absent where there is none. */
  readonly demo?: () => Promise<number>;
}
