// A finished run of Hermes -> an answer or a failure. The only place where text that Hermes printed is matched.
// Seen with 0.19.0 and a repackaged 0.22.2; each form is anchored, so the same words in a good answer change nothing.
import type { ErrorCode, Failure } from "./failure.ts";

/** Why a run was ended by us; undefined when it ended by itself. */
export type StopCause = "deadline" | "cancel";

/** What is known of a finished run. */
export interface RunFacts {
  readonly exitCode: number;
  readonly signal: string | null;
  readonly stoppedBy: StopCause | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The end of what the session says; undefined when there is no session. */
  readonly session: {
    readonly answer: string | null;
    readonly finishReason: string | null;
    readonly messages: readonly {
      readonly role: string;
      readonly text: string;
      readonly finishReason: string | null;
    }[];
  } | undefined;
  readonly timeoutSeconds: number;
  readonly provider: string;
  readonly model: string;
  readonly nowMs: number;
}

/** What a run came to. A failure may still carry an answer, as far as there is one. */
export interface Verdict {
  readonly failure: Failure | undefined;
  readonly answer: string | null;
  /** Was the answer taken from standard output, for want of a session? */
  readonly fromOutput: boolean;
}

/** How far into the output an error line may stand. */
const HEAD = 2048;

/** Judges a run: who ended it, how it exited, what its session says; text comes last. */
export function judge(run: RunFacts): Verdict {
  const failure = run.stoppedBy ? stopped(run) : run.signal !== null ? killed(run) : undefined;
  if (failure) return { failure, answer: partial(run), fromOutput: false };
  if (run.exitCode !== 0) {
    return { failure: known(run) ?? outOfRoom(run) ?? failed(run), answer: partial(run), fromOutput: false };
  }
  const { text, fromOutput } = answerOf(run);
  // A turn that was given up leaves an exit status of 0 in 0.19; the session, or the first line, tells.
  const gaveUp = givenUp(run, text);
  return { failure: gaveUp, answer: gaveUp ? partial(run) : text, fromOutput: fromOutput && !gaveUp };
}

/** The session id that Hermes printed: on standard error only, the last one counts. */
export function printedSessionId(stderr: string): string | undefined {
  return [...stderr.matchAll(/^session_id: (\S+)\r?$/gm)].at(-1)?.[1];
}

function answerOf(run: RunFacts): { text: string | null; fromOutput: boolean } {
  if (run.session) {
    const { messages, finishReason } = run.session;
    if (finishReason === "length") return { text: joinedParts(messages), fromOutput: false };
    if (run.session.answer !== null) return { text: run.session.answer, fromOutput: false };
  }
  const text = plain(run.stdout).replace(/\n$/, "");
  return { text: text === "" ? null : text, fromOutput: text !== "" };
}

/** Answer text of a run that failed: only what the model said, never an error line. */
function partial(run: RunFacts): string | null {
  if (run.session?.finishReason === "length") return joinedParts(run.session.messages);
  return isEmptyReply(run) ? null : run.session?.answer ?? null;
}

/** What Hermes 0.19 stores when the model said nothing. */
function isEmptyReply({ session }: RunFacts): boolean {
  const last = session?.messages.at(-1);
  return last?.role === "assistant" && last.text === "(empty)" && last.finishReason === null;
}

/** A cut answer is continued by Hermes on its own; the parts since the real prompt belong together. */
function joinedParts(messages: NonNullable<RunFacts["session"]>["messages"]): string {
  const parts: string[] = [];
  for (const { role, text } of messages) {
    if (role === "assistant") parts.push(text);
    else if (role === "user" && !text.startsWith("[System: Your previous response was truncated")) {
      parts.length = 0;
    }
  }
  return parts.join("");
}

function stopped(run: RunFacts): Failure {
  return run.stoppedBy === "deadline"
    ? {
      code: "timeout",
      detail:
        `No answer within ${run.timeoutSeconds} s from ${run.provider} · ${run.model}; give a larger timeout_seconds (up to 1800) or a smaller task`,
    }
    : {
      code: "cancelled",
      detail: "Cancelled by the caller; files that were written and messages that were sent stay",
    };
}

function killed(run: RunFacts): Failure {
  if (run.signal === "SIGTERM" || run.signal === "SIGINT" || run.signal === "SIGHUP") {
    return endedFromOutside();
  }
  return {
    code: "hermes_failed",
    detail:
      `Hermes was killed by ${run.signal}; if it was not by hand, look for a lack of memory, then try again`,
  };
}

function endedFromOutside(): Failure {
  return { code: "cancelled", detail: "Hermes was ended from outside, by its host or by hand" };
}

function failed(run: RunFacts): Failure {
  // Hermes 0.19 and newer exit with 130 after SIGINT, SIGTERM and SIGHUP alike.
  if (run.exitCode === 130) return endedFromOutside();
  const words = firstLine(plain(run.stdout)) || firstLine(withoutSessionLine(plain(run.stderr))) ||
    "it printed nothing";
  return {
    code: "hermes_failed",
    detail: `Hermes ended with status ${run.exitCode}: ${words}; see the task's log: hermes-task detail`,
  };
}

/** The turn limit or the model's output limit (status 0 in 0.19, 1 in newer ones). */
function outOfRoom(run: RunFacts): Failure | undefined {
  if (opensWith(run, /^⚠️ {1,2}Reached maximum iterations \(\d+\)/) || askedToSum(run)) {
    return {
      code: "turn_limit",
      detail: "Hermes stopped at its turn limit before it was done; raise max_turns or split the task",
    };
  }
  if (run.session?.finishReason === "length") {
    return {
      code: "truncated_answer",
      detail: "The model's answer was cut at its output limit; ask for less at once, or for another model",
    };
  }
  return undefined;
}

