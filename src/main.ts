// The bootstrap: finds what is where, starts one worker that may do no more than its role needs, keeps the few wide
// rights for itself and offers them as named requests, and sees to it that nothing outlives this process.
import { runOnStandIn } from "./bootstrap/demo.ts";
import { locate } from "./bootstrap/locate.ts";
import { prepareProfile } from "./bootstrap/profile_links.ts";
import { ownChildren, signal, stopTree } from "./bootstrap/process_tree.ts";
import { standInRights, workerRights } from "./bootstrap/rights.ts";
import type { BootstrapMessage, GuardianRequest, ResolvedPath, WorkerNotice } from "./ports.ts";

/** Wait for a clean end of Hermes when the worker cannot see to it. */
const TAKEOVER_GRACE_MS = 1500;
const ACKNOWLEDGE_MS = 250;
const PARENT_LOOK_MS = 500;

const place = locate((name) => Deno.env.get(name));
const serving = Deno.args[0] === "mcp" && Deno.args.length === 1;
const standingIn = Deno.args[0] === "stand-in";
const open = new Set<string>();
let ending = false;
let limit: number | undefined;

const permissions = standingIn ? standInRights(place) : workerRights(place);
const rights = { type: "module", deno: { permissions } } as const;
const worker = serving
  ? new Worker(new URL("./workers/mcp.ts", import.meta.url), { ...rights, name: "server" })
  : standingIn
  ? new Worker(new URL("./workers/stand_in.ts", import.meta.url), { ...rights, name: "stand-in" })
  : new Worker(new URL("./workers/command.ts", import.meta.url), { ...rights, name: "command" });

worker.onmessage = ({ data }: MessageEvent<GuardianRequest | WorkerNotice>) => {
  if ("id" in data) void serve(data);
  else hear(data);
};
worker.onerror = (event) => {
  event.preventDefault();
  Deno.stderr.writeSync(
    new TextEncoder().encode(`hermes-task: a fault of its own: ${event.message}; please report it\n`),
  );
  takeOver(1);
};

listen("SIGINT", 130);
listen("SIGTERM", 143);
listen("SIGHUP", 129);
if (serving) watchParent();

async function serve(request: GuardianRequest): Promise<void> {
  try {
    answer({ op: "answer", id: request.id, value: await carryOut(request) });
  } catch (error) {
    answer({ op: "refused", id: request.id, why: error instanceof Error ? error.message : String(error) });
  }
}

function carryOut(request: GuardianRequest): unknown {
  if (request.op === "prepareProfile") return prepareProfile(place);
  if (request.op === "demo") return runOnStandIn();
  if (request.op === "resolve") return resolve(String(request.path));
  if (request.op !== "stop") throw new Error("No such request");
  if (!request.mark.startsWith(`${place.owner}.`)) throw new Error("Not a mark of this process");
  const report = stopTree(request.pid, request.mark);
  if (report.left.length === 0) open.delete(request.mark);
  return report;
}

function resolve(path: string): ResolvedPath {
  try {
    const real = Deno.realPathSync(path);
    const facts = Deno.statSync(real);
    return { path: real, kind: facts.isFile ? "file" : facts.isDirectory ? "directory" : "other" };
  } catch {
    return { path, kind: "missing" };
  }
}

function hear(notice: WorkerNotice): void {
  if (notice.op === "ready") answer({ op: "start", place, argv: Deno.args, terminal: terminal() });
  if (notice.op === "watch") open.add(notice.mark);
  if (notice.op === "ending") limit = notice.limitMs;
  if (notice.op === "exit") finish(notice.status);
}

function answer(message: BootstrapMessage): void {
  worker.postMessage(message);
}

function terminal() {
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

/** Asks the worker to end everything; a worker that does not answer is ended from here. A second order ends at once. */
function end(reason: string, status: number): void {
  if (ending) return finish(status);
  ending = true;
  answer({ op: "end", reason, status });
  setTimeout(
    () => limit === undefined ? takeOver(status) : setTimeout(() => finish(status), limit),
    ACKNOWLEDGE_MS,
  );
}

/** Ends what a worker that is blocked or broken had started. */
function takeOver(status: number): void {
  if (open.size === 0) Deno.exit(status);
  for (const pid of ownChildren(`${place.owner}.`)) signal(pid, "SIGTERM");
  const until = performance.now() + TAKEOVER_GRACE_MS;
  const timer = setInterval(() => {
    if (ownChildren(`${place.owner}.`).length > 0 && performance.now() < until) return;
    clearInterval(timer);
    finish(status);
  }, 50);
}

function finish(status: number): never {
  if (open.size > 0) stopTree(undefined, `${place.owner}.`);
  Deno.exit(status);
}
