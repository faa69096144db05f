import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { readBaseline, readSession } from "../../../src/hermes/session.ts";
import { parseExport } from "../../../src/hermes/session_export.ts";
import { fakeWorld } from "../../support/fake_world.ts";

const TASK_STORE = "/home/u/.hermes/profiles/hermes-task/state.db";
const ROOT_STORE = "/home/u/.hermes/state.db";

function store(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(`
    CREATE TABLE sessions (id TEXT, source TEXT, model TEXT, billing_provider TEXT, started_at REAL, api_call_count INTEGER,
      input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER,
      reasoning_tokens INTEGER, estimated_cost_usd REAL, actual_cost_usd REAL, cost_status TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT,
      tool_name TEXT, finish_reason TEXT, active INTEGER DEFAULT 1);
    CREATE TABLE session_model_usage (session_id TEXT, task TEXT, api_call_count INTEGER, input_tokens INTEGER,
      output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER,
      estimated_cost_usd REAL, actual_cost_usd REAL, cost_status TEXT);
    INSERT INTO sessions VALUES ('s1', 'hermes-task:1_a.1', 'm', 'gemini', 1796083147.5, 2, 100, 7, 23, 0, 0, 0.0, NULL, 'unknown');
    INSERT INTO session_model_usage VALUES ('s1', '', 2, 100, 7, 23, 0, 0, 0.0, 0.0, 'unknown');
  `);
  const add = (...values: (string | null)[]) =>
    database.prepare(
      "INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, tool_name, finish_reason) VALUES ('s1', ?, ?, ?, ?, ?, ?)",
    ).run(...values);
  add("user", "go", null, null, null, null);
  const call = {
    id: "c1",
    call_id: "c1",
    type: "function",
    function: { name: "terminal", arguments: '{"command":"ls  -l"}' },
  };
  add("assistant", "", JSON.stringify([call]), null, null, "tool_calls");
  return database;
}

Deno.test("readSession() tells what a running task does", async () => {
  using database = store();
  const reading = await readSession(fakeWorld({ databases: { [TASK_STORE]: database } }), {
    source: "hermes-task:1_a.1",
  });
  assertEquals([reading?.activity, reading?.turns, reading?.answer], ["terminal: ls -l", 1, null]);
  assertEquals(reading?.toolCalls, [{
    id: "c1",
    name: "terminal",
    arguments: { command: "ls  -l" },
    result: null,
  }]);
});

Deno.test("readSession() reads the answer, the results and the usage of a finished one", async () => {
  using database = store();
  database.exec(`
    INSERT INTO messages (session_id, role, content, tool_call_id, tool_name) VALUES ('s1', 'tool', 'out', 'c1', 'terminal');
    INSERT INTO messages (session_id, role, content, finish_reason) VALUES ('s1', 'assistant', 'done', 'stop');
    INSERT INTO messages (session_id, role, content, active) VALUES ('s1', 'assistant', 'rewound', 0);
    INSERT INTO session_model_usage VALUES ('s1', 'vision', 1, 10, 1, 0, 0, 0, 0.0, 0.0, 'unknown');
  `);
  const reading = await readSession(fakeWorld({ databases: { [TASK_STORE]: database } }), {
    sessionId: "s1",
  });
  assertEquals([reading?.answer, reading?.finishReason, reading?.activity, reading?.startedMs], [
    "done",
    "stop",
    null,
    1796083147500,
  ]);
  assertEquals(reading?.toolCalls[0]?.result, "out");
  assertEquals(reading?.digest, {
    tool_call_count: 1,
    api_call_count: 2,
    message_count: 4,
    tools_used: ["terminal"],
  });
  assertEquals(reading?.usage, {
    input_tokens: 110,
    output_tokens: 8,
    cache_tokens: 23,
    reasoning_tokens: 0,
    cost_usd: null,
    cost_basis: null,
  });
});

Deno.test("[P6] readSession() does not call unknown tokens 0", async () => {
  using database = store();
  database.exec(
    "UPDATE sessions SET api_call_count = 0, input_tokens = 0, output_tokens = 0, cache_read_tokens = 0; DELETE FROM session_model_usage",
  );
  const reading = await readSession(fakeWorld({ databases: { [TASK_STORE]: database } }), {
    sessionId: "s1",
  });
  assertEquals(reading?.usage.input_tokens, null);
});

