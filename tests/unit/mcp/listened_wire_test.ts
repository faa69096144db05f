import { assertEquals } from "@std/assert";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { ListenedWire } from "../../../src/mcp/listened_wire.ts";
import { Wire } from "../../../src/mcp/wire.ts";

const TASK = "hermes-task://tasks/1_a";

async function open() {
  const told: unknown[] = [];
  const written: string[] = [];
  const wire = new Wire({
    write: (text) => Promise.resolve(void written.push(text)),
    onWaiting: () => {},
  });
  const listened = new ListenedWire(wire, {
    want: (by, topics) => void told.push([by, [...topics]]),
    stop: () => void told.push("stop"),
  });
  const heard: JSONRPCMessage[] = [];
  listened.onmessage = (message) => void heard.push(message);
  await listened.start();
  const read = (message: Record<string, unknown>) =>
    wire.read(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  const ask = (id: unknown) => read({ id, method: "subscriptions/listen", params: {} });
  const acknowledge = (id: string | number, notifications: Record<string, unknown>) =>
    listened.send({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications, _meta: { "io.modelcontextprotocol/subscriptionId": id } },
    });
  const cancel = (requestId: unknown) => read({ method: "notifications/cancelled", params: { requestId } });
  return { wire, listened, told, written, heard, read, ask, acknowledge, cancel };
}

Deno.test("ListenedWire tells what is acknowledged, and its end by a cancel", async () => {
  const { told, heard, written, ask, acknowledge, cancel } = await open();
  ask(0);
  ask("0");
  await acknowledge(0, { resourcesListChanged: true, resourceSubscriptions: [TASK] });
  await acknowledge("0", { toolsListChanged: true });
  cancel(0);
  cancel(0);
  assertEquals(told, [[0, ["list", TASK]], ["0", []], [0, []]]);
  assertEquals([heard.length, written.length], [4, 2], "everything passes");
});

Deno.test("ListenedWire takes no acknowledgement after a cancel, or of what nobody has asked for", async () => {
  const { told, ask, acknowledge, cancel } = await open();
  ask(1);
  cancel(1);
  await acknowledge(1, { resourcesListChanged: true });
  await acknowledge(2, { resourcesListChanged: true });
  assertEquals(told, [[1, []]]);
});

Deno.test("ListenedWire forgets a request that was answered: refused, or ended by the server", async () => {
  const { told, listened, ask, acknowledge } = await open();
  ask(1);
  await listened.send({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no" } });
  await acknowledge(1, { resourcesListChanged: true });
  assertEquals(told, [[1, []]]);
});

Deno.test("ListenedWire tells the end of the line before the SDK", async () => {
  const { told, listened, wire } = await open();
  listened.onclose = () => void told.push("closed");
  await wire.close();
  assertEquals(told, ["stop", "closed"]);
});
