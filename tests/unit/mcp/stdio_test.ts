import { assertEquals } from "@std/assert";
import type { Calls } from "../../../src/mcp/calls.ts";
import { serveStreams, type Streams } from "../../../src/mcp/stdio.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "host", version: "1" } },
};

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Streams whose other ends the test holds. */
function openStreams() {
  const listeners = new Map<string, (chunk: Uint8Array) => void>();
  const written: string[] = [];
  const on = (side: string) => (event: string, listener: (chunk: Uint8Array) => void) =>
    void listeners.set(`${side} ${event}`, listener);
  const write = (text: string, done: () => void) => {
    written.push(text);
    done();
  };
  const streams = { stdin: { on: on("stdin") }, stdout: { on: on("stdout"), write } } as unknown as Streams;
  const emit = (event: string, message?: unknown) =>
    listeners.get(event)!(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  return { streams, written, emit };
}

function serve(options: { readonly load?: (calls: Calls) => void; readonly endLimitMs?: number } = {}) {
  const { streams, written, emit } = openStreams();
  const seen = { loads: 0, exits: [] as number[] };
  const end = serveStreams(streams, {
    opening: { versions: ["2025-11-25"], initialize: {}, lists: {} },
    load: (_wire, calls) => {
      seen.loads++;
      options.load?.(calls);
      return Promise.resolve();
    },
    endLimitMs: () => options.endLimitMs ?? 10_000,
    exit: (status) => void seen.exits.push(status),
  });
  return { written, emit, seen, end };
}

Deno.test("serveStreams() answers initialize before anything is loaded, and loads once behind it", async () => {
  const { written, emit, seen } = serve();
  emit("stdin data", INITIALIZE);
  assertEquals([written.length, seen.loads], [1, 0]);
  emit("stdin data", { jsonrpc: "2.0", id: 2, method: "ping" });
  emit("stdin data", { jsonrpc: "2.0", id: 3, method: "ping" });
  await pause(150);
  assertEquals(seen.loads, 1);
  emit("stdin end");
  await pause(0);
});

Deno.test("serveStreams() loads nothing after the end", async () => {
  const { emit, seen } = serve();
  emit("stdin data", INITIALIZE);
  emit("stdin end");
  await pause(150);
  assertEquals([seen.loads, seen.exits], [0, [0]]);
});

for (const [event, status] of [["stdin end", 0], ["stdin error", 0], ["stdout error", 74]] as const) {
  Deno.test(`serveStreams() ends its calls at ${event}, then the process with ${status}`, async () => {
    const order: string[] = [];
    const { emit, seen } = serve({
      load: (calls) =>
        void calls.run(new AbortController().signal, async (signal) => {
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          await pause(20);
          order.push(`recorded before ${seen.exits.length} exits`);
        }),
    });
    emit("stdin data", { jsonrpc: "2.0", id: 2, method: "ping" });
    await pause(20);
    emit(event);
    await pause(60);
    assertEquals([order, seen.exits], [["recorded before 0 exits"], [status]]);
  });
}

Deno.test("serveStreams() ends once, with the first status", async () => {
  const { emit, seen, end } = serve();
  await Promise.all([end(143), end(130)]);
  emit("stdin end");
  await pause(0);
  assertEquals(seen.exits, [143]);
});

Deno.test("serveStreams() does not wait for a call that never ends", async () => {
  const { emit, seen, end } = serve({
    load: (calls) => void calls.run(new AbortController().signal, () => new Promise(() => {})),
    endLimitMs: 30,
  });
  emit("stdin data", { jsonrpc: "2.0", id: 2, method: "ping" });
  await pause(20);
  await end(143);
  assertEquals(seen.exits, [143]);
});
