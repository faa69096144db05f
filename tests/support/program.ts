// Runs hermes-task as its users do: from source with the permissions that are documented, or the built binary when
// HERMES_TASK_BINARY names it. The environment is what the test gives, and nothing else.
import { denoEnvironment, sourceArgs } from "../../scripts/program_line.ts";
import { denoDir } from "./deno_cache.ts";
import { killQuietly, ServerUnderTest, text } from "./server_under_test.ts";

/** A program that is late gets this long to end what it started. */
const CLEAN_END_MS = 10_000;

/** How to start the program. */
export interface ProgramOptions {
  /** Another configuration than the project's, with a copy of its lock beside it; only from source. */
  readonly config?: string;
  /** A built program to run instead, whatever HERMES_TASK_BINARY says. */
  readonly program?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Text for standard input; empty input when left out. */
  readonly stdin?: string;
  /** Ended after this long; 60 s when left out. */
  readonly timeoutMs?: number;
  /** Leads a process group of its own, as the servers of some hosts do. */
  readonly ownGroup?: boolean;
}

/** How a run went. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program whose end is awaited with `output`. */
export interface StartedProgram {
  readonly pid: number;
  kill(signal: Deno.Signal): void;
  readonly output: Promise<ProgramResult>;
}

/** Runs the program to its end. Throws when that takes too long, with what it had printed. */
export async function runProgram(args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const program = startProgram(args, options);
  const timeoutMs = options.timeoutMs ?? 60_000;
  let late = false;
  const asking = setTimeout(() => {
    late = true;
    program.kill("SIGTERM");
  }, timeoutMs);
  const killing = setTimeout(() => program.kill("SIGKILL"), timeoutMs + CLEAN_END_MS);
  const result = await program.output;
  [asking, killing].forEach(clearTimeout);
  if (late) throw new Error(`hermes-task ${args.join(" ")} did not end: ${JSON.stringify(result)}`);
  return result;
}

/** Starts the program and does not wait. */
export function startProgram(args: readonly string[], options: ProgramOptions): StartedProgram {
  const child = commandOf(args, options).spawn();
  const output = (async () => {
    await feed(child.stdin, options.stdin ?? "");
    const [status, stdout, stderr] = await Promise.all([
      child.status,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code: status.code, stdout, stderr };
  })();
  return { pid: child.pid, kill: (signal) => killQuietly(child, signal), output };
}

/** Starts `hermes-task mcp` (or other arguments) for tests on the level of the protocol. */
export function startServer(
  options: ProgramOptions & { readonly args?: readonly string[] },
): ServerUnderTest {
  return new ServerUnderTest(commandOf(options.args ?? ["mcp"], options).spawn());
}

function commandOf(args: readonly string[], options: ProgramOptions): Deno.Command {
  const line = programLine(args, options);
  return new Deno.Command(line.program, {
    args: line.args,
    cwd: options.cwd,
    clearEnv: true,
    env: line.env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: options.ownGroup ?? false,
  });
}

/** What is to be started, for whoever starts it in another way. */
export function programLine(
  args: readonly string[],
  options: Pick<ProgramOptions, "env" | "config" | "program">,
): { readonly program: string; readonly args: string[]; readonly env: Record<string, string> } {
  const binary = options.program ?? Deno.env.get("HERMES_TASK_BINARY");
  if (binary) return { program: binary, args: [...args], env: { ...options.env } };
  return {
    program: Deno.execPath(),
    args: [...sourceArgs(options.config), ...args],
    env: { ...denoEnvironment(denoDir()), ...options.env },
  };
}

async function feed(stdin: WritableStream<Uint8Array>, input: string) {
  const writer = stdin.getWriter();
  try {
    if (input) await writer.write(new TextEncoder().encode(input));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error; // it did not care for its input
  }
}