function givenUp(run: RunFacts, answer: string | null): Failure | undefined {
  const noRoom = outOfRoom(run);
  if (noRoom) return noRoom;
  if (opensWith(run, /^Operation interrupted: /)) return endedFromOutside();
  const empty = opensWith(run, /^⚠️ No reply: /) || isEmptyReply(run);
  if (answer === null || empty) {
    return {
      code: "empty_response",
      detail: `${run.provider} · ${run.model} gave no answer; try again, or another model`,
    };
  }
  // An error line with status 0 (older one-shot paths) and nothing that the model said.
  if (run.session?.answer === null || run.session === undefined) return known(run);
  return undefined;
}

/** Does the output begin so, and are these not the words of a model that came to its end? */
function opensWith(run: RunFacts, line: RegExp): boolean {
  return run.session?.finishReason !== "stop" && line.test(plain(run.stdout).trimStart());
}

/** The last thing that Hermes asked of the model was a summary, because no turn was left (0.19.0). */
function askedToSum(run: RunFacts): boolean {
  const user = run.session?.messages.findLast(({ role }) => role === "user");
  return user?.text.startsWith("You've reached the maximum number of tool-calling iterations") === true;
}

interface Signature {
  readonly code: ErrorCode;
  readonly line: RegExp;
  readonly next: (run: RunFacts) => string;
}

const addKey = (run: RunFacts) => `set its key, or run: hermes auth add ${run.provider}`;

/** Lines by which Hermes says why it could not even ask the model. */
const SIGNATURES: readonly Signature[] = [
  { code: "provider_not_found", line: /^Unknown provider '/, next: () => "see hermes-task models" },
  { code: "no_credential", line: /^⚠️ {1,2}No API key found for provider/, next: addKey },
  { code: "no_credential", line: /^No usable credentials found for provider/, next: addKey },
  { code: "no_credential", line: /^⚠️ {1,2}Provider resolver returned an empty base URL/, next: addKey },
  {
    code: "no_credential",
    line: /^It looks like Hermes isn't configured yet/,
    next: () => "run hermes setup",
  },
  { code: "no_credential", line: /^No inference provider configured/, next: () => "run hermes setup" },
  {
    code: "session_not_found",
    line: /^(?:Session not found: |No session found matching )/,
    next: () => "see hermes sessions list",
  },
  { code: "rate_limited", line: /^⏳ .*rate limit active/, next: () => "wait, or name another provider" },
  {
    code: "hermes_too_old",
    line: /^hermes(?: chat)?: error: unrecognized arguments: /,
    next: () => "update Hermes",
  },
];

/** The failure that a run names at the start of what it printed. */
function known(run: RunFacts): Failure | undefined {
  const lines = [plain(run.stdout).slice(0, HEAD), withoutSessionLine(plain(run.stderr)).slice(0, HEAD)]
    .flatMap((text) => text.split("\n"));
  for (const line of lines) {
    const status =
      /^(?:Provider said: |API call failed after \d+ (?:retries|attempts): |Billing or credits exhausted: |Error: )*HTTP (\d{3})\b(.*)/
        .exec(line);
    if (status) return byStatus(Number(status[1]), line, lines, run);
    const found = SIGNATURES.find((signature) => signature.line.test(line.trimStart()));
    if (found) {
      return {
        code: found.code,
        detail: `${short(line)}; ${found.next(run)}`,
        ...retryAt(lines, run, found.code),
      };
    }
  }
  return undefined;
}

/** The body beats the status: an empty purse is often told with 401 or 403. */
function byStatus(status: number, line: string, lines: readonly string[], run: RunFacts): Failure {
  const code = codeOf(status, line);
  const next: Partial<Record<ErrorCode, string>> = {
    rate_limited: "wait, or name another provider",
    no_credit: "top it up, or name another provider",
    auth_failed: addKey(run),
    model_not_found: `see hermes-task models ${run.provider}`,
  };
  return {
    code,
    detail: `${run.provider}: ${short(line)}; ${next[code] ?? "try again, or another provider"}`,
    ...retryAt(lines, run, code),
  };
}

const NO_CREDIT =
  /insufficient (?:balance|credit|fund)|CreditsError|payment required|out of credits|billing (?:hard )?limit/i;
const LIMIT = /rate.?limit|quota|usage limit|too many requests|resource.?exhausted/i;

function codeOf(status: number, line: string): ErrorCode {
  if (status === 402 || NO_CREDIT.test(line)) return "no_credit";
  if (status === 429 || (status === 403 && LIMIT.test(line))) return "rate_limited";
  if (status === 401 || status === 403) return "auth_failed";
  return status === 404 ? "model_not_found" : "hermes_failed";
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `retry in 34.6s`, `try again in 2 minutes`, `Retry-After: 30`. */
function retryAt(lines: readonly string[], run: RunFacts, code: ErrorCode): { retryAtMs?: number } {
  if (code !== "rate_limited" && code !== "no_credit") return {};
  const found = /(?:retry(?:ing)?[ -](?:in|after)|try again in):? *(\d+(?:\.\d+)?) *(s|m|h)?/i.exec(
    lines.join("\n"),
  );
  return found ? { retryAtMs: run.nowMs + Number(found[1]) * UNIT_MS[(found[2] ?? "s").toLowerCase()]! } : {};
}

/** Without colours, carriage returns and other controls. */
function plain(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f]/g,
    "",
  );
}

function withoutSessionLine(text: string): string {
  return text.replace(/^session_id: .*$/gm, "");
}

function firstLine(text: string): string {
  return short(text.split("\n").find((line) => line.trim() !== "") ?? "");
}

function short(line: string): string {
  const text = line.trim();
  return text.length > 240 ? `${text.slice(0, 240)}…` : text;
}
