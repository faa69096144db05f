// What a bootstrap and its worker say to each other, on one page.
import type { Place } from "./ports.ts";

/** What a worker asks of the bootstrap. Each is a named request; none names a program to run. */
export type GuardianRequest =
  | { readonly id: number; readonly op: "stop"; readonly pid: number; readonly mark: string }
  | { readonly id: number; readonly op: "prepareProfile" }
  /** Shows the main job on the built-in stand-in, in a throw-away home; answered with the exit status. */
  | { readonly id: number; readonly op: "demo" }
  | { readonly id: number; readonly op: "resolve"; readonly path: string }
  | { readonly id: number; readonly op: "launch"; readonly variables: readonly string[] }
  | { readonly id: number; readonly op: "reap"; readonly owner: string };

/** What a worker tells the bootstrap. */
export type WorkerNotice =
  /** Ready to be told what to do. */
  | { readonly op: "ready" }
  /** A child with this mark is about to be started: unless it is stopped before, it is swept at the end. */
  | { readonly op: "watch"; readonly mark: string }
  /** What carries this mark may live on. */
  | { readonly op: "release"; readonly mark: string }
  /** The order to end was received and is being carried out; done within `limitMs`. */
  | { readonly op: "ending"; readonly limitMs: number }
  /** Everything is done: end the process with this status. */
  | { readonly op: "exit"; readonly status: number };

/** What the bootstrap sends to its worker. */
export type BootstrapMessage =
  | {
    readonly op: "start";
    readonly place: Place;
    readonly argv: readonly string[];
    readonly terminal: TerminalFacts;
    /** Ids of a host's requests that were answered before the worker was there. */
    readonly answered: readonly (string | number)[];
  }
  /** Bytes from the host, as they came. */
  | { readonly op: "input"; readonly bytes: Uint8Array }
  /** End now: a signal arrived, the input ended, or the parent is gone. */
  | { readonly op: "end"; readonly reason: string; readonly status: number }
  | { readonly op: "answer"; readonly id: number; readonly value: unknown }
  | { readonly op: "refused"; readonly id: number; readonly why: string };

/** What only the main thread can tell of the terminal. */
export interface TerminalFacts {
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  readonly columns: number;
}
