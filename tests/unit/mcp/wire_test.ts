import { assertEquals } from "@std/assert";
import { Opening } from "../../../src/mcp/opening.ts";
import { type Need, Wire } from "../../../src/mcp/wire.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "host", version: "1" } },
};
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };
const PING = { jsonrpc: "2.0", id: 3, method: "ping" };

function openWire() {
  const written: unknown[] = [];
  const needs: Need[] = [];
  const wire = new Wire({
    write: (text) => Promise.resolve(void written.push(JSON.parse(text))),
    opening: new Opening({
      versions: ["2025-11-25"],
      initialize: {},
      lists: { "tools/list": { tools: [] } },
    }),
    onWaiting: (need) => void needs.push(need),
  });
  const read = (...messages: readonly unknown[]) =>
    wire.read(new TextEncoder().encode(messages.map((message) => JSON.stringify(message) + "\n").join("")));
  return { wire, written, needs, read };
}

Deno.test("Wire answers the opening by itself, and the SDK gets the same messages in order later", async () => {
  const { wire, written, read } = openWire();
  read(INITIALIZE, INITIALIZED, LIST, PING);
  assertEquals(written.map((message) => (message as { id: number }).id), [1, 2, 3]);
  const seen: unknown[] = [];
  wire.onmessage = (message) => void seen.push(message);
  await wire.start();
  assertEquals(seen, [INITIALIZE, INITIALIZED, LIST, PING]);
});

Deno.test("Wire drops the SDK's own answers to the opening, once each, errors too", async () => {
  const { wire, written, read } = openWire();
  read(INITIALIZE, LIST);
  written.length = 0;
  await wire.start();
  await wire.send({ jsonrpc: "2.0", id: 1, result: {} });
  await wire.send({ jsonrpc: "2.0", id: 2, error: { code: 1, message: "no" } });
  assertEquals(written, []);
  await wire.send({ jsonrpc: "2.0", id: 2, result: {} });
  assertEquals(written, [{ jsonrpc: "2.0", id: 2, result: {} }]);
});

Deno.test("Wire asks for the SDK soon while the host may want the tools, else now", () => {
  const { needs, read } = openWire();
  read(INITIALIZE, INITIALIZED, LIST, PING);
  assertEquals(needs, ["soon", "soon", "now", "now"]);
});

Deno.test("Wire reads a batch as its members, and answers what has an id but is no request", async () => {
  const { wire, written, read } = openWire();
  const seen: unknown[] = [];
  wire.onmessage = (message) => void seen.push(message);
  await wire.start();
  read(
    [PING, LIST],
    { id: 9, method: "ping" },
    { jsonrpc: "2.0", id: 8, method: "x", params: [] },
    null,
    5,
    {},
  );
  assertEquals(seen, [PING, LIST]);
  assertEquals(written.map((message) => (message as { id: number }).id), [9, 8]);
});

Deno.test("Wire neither reads nor writes once it is closed, and says so once", async () => {
  const { wire, written, read } = openWire();
  let closed = 0;
  wire.onclose = () => void closed++;
  read(PING);
  await wire.close();
  await wire.close();
  const seen: unknown[] = [];
  wire.onmessage = (message) => void seen.push(message);
  await wire.start();
  read(INITIALIZE);
  const refused = await wire.send({ jsonrpc: "2.0", id: 3, result: {} }).then(() => "sent", () => "refused");
  assertEquals([closed, seen, written, refused], [1, [], [], "refused"]);
});
