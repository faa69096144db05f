// Who runs which task, and when? Pure decisions over the rows of the queue: order, slots, who must be started, and
// what becomes of a task whose owner is gone.
import type { Batch } from "./record.ts";
import type { Settings } from "./settings.ts";
import type { Progress } from "./task.ts";
import type { TaskRequest } from "./task_request.ts";

/** Keyed hashes of the variables that a task needs from the environment, by name. */
export type Needs = Readonly<Record<string, string>>;

/** Where a session of Hermes stands. */
export interface SessionPlace {
  readonly home: string;
  readonly sessionId: string;
  readonly lastMessageId: number;
}

/** A task that has not ended. Times are epoch milliseconds. */
export interface QueueRow {
  /** Order of admission. */
  readonly seq: number;
  readonly taskId: string;
  /** `closing`: somebody writes its end, and nobody may run it any more. */
  readonly state: "queued" | "running" | "closing";
  /** A waiting task ends with its waiter, a background task by its own deadline. */
  readonly kind: "waiting" | "background";
  /** Where its Hermes and its files are; only a runner of the same place may take it. */
  readonly place: string;
  readonly needs: Needs;
  /** `maxConcurrent` as its caller had it. */
  readonly limit: number;
  readonly createdMs: number;
  readonly deadlineMs: number;
  /** The process that admitted it. */
  readonly admittedBy: string;
  /** The process that waits for it; null for a background task. */
  readonly waiter: string | null;
  /** The process that runs or closes it. */
  readonly runner: string | null;
  /** Only its waiter itself may run it. */
  readonly own: boolean;
  /** Why it is to be cancelled; null when it is not. */
  readonly wish: string | null;
  /** The session that it continues; two tasks never do that at once. Null for a new one. */
  readonly session: string | null;
  readonly batch: Batch | null;
  readonly progress: Progress | null;
  /** Where the session that it continues stood at its start; null for a new one. */
  readonly since: SessionPlace | null;
  /** Processes that ran it and died; what carries their marks must be ended before its slot is free. */
  readonly dead: readonly string[];
  /** The record as JSON when the file could not be written. */
  readonly outcome: string | null;
}

/** What a queued task is to do. It is gone with its row. */
export interface Job {
  readonly request: TaskRequest;
  readonly cwd: string;
  readonly settings: Settings;
}

/** A process that runs tasks. */
export interface Runner {
  readonly owner: string;
  readonly place: string;
  /** Hashes of all variables that it has. */
  readonly offers: Needs;
}

/** A supervisor that was started and has not registered yet. */
export interface Launch {
  readonly id: string;
  readonly place: string;
  /** What it was given. */
  readonly offers: Needs;
  readonly atMs: number;
}

/** Does this process live? */
export type Alive = (owner: string) => boolean;

/** What a look at the queue has before it. */
export interface Look {
  /** In the order of admission. */
  readonly rows: readonly QueueRow[];
  /** Those that live. */
  readonly runners: readonly Runner[];
  readonly launches: readonly Launch[];
  readonly alive: Alive;
  readonly nowMs: number;
}

/** How long a started supervisor may take to register, until it is counted as failed. */
export const LAUNCH_MS = 5_000;

/** May this runner take the task? */
export function canServe(row: QueueRow, { owner, place, offers }: Runner): boolean {
  if (row.own) return row.waiter === owner;
  return row.place === place && Object.entries(row.needs).every(([name, hash]) => offers[name] === hash);
}

/** Tasks that hold a slot. */
export function running(rows: readonly QueueRow[]): number {
  return rows.filter(({ state, dead }) => state === "running" || dead.length > 0).length;
}

/** The tasks that are next in order and have a slot, as far as somebody can serve them. */
function nextInOrder({ rows, runners, alive, nowMs }: Look): QueueRow[] {
  const next: QueueRow[] = [];
  const held = running(rows);
  const sessions = new Set(rows.filter(({ state }) => state === "running").map(({ session }) => session));
  for (const row of rows) {
    if (row.state !== "queued" || isVoid(row, alive, nowMs)) continue;
    if (held + next.length >= row.limit) break;
    if (row.session !== null && sessions.has(row.session)) continue;
    sessions.add(row.session);
    // A task that nobody can serve keeps no slot from those behind it.
    const servable = row.own || alive(row.admittedBy) || runners.some((one) => canServe(row, one));
    if (servable) next.push(row);
  }
  return next;
}