Deno.test("readSession() looks in the user's own store too, and survives columns that are missing", async () => {
  using database = new DatabaseSync(":memory:");
  database.exec(
    `CREATE TABLE sessions (id TEXT, source TEXT, started_at REAL); CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content TEXT);
    INSERT INTO sessions VALUES ('s2', 'cli', 1.0); INSERT INTO messages VALUES (1, 's2', 'assistant', 'old');`,
  );
  const reading = await readSession(fakeWorld({ databases: { [ROOT_STORE]: database } }), {
    sessionId: "s2",
  });
  assertEquals([reading?.home, reading?.answer, reading?.model], ["/home/u/.hermes", "old", null]);
});

Deno.test("readBaseline() lets a continued session be read from there on, its usage as the difference", async () => {
  using database = store();
  const world = fakeWorld({ databases: { [TASK_STORE]: database } });
  const since = await readBaseline(world, "s1");
  database.exec(`
    UPDATE sessions SET api_call_count = 3, input_tokens = 150, output_tokens = 9;
    INSERT INTO messages (session_id, role, content) VALUES ('s1', 'user', 'more');
    INSERT INTO messages (session_id, role, content, finish_reason) VALUES ('s1', 'assistant', 'again', 'stop');
  `);
  const reading = await readSession(world, { sessionId: "s1" }, since);
  assertEquals([reading?.answer, reading?.digest.message_count, reading?.digest.api_call_count], [
    "again",
    2,
    1,
  ]);
  assertEquals([reading?.usage.input_tokens, reading?.usage.output_tokens], [50, 2]);
  assertEquals(await readBaseline(world, "nope"), undefined);
});

Deno.test("parseExport() takes only JSON with the right id: Hermes 0.19 exits with 0 for an unknown one", () => {
  assertEquals(parseExport("Session 'nope' not found.\n", "nope", "/h"), undefined);
  const line = JSON.stringify({
    id: "s1",
    source: "x",
    started_at: 2,
    api_call_count: 1,
    input_tokens: 5,
    output_tokens: 1,
    messages: [
      {
        id: 1,
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", function: { name: "read_file", arguments: "{}" } }],
      },
      { id: 2, role: "tool", content: "text", tool_call_id: "c" },
      { id: 3, role: "assistant", content: [{ type: "text", text: "parts" }], finish_reason: "stop" },
    ],
  });
  const reading = parseExport(`noise\n${line}\n`, "s1", "/h");
  assertEquals([reading?.answer, reading?.toolCalls[0]?.result, reading?.usage.input_tokens], [
    "parts",
    "text",
    5,
  ]);
});

Deno.test("readSession() keeps what stands behind a NUL, and reads a list of parts", async () => {
  using database = store();
  database.prepare(
    "INSERT INTO messages (session_id, role, content, finish_reason) VALUES ('s1', 'assistant', CAST(? AS TEXT), 'stop')",
  )
    .run(new TextEncoder().encode("a\0b"));
  const world = fakeWorld({ databases: { [TASK_STORE]: database } });
  assertEquals((await readSession(world, { sessionId: "s1" }))?.answer, "a\0b");
  database.prepare(
    "INSERT INTO messages (session_id, role, content, finish_reason) VALUES ('s1', 'assistant', CAST(? AS TEXT), 'stop')",
  )
    .run(new TextEncoder().encode('\0json:[{"type":"text","text":"x"},{"type":"text","text":"y"}]'));
  assertEquals((await readSession(world, { sessionId: "s1" }))?.answer, "x\ny");
});

Deno.test("readSession() keeps arguments that are nested too deep as text", async () => {
  using database = store();
  const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
  const call = { id: "c9", function: { name: "x", arguments: deep } };
  database.prepare(
    "INSERT INTO messages (session_id, role, content, tool_calls) VALUES ('s1', 'assistant', '', ?)",
  ).run(JSON.stringify([call]));
  const reading = await readSession(fakeWorld({ databases: { [TASK_STORE]: database } }), {
    sessionId: "s1",
  });
  assertEquals(reading?.toolCalls.at(-1)?.arguments, deep);
});
