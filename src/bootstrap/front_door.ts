// The host's first words, answered before anything else is loaded: some hosts wait less than a second for them, and a
// server that is never called needs no more. From the first real request on every byte goes to the worker as it came.
import { LineReader } from "../mcp/lines.ts";
import { Opening } from "../mcp/opening.ts";
import { OPENING } from "../mcp/opening_data.ts";

/** Exit status when nobody reads our answers (`EX_IOERR`). */
const READER_GONE = 74;

/** Ids of requests that were answered here. */
export type Answered = readonly (string | number)[];

/** Standard input of a server. */
export class FrontDoor {
  readonly #opening = new Opening(OPENING);
  readonly #lines = new LineReader();
  readonly #answered: (string | number)[] = [];
  readonly #end: (status: number) => void;
  #backlog: Uint8Array[] = [];
  #forward: ((bytes: Uint8Array) => void) | undefined;
  #over = Promise.withResolvers<void>();

  /** Reads at once; `end` is called with a status at the end of input and when nobody reads our answers. */
  constructor(end: (status: number) => void) {
    this.#end = end;
    void this.#read();
  }

  /** Resolves when the opening is over and the worker is needed. */
  get opened(): Promise<void> {
    return this.#over.promise;
  }

  /** Hands everything over that was read and will be; returns the ids that were answered already. */
  handOver(forward: (bytes: Uint8Array) => void): Answered {
    this.#forward = forward;
    for (const chunk of this.#backlog) forward(chunk);
    this.#backlog = [];
    return this.#answered;
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(64 * 1024);
    for (;;) {
      const size = await Deno.stdin.read(buffer).catch(() => null);
      if (size === null) return this.#end(0);
      const chunk = buffer.slice(0, size);
      if (this.#forward) this.#forward(chunk);
      else this.#take(chunk);
    }
  }

  #take(chunk: Uint8Array): void {
    this.#backlog.push(chunk);
    for (const line of this.#lines.read(chunk)) {
      const answer = line.kind === "message" ? this.#opening.answer(line.value) : undefined;
      if (answer) this.#say(answer.id, answer.result);
      else if (isRequest(line)) this.#over.resolve();
    }
  }

  #say(id: string | number, result: unknown): void {
    this.#answered.push(id);
    const bytes = new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    try {
      for (let written = 0; written < bytes.length;) {
        written += Deno.stdout.writeSync(bytes.subarray(written));
      }
    } catch {
      this.#end(READER_GONE);
    }
  }
}

/** A notification needs no answer, so no worker yet. */
function isRequest(line: ReturnType<LineReader["read"]>[number]): boolean {
  if (line.kind !== "message") return true;
  const { value } = line;
  return value === null || typeof value !== "object" || Array.isArray(value) || "id" in value;
}