/** The task that this runner takes now: the oldest one that it can serve among those that have a slot. */
export function nextFor(look: Look, me: Runner): QueueRow | undefined {
  const here = look.runners.some(({ owner }) => owner === me.owner);
  const runners = here ? look.runners : [...look.runners, me];
  return nextInOrder({ ...look, runners }).find((row) => canServe(row, me));
}

/**
 * The task for which this process should start a supervisor: one that has a slot, and nobody idle or on its way to
 * take it.
 */
export function needsLaunch(look: Look, me: Runner): QueueRow | undefined {
  const busy = look.rows.flatMap(({ state, runner }) => state === "running" ? [runner] : []);
  const coming = look.launches.filter(({ atMs }) => Math.abs(look.nowMs - atMs) < LAUNCH_MS)
    .map(({ id, place, offers }) => ({ owner: id, place, offers }));
  const idle = [...look.runners.filter(({ owner }) => !busy.includes(owner)), ...coming];
  for (const row of nextInOrder({ ...look, runners: [...look.runners, me] })) {
    if (row.own) continue;
    const taker = idle.findIndex((one) => canServe(row, one));
    if (taker >= 0) idle.splice(taker, 1);
    else if (canServe(row, me)) return row;
  }
  return undefined;
}

/** Idle runners for which there is a task with a slot, each once: only they need to be woken. */
export function takers(look: Look): string[] {
  const busy = look.rows.flatMap(({ state, runner }) => state === "running" ? [runner] : []);
  const idle = look.runners.filter(({ owner }) => !busy.includes(owner));
  const woken: string[] = [];
  for (const row of nextInOrder(look)) {
    const taker = row.own
      ? row.waiter
      : idle.find((one) => canServe(row, one) && !woken.includes(one.owner))?.owner;
    if (taker) woken.push(taker);
  }
  return woken;
}

/** Should an idle supervisor make room? When a task waits that it cannot serve, and there are as many as may be. */
export function shouldLeave({ rows, runners, alive, nowMs }: Look, me: Runner): boolean {
  return rows.some((row) =>
    row.state === "queued" && !row.own && !isVoid(row, alive, nowMs) && !canServe(row, me) &&
    runners.length >= row.limit
  );
}

/** What becomes of a task that nobody may begin or go on with. */
export type Fate =
  /** Its wish to be cancelled, or its waiter's end, came before its start. */
  | { readonly end: "cancelled"; readonly why: string }
  /** Its time was over before its start; `served`: somebody was there to take it. */
  | { readonly end: "timeout"; readonly served: boolean }
  /** Nobody with these variables came. */
  | { readonly end: "no_credential"; readonly variables: readonly string[] }
  /** The process that ran or closed it died. */
  | { readonly end: "lost" };

/** The fate of a task; undefined while it may begin or goes on. */
export function fateOf(row: QueueRow, { runners, alive, nowMs }: Omit<Look, "rows">): Fate | undefined {
  if (row.state !== "queued") return row.runner !== null && alive(row.runner) ? undefined : { end: "lost" };
  if (row.wish !== null) return { end: "cancelled", why: row.wish };
  if (isAbandoned(row, alive)) return { end: "cancelled", why: "its caller is gone" };
  if (row.own && (row.waiter === null || !alive(row.waiter))) return { end: "lost" };
  if (nowMs < row.deadlineMs) return undefined;
  const variables = Object.keys(row.needs);
  const served = row.own || runners.some((one) => canServe(row, one));
  const reachable = alive(row.admittedBy) || served;
  return variables.length > 0 && !reachable
    ? { end: "no_credential", variables }
    : { end: "timeout", served };
}

/** Is nobody waiting any more for a task that lives only as long as somebody does? */
export function isAbandoned(row: QueueRow, alive: Alive): boolean {
  return row.kind === "waiting" && (row.waiter === null || !alive(row.waiter));
}

function isVoid(row: QueueRow, alive: Alive, nowMs: number): boolean {
  const orphaned = row.own && (row.waiter === null || !alive(row.waiter));
  return row.wish !== null || nowMs >= row.deadlineMs || isAbandoned(row, alive) || orphaned;
}

/** How many of these tasks wait for a slot; `maxQueued` limits them. */
export function waitingForSlot(open: number, limit: number): number {
  return Math.max(0, open - limit);
}
