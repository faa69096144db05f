// What is inside a program made by `deno compile`? The modules it embeds, and the runtime in front of them.
// Holds for Deno 2.5 to 2.8 on Linux, where payload and a 16-byte trailer follow the runtime; 2.9 has another form.
import { Refusal } from "./npm_package.ts";

const TRAILER_BYTES = 16;
// The end of a payload, and a trailer's first four bytes.
const MAGIC = "d3n0l4nd";
const TRAILER_MARK = 0x0000501e;

interface Program {
  readonly runtime: Uint8Array<ArrayBuffer>;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** Returns the runtime (`denort`) bit for bit, as it was before `deno compile` added to it. */
export function programRuntime(program: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return split(program).runtime;
}

/** Returns the remote modules, specifier to source text. */
export function programModules(program: Uint8Array<ArrayBuffer>): Map<string, string> {
  const reader = new Reader(split(program).payload);
  if (reader.text(MAGIC.length) !== MAGIC) throw new Refusal("Cannot read the program: no payload of Deno's");
  reader.skip(reader.u64()); // metadata
  reader.skip(reader.u64()); // npm snapshot
  const specifiers = new Map<number, string>();
  for (let left = reader.u32(); left > 0; left--) {
    const specifier = reader.text(reader.u32());
    specifiers.set(reader.u32(), specifier);
  }
  for (let left = reader.u32(); left > 0; left--) reader.skip(8); // redirects
  const modules = new Map<string, string>();
  for (let left = reader.u32(); left > 0; left--) {
    const specifier = specifiers.get(reader.u32()) ?? "";
    modules.set(specifier, moduleSource(reader));
  }
  return modules;
}

// Media type, source, then one bit for each further blob; the lowest bit only says that the source is UTF-8.
function moduleSource(reader: Reader): string {
  reader.skip(1);
  const source = reader.text(reader.u32());
  for (let flags = reader.u8() >> 1; flags; flags >>= 1) if (flags & 1) reader.skip(reader.u32());
  return source;
}

function split(program: Uint8Array<ArrayBuffer>): Program {
  const trailer = new Reader(program.subarray(program.length - TRAILER_BYTES));
  const mark = trailer.u32();
  trailer.skip(4); // hash of the section's name
  const added = trailer.u64();
  if (mark !== TRAILER_MARK || added <= TRAILER_BYTES || added >= program.length) {
    throw new Refusal("Cannot read the program: it was not made by Deno 2.5 to 2.8 on Linux");
  }
  const start = program.length - added;
  return {
    runtime: program.subarray(0, start),
    payload: program.subarray(start, program.length - TRAILER_BYTES),
  };
}

/** Walks through little-endian numbers and texts. */
class Reader {
  #at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  skip(length: number): void {
    this.#at += length;
  }

  u8(): number {
    this.#at += 1;
    return this.#view.getUint8(this.#at - 1);
  }

  u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  u64(): number {
    this.#at += 8;
    return Number(this.#view.getBigUint64(this.#at - 8, true));
  }

  text(length: number): string {
    this.#at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#at - length, this.#at));
  }
}

/** A program made by `deno compile` 2.6.10 that is in the npm registry: its runtime and its copy of @std/path are taken. */
export const KNOWN_PROGRAM = {
  name: "@mcp-stress/linux-x64",
  version: "0.2.1",
  file: "bin/mcp-stress",
  sum: "257898aee9a507fd3a899a902c465223f4554da362e813132f024570a545edb7",
};
