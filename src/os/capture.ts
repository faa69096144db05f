// What a stream has carried, in bounded memory: the head, the last piece, and a count; the rest goes to a file.
import { LONGEST_KEY, redact } from "../core/redact.ts";
import type { Captured, ChildCommand } from "../ports.ts";

const HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 8 * 1024;
const SPILL_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const FIRST_BYTES = 4 * 1024;

/** Where the rest goes, if anywhere. */
export type SpillTarget = Pick<ChildCommand, "spillPath" | "hide">;

/** Collects one stream. */
export class Capture {
  #head = new Uint8Array(FIRST_BYTES);
  #headBytes = 0;
  #tail = new Uint8Array(TAIL_BYTES);
  #tailBytes = 0;
  #sizeBytes = 0;
  #reader: ReadableStreamBYOBReader;
  #spill: Spill;
  /** Resolves when the stream has ended or was given up. Never rejects. */
  readonly done: Promise<void>;

  /** Begins to read. What goes beyond the head is written to `spillPath`, if there is one. */
  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>, to: SpillTarget) {
    this.#reader = stream.getReader({ mode: "byob" });
    this.#spill = new Spill(to);
    this.done = this.#read();
  }

  /** Stops reading: somebody else may hold the pipe for ever. */
  giveUp(): void {
    this.#reader.cancel().catch(() => {});
  }

  /** What there is so far. A character that is split at the edge is left out, never damaged. */
  seen(): Captured {
    const cut = this.#sizeBytes > this.#headBytes;
    return {
      text: decode(this.#head.subarray(0, this.#headBytes), cut),
      tail: cut ? decode(withoutTornStart(this.#tail.subarray(0, this.#tailBytes)), false) : "",
      sizeBytes: this.#sizeBytes,
      cut,
    };
  }

  async #read(): Promise<void> {
    // One buffer for all reads: an iterator over the stream takes some 70 MB more while a child prints 500 MB.
    let buffer = new Uint8Array(CHUNK_BYTES);
    try {
      for (;;) {
        const { value, done } = await this.#reader.read(buffer);
        if (done || !value) break;
        this.#keep(value);
        buffer = new Uint8Array(value.buffer);
      }
    } catch {
      // A broken pipe ends the stream; the exit status tells what happened.
    } finally {
      this.#spill.close();
    }
  }

  #keep(chunk: Uint8Array): void {
    this.#sizeBytes += chunk.length;
    const fits = Math.min(chunk.length, HEAD_BYTES - this.#headBytes);
    if (fits > 0) {
      this.#grow(this.#headBytes + fits);
      this.#head.set(chunk.subarray(0, fits), this.#headBytes);
      this.#headBytes += fits;
    }
    if (fits === chunk.length) return;
    const rest = chunk.subarray(fits);
    this.#spill.write(rest);
    this.#keepLast(rest);
  }

  /** In place: a new array for each chunk of a flood would be tens of megabytes. */
  #keepLast(chunk: Uint8Array): void {
    const last = chunk.subarray(-TAIL_BYTES);
    const before = Math.min(this.#tailBytes, TAIL_BYTES - last.length);
    this.#tail.copyWithin(0, this.#tailBytes - before, this.#tailBytes);
    this.#tail.set(last, before);
    this.#tailBytes = before + last.length;
  }

  #grow(needed: number): void {
    if (needed <= this.#head.length) return;
    const larger = new Uint8Array(Math.min(HEAD_BYTES, Math.max(needed, this.#head.length * 2)));
    larger.set(this.#head);
    this.#head = larger;
  }
}

/** With `more` to come, an unfinished character at the end is held back. */
function decode(bytes: Uint8Array, more: boolean): string {
  return new TextDecoder().decode(bytes, { stream: more });
}

function withoutTornStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 4 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

/** Writes what memory does not keep, redacted line by line, up to a limit that it notes when it cuts. */
class Spill {
  #path: string | undefined;
  readonly #hide: (text: string) => string;
  #file: Deno.FsFile | undefined;
  #left = SPILL_BYTES;
  #decoder = new TextDecoder();
  #begun = false;
  /** The line that is not ended yet: a secret may be split over two writes. */
  #line = "";

  constructor({ spillPath, hide }: SpillTarget) {
    this.#path = spillPath;
    this.#hide = hide ?? ((text) => text);
  }

  write(bytes: Uint8Array): void {
    if (!this.#path || this.#left <= 0) return;
    this.#line += this.#decoder.decode(bytes, { stream: true });
    if (!this.#begun) this.#line = this.#afterTornWord();
    const end = this.#line.lastIndexOf("\n") + 1 || this.#endOfLongLine();
    this.#append(this.#line.slice(0, end));
    this.#line = this.#line.slice(end);
  }

  /** The word at the border began in the head: its rest would not be known for a secret. */
  #afterTornWord(): string {
    const start = this.#line.search(/\s/);
    this.#begun = start >= 0 || this.#line.length > LONGEST_KEY;
    return this.#begun ? this.#line.slice(start >= 0 ? start : LONGEST_KEY) : this.#line;
  }

  /** A line that does not end is cut between words, and never near its end, where a secret may still be coming. */
  #endOfLongLine(): number {
    if (this.#line.length <= CHUNK_BYTES) return 0;
    const most = this.#line.length - LONGEST_KEY;
    return this.#line.lastIndexOf(" ", most) + 1 || most;
  }

  close(): void {
    this.#append(this.#line);
    this.#file?.close();
    this.#file = undefined;
    this.#path = undefined;
  }

  #append(text: string): void {
    if (!this.#path || text === "" || this.#left <= 0) return;
    const bytes = new TextEncoder().encode(redact(this.#hide(text)));
    try {
      this.#file ??= Deno.openSync(this.#path, { append: true, create: true, mode: 0o600 });
      this.#file.writeSync(bytes.subarray(0, this.#left));
      this.#left -= bytes.length;
      if (this.#left <= 0) {
        this.#file.writeSync(new TextEncoder().encode(`\n[cut: a log is limited to ${SPILL_BYTES} bytes]\n`));
      }
    } catch {
      // A full disk must not end the task: the head and the tail are in memory.
      this.#path = undefined;
    }
  }
}
