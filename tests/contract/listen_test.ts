// Does a host of 2026-07-28 hear of tasks by `subscriptions/listen`, and the SDK's own client in both eras?
import { assert, assertEquals } from "@std/assert";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Message, pause, SCRIPTED_SERVER } from "./raw_host.ts";
import { errorCode, META, ResourceHost, TASK } from "./resource_host.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

async function listen(host: ResourceHost, id: number, notifications: Message): Promise<unknown> {
  await host.send({ id, method: "subscriptions/listen", params: { notifications, _meta: META } });
  const acknowledged = await host.until(({ method, params }) =>
    method === "notifications/subscriptions/acknowledged" &&
    ((params as Message)["_meta"] as Message)[SUBSCRIPTION] === id
  );
  return (acknowledged["params"] as Message)["notifications"];
}

function subscriptionOf({ params }: Message): unknown {
  return ((params as Message)["_meta"] as Message)[SUBSCRIPTION];
}

Deno.test("[FAULT-73] subscriptions/listen of 2026-07-28 hears what it asks for, and only while it is there", async () => {
  const host = new ResourceHost("modern");
  await host.queue("1_a running 0");
  await host.ask("resources/list");
  assertEquals((await host.queue("")).ears, 0, "a list alone is no subscription in this era");
  const wanted = { resourcesListChanged: true, resourceSubscriptions: [TASK] };
  assertEquals(await listen(host, 7, wanted), wanted);
  assertEquals(await listen(host, 8, { resourcesListChanged: true }), { resourcesListChanged: true });
  assertEquals(await listen(host, 9, { toolsListChanged: true }), {});
  await host.queue("1_a running 1");
  assertEquals(subscriptionOf(await host.untilNotices("updated", 1)), 7);
  await host.queue("2_a running 1");
  await host.untilNotices("list_changed", 2);
  assertEquals(host.notices("list_changed").map(subscriptionOf), [7, 8]);
  await host.send({ method: "notifications/cancelled", params: { requestId: 7, _meta: META } });
  await pause(1_100);
  await host.queue("1_a gone");
  await host.untilNotices("list_changed", 3);
  await pause(300);
  assertEquals(host.notices("list_changed").map(subscriptionOf), [7, 8, 8]);
  assertEquals(host.notices("updated").length, 1);
  await host.send({ method: "notifications/cancelled", params: { requestId: 8, _meta: META } });
  await pause(50);
  assertEquals((await host.queue("2_a gone")).ears, 0, "nobody listens any more");
  assert((await host.ask("resources/subscribe", { uri: TASK }))["error"], "of the other era");
  await host.endCleanly();
});

Deno.test("a request to listen that is cancelled at once, or refused, is not watched for", async () => {
  const host = new ResourceHost("modern");
  await host.send(
    {
      id: 7,
      method: "subscriptions/listen",
      params: { notifications: { resourcesListChanged: true }, _meta: META },
    },
    { method: "notifications/cancelled", params: { requestId: 7, _meta: META } },
    { id: 8, method: "subscriptions/listen", params: { notifications: 5, _meta: META } },
  );
  assertEquals(errorCode(await host.answer(8)), -32602);
  assertEquals((await host.queue("1_a running 0")).ears, 0);
  await host.endCleanly();
});

for (const era of ["handshake", "modern"] as const) {
  Deno.test({
    name: `the SDK's client lists tasks and hears of them, with ${era}`,
    // The client's child process keeps timers and streams of its own.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      const heard: string[] = [];
      const client = new Client(
        { name: "sdk", version: "1" },
        era === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {},
      );
      client.setNotificationHandler(
        "notifications/resources/updated",
        ({ params }) => void heard.push(params.uri),
      );
      client.setNotificationHandler("notifications/resources/list_changed", () => void heard.push("list"));
      await client.connect(
        new StdioClientTransport({
          command: Deno.execPath(),
          args: [...SCRIPTED_SERVER],
          env: Deno.env.toObject(),
        }),
      );
      const queue = (words: string) =>
        client.callTool({ name: "hermes_task", arguments: { prompt: `queue:${words}` } });
      const until = async (topic: string) => {
        for (let tries = 0; tries < 100 && !heard.includes(topic); tries++) await pause(50);
        assert(heard.includes(topic), `${topic} among ${heard}`);
      };
      try {
        await queue("1_a running 0");
        assertEquals((await client.listResources()).resources.length, 202);
        const subscription = era === "modern"
          ? await client.listen({ resourcesListChanged: true, resourceSubscriptions: [TASK] })
          : void await client.subscribeResource({ uri: TASK });
        await queue("1_a running 1");
        await until(TASK);
        await queue("1_a gone");
        await until("list");
        if (subscription) await subscription.close();
        else await client.unsubscribeResource({ uri: TASK });
        await pause(1_200);
        heard.length = 0;
        await queue("1_a running 2");
        await pause(1_300);
        assert(!heard.includes(TASK));
      } finally {
        await client.close();
      }
    },
  });
}
