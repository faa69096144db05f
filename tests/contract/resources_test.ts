// What does a host of the handshake era see and hear of tasks as resources? With a queue that does what it is told.
import { assert, assertEquals, assertGreaterOrEqual, assertLess, assertLessOrEqual } from "@std/assert";
import { type Message, pause } from "./raw_host.ts";
import { errorCode, ResourceHost, TASK, urisOf } from "./resource_host.ts";

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
