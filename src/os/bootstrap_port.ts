// The worker's end of the line to its bootstrap.
import type { BootstrapMessage, GuardianRequest, TerminalFacts, WorkerNotice } from "../messages.ts";
import type { Guardian, Place, ProfileReport, ResolvedPath, StopReport } from "../ports.ts";

/** What a worker has of its bootstrap. */
export interface Connection {
  readonly place: Place;
  readonly argv: readonly string[];
  readonly terminal: TerminalFacts;
  readonly guardian: Guardian;
  /** Ids of a host's requests that are answered already. */
  readonly answered: readonly (string | number)[];
  /** Takes the host's bytes, those included that came before. */
  onInput(listener: (bytes: Uint8Array) => void): void;
  /** Called when a signal arrived, the input ended or the parent is gone; `status` is the exit status that this asks for. */
  onEnd(listener: (reason: string, status: number) => void): void;
  /** Says that the order to end is being carried out, within so many milliseconds. */
  ending(limitMs: number): void;
  /** Shows the main job on the built-in stand-in; resolves with the exit status. */
  demo(): Promise<number>;
  /** Ends the process; what is still running of ours is swept. */
  exit(status: number): void;
}

type Line = {
  postMessage(message: GuardianRequest | WorkerNotice): void;
  onmessage: ((event: MessageEvent<BootstrapMessage>) => void) | null;
};

/** Says that this worker is ready and waits to be told where things are. */
export function connectBootstrap(line: Line = self as unknown as Line): Promise<Connection> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const listeners: ((reason: string, status: number) => void)[] = [];
  let ended: { readonly reason: string; readonly status: number } | undefined;
  const early: Uint8Array[] = [];
  const input: { take: (bytes: Uint8Array) => void } = { take: (bytes) => void early.push(bytes) };
  let lastId = 0;
  const ask = <T>(request: DistributiveOmit<GuardianRequest, "id">): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      line.postMessage({ ...request, id });
    });
  const guardian: Guardian = {
    watch: (mark) => line.postMessage({ op: "watch", mark }),
    release: (mark) => line.postMessage({ op: "release", mark }),
    stop: (pid, mark) => ask<StopReport>({ op: "stop", pid, mark }),
    prepareProfile: () => ask<ProfileReport>({ op: "prepareProfile" }),
    resolve: (path) => ask<ResolvedPath>({ op: "resolve", path }),
    mayLaunch: () => Promise.resolve(undefined),
    launch: (variables) => ask<string | undefined>({ op: "launch", variables }),
    reap: (owner) => ask<StopReport>({ op: "reap", owner }),
  };
  return new Promise((resolve) => {
    line.onmessage = ({ data }) => {
      if (data.op === "start") {
        resolve({
          place: data.place,
          argv: data.argv,
          terminal: data.terminal,
          guardian,
          answered: data.answered,
          onInput: (listener) => {
            input.take = listener;
            early.splice(0).forEach(listener);
          },
          onEnd: (listener) => {
            listeners.push(listener);
            // The order may have come before anybody was there to hear it.
            if (ended) listener(ended.reason, ended.status);
          },
          ending: (limitMs) => line.postMessage({ op: "ending", limitMs }),
          demo: () => ask<number>({ op: "demo" }),
          exit: (status) => line.postMessage({ op: "exit", status }),
        });
      } else if (data.op === "input") {
        input.take(data.bytes);
      } else if (data.op === "end") {
        ended = data;
        for (const listener of listeners) listener(data.reason, data.status);
      } else {
        const call = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.op === "answer") call?.resolve(data.value);
        else call?.reject(new Error(data.why));
      }
    };
    line.postMessage({ op: "ready" });
  });
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
