// Finds and ends everything that a task started. Runs in the bootstrap, which may signal any process of the user.
import { familyOf, listingArgs, parseListing, type ProcessRow } from "../core/process_family.ts";
import type { StopReport } from "../ports.ts";

const LIMIT_MS = 2000;

/** Is this pid one of ours: our own child, or marked so, or gone? The worker may stop nothing else. */
function ours(rows: readonly ProcessRow[], pid: number, owner: string): boolean {
  const row = rows.find((row) => row.pid === pid);
  return row === undefined || row.ppid === Deno.pid || row.mark?.startsWith(`${owner}.`) === true;
}

/**
 * Ends the tree below `root` and everything that carries `mark`: stop, look again, kill, until two looks are empty.
 * A stopped parent cannot fork, so nothing escapes between a look and the kill.
 */
export function stopTree(asked: number | undefined, mark: string): StopReport {
  if (Deno.build.os === "windows") return stopOnWindows(asked);
  const listing = psPath();
  if (!listing) return stopGroupOnly(asked);
  const owner = mark.slice(0, mark.indexOf("."));
  let root: number | undefined;
  const known = new Set<number>();
  const until = performance.now() + LIMIT_MS;
  let live: ProcessRow[] = [];
  for (let empty = 0; empty < 2 && performance.now() < until;) {
    const rows = look(listing);
    root ??= asked !== undefined && ours(rows, asked, owner) ? asked : undefined;
    live = familyOf(rows, { root, mark, known, self: Deno.pid });
    const fresh = live.filter((row) => !known.has(row.pid));
    for (const { pid } of fresh) {
      known.add(pid);
      signal(pid, "SIGSTOP");
    }
    empty = live.length ? 0 : empty + 1;
    if (!fresh.length) { for (const { pid } of live) signal(pid, "SIGKILL"); }
  }
  return { left: live.map(({ pid }) => pid) };
}

/** Process ids that carry a mark beginning so and are our own children: what a blocked worker had started. */
export function ownChildren(mark: string): number[] {
  const listing = psPath();
  if (!listing || Deno.build.os === "windows") return [];
  return look(listing).filter((row) => row.ppid === Deno.pid && row.mark?.startsWith(mark)).map(({ pid }) =>
    pid
  );
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

function look(listing: string): ProcessRow[] {
  const { stdout } = new Deno.Command(listing, {
    args: listingArgs(Deno.build.os),
    clearEnv: true,
    env: { LC_ALL: "C" },
    stdin: "null",
    stderr: "null",
  }).outputSync();
  return parseListing(new TextDecoder().decode(stdout));
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
  if (root !== undefined) signal(-root, "SIGKILL");
  return { left: [], limited: "no ps on this machine: only Hermes' own process group was ended" };
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
