// Is every reply complete, true to its schema and of a size that its host shows? With operations that do what they
// are told, and the SDK's own client.
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { toolsOf } from "../../src/mcp/tools.ts";
import { type Message, RawHost, SCRIPTED_SERVER } from "./raw_host.ts";
import { SAMPLE, SCRIPTED } from "./scripted.ts";

const TOOLS = new Map(toolsOf(SCRIPTED).map((tool) => [tool.name, tool]));

/** The object that a reply carries, after a look that both forms hold it and that it fits its schema. */
async function checked(tool: string, reply: Message): Promise<Message> {
  const structure = reply["structuredContent"] as Message;
  const [text] = reply["content"] as readonly { readonly type: string; readonly text: string }[];
  assertEquals(JSON.parse(text!.text), structure);
  assertEquals(reply["isError"] === true, structure["ok"] === false);
  const schema = fromJsonSchema(TOOLS.get(tool)!.outputSchema as Parameters<typeof fromJsonSchema>[0]);
  const { issues } = await schema["~standard"].validate(structure);
  assertEquals(issues ?? [], []);
  return structure;
}

async function host(name = "raw-host"): Promise<RawHost> {
  const host = new RawHost(SCRIPTED_SERVER);
  await host.handshake("2025-11-25", name);
  return host;
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

for (const versionNegotiation of [undefined, { mode: "auto" }, { mode: { pin: "2026-07-28" } }] as const) {
  Deno.test({
    name: `[FAULT-66] [FAULT-68] the SDK's client lists and calls with negotiation ${
      JSON.stringify(versionNegotiation)
    }`,
    // The client's child process keeps timers and streams of its own.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      const client = new Client(
        { name: "sdk", version: "1" },
        versionNegotiation ? { versionNegotiation } : {},
      );
      await client.connect(
        new StdioClientTransport({
          command: Deno.execPath(),
          args: [...SCRIPTED_SERVER],
          env: Deno.env.toObject(),
        }),
      );
      try {
        assertEquals(
          (await client.listTools()).tools.map((tool) => tool.name),
          SCRIPTED.map((each) => each.name),
        );
        assertEquals((await client.listPrompts()).prompts.map((prompt) => prompt.name), [
          "delegate",
          "second-opinion",
        ]);
        const reply = await client.callTool({ name: "hermes_task", arguments: { prompt: "answer:2" } });
        assertEquals((await checked("hermes_task", reply))["result"], SAMPLE.repeat(2));
        const refused = await client.callTool({ name: "hermes_task", arguments: { promt: "x" } });
        assertEquals((await checked("hermes_task", refused))["error"], "invalid_args");
        const telemetry = await client.readResource({ uri: "hermes-task://telemetry" });
        assertEquals(JSON.parse((telemetry.contents[0] as { text: string }).text), { ok: true, runs: 0 });
      } finally {
        await client.close();
      }
    },
  });
}

const REFUSED = [
  { args: { promt: "x" }, words: 'did you mean "prompt"?' },
  { args: {}, words: '"prompt"' },
  { args: { prompt: 5 }, words: '"prompt"' },
  { args: { prompt: "x", output_mode: "long" }, words: '"output_mode"' },
  { args: undefined, words: '"prompt"' },
];

for (const { args, words } of REFUSED) {
  Deno.test(`[FAULT-67] the arguments ${JSON.stringify(args)} are refused as invalid_args, naming ${words}`, async () => {
    const raw = await host();
    const reply = await checked("hermes_task", await raw.call(1, "hermes_task", args));
    assertEquals([reply["ok"], reply["error"], reply["retryable"]], [false, "invalid_args", false]);
    assertStringIncludes(String(reply["error_detail"]), words);
    await raw.end();
  });
}

Deno.test("an unknown tool is invalid_args and offers the near name", async () => {
  const raw = await host();
  const reply = await raw.call(1, "hermes_tsk", {});
  const structure = reply["structuredContent"] as Message;
  assertEquals(structure["error"], "invalid_args");
  assertEquals(structure["error_detail"], 'Unknown tool "hermes_tsk": did you mean "hermes_task"?');
  assertEquals(reply["isError"], true);
  await raw.end();
});

Deno.test("[FAULT-67] a refusal says when to come back; a fault of ours is unknown, redacted and without a stack", async () => {
  const raw = await host();
  const refused = await checked("hermes_task", await raw.call(1, "hermes_task", { prompt: "refuse" }));
  assertEquals(refused["error"], "rate_limited");
  assertEquals(refused["retryable"], true);
  assertEquals(refused["next_available_at"], "1970-01-01T00:01:01.000Z");
  assertEquals(refused["provider"], "gemini");
  const broken = await checked("hermes_task", await raw.call(2, "hermes_task", { prompt: "throw" }));
  assertEquals(broken["error"], "unknown");
  assertStringIncludes(String(broken["error_detail"]), "boom");
  assert(!JSON.stringify(broken).includes("sk-proj"));
  assert(!JSON.stringify(broken).includes("scripted.ts"));
  await raw.end();
});

