// May this task begin? The only step that may throw to the caller.
import { classify } from "../core/capability.ts";
import { refusal } from "../core/failure.ts";
import type { Capability } from "../core/task.ts";
import { admitPrompt, type TaskRequest } from "../core/task_request.ts";
import { type Baseline, readBaseline } from "../hermes/session.ts";
import { FileFault, type World } from "../ports.ts";
import type { Job } from "../core/queue.ts";

const STORE_TRIES = 5;
const STORE_PAUSE_MS = 200;

/** A request that was let in. */
export interface Task {
  readonly request: TaskRequest;
  readonly prompt: string;
  readonly cwd: string;
  readonly capability: { readonly name: Capability; readonly reason: string };
  /** Set when a session is continued. */
  readonly since: Baseline | undefined;
}

/** Checks a request. Throws what refuses it; nothing is recorded or started before. */
export async function admitTask(world: World, request: TaskRequest): Promise<Task> {
  const { depth } = world.place;
  if (depth >= world.settings.values.maxDepth) {
    throw refusal(
      "depth_exceeded",
      `A task that Hermes runs (depth ${depth}) may not start tasks; do the work yourself, or raise maxDepth`,
    );
  }
  const prompt = admitPrompt(request.prompt, world.settings.values);
  return {
    request,
    prompt,
    cwd: await admitFolder(world, request.cwd),
    capability: capabilityOf(request, prompt),
    since: await admitSession(world, request.session_id),
  };
}

/** A task as it was admitted before, at its start: a session that is continued may stand elsewhere by now. */
export async function readmitTask(world: World, job: Job, capability: string | null): Promise<Task> {
  const { request, cwd } = job;
  return {
    request,
    prompt: request.prompt,
    cwd,
    capability: { name: (capability ?? "chat") as Capability, reason: "settled when it was given" },
    since: await admitSession(world, request.session_id),
  };
}

async function admitFolder(world: World, cwd: string): Promise<string> {
  if (cwd === "") return world.place.cwd;
  const { cwdAllowlist } = world.settings.values;
  const refused = (why: string) => refusal("cwd_not_allowed", `cwd "${cwd}": ${why}`);
  if (cwdAllowlist.length === 0) {
    throw refused(
      "no folder is allowed; set cwdAllowlist in hermes-task.jsonc, or HERMES_TASK_CWD_ALLOWLIST",
    );
  }
  const { path, kind } = await world.guardian.resolve(cwd);
  if (kind !== "directory") throw refused("no such folder; name one that is there");
  for (const allowed of cwdAllowlist) {
    const root = (await world.guardian.resolve(allowed)).path.replace(/\/+$/, "");
    if (path === root || path.startsWith(`${root}/`)) return path;
  }
  throw refused(
    `outside the allowed folders (${cwdAllowlist.join(", ")}); name one inside, or add it to cwdAllowlist`,
  );
}

async function admitSession(world: World, sessionId: string): Promise<Baseline | undefined> {
  if (sessionId === "") return undefined;
  const found = await baselineOf(world, sessionId);
  if (!found) {
    throw refusal(
      "session_not_found",
      `No Hermes session "${sessionId}" here; see hermes sessions list, or start a new one without session_id`,
    );
  }
  return found;
}

/** Hermes may hold its store for a moment; one that cannot be read at all is told as such. */
async function baselineOf(world: World, sessionId: string): Promise<Baseline | undefined> {
  for (let tries = 1;; tries++) {
    try {
      return await readBaseline(world, sessionId);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      if (tries === STORE_TRIES) {
        throw refusal(
          "hermes_failed",
          `Cannot read Hermes' sessions: ${error.message}; try again when Hermes is idle`,
        );
      }
      await world.clock.sleep(STORE_PAUSE_MS);
    }
  }
}

function capabilityOf(request: TaskRequest, prompt: string): Task["capability"] {
  if (request.capability !== "") return { name: request.capability, reason: "asked for" };
  const { capability, word } = classify(prompt);
  return {
    name: capability,
    reason: word === undefined ? "nothing in the prompt asks for more" : `the prompt says "${word}"`,
  };
}
