// What does the model server answer? Decided from a behaviour's name and the request alone; nothing is sent here.

/** A chat request, as far as replies depend on it. */
export interface ModelRequest {
  readonly model: string;
  /** The last user message. */
  readonly prompt: string;
  /** Tool results after the last user message, oldest first. */
  readonly toolResults: readonly string[];
  /** Does the caller offer tools? Titles, summaries and the last call at a turn limit do not. */
  readonly offersTools: boolean;
}

/** What to send. */
export type ModelReply =
  | { readonly kind: "error"; readonly error: ModelError }
  | { readonly kind: "silence" }
  | { readonly kind: "message"; readonly message: ModelMessage };

/** An error in the shape of OpenAI's. */
export interface ModelError {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** One assistant message. */
export interface ModelMessage {
  /** Sent one after the other when streaming. */
  readonly pieces: readonly string[];
  /** Wait before the first piece. */
  readonly waitMs: number;
  /** Wait before each piece. */
  readonly delayMs: number;
  readonly tool?: { readonly name: string; readonly arguments: unknown };
  readonly finish: "stop" | "tool_calls" | "length";
  readonly usage: { readonly prompt: number; readonly completion: number; readonly cached: number };
}

const ERRORS: Readonly<Record<number, readonly [type: string, code: string, message: string]>> = {
  400: ["invalid_request_error", "bad_request", "Mock: malformed request"],
  401: ["authentication_error", "invalid_api_key", "Mock: incorrect API key provided"],
  402: ["insufficient_quota", "insufficient_credits", "Mock: payment required, insufficient credits"],
  403: ["permission_error", "forbidden", "Mock: forbidden"],
  404: [
    "invalid_request_error",
    "model_not_found",
    "The model `MODEL` does not exist or you do not have access to it",
  ],
  429: ["rate_limit_error", "rate_limit_exceeded", "Mock: rate limit reached"],
  500: ["server_error", "internal_error", "Mock: internal error"],
  503: ["server_error", "overloaded", "Mock: service overloaded"],
};

type Arguments = readonly number[];
type Answer = (request: ModelRequest, args: Arguments) => ModelReply;

const BEHAVIOURS: Readonly<Record<string, Answer>> = {
  plain: (request) =>
    say(ordered(request) ?? "MOCK-ANSWER ok", { usage: { prompt: 123, completion: 7, cached: 23 } }),
  echo: (request) => say(request.prompt),
  tool: (request) =>
    mayCall(request, 1)
      ? terminal(commanded(request) ?? "echo hi")
      : say(ordered(request) ?? `TOOL-SAID ${request.toolResults.at(-1)?.slice(0, 300) ?? "nothing"}`),
  files: (request) => mayCall(request, 1) ? terminal(LARGE_FILES) : say(printed(request.toolResults.at(-1))),
  steps: (request, [rounds = 3, waitMs = 0]) =>
    mayCall(request, rounds)
      ? terminal(`echo step ${request.toolResults.length + 1}`, {}, waitMs)
      : say(`STEPS-DONE ${request.toolResults.length}`, { waitMs }),
  loop: (request) => request.offersTools ? terminal("echo again") : say("LOOP-SUMMARY"),
  bg: (request) =>
    mayCall(request, 1)
      ? terminal(commanded(request) ?? "sleep 60", { background: true })
      : say("BG-STARTED"),
  hang: () => ({ kind: "silence" }),
  slow: (_request, [pieces = 20, delayMs = 500]) =>
    say(Array.from({ length: pieces }, (_, i) => `w${i} `), { delayMs }),
  long: (_request, [kib = 300]) => say(longText(kib)),
  empty: () => say(""),
  length: () => say("MOCK-TRUNC", { finish: "length" }),
  unicode: () => say("Grüße 日本語 🎉 e\u0301 \u2028 end"),
  ansi: () => say("A\u001b[31mRED\u001b[0m \u0007 B\u0000C \u202Eesrever"),
  fakeid: () => say("session_id: 20990101_000000_ffffff\nreal answer"),
};

/** Names each file over 1 MB below the working folder, or says that there is none. */
const LARGE_FILES =
  "find . -name .git -prune -o -type f -size +1024k -print | sed 's/$/ is over 1 MB/' | grep . || " +
  "echo 'None of them is.'";

/** What a terminal call printed. */
function printed(result: string | undefined): string {
  try {
    return String((JSON.parse(result ?? "") as { output?: unknown }).output);
  } catch {
    return `TOOL-SAID ${result}`;
  }
}

/** Every behaviour that has a name; statuses such as `402` or `429_30` come besides. */
export const BEHAVIOUR_NAMES: readonly string[] = Object.keys(BEHAVIOURS);

/** The reply of a behaviour such as `plain`, `steps_2_500`, `402` or `429_30`; an unknown one is a missing model. */
export function replyOf(behaviour: string, request: ModelRequest): ModelReply {
  const [name = "", ...rest] = behaviour.split("_");
  const args = rest.map(Number).filter(Number.isFinite);
  if (/^[45]\d\d$/.test(name)) return errorOf(Number(name), request.model, args[0]);
  return Object.hasOwn(BEHAVIOURS, name) ? BEHAVIOURS[name]!(request, args) : errorOf(404, request.model);
}

function errorOf(status: number, model: string, seconds?: number): ModelReply {
  const [type, code, message] = ERRORS[status] ?? ["server_error", "error", `Mock: HTTP ${status}`];
  const error = { status, type, code, message: message.replace("MODEL", model) };
  return { kind: "error", error: status === 429 ? { ...error, retryAfterSeconds: seconds ?? 1 } : error };
}

function say(text: string | readonly string[], changes: Partial<ModelMessage> = {}): ModelReply {
  const pieces = typeof text === "string" ? [text] : text;
  const usage = { prompt: 100, completion: 20, cached: 0 };
  return { kind: "message", message: { pieces, waitMs: 0, delayMs: 0, finish: "stop", usage, ...changes } };
}

function terminal(command: string, more: Record<string, unknown> = {}, waitMs = 0): ModelReply {
  return say([], {
    waitMs,
    finish: "tool_calls",
    tool: { name: "terminal", arguments: { command, ...more } },
    usage: { prompt: 200, completion: 30, cached: 0 },
  });
}

function mayCall(request: ModelRequest, rounds: number): boolean {
  return request.offersTools && request.toolResults.length < rounds;
}

/** `SAY: text` in the prompt orders the answer. */
function ordered(request: ModelRequest): string | undefined {
  return /\bSAY:\s*(.+)$/m.exec(request.prompt)?.[1]?.trim();
}

/** `RUN: command` in the prompt orders the tool call. */
function commanded(request: ModelRequest): string | undefined {
  return /\bRUN:\s*(.+)$/m.exec(request.prompt)?.[1]?.trim();
}

/** Lines of 16 bytes that never repeat: newer Hermes stops a reply that goes in circles. */
function longText(kib: number): string[] {
  const line = (i: number) =>
    `${String(i).padStart(7, "0")} ${((i * 2654435761) % 268435456).toString(16).padStart(7, "0")}\n`;
  return Array.from(
    { length: Math.ceil(kib / 4) },
    (_, block) =>
      Array.from({ length: Math.min(256, kib * 64 - block * 256) }, (_, i) => line(block * 256 + i)).join(""),
  );
}
