// Does the program itself keep its manners: bootstrap, worker, real operations, a stand-in for Hermes?
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { toolsOf } from "../../src/mcp/tools.ts";
import { OPERATIONS } from "../../src/operations/all.ts";
import { type Behaviour, installFake } from "../support/fake_hermes.ts";
import { aliveTasksIn, aliveWithMark, waitUntil } from "../support/processes.ts";
import { programLine, startServer } from "../support/program.ts";
import type { ServerUnderTest } from "../support/server_under_test.ts";
import { pause, RawHost, toolCall } from "./raw_host.ts";
import { makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";

type Structure = Readonly<Record<string, unknown>>;

const TOOLS = new Map(toolsOf(OPERATIONS).map((tool) => [tool.name, tool]));
const CHOSEN = { provider: "gemini", model: "gemini-3.1-flash-lite" };

/** Calls a tool and checks what every reply must be. */
async function call(server: ServerUnderTest, tool: string, args: unknown): Promise<Structure> {
  const reply = await server.callTool(tool, args, 60_000);
  const structure = reply["structuredContent"] as Structure;
  const [text] = reply["content"] as { readonly text: string }[];
  assertEquals(JSON.parse(text!.text), structure);
  assertEquals(reply["isError"] === true, structure["ok"] === false);
  assertEquals(typeof structure["ok"], "boolean");
  const schema = fromJsonSchema(TOOLS.get(tool)!.outputSchema as Parameters<typeof fromJsonSchema>[0]);
  const { issues } = await schema["~standard"].validate(structure);
  assertEquals(issues ?? [], []);
  assertLess(text!.text.length, 60_000);
  return structure;
}

/** Ends the input; the server must end with 0, with nothing on stderr and only JSON-RPC on stdout. */
async function endCleanly(server: ServerUnderTest): Promise<void> {
  await server.closeInput();
  assertEquals((await server.status).code, 0);
  assertEquals(await server.stderr, "");
  for (const line of server.lines) assertEquals(JSON.parse(line)["jsonrpc"], "2.0");
}

async function homeWith(behaviour: Behaviour): Promise<ThrowAwayHome> {
  const home = await makeHome();
  await installFake(home.bin, behaviour);
  return home;
}

function open(home: ThrowAwayHome): ServerUnderTest {
  return startServer({ env: home.env, cwd: home.work });
}

Deno.test("[FAULT-3] [FAULT-40] initialize and tools/list come within a second though hermes --version hangs", async () => {
  await using home = await homeWith("hangs_on_version");
  const tries: number[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const began = performance.now();
    await using server = open(home);
    await server.handshake();
    const { result } = await server.request("tools/list");
    tries.push(performance.now() - began);
    assertEquals((result!["tools"] as unknown[]).length, OPERATIONS.length);
    await endCleanly(server);
  }
  assertLess(Math.min(...tries), 1000);
});

Deno.test("a broken store, settings and configuration, and no Hermes, stop neither the handshake nor a reply", async () => {
  await using home = await makeHome({
    config: "model: [broken",
    auth: "{broken",
    files: {
      "hermes-task.jsonc": '{"maxConcurent": 3,',
      "hermes-task-cache": "a file where a folder belongs",
    },
  });
  await using server = open(home);
  await server.handshake();
  assertEquals((await server.request("tools/list")).error, undefined);
  const task = await call(server, "hermes_task", { prompt: "hello", ...CHOSEN });
  assertEquals(task["error"], "spawn_failed");
  assertStringIncludes(JSON.stringify(task["warnings"]), "hermes-task.jsonc");
  await call(server, "hermes_task_detail", { task_id: "1764537600123_k3x9qd" });
  await call(server, "hermes_models", {});
  await call(server, "hermes_telemetry", {});
  await endCleanly(server);
});

const BEHAVIOURS: readonly Behaviour[] = [
  "answers",
  "answers_with_tools",
  "ansi",
  "exits_0_empty",
  "fails_with_partial",
  "prints_300kb",
  "prints_binary",
  "prints_secrets",
  "rate_limited",
  "splits_utf8",
  "talks_about_429",
];

for (const behaviour of BEHAVIOURS) {
  Deno.test(`[FAULT-67] [FAULT-69] every line is JSON-RPC and every reply true to its schema with a Hermes that ${behaviour}`, async () => {
    await using home = await homeWith(behaviour);
    await using server = open(home);
    await server.handshake("2025-06-18", "codex-mcp-client");
    const full = await call(server, "hermes_task", { prompt: "hello", ...CHOSEN, output_mode: "full" });
    assert(full["error"] !== "unknown", JSON.stringify(full));
    const id = String(full["task_id"]);
    for (const section of ["", "result", "tool_calls", "log", "all"]) {
      const detail = await call(
        server,
        "hermes_task_detail",
        section ? { task_id: id, section } : { task_id: id },
      );
      assertEquals(detail["ok"], true, JSON.stringify(detail));
    }
    await call(server, "hermes_models", {});
    await call(server, "hermes_telemetry", { group_by: "provider" });
    await endCleanly(server);
  });
}

const REFUSED: readonly (readonly [string, Structure, string])[] = [
  ["hermes_task", {}, "invalid_args"],
  ["hermes_task", { prompt: "x", promt: "y" }, "invalid_args"],
  ["hermes_task", { prompt: "x".repeat(5000) }, "prompt_too_long"],
  ["hermes_task", { prompt: "x", provider: "gemni" }, "provider_not_found"],
  ["hermes_task", { prompt: "x", provider: "--yolo" }, "invalid_args"],
  ["hermes_task", { prompt: "x", cwd: "/" }, "cwd_not_allowed"],
  ["hermes_task_detail", {}, "invalid_args"],
  ["hermes_task_detail", { task_id: "../x" }, "invalid_args"],
  ["hermes_task_detail", { task_id: "1764537600123_k3x9qd" }, "not_found"],
  ["hermes_models", { limit: "many" }, "invalid_args"],
  ["hermes_models", { models_cache_path: "/etc/passwd" }, "invalid_args"],
  ["hermes_telemetry", { since: "yesterday-ish" }, "invalid_args"],
];

Deno.test("[FAULT-67] every refusal is named, says why, and is true to its tool's schema", async () => {
  await using home = await homeWith("answers");
  await using server = open(home);
  await server.handshake();
  for (const [tool, args, code] of REFUSED) {
    const reply = await call(server, tool, args);
    assertEquals([reply["ok"], reply["error"]], [false, code], JSON.stringify([tool, args, reply]));
    assert(String(reply["error_detail"]).length > 10);
  }
  await endCleanly(server);
});

Deno.test("[FAULT-24] the end of input ends a hanging task, its record says so, and nothing is left", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  await using server = open(home);
  await server.handshake();
  const request = { name: "hermes_task", arguments: { prompt: "hello", ...CHOSEN } };
  await server.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: request });
  await untilGrandchild(home);
  const began = performance.now();
  await endCleanly(server);
  assertLess(performance.now() - began, 10_000);
  assertEquals(server.lines.filter((line) => JSON.parse(line)["id"] === 7), []);
  const records = await Array.fromAsync(Deno.readDir(join(home.root, "hermes-task-cache")));
  const [name] = records.map((entry) => entry.name).filter((name) => name.endsWith(".json"));
  const record = JSON.parse(await Deno.readTextFile(join(home.root, "hermes-task-cache", name!)));
  assertEquals(record.status, "cancelled");
  const taskId = name!.replace(/\.json$/, "");
  assertEquals((await aliveWithMark("")).filter((each) => JSON.stringify(each).includes(taskId)), []);
});

