// The terminal of the command line.
import type { TerminalFacts } from "../messages.ts";
import type { Environment, Terminal } from "../ports.ts";

/** Standard output and error of this process. */
export function systemTerminal(facts: TerminalFacts, environment: Environment): Terminal {
  const plain = environment.get("NO_COLOR") || environment.get("TERM") === "dumb";
  return {
    ...facts,
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text),
    colour: !plain && facts.outIsTerminal,
  };
}

/** All of standard input as text. */
export async function readStdin(): Promise<string> {
  return await new Response(Deno.stdin.readable).text();
}

async function write(stream: typeof Deno.stdout, text: string): Promise<boolean> {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let written = 0; written < bytes.length;) written += await stream.write(bytes.subarray(written));
    return true;
  } catch (error) {
    // The reader is gone (`| head -1`), or the terminal is.
    if (error instanceof Deno.errors.BrokenPipe || /EIO|os error 5\b/.test(String(error))) return false;
    throw error;
  }
}
