// Finds and ends everything that a task started. Runs in the bootstrap, which may signal any process of the user.
import { familyOf, listingArgs, parseListing, type ProcessRow } from "../core/process_family.ts";
import type { StopReport } from "../ports.ts";

const LIMIT_MS = 2000;

/**
 * Is this pid one of ours: our own child, or marked so, or the number of a group that it has left behind and in which
 * somebody is marked so? The worker may stop nothing else.
 */
function ours(rows: readonly ProcessRow[], pid: number, owner: string): boolean {
  const isMarked = (row: ProcessRow) => row.mark?.startsWith(`${owner}.`) === true;
  const row = rows.find((row) => row.pid === pid);
  return row ? row.ppid === Deno.pid || isMarked(row) : rows.some((one) => one.pgid === pid && isMarked(one));
}

/**
 * Ends the tree below `asked` and everything that carries `mark`: stop, look again, kill, until two looks are empty.
 * A stopped parent cannot fork, so nothing escapes between a look and the kill. With `looks` 1 a first empty look is
 * enough; then look again soon, since a chain that forks and exits may have slipped through one.
 */
export function stopTree(asked: number | undefined, mark: string, looks = 2): StopReport {
  if (Deno.build.os === "windows") return stopOnWindows(asked);
  const owner = mark.slice(0, mark.indexOf("."));
  const known = new Set<number>();
  const until = performance.now() + LIMIT_MS;
  let root: number | undefined;
  let live: ProcessRow[] = [];
  for (let empty = 0; empty < looks && (performance.now() < until || known.size === 0);) {
    const rows = look();
    if (!rows) return stopGroupOnly(asked);
    root ??= asked !== undefined && ours(rows, asked, owner) ? asked : undefined;
    live = familyOf(rows, { root, mark, known, self: Deno.pid });
    const fresh = live.filter((row) => !known.has(row.pid));
    for (const { pid } of fresh) {
      known.add(pid);
      signal(pid, "SIGSTOP");
    }
    if (live.length) looks = 2;
    empty = live.length ? 0 : empty + 1;
    if (!fresh.length) { for (const { pid } of live) signal(pid, "SIGKILL"); }
  }
  // Whatever the time said: nothing is left stopped.
  for (const { pid } of live) signal(pid, "SIGKILL");
  return { left: live.map(({ pid }) => pid) };
}

/** Process ids that carry a mark beginning so and are our own children: what a blocked worker had started. */
export function ownChildren(mark: string): number[] {
  if (Deno.build.os === "windows") return [];
  const rows = look() ?? [];
  return rows.filter((row) => row.ppid === Deno.pid && row.mark?.startsWith(mark)).map(({ pid }) => pid);
}

/** Sends a signal; a process that is gone already is fine. */
export function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return;
    if (error instanceof Error && /ESRCH|EPERM/.test(error.message)) return;
    throw error;
  }
}

/** Every process; undefined where no listing can be had, or one that does not even name us (a `ps` of another kind). */
function look(): ProcessRow[] | undefined {
  const listing = psPath();
  if (!listing) return undefined;
  try {
    const { stdout } = new Deno.Command(listing, {
      args: listingArgs(Deno.build.os),
      clearEnv: true,
      env: { LC_ALL: "C" },
      stdin: "null",
      stderr: "null",
    }).outputSync();
    const rows = parseListing(new TextDecoder().decode(stdout));
    return rows.some((row) => row.pid === Deno.pid) ? rows : undefined;
  } catch {
    // No process can be started any more: the group is all that can be reached.
    return undefined;
  }
}

function psPath(): string | undefined {
  return ["/bin/ps", "/usr/bin/ps"].find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

function stopGroupOnly(root: number | undefined): StopReport {
  if (root !== undefined && root > 1) signal(-root, "SIGKILL");
  return { left: [], limited: "No ps that lists processes: only Hermes' own process group was ended" };
}

function stopOnWindows(root: number | undefined): StopReport {
  if (root === undefined) return { left: [] };
  new Deno.Command("taskkill", {
    args: ["/PID", String(root), "/T", "/F"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  })
    .outputSync();
  return { left: [] };
}
