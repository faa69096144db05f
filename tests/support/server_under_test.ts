// A server under test, line by line: raw JSON-RPC, for tests on the level of the protocol.

/** A JSON-RPC message as it came. */
export type Message = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};

/** A server whose lines are read and written one by one. */
export class ServerUnderTest implements AsyncDisposable {
  /** Process id. */
  readonly pid: number;
  /** Every line of standard output so far, as it came. */
  readonly lines: string[] = [];
  /** How the process ended. */
  readonly status: Promise<Deno.CommandStatus>;
  /** All of standard error, once it is closed. */
  readonly stderr: Promise<string>;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  #taken = 0;
  #wake = () => {};
  #closed = false;
  #nextId = 1000;

  /** Takes the child over. */
  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.pid = child.pid;
    this.status = child.status;
    this.stderr = text(child.stderr);
    this.#input = child.stdin.getWriter();
    this.#reading = this.#read(child.stdout);
  }

  async #read(stdout: ReadableStream<Uint8Array<ArrayBuffer>>) {
    let rest = "";
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      this.lines.push(...lines);
      this.#wake();
    }
    if (rest) this.lines.push(rest);
    this.#closed = true;
    this.#wake();
  }

  /** Sends one message. */
  send(message: unknown): Promise<void> {
    return this.sendText(JSON.stringify(message) + "\n");
  }

  /** Sends text as it is, for input that is no message. */
  sendText(raw: string): Promise<void> {
    return this.#input.write(new TextEncoder().encode(raw));
  }

  /** The next message in order; throws when none comes, or a line is no JSON. */
  async next(timeoutMs = 20_000): Promise<Message> {
    const end = Date.now() + timeoutMs;
    while (this.#taken >= this.lines.length) {
      if (this.#closed) throw new Error("The server closed its output");
      if (Date.now() >= end) throw new Error(`No message within ${timeoutMs} ms`);
      await this.#more(end - Date.now());
    }
    return JSON.parse(this.lines[this.#taken++]!);
  }

  #more(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Sends a request and waits for its reply; `onOther` gets what comes before. */
  async request(
    method: string,
    params: unknown = {},
    options: { readonly timeoutMs?: number; readonly onOther?: (message: Message) => void } = {},
  ): Promise<Message> {
    const id = this.#nextId++;
    await this.send({ jsonrpc: "2.0", id, method, params });
    while (true) {
      const message = await this.next(options.timeoutMs);
      if (message.id === id && message.method === undefined) return message;
      options.onOther?.(message);
    }
  }

  /** The handshake of a protocol version, up to and with `initialized`. */
  async handshake(protocolVersion = "2025-11-25", clientName = "test-host"): Promise<Message> {
    const clientInfo = { name: clientName, version: "1.0.0" };
    const reply = await this.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return reply;
  }

  /** Calls a tool and gives back its result; throws on a protocol error. */
  async callTool(
    name: string,
    args: unknown,
    timeoutMs?: number,
  ): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.request("tools/call", { name, arguments: args }, { timeoutMs });
    if (reply.error) throw new Error(`tools/call ${name}: ${reply.error.message}`);
    return reply.result!;
  }

  /** Closes standard input, as a host does that goes away in good order. */
  async closeInput(): Promise<void> {
    await this.#input.close().catch(() => {}); // the server may be gone already
  }

  /** Sends a signal. */
  kill(signal: Deno.Signal) {
    killQuietly(this.#child, signal);
  }

  /** Ends it for good and waits until all is read. */
  async [Symbol.asyncDispose]() {
    await this.closeInput();
    this.kill("SIGKILL");
    await Promise.all([this.status, this.#reading, this.stderr]);
  }
}

/** All text of a stream, once it is closed. */
export function text(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return new Response(stream).text();
}

/** Sends a signal; quiet when the child is gone already. */
export function killQuietly(child: Deno.ChildProcess, signal: Deno.Signal) {
  try {
    child.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error; // gone already
  }
}
