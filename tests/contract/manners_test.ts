// Does the server keep to the manners of the protocol? Driven in raw lines, with operations that do what they are told.
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { type Message, pause, RawHost, SCRIPTED_SERVER, toolCall } from "./raw_host.ts";

const VERSIONS = ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

function open(): RawHost {
  return new RawHost(SCRIPTED_SERVER);
}

function assertClean(
  { stderr, stray }: { readonly stderr: string; readonly stray: readonly string[] },
): void {
  assertEquals([...stray], []);
  assertEquals(stderr, "");
}

function progressOf(host: RawHost, token: unknown): Message[] {
  return host.messages.filter((message) =>
    message["method"] === "notifications/progress" &&
    (message["params"] as Message)["progressToken"] === token
  );
}

function structure(result: Message): Message {
  return result["structuredContent"] as Message;
}

for (const version of VERSIONS) {
  Deno.test(`[F-ORIG-12] a host of ${version} gets its own version and can call`, async () => {
    const host = open();
    assertEquals((await host.handshake(version))["protocolVersion"], version);
    const result = await host.call(1, "hermes_task", { prompt: "answer:1" });
    assertEquals(structure(result)["ok"], true);
    assertClean(await host.end());
  });
}

for (const version of ["2030-01-01", "2026-07-28", "1"]) {
  Deno.test(`initialize with ${version} is answered with 2025-11-25`, async () => {
    const host = open();
    assertEquals((await host.handshake(version))["protocolVersion"], "2025-11-25");
    assertClean(await host.end());
  });
}

Deno.test("initialize, its notification, tools/list and a call in one write, cut at any byte, are each answered once", async () => {
  const text = [
    {
      id: "init",
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "ä", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    toolCall(3, "hermes_task", { prompt: "answer:1" }),
    { id: 4, method: "ping" },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");
  for (const pieces of [1, 7, 40]) {
    const host = open();
    const bytes = new TextEncoder().encode(text);
    const size = Math.ceil(bytes.length / pieces);
    for (let at = 0; at < bytes.length; at += size) {
      await host.write(bytes.slice(at, at + size));
      if (pieces > 1) await pause(3);
    }
    for (const id of ["init", 2, 3, 4]) await host.answer(id);
    await pause(50);
    assertEquals(host.messages.map((message) => message["id"]).toSorted(), [2, 3, 4, "init"]);
    assertClean(await host.end());
  }
});

Deno.test("a ping first, without any handshake, is answered", async () => {
  const host = open();
  await host.send({ id: 0, method: "ping" });
  assertEquals((await host.answer(0))["result"], {});
  assertClean(await host.end());
});

Deno.test("[FAULT-73] server/discover is served, and so is a call in the new era", async () => {
  const host = open();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2" },
  };
  await host.send({ id: 1, method: "server/discover", params: { _meta } });
  const discovered = (await host.answer(1))["result"] as Message;
  assertEquals(discovered["supportedVersions"], ["2026-07-28"]);
  const result = await host.call(2, "hermes_task", { prompt: "caller" }, _meta);
  assertEquals(JSON.parse(String(structure(result)["result"])), { surface: "mcp", host: "claude-code" });
  assertClean(await host.end());
});

Deno.test("a refused server/discover leaves the way open for initialize", async () => {
  const host = open();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2031-01-01",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "x", version: "2" },
  };
  await host.send({ id: 1, method: "server/discover", params: { _meta } });
  assert((await host.answer(1))["error"]);
  assertEquals((await host.handshake())["protocolVersion"], "2025-11-25");
  assertEquals(structure(await host.call(2, "hermes_task", { prompt: "answer:1" }))["ok"], true);
  assertClean(await host.end());
});

Deno.test("[F-ORIG-12] ping is answered while a call runs", async () => {
  const host = open();
  await host.handshake();
  await host.send(toolCall(1, "hermes_task", { prompt: "hang" }), { id: 2, method: "ping" });
  assertEquals((await host.answer(2))["result"], {});
  assertClean(await host.end());
});

Deno.test("the client's name reaches the operation in the handshake era", async () => {
  const host = open();
  await host.handshake("2025-11-25", "codex-mcp-client");
  const result = await host.call(1, "hermes_task", { prompt: "caller" });
  assertEquals(JSON.parse(String(structure(result)["result"])), { surface: "mcp", host: "codex-mcp-client" });
  assertClean(await host.end());
});

Deno.test("[FAULT-11] [FAULT-12] over 200 calls progress rises, comes only for its token, and never after the answer", async () => {
  const host = open();
  await host.handshake();
  const tokens: unknown[] = [0, "", "text", 7];
  for (let round = 0; round < 50; round++) {
    const calls = tokens.map((token, n) =>
      toolCall(`${round}.${n}`, "hermes_task", { prompt: "progress:5" }, {
        progressToken: `${round}/${token}`,
      })
    );
    await host.send(...calls);
    for (const call of calls) await host.answer(String(call["id"]));
  }
  await pause(100);
  for (let round = 0; round < 50; round++) {
    for (const [n, token] of tokens.entries()) {
      const notes = progressOf(host, `${round}/${token}`);
      const answered = host.messages.findIndex((message) => message["id"] === `${round}.${n}`);
      assertGreater(notes.length, 0);
      for (const note of notes) assertLess(host.messages.indexOf(note), answered);
      const values = notes.map((note) => Number((note["params"] as Message)["progress"]));
      for (const [at, value] of values.entries()) assertGreater(value, at === 0 ? 0 : values[at - 1]!);
      assert(notes.every((note) => (note["params"] as Message)["total"] === undefined), "no 100/100 notice");
    }
  }
  assertClean(await host.end());
});

