// How does a result reach standard output, and with which exit status does the command end?
import { type ErrorCode, ERRORS } from "../core/failure.ts";
import type { Terminal } from "../ports.ts";

/** What a command says to a person. */
export interface Screen {
  /** Lines for standard output. */
  readonly out: readonly string[];
  /** Lines for standard error: what went wrong. */
  readonly err: readonly string[];
}

/** Exit status when nobody reads our output any more, as a shell tells it of any program (128 + SIGPIPE). */
export const BROKEN_PIPE = 141;

/** Exit status of a result object: 0, or that of its error. */
export function exitStatusOf(result: object): number {
  if (!("ok" in result) || result.ok === true) return 0;
  const code = "error" in result ? String(result.error) : "unknown";
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].exit : ERRORS.unknown.exit;
}

/** Prints one JSON document and nothing else. Returns the status to end with. */
export async function printJson(terminal: Terminal, value: unknown, status: number): Promise<number> {
  // A terminal could obey the C1 controls, which JSON allows; escaped they are the same JSON.
  const text = JSON.stringify(value, null, 2).replace(/[\x7f-\x9f]/g, escaped);
  return ending(await terminal.out(text + "\n"), status);
}

/** Prints lines for people. Returns the status to end with. */
export async function printScreen(terminal: Terminal, screen: Screen, status: number): Promise<number> {
  const read = screen.out.length === 0 || await terminal.out(screen.out.join("\n") + "\n");
  if (screen.err.length > 0) await terminal.err(screen.err.join("\n") + "\n");
  return ending(read, status);
}

/** A failure keeps its own status, whoever reads. */
function ending(read: boolean, status: number): number {
  return read || status !== 0 ? status : BROKEN_PIPE;
}

function escaped(control: string): string {
  return "\\u" + control.charCodeAt(0).toString(16).padStart(4, "0");
}
