// How do bytes from a host become messages? Lines of JSON, in memory that grows with the longest line only.

/** Longest line that is read; the SDK's own reader ends the connection without a word at 10 MB. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 10;
/** How much of both ends of a line over the limit is kept, to find its id. */
const EDGE_BYTES = 1024;

/** What a line turned out to be. */
export type Line =
  | { readonly kind: "message"; readonly value: unknown }
  /** Over the limit; `id` is that of the request, when it could be told. */
  | { readonly kind: "too_long"; readonly id: string | number | undefined };

/** Collects bytes and gives each line once it is complete. Lines that are no JSON are passed over. */
export class LineReader {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #sizeBytes = 0;
  #head: Uint8Array | undefined;
  #tail = new Uint8Array(0);

  /** Reads lines up to a limit. */
  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a chunk, cut anywhere, and returns the lines that it completes. */
  read(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = this.#finish();
      if (line) lines.push(line);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#sizeBytes += part.length;
    if (this.#sizeBytes <= this.#maxBytes) {
      this.#parts.push(part.slice());
      return;
    }
    this.#head ??= join([...this.#parts, part]).slice(0, EDGE_BYTES);
    this.#tail = join([this.#tail, ...this.#parts.slice(-1), part]).slice(-EDGE_BYTES);
    this.#parts = [];
  }

  #finish(): Line | undefined {
    const line = this.#head
      ? { kind: "too_long" as const, id: idAtEdge(decode(this.#head), decode(this.#tail)) }
      : parse(decode(join(this.#parts)));
    this.#parts = [];
    this.#sizeBytes = 0;
    this.#head = undefined;
    this.#tail = new Uint8Array(0);
    return line;
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parse(text: string): Line | undefined {
  try {
    return { kind: "message", value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Serializers put the id before the params or at the very end; a deeper one is never followed by a single `}`. */
function idAtEdge(head: string, tail: string): string | number | undefined {
  const word = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*`;
  const version = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
  const method = String.raw`"method"\s*:\s*"[^"\\]*"\s*`;
  const found = new RegExp(`^\\s*\\{\\s*(?:(?:${version}|${method}),\\s*)*${word},`).exec(head) ??
    new RegExp(`,\\s*${word}(?:,\\s*${version})?\\}\\s*$`).exec(tail);
  return found ? JSON.parse(found[1]!) : undefined;
}
