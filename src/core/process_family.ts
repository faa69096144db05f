// Which rows of a process listing belong to a task? Used by the bootstrap and by src/os alike.

/** Name of the variable that marks everything a task starts. Hermes 0.19 hands `XDG_*` on to all its children. */
export const MARK_VARIABLE = "XDG_HERMES_TASK_ID";

/** Name of the variable that tells how deep in tasks a process is. */
export const DEPTH_VARIABLE = "XDG_HERMES_TASK_DEPTH";

/** One process. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** The mark in its environment; undefined when there is none or it may not be seen. */
  readonly mark: string | undefined;
}

/** Arguments of `ps` that list every process with its environment. */
export function listingArgs(os: string): string[] {
  const columns = ["-o", "pid=,ppid=,pgid=,stat=,args="];
  return os === "darwin" ? ["-A", "-E", "-ww", ...columns] : ["eww", "-A", ...columns];
}

/** Reads a listing; zombies are left out. Only four numbers and the mark are kept: a listing shows other programs' secrets. */
export function parseListing(text: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of text.split("\n")) {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/.exec(line);
    if (!found || found[4]!.startsWith("Z")) continue;
    // The environment follows the arguments, in which a prompt may name the variable too.
    const mark = [...line.matchAll(/ XDG_HERMES_TASK_ID=([\w.-]+)/g)].at(-1)?.[1];
    rows.push({ pid: Number(found[1]), ppid: Number(found[2]), pgid: Number(found[3]), mark });
  }
  return rows;
}

/** How a family is recognised. */
export interface FamilySeed {
  /** Process id of the first child, which leads a group of its own; undefined when only the mark is known. */
  readonly root?: number;
  /** Mark, or the beginning of one that ends in a dot. */
  readonly mark: string;
  /** Process ids known from earlier looks. */
  readonly known: ReadonlySet<number>;
  /** Never part of a family: ourselves. */
  readonly self: number;
}

/** Everything that carries the mark, or hangs on the root or on a known process, to any depth. */
export function familyOf(rows: readonly ProcessRow[], seed: FamilySeed): ProcessRow[] {
  const members = new Set(seed.known);
  if (seed.root !== undefined) members.add(seed.root);
  const found = new Set<ProcessRow>();
  for (let grown = true; grown;) {
    grown = false;
    for (const row of rows) {
      if (found.has(row) || row.pid === seed.self || !belongs(row, members, seed.mark)) continue;
      found.add(row);
      members.add(row.pid);
      grown = true;
    }
  }
  return [...found];
}

function belongs(row: ProcessRow, members: ReadonlySet<number>, mark: string): boolean {
  if (row.mark !== undefined && (row.mark === mark || (mark.endsWith(".") && row.mark.startsWith(mark)))) {
    return true;
  }
  return members.has(row.pid) || members.has(row.ppid) || members.has(row.pgid);
}
