// Starts children: a session and group of their own, a chosen environment, empty input, output read as it comes.
import { type Child, type ChildCommand, type ChildExit, type Processes, SpawnFault } from "../ports.ts";
import { Capture } from "./capture.ts";

/** How long output may still come after the child itself has ended; a helper of Hermes may hold the pipe. */
const DRAIN_MS = 300;

/** Children of this process. */
export const processes: Processes = {
  start: (command) => new Promise((resolve) => resolve(adopt(spawn(command), command))),
};

function spawn(command: ChildCommand): Deno.ChildProcess {
  try {
    return new Deno.Command(command.program, {
      args: [...command.args],
      cwd: command.cwd,
      env: { ...command.env },
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: Deno.build.os !== "windows",
    }).spawn();
  } catch (error) {
    throw spawnFault(error, command);
  }
}

function spawnFault(error: unknown, command: ChildCommand): SpawnFault {
  const words = error instanceof Error ? error.message : String(error);
  if (/No such cwd/i.test(words)) return new SpawnFault("no_cwd", `no folder "${command.cwd}"`);
  if (error instanceof Deno.errors.NotFound) {
    // A script whose interpreter is gone is reported in the same words as a program that is gone.
    return new SpawnFault("missing", `"${command.program}" or the interpreter that it names is not there`);
  }
  if (error instanceof Deno.errors.NotCapable) return new SpawnFault("refused", words);
  if (error instanceof Deno.errors.PermissionDenied) {
    return new SpawnFault("not_executable", `"${command.program}" may not be executed`);
  }
  if (/Argument list too long|E2BIG|os error 7\b/i.test(words)) {
    return new SpawnFault("too_long", "the prompt is too long for one argument of this system (128 KiB)");
  }
  if (/Exec format error|os error 8\b/i.test(words)) {
    return new SpawnFault("not_executable", `"${command.program}" is not a program of this system`);
  }
  return new SpawnFault("other", words);
}

function adopt(child: Deno.ChildProcess, command: ChildCommand): Child {
  const stdout = new Capture(child.stdout, command);
  const stderr = new Capture(child.stderr, command);
  let asked = false;
  return {
    pid: child.pid,
    exit: settle(child, stdout, stderr),
    ask() {
      if (asked) return;
      asked = true;
      try {
        child.kill("SIGTERM");
      } catch (error) {
        // It has ended already.
        if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
      }
    },
    output: () => ({ stdout: stdout.seen(), stderr: stderr.seen() }),
  };
}

async function settle(child: Deno.ChildProcess, stdout: Capture, stderr: Capture): Promise<ChildExit> {
  const { code, signal } = await child.status;
  const drained = Promise.all([stdout.done, stderr.done]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, DRAIN_MS));
  await Promise.race([drained, late]);
  clearTimeout(timer);
  stdout.giveUp();
  stderr.giveUp();
  return { code, signal };
}
