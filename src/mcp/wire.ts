// Who holds the line to the host? One wire: it reads messages, answers the opening by itself, keeps everything for
// the SDK until that is loaded, and writes. The SDK uses it as its transport.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { LineReader } from "./lines.ts";
import type { Opening } from "./opening.ts";

/** JSON-RPC's code for what is no request. */
const INVALID_REQUEST = -32600;

/** How soon the SDK must be there: at once, or when the host has had time to ask for the tools. */
export type Need = "now" | "soon";

/** What a wire works with. */
export interface WireOptions {
  /** Writes text to the host; rejects when nobody reads any more. */
  readonly write: (text: string) => Promise<void>;
  /** Answers before the SDK is loaded; without one the SDK answers everything but what was `answered` already. */
  readonly opening?: Opening;
  readonly answered?: readonly (string | number)[];
  /** Called for each message that waits for the SDK. */
  readonly onWaiting: (need: Need) => void;
}

/** The line to one host. */
export class Wire {
  readonly #options: WireOptions;
  readonly #lines = new LineReader();
  #waiting: unknown[] | undefined = [];
  readonly #answered: Set<unknown>;
  #closed = false;

  /** Set by the SDK, as by any transport's user. */
  onmessage?: (message: JSONRPCMessage) => void;
  /** Set by the SDK; called once. */
  onclose?: () => void;
  /** Set by the SDK. */
  onerror?: (error: Error) => void;

  /** Makes a wire; bytes come in by {@link Wire.read}. */
  constructor(options: WireOptions) {
    this.#options = options;
    this.#answered = new Set(options.answered);
  }

  /** Takes bytes from the host. */
  read(chunk: Uint8Array): void {
    if (this.#closed) return;
    for (const line of this.#lines.read(chunk)) {
      if (line.kind === "too_long") this.#refuse(line.id, "Message too long: send less than 64 MiB");
      // A batch (protocol 2025-03-26 only) is read as its members.
      else for (const value of Array.isArray(line.value) ? line.value : [line.value]) this.#take(value);
    }
  }

  /** Attaches the SDK: hands over what has waited. */
  start(): Promise<void> {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const value of waiting) this.#deliver(value);
    return Promise.resolve();
  }

  /** Writes one message of the SDK, but not the second answer to what the opening has answered. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("the line to the host is closed"));
    if (!("method" in message) && this.#answered.delete(message.id)) return Promise.resolve();
    return this.#options.write(JSON.stringify(message) + "\n");
  }

  /** Ends the line: nothing is read or written any more, and the SDK aborts what runs. */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#waiting = undefined;
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #take(value: unknown): void {
    if (!this.#waiting) return this.#deliver(value);
    const answer = this.#options.opening?.answer(value);
    if (answer) {
      this.#answered.add(answer.id);
      this.#write({ id: answer.id, result: answer.result });
    }
    this.#waiting.push(value);
    this.#options.onWaiting(answer?.goesOn || isNotification(value) ? "soon" : "now");
  }

  #deliver(value: unknown): void {
    if (isMessage(value)) this.onmessage?.(value);
    else this.#refuse(idOf(value), "Invalid request: not a JSON-RPC 2.0 message");
  }

  /** What has no id cannot be answered: some hosts end the connection over an answer without one. */
  #refuse(id: string | number | undefined, message: string): void {
    if (id !== undefined) this.#write({ id, error: { code: INVALID_REQUEST, message } });
  }

  #write(reply: Readonly<Record<string, unknown>>): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...reply }) + "\n";
    this.#options.write(text).catch((error) => this.onerror?.(error));
  }
}

function isNotification(value: unknown): boolean {
  return isMessage(value) && idOf(value) === undefined;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (value === null || typeof value !== "object") return false;
  const { jsonrpc, method, id, result, error, params } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== "2.0" || (id !== undefined && idOf(value) === undefined)) return false;
  if (params !== undefined && (params === null || typeof params !== "object" || Array.isArray(params))) {
    return false;
  }
  return typeof method === "string" || (id !== undefined && (result !== undefined || error !== undefined));
}

function idOf(value: unknown): string | number | undefined {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === "string" || Number.isSafeInteger(id) ? id as string | number : undefined;
}