Deno.test("[P6] a long answer of Hermes is read to its end in pages that a host shows whole", async () => {
  await using home = await homeWith("prints_300kb");
  await using server = open(home);
  await server.handshake("2025-06-18", "codex-mcp-client");
  const first = await call(server, "hermes_task", { prompt: "hello", ...CHOSEN });
  assertEquals(first["truncated"], true);
  let text = String(first["result"]);
  let offset = first["next_offset"];
  for (let page = 0; typeof offset === "number" && page < 100; page++) {
    const part = await call(server, "hermes_task_detail", {
      task_id: first["task_id"],
      section: "result",
      offset,
    });
    text += part["result"];
    offset = part["next_offset"];
  }
  assertEquals(offset, undefined);
  assertEquals(new TextEncoder().encode(text).length, first["result_bytes"]);
  const whole = { task_id: first["task_id"], section: "result", max_bytes: 1_000_000 };
  const reply = await server.callTool("hermes_task_detail", whole);
  assertEquals((reply["structuredContent"] as Structure)["result"], text);
  await endCleanly(server);
});

Deno.test("[FAULT-16] a host that vanishes during a call leaves no error and no process", async () => {
  await using home = await homeWith("hangs_with_grandchild");
  const { program, args, env } = programLine(["mcp"], { env: home.env });
  const host = new RawHost(args, { program, env });
  await host.handshake();
  await host.send(toolCall(1, "hermes_task", { prompt: "hello", ...CHOSEN }, { progressToken: 0 }));
  await untilGrandchild(home);
  await host.stopReading();
  await pause(20);
  const ended = await host.end();
  assertEquals(ended.stderr, "");
  assert([0, 74].includes(ended.code), String(ended.code));
  await waitUntil(async () => (await aliveTasksIn(home)).length === 0, 10_000, "the end of the task's tree");
});

