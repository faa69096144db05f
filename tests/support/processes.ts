// Which processes live? Looks at the process table with `ps`, for tests that prove that nothing is left.

/** One living process. */
export interface Living {
  readonly pid: number;
  readonly ppid: number;
  readonly command: string;
}

/** The variable by which everything that a task started is found. */
export const MARK = "XDG_HERMES_TASK_ID";

/** Processes whose mark begins with `prefix` (empty: any mark); zombies and the look itself are left out. */
export async function aliveWithMark(prefix: string): Promise<Living[]> {
  return await aliveNaming(` ${MARK}=${prefix}`);
}

/** Processes with a text in their command line or environment, such as the folder of a test's own home. */
export async function aliveNaming(text: string): Promise<Living[]> {
  const rows = await table(["eww", "-A", "-o", "pid=,ppid=,stat=,command="]);
  return rows.filter((row) => row.command.includes(text));
}

/** A home, as far as it matters here. */
interface Home {
  readonly home: string;
}

/** Supervisors of a home; they stay for a while after their last task. */
export async function supervisorsOf({ home }: Home): Promise<Living[]> {
  return (await aliveNaming(home)).filter(isSupervisor);
}

/** Everything that lives in a home but its supervisors. */
export async function aliveIn({ home }: Home): Promise<Living[]> {
  return (await aliveNaming(home)).filter((one) => !isSupervisor(one));
}

function isSupervisor({ command }: Living): boolean {
  return / supervise( |$)/.test(command.split(" HOME=")[0]! + " ") || / supervise [A-Z_]+=/.test(command);
}

/** What tasks have started in a home and is alive. */
export async function aliveTasksIn({ home }: Home): Promise<Living[]> {
  return (await aliveWithMark("")).filter(({ command }) => command.includes(home));
}

/** Everything below a process, not the process itself. */
export async function descendantsOf(pid: number): Promise<Living[]> {
  const rows = await table(["-A", "-o", "pid=,ppid=,stat=,command="]);
  const family = new Set([pid]);
  for (let grown = true; grown;) {
    const found = rows.filter((row) => family.has(row.ppid) && !family.has(row.pid));
    for (const row of found) family.add(row.pid);
    grown = found.length > 0;
  }
  return rows.filter((row) => row.pid !== pid && family.has(row.pid));
}

/** Does this process live, and is no zombie? */
export async function isAlive(pid: number): Promise<boolean> {
  return (await table(["-o", "pid=,ppid=,stat=,command=", "-p", String(pid)])).length > 0;
}

/** Waits until the condition holds; throws with `what` when it does not within `ms`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  ms: number,
  what: string,
): Promise<void> {
  const end = Date.now() + ms;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends one process for good; quiet when it is gone already. */
export function kill(pid: number) {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function table(args: readonly string[]): Promise<Living[]> {
  const ps = new Deno.Command("ps", { args: [...args], stdout: "piped", stderr: "null" }).spawn();
  const { stdout } = await ps.output();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid, ppid, stat, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (!pid || stat!.startsWith("Z") || Number(pid) === ps.pid) return [];
    return [{ pid: Number(pid), ppid: Number(ppid), command: command! }];
  });
}
