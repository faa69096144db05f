// A finished run of Hermes -> an answer or a failure. With error_line.ts the only place where text that Hermes printed
// is matched; each form is anchored, so the same words in a good answer change nothing.
import { failureNamed, firstLine, plain, withoutSessionLine } from "./error_line.ts";
import type { Failure } from "./failure.ts";

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
    readonly failedTurn: { readonly error: string; readonly resetsAtMs: number | null } | null;
    /** Who did the main work, as Hermes billed it; empty when it is not known. */
    readonly billed: readonly { readonly provider: string | null; readonly model: string | null }[];
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
  /** The setting `resetWindowMs`: no rest is taken to be longer. */
  readonly longestRestMs: number;
}

/** What a run came to. A failure may still carry an answer, as far as there is one. */
export interface Verdict {
  readonly failure: Failure | undefined;
  readonly answer: string | null;
  /** Was the answer taken from standard output, for want of a session? */
  readonly fromOutput: boolean;
}

/** Judges a run: who ended it, how it exited, what its session says; text comes last. */
export function judge(run: RunFacts): Verdict {
  const failure = run.stoppedBy ? stopped(run) : run.signal !== null ? killed(run) : undefined;
  if (failure) return { failure, answer: partial(run), fromOutput: false };
  if (run.exitCode !== 0) {
    return {
      failure: outOfRoom(run) ?? named(run) ?? failed(run),
      answer: partial(run),
      fromOutput: false,
    };
  }
  const { text, fromOutput } = answerOf(run);
  const drift = drifted(run);
  if (drift) return { failure: drift, answer: text, fromOutput };
  // A turn that was given up leaves an exit status of 0 in 0.19; the session, or the first line, tells.
  const gaveUp = givenUp(run, text);
  return { failure: gaveUp, answer: gaveUp ? partial(run) : text, fromOutput: fromOutput && !gaveUp };
}

/** The failure that Hermes noted in the session, else the one that it printed. */
function named(run: RunFacts): Failure | undefined {
  const turn = run.session?.failedTurn;
  const failure = (turn && failureNamed({ ...run, stdout: turn.error, stderr: "" })) ?? failureNamed(run);
  return failure && turn?.resetsAtMs
    ? { ...failure, retryAtMs: Math.min(turn.resetsAtMs, run.nowMs + run.longestRestMs) }
    : failure;
}

/** Did another provider or model do the work than was asked? A provider of the user's own is billed as `custom`. */
function drifted(run: RunFacts): Failure | undefined {
  const provider = run.provider.startsWith("custom:") ? "custom" : run.provider;
  const other = run.session?.billed.find((billed) =>
    (billed.provider !== null && billed.provider !== provider && billed.provider !== run.provider) ||
    (billed.model !== null && !sameModel(billed.model, run.model))
  );
  if (!other) return undefined;
  return {
    code: "provider_drift",
    detail:
      `${run.provider} · ${run.model} was asked, ${other.provider ?? "?"} · ${
        other.model ?? "?"
      } did the work and may bill it; ` +
      "the answer is kept; look for a fallback or an alias in Hermes' configuration",
  };
}

/** Hermes takes a vendor's name off, or puts it on, for some providers. */
function sameModel(a: string, b: string): boolean {
  const [one, two] = [a.toLowerCase(), b.toLowerCase()];
  return one === two || one.endsWith(`/${two}`) || two.endsWith(`/${one}`);
}

/** The session id that Hermes printed: on standard error only, the last one counts. */
export function printedSessionId(stderr: string): string | undefined {
  return [...stderr.matchAll(/^session_id: (\S+)\r?$/gm)].at(-1)?.[1];
}

function answerOf(run: RunFacts): { text: string | null; fromOutput: boolean } {
  if (run.session) {
    const { messages, finishReason } = run.session;
    if (finishReason === "length") return { text: joinedParts(messages), fromOutput: false };
    // Words before a last tool call are no answer.
    if (run.session.answer !== null && messages.at(-1)?.role === "assistant") {
      return { text: run.session.answer, fromOutput: false };
    }
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
    detail:
      `Hermes ended with status ${run.exitCode}: ${words}; its log tells more (hermes_task_detail, section log)`,
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
  if (run.session === undefined && /[\0\uFFFD]/.test(run.stdout)) {
    return {
      code: "hermes_failed",
      detail: "Hermes printed what is no text; look whether HERMES_BIN names a Hermes",
    };
  }
  // An error line with status 0 (older one-shot paths) and nothing that the model said.
  if (run.session?.answer === null || run.session === undefined) return failureNamed(run);
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
