// The bootstrap: finds what is where, starts one worker that may do no more than its role needs, keeps the few wide
// rights for itself and offers them as named requests, and sees to it that nothing outlives this process.
import { runOnStandIn, STAND_IN_HOME } from "./bootstrap/demo.ts";
import { FrontDoor } from "./bootstrap/front_door.ts";
import { absolutePath, locate, type Located } from "./bootstrap/locate.ts";
import { launchSupervisor } from "./bootstrap/launch.ts";
import { prepareProfile } from "./bootstrap/profile_links.ts";
import { ownChildren, signal, stopTree } from "./bootstrap/process_tree.ts";
import { standInRights, workerRights } from "./bootstrap/rights.ts";
import { isLocked } from "./os/lock.ts";
import type { BootstrapMessage, GuardianRequest, TerminalFacts, WorkerNotice } from "./messages.ts";
import type { ResolvedPath, StopReport } from "./ports.ts";

type Role = "server" | "supervisor" | "stand-in" | "command";

/** Wait for a clean end of Hermes when the worker cannot see to it. */
const TAKEOVER_GRACE_MS = 1500;
const ACKNOWLEDGE_MS = 250;
const PARENT_LOOK_MS = 500;

/** What this process has at work. Filled while it starts; signals may come before that. */
const running: {
  place?: Located;
  worker?: Worker;
  /** Why it is ending. */
  ending?: string;
  limitMs?: number;
  readonly marks: Set<string>;
} = {
  marks: new Set(),
};

await main(roleOf(Deno.args));

function roleOf(args: readonly string[]): Role {
  if (args[0] === "mcp" && args.length === 1) return "server";
  if (args[0] === "supervise" && args.length === 1) return "supervisor";
  return args[0] === "stand-in" ? "stand-in" : "command";
}

async function main(role: Role): Promise<void> {
  listen("SIGINT", 130);
  listen("SIGTERM", 143);
  listen("SIGHUP", 129);
  if (role === "server") watchParent();
  const door = role === "server" ? new FrontDoor((status) => end("end of input", status)) : undefined;
  await door?.opened;
  const place = running.place = locate((name) => Deno.env.get(name));
  const worker = running.worker = startWorker(
    role === "stand-in" && !isDemo(place) ? "command" : role,
    place,
  );
  worker.onmessage = ({ data }: MessageEvent<GuardianRequest | WorkerNotice>) => {
    if ("id" in data) void serve(data, place);
    else hear(data, place, door);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    const text = `hermes-task: a fault of its own: ${event.message}; please report it\n`;
    Deno.stderr.writeSync(new TextEncoder().encode(text));
    takeOver(1);
  };
}

function isDemo({ root }: Located): boolean {
  try {
    return Deno.statSync(`${root}/${STAND_IN_HOME}`).isFile;
  } catch {
    return false;
  }
}

/** Each entry stands here in full: the bundler finds a worker by nothing else. */
function startWorker(role: Role, place: Located): Worker {
  const permissions = role === "stand-in" ? standInRights(place) : workerRights(place);
  const options = { type: "module", name: role, deno: { permissions } } as const;
  if (role === "server") return new Worker(new URL("./workers/mcp.ts", import.meta.url), options);
  if (role === "supervisor") return new Worker(new URL("./workers/supervisor.ts", import.meta.url), options);
  if (role === "stand-in") return new Worker(new URL("./workers/stand_in.ts", import.meta.url), options);
  return new Worker(new URL("./workers/command.ts", import.meta.url), options);
}

async function serve(request: GuardianRequest, place: Located): Promise<void> {
  try {
    tell({ op: "answer", id: request.id, value: await carryOut(request, place) });
  } catch (error) {
    tell({ op: "refused", id: request.id, why: error instanceof Error ? error.message : String(error) });
  }
}

function carryOut(request: GuardianRequest, place: Located): unknown {
  if (request.op === "prepareProfile") return prepareProfile(place);
  if (request.op === "demo") return runOnStandIn();
  if (request.op === "resolve") return resolve(String(request.path), place);
  if (request.op === "launch") {
    return launchSupervisor(place, request.variables.map(String), import.meta.url);
  }
  if (request.op === "reap") return reap(String(request.owner), place);
  if (request.op !== "stop") throw new Error("No such request");
  if (!request.mark.startsWith(`${place.owner}.`)) throw new Error("Not a mark of this process");
  if (!Number.isInteger(request.pid) || request.pid <= 1) throw new Error("Not a process that could be ours");
  // The second look follows the answer; until then the mark is on the list of what is swept at the end.
  setTimeout(() => lookAgain(request.mark));
  return stopTree(request.pid, request.mark, 1);
}