Deno.test("[P5] a secret in a result does not leave", async () => {
  const raw = await host();
  const reply = await raw.call(1, "hermes_task", { prompt: "secret" });
  assert(!JSON.stringify(reply).includes("sk-proj"));
  await raw.end();
});

for (const name of ["raw-host", "claude-code", "codex-mcp-client", "qwen-cli-mcp-client-x", "@cline/core"]) {
  Deno.test(`[FAULT-64] for ${name} a digest stays under 7 KiB and any reply under its limit`, async () => {
    const raw = await host(name);
    for (const [id, repeats] of [10, 100, 300, 20_000].entries()) {
      const digest = await raw.call(id, "hermes_task", { prompt: `answer:${repeats}` });
      assertLess(sizeOf(digest["structuredContent"]), 7 * 1024);
      if (name === "@cline/core") assertLess(sizeOf(digest), 7900);
      await checked("hermes_task", digest);
    }
    const full = await raw.call("full", "hermes_task", { prompt: "answer:20000", output_mode: "full" });
    const models = await raw.call("models", "hermes_models", {});
    const limit = name === "codex-mcp-client" ? 11_900 : name === "@cline/core" ? 7900 : 60_000;
    assertLess(sizeOf(full["structuredContent"]), limit);
    assertLess(sizeOf(models["structuredContent"]), limit);
    const head = JSON.stringify(full["structuredContent"]).slice(0, 1500);
    for (const field of ["ok", "status", "task_id", "truncated", "result_bytes", "next_offset", "next"]) {
      assertStringIncludes(head, `"${field}":`);
    }
    await raw.end();
  });
}

Deno.test("[P6] [FAULT-44] what was cut is read on with hermes_task_detail, without loss or overlap", async () => {
  const raw = await host();
  const whole = SAMPLE.repeat(3000);
  const first = await checked(
    "hermes_task",
    await raw.call("first", "hermes_task", { prompt: "answer:3000" }),
  );
  let text = String(first["result"]);
  let offset = first["next_offset"];
  let calls = 0;
  while (typeof offset === "number" && calls < 50) {
    const args = { task_id: "3000_a", offset };
    const page = await checked("hermes_task_detail", await raw.call(++calls, "hermes_task_detail", args));
    text += page["result"];
    offset = page["next_offset"];
    if (offset !== undefined) assertEquals(page["truncated"], true);
  }
  assertEquals(text, whole);
  assertEquals(first["result_bytes"], new TextEncoder().encode(whole).length);
  assert(calls > 1 && calls < 20);
  await raw.end();
});

Deno.test("max_bytes is honoured above the host's budget", async () => {
  const raw = await host("codex-mcp-client");
  const args = { task_id: "20000_a", max_bytes: 100_000 };
  const page = await checked("hermes_task_detail", await raw.call(1, "hermes_task_detail", args));
  assertEquals(new TextEncoder().encode(String(page["result"])).length > 99_900, true);
  await raw.end();
});

Deno.test("a list that gave way says so before it", async () => {
  const raw = await host();
  const models = await checked("hermes_models", await raw.call(1, "hermes_models", {}));
  assertEquals((models["providers"] as unknown[]).length, 30);
  const { entries, hint } = models["omitted"] as { entries: number; hint: string };
  assert(entries > 0);
  assertStringIncludes(hint, "narrower");
  assertStringIncludes(JSON.stringify(models).slice(0, 300), "omitted");
  await raw.end();
});

Deno.test("a task is read as resources; one that is not there is not found", async () => {
  const raw = await host();
  await raw.send(
    { id: 1, method: "resources/read", params: { uri: "hermes-task://tasks/2_a/result" } },
    { id: 2, method: "resources/read", params: { uri: "hermes-task://tasks/x_a" } },
    { id: 3, method: "resources/read", params: { uri: "hermes-task://tasks/..%2fx" } },
    { id: 4, method: "prompts/get", params: { name: "delegate", arguments: { task: "count" } } },
    { id: 5, method: "prompts/get", params: { name: "delegate" } },
  );
  const [content] = ((await raw.answer(1))["result"] as { contents: Message[] }).contents;
  assertEquals(content!["text"], SAMPLE.repeat(2));
  for (const id of [2, 3]) {
    assertStringIncludes(
      String(((await raw.answer(id))["error"] as Message)["message"]),
      "hermes-task://tasks/",
    );
  }
  assertStringIncludes(JSON.stringify((await raw.answer(4))["result"]), "Task: count");
  assertStringIncludes(JSON.stringify((await raw.answer(5))["error"]), "a value is needed");
  await raw.end();
});
