// What does a host hear while a call runs? Notes that always rise, for the token that it gave, and none once the
// call is answered or cancelled: some hosts end the connection over a late one.
import type { ProgressToken, ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../core/task.ts";
import type { Clock } from "../ports.ts";

/** Longest silence. Hosts that reset a time limit by progress have limits from 60 s. */
const SILENCE_MS = 8_000;

/** Notes on one call. */
export interface Reporter {
  readonly report: (progress: Progress) => void;
  /** No note after this. */
  readonly stop: () => void;
}

/** Starts to report to the host, or says nothing at all when it gave no token (0 and "" are tokens). */
export function startReporter(context: ServerContext, clock: Clock, signal: AbortSignal): Reporter {
  const token = context.mcpReq._meta?.progressToken;
  if (token === undefined) return { report: () => {}, stop: () => {} };
  const stopped = new AbortController();
  const ends = AbortSignal.any([signal, stopped.signal]);
  const notes = new Notes(context, token, clock.now());
  const report = (progress: Progress) => {
    if (!ends.aborted) notes.send(clock.now(), messageOf(progress));
  };
  const beat = async () => {
    while (!ends.aborted) {
      await clock.sleep(SILENCE_MS, ends);
      if (!ends.aborted) notes.repeat(clock.now(), SILENCE_MS);
    }
  };
  void beat();
  return { report, stop: () => stopped.abort() };
}

class Notes {
  readonly #context: ServerContext;
  readonly #token: ProgressToken;
  readonly #startedMs: number;
  #lastMs: number;
  #lastValue = 0;
  #lastMessage = "working";

  constructor(context: ServerContext, token: ProgressToken, nowMs: number) {
    this.#context = context;
    this.#token = token;
    this.#startedMs = nowMs;
    this.#lastMs = nowMs;
  }

  /** Progress is the seconds so far, and a little more when no time has passed. */
  send(nowMs: number, message: string): void {
    this.#lastMs = nowMs;
    this.#lastMessage = message;
    this.#lastValue = Math.max((nowMs - this.#startedMs) / 1000, this.#lastValue + 0.001);
    const params = { progressToken: this.#token, progress: this.#lastValue, message };
    this.#context.mcpReq.notify({ method: "notifications/progress", params })
      .catch(() => {/* the line is closed: its end is seen elsewhere */});
  }

  repeat(nowMs: number, silenceMs: number): void {
    if (nowMs - this.#lastMs >= silenceMs) this.send(nowMs, this.#lastMessage);
  }
}

function messageOf(progress: Progress): string {
  const { provider, model, elapsed_ms, activity, turns } = progress;
  const doing = activity ?? (turns === null ? "starting" : `round ${turns}`);
  return [provider, model, `${Math.round(elapsed_ms / 1000)} s`, doing].filter((word) => word !== null).join(
    " · ",
  );
}
