// Standard input and output of a process that speaks a protocol on them. The command line writes through its
// terminal instead.
import process from "node:process";

/** The two streams as node has them: events for bytes, end and a reader that is gone. */
export function standardStreams(): Pick<typeof process, "stdin" | "stdout"> {
  return process;
}
