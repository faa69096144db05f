// How does a server live on standard input and output? It answers the opening, loads the SDK behind it, and ends at
// the end of input, when nobody reads its answers, or when told to: calls first, process last.
import { Calls } from "./calls.ts";
import { Opening, type OpeningConstants } from "./opening.ts";
import { type Need, Wire, type WireOptions } from "./wire.ts";

/** Exit status when the reader of our answers is gone (`EX_IOERR`). */
const READER_GONE = 74;

/** How long a host has to ask for the tools before the SDK is loaded, which holds up everything for a moment. */
const SOON_MS = 100;

/** Standard input and output, in the shape that node's process has. */
export interface Streams {
  readonly stdin: {
    on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
    on(event: "end" | "error", listener: () => void): unknown;
  };
  readonly stdout: {
    write(text: string, done: (error?: Error | null) => void): unknown;
    on(event: "error", listener: () => void): unknown;
  };
}

/** What a server on stdio needs besides its streams. */
export interface StdioOptions {
  /** Constants to answer the opening from, or the ids that were answered before. */
  readonly opening: OpeningConstants | readonly (string | number)[];
  /** Loads the SDK and attaches it to the wire. What it throws is a fault of the program and ends it. */
  readonly load: (wire: Wire, calls: Calls) => Promise<void>;
  /** Longest wait for the calls at the end; asked then. */
  readonly endLimitMs: () => number;
  /** Ends the process. */
  readonly exit: (status: number) => void;
}

/** Serves until the end; the function returned ends it with a status, once. */
export function serveStreams(streams: Streams, options: StdioOptions): (status: number) => Promise<void> {
  const calls = new Calls();
  const progress = { loading: false, ending: false };
  const load = () => {
    if (progress.loading || progress.ending) return;
    progress.loading = true;
    void options.load(wire, calls);
  };
  const wire: Wire = new Wire({
    write: (text) => writeTo(streams.stdout, text),
    ...begun(options.opening),
    onWaiting: (need) => void setTimeout(load, delayMs(need)),
  });
  const end = async (status: number) => {
    if (progress.ending) return;
    progress.ending = true;
    await wire.close();
    await atMost(options.endLimitMs(), calls.end());
    options.exit(status);
  };
  streams.stdin.on("data", (chunk) => wire.read(chunk));
  streams.stdin.on("end", () => void end(0));
  streams.stdin.on("error", () => void end(0));
  streams.stdout.on("error", () => void end(READER_GONE));
  return end;
}

function begun(opening: StdioOptions["opening"]): Pick<WireOptions, "opening" | "answered"> {
  return "versions" in opening ? { opening: new Opening(opening) } : { answered: opening };
}

/** Even "now" lets the answer to what came before it leave first. */
function delayMs(need: Need): number {
  return need === "now" ? 0 : SOON_MS;
}

async function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, limitMs));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

function writeTo(stdout: Streams["stdout"], text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => error ? reject(error) : resolve());
  });
}
