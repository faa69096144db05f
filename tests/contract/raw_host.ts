// A host that speaks in raw lines to a server program and remembers every line in order.

/** One line that the server wrote, and when. */
export type Message = Readonly<Record<string, unknown>>;

/** How a server ended. */
export interface Ended {
  readonly code: number;
  readonly stderr: string;
  /** Lines on standard output that were no JSON-RPC. */
  readonly stray: readonly string[];
}

/** A server program under test. */
export class RawHost {
  readonly messages: Message[] = [];
  readonly stray: string[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #done: Promise<void>;
  readonly #stderr: Promise<string>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #waiters: (() => void)[] = [];
  #over = false;

  /** Starts the program. */
  constructor(
    args: readonly string[],
    options: { readonly env?: Record<string, string>; readonly program?: string } = {},
  ) {
    this.#child = new Deno.Command(options.program ?? Deno.execPath(), {
      args: [...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      ...(options.env ? { env: options.env } : {}),
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.getReader();
    this.#stderr = new Response(this.#child.stderr).text();
    this.#done = this.#read();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Sends messages, one a line, in one write. */
  async send(...messages: readonly Message[]): Promise<void> {
    await this.write(
      messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join(""),
    );
  }

  /** Sends bytes as they are. */
  async write(text: string | Uint8Array): Promise<void> {
    await this.#input.write(typeof text === "string" ? new TextEncoder().encode(text) : text);
  }

  /** The answer to a request. */
  async answer(id: number | string): Promise<Message> {
    return await this.until((message) => message["id"] === id && !("method" in message));
  }

  /** Waits for a message, for up to 20 s. */
  async until(wanted: (message: Message) => boolean): Promise<Message> {
    const limit = Date.now() + 20_000;
    for (;;) {
      const found = this.messages.find(wanted);
      if (found) return found;
      if (this.#over || Date.now() > limit) {
        throw new Error(`No such message among ${JSON.stringify(this.messages).slice(0, 2000)}`);
      }
      await this.#change(limit - Date.now());
    }
  }

  /** Shakes hands; returns the reply. */
  async handshake(version = "2025-11-25", name = "raw-host"): Promise<Message> {
    await this.send(initialize(version, name));
    const reply = await this.answer("init");
    await this.send({ method: "notifications/initialized" });
    return reply["result"] as Message;
  }

  /** Calls a tool and returns its result. */
  async call(id: number | string, name: string, args: unknown, meta?: Message): Promise<Message> {
    await this.send(toolCall(id, name, args, meta));
    const { result, error } = await this.answer(id);
    if (error) throw new Error(JSON.stringify(error));
    return result as Message;
  }

  /** Nobody reads any more. */
  async stopReading(): Promise<void> {
    await this.#reader.cancel();
  }

  /** Ends the input and waits for the end. */
  async end(): Promise<Ended> {
    await this.#input.close().catch(() => {});
    return await this.ended();
  }

  /** Waits for the end. */
  async ended(): Promise<Ended> {
    const { code } = await this.#child.status;
    await this.#done;
    await this.#input.close().catch(() => {});
    return { code, stderr: await this.#stderr, stray: this.stray };
  }

  /** Resolves with the next lines, the end, or when the time is over. */
  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiters.push(() => (clearTimeout(timer), resolve()));
    });
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await this.#reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || !value) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#take(line);
      for (const wake of this.#waiters.splice(0)) wake();
    }
    this.#over = true;
    if (rest) this.stray.push(rest);
    for (const wake of this.#waiters.splice(0)) wake();
  }

  #take(line: string): void {
    try {
      const message = JSON.parse(line);
      if (message?.jsonrpc !== "2.0") throw new SyntaxError("no JSON-RPC");
      this.messages.push(message);
    } catch {
      this.stray.push(line);
    }
  }
}

/** An `initialize` request with the id "init". */
export function initialize(version: string, name = "raw-host"): Message {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name, version: "1" } };
  return { id: "init", method: "initialize", params };
}

/** A `tools/call` request. */
export function toolCall(id: number | string, name: string, args: unknown, meta?: Message): Message {
  return { id, method: "tools/call", params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) } };
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Arguments of Deno that run the scripted server of this folder. */
export const SCRIPTED_SERVER: readonly string[] = [
  "run",
  "--no-prompt",
  "--frozen",
  "--allow-env",
  new URL("./scripted_server.ts", import.meta.url).pathname,
];
