// What does the scripted model of a host do next? Decided from the tools it is offered and what they answered, whatever
// the wire form: delegate one task, wait for it as long as it runs, say what came of it.

/** A tool as the model is told to call it. */
export interface OfferedTool {
  readonly name: string;
  /** Codex puts the tools of an MCP server into a namespace. */
  readonly namespace?: string;
}

/** One request of a host to its model. */
export interface HostTurn {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly OfferedTool[];
  /** What tools have answered so far, oldest first. */
  readonly results: readonly string[];
}

/** What the model answers. */
export type HostMove =
  | { readonly kind: "say"; readonly text: string }
  | {
    readonly kind: "call";
    readonly tool: OfferedTool;
    readonly arguments: Readonly<Record<string, unknown>>;
  };

/** What the model is to do with a conversation. */
export interface HostScript {
  /** Arguments of `hermes_task`. */
  readonly task: Readonly<Record<string, unknown>>;
  /** `wait_seconds` of each `hermes_wait`; the server's own choice when left out. */
  readonly waitSeconds?: number;
}

/** Decides the next move. */
export function nextMove(turn: HostTurn, script: HostScript): HostMove {
  const last = turn.results.at(-1);
  if (last === undefined) return callOrSay(turn, "hermes_task", script.task, "A side request.");
  const reply = parseReply(last);
  if (reply === undefined) return { kind: "say", text: `HOST-GAVE-UP ${last.slice(0, 500)}` };
  const open = openTasks(reply);
  if (open.length === 0) return { kind: "say", text: `HOST-SAYS ${outcomeOf(reply)}` };
  const seconds = script.waitSeconds === undefined ? {} : { wait_seconds: script.waitSeconds };
  const wait = { task_ids: open, mode: "all", ...seconds };
  return callOrSay(turn, "hermes_wait", wait, `HOST-LACKS hermes_wait for ${open.join(" ")}`);
}

function callOrSay(
  { tools }: HostTurn,
  ending: string,
  args: Readonly<Record<string, unknown>>,
  otherwise: string,
): HostMove {
  const tool = tools.find(({ name }) => name.endsWith(ending));
  return tool ? { kind: "call", tool, arguments: args } : { kind: "say", text: otherwise };
}

/** As much of a reply of `hermes_task` or `hermes_wait` as the script goes by. */
interface TaskReply {
  readonly status?: string;
  readonly task_id?: string;
  readonly result?: string | null;
  readonly error?: string | null;
  readonly tasks?: readonly TaskReply[];
  readonly pending?: readonly string[];
}

/** The JSON of a tool's answer, which some hosts put lines of their own around; undefined for a host's own words. */
function parseReply(text: string): TaskReply | undefined {
  try {
    const reply = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    return typeof reply.ok === "boolean" ? reply : undefined;
  } catch {
    return undefined;
  }
}

function openTasks({ pending, status, task_id }: TaskReply): readonly string[] {
  if (pending) return pending;
  return task_id && (status === "running" || status === "queued") ? [task_id] : [];
}

function outcomeOf(reply: TaskReply): string {
  const { result, error } = reply.tasks?.[0] ?? reply;
  return result ?? `an error: ${error}`;
}