Deno.test("[FAULT-11] [FAULT-12] over 50 calls of the program progress comes for the token given, rises, and ends before the reply", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "soak");
  const { program, args, env } = programLine(["mcp"], { env: home.env });
  const host = new RawHost(args, { program, env });
  await host.handshake();
  const tokens = [0, "", "text", undefined];
  for (let n = 0; n < 50; n++) {
    const token = n < tokens.length ? tokens[n] : n;
    const meta = token === undefined ? undefined : { progressToken: token };
    const reply = await host.call(n, "hermes_task", { prompt: `number ${n}`, ...CHOSEN }, meta);
    assertEquals((reply["structuredContent"] as Structure)["ok"], true);
  }
  await pause(500);
  const notes = host.messages.filter(({ method }) => method === "notifications/progress");
  const given = Array.from({ length: 50 }, (_, n) => n < tokens.length ? tokens[n] : n);
  assertEquals(host.messages.length, 1 + 50 + notes.length, "nothing else is written");
  let told = 0;
  for (const [n, token] of given.entries()) {
    const mine = notes.filter(({ params }) => (params as Structure)["progressToken"] === token);
    told += mine.length;
    const answered = host.messages.findIndex(({ id, method }) => id === n && method === undefined);
    const before = n === 0 ? 0 : host.messages.findIndex(({ id }) => id === n - 1);
    for (const note of mine) {
      const at = host.messages.indexOf(note);
      assert(before < at && at < answered, `${JSON.stringify(note)} while its call is open`);
    }
    const values = mine.map(({ params }) => Number((params as Structure)["progress"]));
    assertEquals(values, [...new Set(values)].toSorted((a, b) => a - b));
  }
  assertEquals(told, notes.length, "none for a token that was not given");
  assert(told >= 25, `${told} notes`);
  const ended = await host.end();
  assertEquals([ended.code, ended.stderr, ...ended.stray], [0, ""]);
});

Deno.test("[FAULT-11] after a cancel of the program's call nothing is written for it, though its task ends later", async () => {
  await using home = await homeWith("ignores_sigterm");
  const { program, args, env } = programLine(["mcp"], { env: home.env });
  const host = new RawHost(args, { program, env });
  await host.handshake();
  for (let n = 0; n < 3; n++) {
    await host.send(toolCall(n, "hermes_task", { prompt: "hello", ...CHOSEN }, { progressToken: n }));
    await host.until(({ params }) => (params as Structure | undefined)?.["progressToken"] === n);
    await host.send({ method: "notifications/cancelled", params: { requestId: n } }, {
      id: `p${n}`,
      method: "ping",
    });
    await host.answer(`p${n}`);
    const lines = host.messages.length;
    await waitUntil(
      async () => (await aliveTasksIn(home)).length === 0,
      10_000,
      "the end of the task's tree",
    );
    await pause(300);
    assertEquals(host.messages.slice(lines), []);
  }
  const ended = await host.end();
  assertEquals([ended.code, ended.stderr, ...ended.stray], [0, ""]);
});

/** Hermes, and what it started in a session of its own. */
async function untilGrandchild(home: ThrowAwayHome): Promise<void> {
  const stands = async () => {
    const living = await aliveTasksIn(home);
    return living.length >= 2 && living.some(({ command }) => command.includes("--query="));
  };
  await waitUntil(stands, 30_000, "the grandchild started");
}
