// What does a host see and hear of tasks as resources, in both eras? With a queue that does what it is told, in raw lines
// and with the SDK's own client.
import { assert, assertEquals, assertGreaterOrEqual, assertLess, assertLessOrEqual } from "@std/assert";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Message, pause, RawHost, SCRIPTED_SERVER } from "./raw_host.ts";

const TASK = "hermes-task://tasks/1_a";
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
};
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** A host with a way to ask, and to tell the queue what to do. */
class ResourceHost extends RawHost {
  readonly meta: Message | undefined;
  #id = 100;

  constructor(era: "handshake" | "modern") {
    super(SCRIPTED_SERVER);
    this.meta = era === "modern" ? META : undefined;
  }

  static async open(version = "2025-11-25"): Promise<ResourceHost> {
    const host = new ResourceHost("handshake");
    await host.handshake(version);
    return host;
  }

  async ask(method: string, params: Message = {}): Promise<Message> {
    const id = this.#id++;
    await this.send({ id, method, params: { ...params, ...(this.meta ? { _meta: this.meta } : {}) } });
    return await this.answer(id);
  }

  /** Changes the queue; gives the counts of looks and ears. */
  async queue(words: string): Promise<{ readonly looks: number; readonly ears: number }> {
    const reply = await this.call(this.#id++, "hermes_task", { prompt: `queue:${words}` }, this.meta);
    return JSON.parse(String((reply["structuredContent"] as Message)["result"]));
  }

  notices(method: string): Message[] {
    return this.messages.filter((message) => message["method"] === `notifications/resources/${method}`);
  }

  async untilNotices(method: string, count: number): Promise<Message> {
    await this.until(() => this.notices(method).length >= count);
    return this.notices(method)[count - 1]!;
  }

  async endCleanly(): Promise<void> {
    const began = performance.now();
    const { code, stderr, stray } = await this.end();
    assertLess(performance.now() - began, 1000);
    assertEquals([code, stderr, ...stray], [0, ""]);
  }
}

function errorCode(answer: Message): unknown {
  return (answer["error"] as Message | undefined)?.["code"];
}

function urisOf(answer: Message): string[] {
  return ((answer["result"] as Message)["resources"] as { readonly uri: string }[]).map(({ uri }) => uri);
}

Deno.test("initialize offers subscriptions and notices of the list", async () => {
  const host = new ResourceHost("handshake");
  const { capabilities } = await host.handshake();
  assertEquals((capabilities as Message)["resources"], { subscribe: true, listChanged: true });
  await host.endCleanly();
});

Deno.test("[FAULT-71] resources/list has the two documents and the newest tasks, in pages up to a bound", async () => {
  const host = await ResourceHost.open();
  const first = await host.ask("resources/list");
  assertEquals(urisOf(first).length, 22);
  assertEquals(urisOf(first).slice(0, 3), [
    "hermes-task://providers",
    "hermes-task://telemetry",
    "hermes-task://tasks/0_a",
  ]);
  const resources = (first["result"] as Message)["resources"] as Message[];
  assertEquals(resources[2], {
    uri: "hermes-task://tasks/0_a",
    name: "0_a",
    title: "running: Prompt 0_a",
    description: "running: Prompt 0_a (p · 2026-08-02T12:00:00.000Z)",
    mimeType: "application/json",
  });
  assert(!JSON.stringify(resources).includes("sk-proj-"), "redacted");
  const seen = [...urisOf(first)];
  let cursor = (first["result"] as Message)["nextCursor"];
  for (let page = 1; cursor !== undefined; page++) {
    assertLess(page, 20);
    const next = await host.ask("resources/list", { cursor });
    seen.push(...urisOf(next));
    cursor = (next["result"] as Message)["nextCursor"];
  }
  assertEquals(seen.length, 202);
  assertEquals(new Set(seen).size, seen.length);
  await host.endCleanly();
});

Deno.test("resources/list refuses a cursor that is none, and lives with a broken store", async () => {
  const host = await ResourceHost.open();
  for (const cursor of ["", "x", "20@", "20@x", "-1@5"]) {
    assertEquals(errorCode(await host.ask("resources/list", { cursor })), -32602, cursor);
  }
  await host.queue("broken");
  assertEquals(urisOf(await host.ask("resources/list")), [
    "hermes-task://providers",
    "hermes-task://telemetry",
  ]);
  await host.endCleanly();
});

Deno.test("a subscriber hears of changes about once a second, of the end at last, and of nothing after unsubscribing", async () => {
  const host = await ResourceHost.open();
  await host.queue("1_a running 0");
  assertEquals((await host.ask("resources/subscribe", { uri: TASK }))["result"], {});
  assertEquals((await host.ask("resources/subscribe", { uri: `${TASK}/log` }))["result"], {});
  await pause(300);
  assertEquals(host.notices("updated"), [], "nothing has changed");
  const began = Date.now();
  for (let turns = 1; Date.now() - began < 2_500; turns++) {
    await host.queue(`1_a running ${turns}`);
    await pause(20);
  }
  for (const uri of [TASK, `${TASK}/log`]) {
    const heard = host.notices("updated").filter(({ params }) => (params as Message)["uri"] === uri).length;
    assertGreaterOrEqual(heard, 2);
    assertLessOrEqual(heard, 3);
  }
  await pause(1_300);
  const before = host.notices("updated").length;
  await host.queue("1_a gone");
  await host.untilNotices("updated", before + 2);
  await host.queue("1_a running 0");
  assertEquals((await host.ask("resources/unsubscribe", { uri: TASK }))["result"], {});
  assertEquals((await host.ask("resources/unsubscribe", { uri: `${TASK}/log` }))["result"], {});
  const after = host.notices("updated").length;
  await host.queue("1_a running 1");
  await pause(1_500);
  assertEquals(host.notices("updated").length, after);
  await host.endCleanly();
});

Deno.test("only a known task can be subscribed to", async () => {
  const host = await ResourceHost.open();
  for (
    const uri of [
      "hermes-task://tasks/nope",
      `${TASK}/other`,
      "hermes-task://tasks/../x",
      "file:///etc/passwd",
    ]
  ) {
    const answer = await host.ask("resources/subscribe", { uri });
    const read = await host.ask("resources/read", { uri });
    assert(answer["error"], uri);
    assertEquals(answer["error"], read["error"], uri);
  }
  const elsewhere = await host.ask("resources/unsubscribe", { uri: "file:///etc/passwd" });
  assertEquals((elsewhere["error"] as Message)["data"], { uri: "file:///etc/passwd" });
  assertEquals((await host.ask("resources/unsubscribe", { uri: TASK }))["result"], {}, "never subscribed to");
  assertEquals(errorCode(await host.ask("resources/subscribe", { uri: "hermes-task://telemetry" })), -32602);
  assertEquals((await host.queue("")).ears, 0);
  await host.endCleanly();
});

Deno.test("a host that has neither listed nor subscribed hears nothing, and nobody looks at the queue for it", async () => {
  const host = await ResourceHost.open();
  await host.queue("1_a running 0");
  await host.ask("tools/list");
  await host.ask("resources/read", { uri: TASK });
  await pause(600);
  const { looks, ears } = await host.queue("1_a gone");
  assertEquals([looks, ears], [0, 0]);
  await pause(600);
  assertEquals([...host.notices("updated"), ...host.notices("list_changed")], []);
  await host.endCleanly();
});

Deno.test("whoever has listed hears that a task has come or gone, about once a second, also when it was both", async () => {
  const host = await ResourceHost.open("2024-11-05");
  await host.ask("resources/list");
  await host.queue("1_a running 0");
  await host.untilNotices("list_changed", 1);
  await host.queue("1_a running 1");
  const began = Date.now();
  for (let n = 0; n < 5; n++) {
    await host.queue(`3${n}_a running 0`);
    await host.queue(`3${n}_a gone`);
  }
  await host.untilNotices("list_changed", 2);
  assertLess(Date.now() - began, 1_500);
  await pause(1_300);
  assertEquals(host.notices("list_changed").length, 2);
  assertEquals(host.notices("updated"), []);
  assertEquals(host.notices("list_changed")[0]!["params"], undefined);
  await host.endCleanly();
});

Deno.test("a queue that cannot be read for a while changes nothing", async () => {
  const host = await ResourceHost.open();
  await host.queue("1_a running 0");
  await host.ask("resources/subscribe", { uri: TASK });
  await host.queue("broken");
  await pause(600);
  await host.queue("mended");
  await pause(600);
  assertEquals(host.notices("updated"), []);
  await host.queue("1_a gone");
  await host.untilNotices("updated", 1);
  await host.endCleanly();
});

Deno.test("[FAULT-23] a server with subscriptions ends within a second of the end of input", async () => {
  const host = await ResourceHost.open();
  await host.queue("1_a running 0");
  for (const part of ["", "/result", "/log"]) await host.ask("resources/subscribe", { uri: TASK + part });
  assertEquals((await host.queue("1_a running 1")).ears, 1);
  await host.endCleanly();
});

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
