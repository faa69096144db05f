import { assertEquals } from "@std/assert";
import { Calls } from "../../../src/mcp/calls.ts";

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve("ended")));
}

Deno.test("Calls gives a call the host's cancel and the server's end as one signal", async () => {
  const calls = new Calls();
  const host = new AbortController();
  const cancelled = calls.run(host.signal, untilAborted);
  const other = calls.run(new AbortController().signal, untilAborted);
  host.abort();
  assertEquals(await cancelled, "ended");
  await calls.end();
  assertEquals(await other, "ended");
});

Deno.test("Calls waits for every call at the end, also for one that fails or began meanwhile", async () => {
  const calls = new Calls();
  const order: string[] = [];
  const late = async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    order.push("late");
  };
  const failing = calls.run(new AbortController().signal, async (signal) => {
    await untilAborted(signal);
    void calls.run(new AbortController().signal, late);
    throw new Error("failed");
  });
  failing.catch(() => order.push("failed"));
  await calls.end();
  order.push("end");
  assertEquals(order, ["failed", "late", "end"]);
});