for (const token of [0, ""]) {
  Deno.test(`the progress token ${JSON.stringify(token)} is a token`, async () => {
    const host = open();
    await host.handshake();
    await host.call(1, "hermes_task", { prompt: "progress:3" }, { progressToken: token });
    assertGreater(progressOf(host, token).length, 0);
    assertClean(await host.end());
  });
}

Deno.test("[FAULT-8] without a token no progress is sent", async () => {
  const host = open();
  await host.handshake();
  await host.call(1, "hermes_task", { prompt: "progress:3" });
  assertEquals(host.messages.filter((message) => message["method"] !== undefined), []);
  assertClean(await host.end());
});

Deno.test("[FAULT-4] [FAULT-17] after a cancel nothing more is written for the call, and the next one runs", async () => {
  const host = open();
  await host.handshake();
  await host.send(toolCall(1, "hermes_task", { prompt: "late:50" }, { progressToken: "t" }));
  await pause(300);
  const before = progressOf(host, "t").length;
  await host.send({ method: "notifications/cancelled", params: { requestId: 1, reason: "user" } });
  await pause(600);
  assertEquals(progressOf(host, "t").length, before);
  assertEquals(host.messages.filter((message) => message["id"] === 1), []);
  assertEquals(structure(await host.call(2, "hermes_task", { prompt: "answer:1" }))["ok"], true);
  assertClean(await host.end());
});

Deno.test("a cancel for an answered call is ignored, also when the next call runs", async () => {
  const host = open();
  await host.handshake();
  await host.call(1, "hermes_task", { prompt: "answer:1" });
  const cancelled = { method: "notifications/cancelled", params: { requestId: 1, reason: "AbortError" } };
  await host.send(cancelled, toolCall(2, "hermes_task", { prompt: "progress:40" }), cancelled);
  assertEquals(structure((await host.answer(2))["result"] as Message)["ok"], true);
  assertClean(await host.end());
});

Deno.test("lines that are no JSON, no request or a batch do not stop the server", async () => {
  const host = open();
  await host.handshake();
  await host.write(
    'nonsense\n{"half":\n\n[]\n{"jsonrpc":"2.0","id":5}\n{"jsonrpc":"2.0","id":null,"method":"ping"}\n',
  );
  await host.write('[{"jsonrpc":"2.0","id":6,"method":"ping"},{"jsonrpc":"2.0","id":7,"method":"ping"}]\n');
  assertEquals(((await host.answer(5))["error"] as Message)["code"], -32600);
  assertEquals((await host.answer(6))["result"], {});
  assertEquals((await host.answer(7))["result"], {});
  assertClean(await host.end());
});

Deno.test("a message of 12 MB is answered", async () => {
  const host = open();
  await host.handshake();
  const result = await host.call(1, "hermes_tusk", { prompt: "x".repeat(12_000_000) });
  assertEquals(structure(result)["error"], "invalid_args");
  assertClean(await host.end());
});

for (const first of ["resources/list", "resources/templates/list", "prompts/list"]) {
  Deno.test(`[FAULT-71] ${first} is answered with a list`, async () => {
    const host = open();
    await host.handshake();
    await host.send({ id: 1, method: first });
    const [list] = Object.values((await host.answer(1))["result"] as Message);
    assert(Array.isArray(list) && list.length > 0);
    assertClean(await host.end());
  });
}

Deno.test("[FAULT-23] the end of input ends the server at once, with 0", async () => {
  const host = open();
  await host.handshake();
  const began = performance.now();
  const ended = await host.end();
  assertLess(performance.now() - began, 1000);
  assertEquals(ended.code, 0);
  assertClean(ended);
});

Deno.test("no input at all ends the server at once, with 0", async () => {
  const ended = await open().end();
  assertEquals(ended.code, 0);
  assertClean(ended);
});

Deno.test("the end of input ends running calls first, with 0, and nothing is written for them", async () => {
  const host = open();
  await host.handshake();
  await host.send(toolCall(1, "hermes_task", { prompt: "hang" }, { progressToken: 1 }));
  await pause(300);
  const ended = await host.end();
  assertEquals(ended.code, 0);
  assertEquals(host.messages.filter((message) => message["id"] === 1), []);
  assertClean(ended);
});

Deno.test("[FAULT-13] a host that stops reading is noticed at the next line, and the server ends with 74", async () => {
  const host = open();
  await host.handshake();
  await host.stopReading();
  await host.send(toolCall(1, "hermes_task", { prompt: "hang" }), { id: 2, method: "ping" });
  const ended = await host.ended();
  assertEquals(ended.code, 74);
  assertEquals(ended.stderr, "");
});