/** Only of a process that is gone: its lock is free. */
function reap(owner: string, { cacheDir }: Located): StopReport {
  if (!/^[a-z0-9]+$/.test(owner)) throw new Error("Not a name of a process of ours");
  if (isLocked(`${cacheDir}/locks/${owner}`)) throw new Error("That process lives");
  return stopTree(undefined, `${owner}.`);
}

function lookAgain(mark: string): void {
  if (stopTree(undefined, mark, 1).left.length === 0) running.marks.delete(mark);
}

function resolve(path: string, place: Located): ResolvedPath {
  try {
    const real = Deno.realPathSync(absolutePath(path, place.cwd, place.userHome));
    const facts = Deno.statSync(real);
    return { path: real, kind: facts.isFile ? "file" : facts.isDirectory ? "directory" : "other" };
  } catch {
    return { path, kind: "missing" };
  }
}

function hear(notice: WorkerNotice, place: Located, door: FrontDoor | undefined): void {
  if (notice.op === "ready") start(place, door);
  if (notice.op === "watch") running.marks.add(notice.mark);
  if (notice.op === "release") running.marks.delete(notice.mark);
  if (notice.op === "ending") running.limitMs = notice.limitMs;
  if (notice.op === "exit") finish(notice.status);
}

function start(place: Located, door: FrontDoor | undefined): void {
  const early: Uint8Array[] = [];
  let forward: (bytes: Uint8Array) => void = (bytes) => void early.push(bytes);
  const answered = door?.handOver((bytes) => forward(bytes)) ?? [];
  tell({ op: "start", place, argv: Deno.args, terminal: terminal(), answered });
  forward = (bytes) => tell({ op: "input", bytes });
  early.forEach(forward);
}

function tell(message: BootstrapMessage): void {
  running.worker?.postMessage(message);
}

function terminal(): TerminalFacts {
  const outIsTerminal = Deno.stdout.isTerminal();
  const errIsTerminal = Deno.stderr.isTerminal();
  return { outIsTerminal, errIsTerminal, inIsTerminal: Deno.stdin.isTerminal(), columns: columns() };
}

function columns(): number {
  try {
    return Deno.consoleSize().columns;
  } catch {
    return 80;
  }
}

function listen(name: Deno.Signal, status: number): void {
  try {
    Deno.addSignalListener(name, () => end(name, status));
  } catch (error) {
    // Windows knows fewer signals.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** A host may be killed while a sibling holds our input open: then only the parent's id tells. */
function watchParent(): void {
  const parent = Deno.ppid;
  setInterval(() => Deno.ppid === parent || end("the host is gone", 0), PARENT_LOOK_MS);
}

/**
 * Asks the worker to end everything; a worker that does not answer is ended from here. Hosts end a server by several
 * means in a row, so only a person who presses Ctrl-C twice ends it at once.
 */
function end(reason: string, status: number): void {
  if (!running.worker) Deno.exit(status);
  if (running.ending) return reason === "SIGINT" && running.ending === "SIGINT" ? finish(status) : undefined;
  running.ending = reason;
  tell({ op: "end", reason, status });
  setTimeout(() => {
    if (running.limitMs === undefined) takeOver(status);
    else setTimeout(() => finish(status), running.limitMs);
  }, ACKNOWLEDGE_MS);
}

/** Ends what a worker that is blocked or broken had started. */
function takeOver(status: number): void {
  if (running.marks.size === 0) Deno.exit(status);
  const ours = `${running.place!.owner}.`;
  for (const pid of ownChildren(ours)) signal(pid, "SIGTERM");
  const until = performance.now() + TAKEOVER_GRACE_MS;
  const timer = setInterval(() => {
    if (ownChildren(ours).length > 0 && performance.now() < until) return;
    clearInterval(timer);
    finish(status);
  }, 50);
}

function finish(status: number): never {
  if (running.marks.size > 0) stopTree(undefined, `${running.place!.owner}.`);
  Deno.exit(status);
}
