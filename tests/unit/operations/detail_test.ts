import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { TaskError } from "../../../src/core/failure.ts";
import { parseArgs } from "../../../src/core/operation.ts";
import { detailOperation, type HermesDetailArgs } from "../../../src/operations/detail.ts";
import { FileFault, type World } from "../../../src/ports.ts";
import { fakeWorld } from "../../support/fake_world.ts";
import { addRow, queueRow } from "../../support/queue_rows.ts";
import { withStore } from "../../support/record_folder.ts";
import { taskRecord } from "../../support/records.ts";

function ask(world: World, args: HermesDetailArgs) {
  return detailOperation.run(world, parseArgs(detailOperation.input, args), { caller: { surface: "cli" } });
}

/** Hermes' session store, as far as it is read. */
function sessionStore(sessionId: string, source: string, roles: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(`
    CREATE TABLE sessions (id TEXT, source TEXT, model TEXT, billing_provider TEXT, started_at REAL,
      api_call_count INTEGER, input_tokens INTEGER, output_tokens INTEGER);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT,
      tool_calls TEXT, tool_name TEXT, finish_reason TEXT, active INTEGER)`);
  database.prepare("INSERT INTO sessions VALUES (?, ?, 'm1', 'gemini', 1785578400, 2, 10, 5)").run(
    sessionId,
    source,
  );
  const put = database.prepare(
    "INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, tool_name, finish_reason, active) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
  );
  const calls = JSON.stringify([{
    id: "c1",
    type: "function",
    function: { name: "terminal", arguments: '{"command":"ls -la"}' },
  }]);
  for (const role of roles) {
    if (role === "call") put.run(sessionId, "assistant", "", calls, null, null, "tool_calls");
    else if (role === "tool") put.run(sessionId, "tool", "a.txt", null, "c1", "terminal", null);
    else {put.run(
        sessionId,
        role,
        `${role} says hello`,
        null,
        null,
        null,
        role === "assistant" ? "stop" : null,
      );}
  }
  return database;
}

Deno.test("hermes_task_detail gives the original's fields and how the task ended", async () => {
  const record = taskRecord({
    status: "failed",
    error: "turn_limit",
    error_detail: "too many",
    warnings: ["w"],
  });
  const reply = await ask(fakeWorld({ records: [record] }), { task_id: record.task_id });
  assertEquals(reply, {
    ok: true,
    status: "failed",
    task_id: record.task_id,
    session_id: record.session_id,
    cached: true,
    error: "turn_limit",
    error_detail: "too many",
    truncated: false,
    result_bytes: 5,
    result: "hello",
    provider: record.provider,
    model: record.model,
    output_mode: "digest",
    exit_code: 0,
    duration_ms: 1000,
    created_at: record.created_at,
    prompt_len: 9,
    digest: record.digest,
    usage: record.usage,
    tool_calls: [],
    warnings: ["w"],
  });
  assert(detailOperation.output.safeParse(reply).success);
});

Deno.test("hermes_task_detail [F-ORIG-5] pages on character borders until the end", async () => {
  const result = "Xin chào 😀漢字! ".repeat(50);
  const world = fakeWorld({ records: [taskRecord({ result })] });
  let whole = "";
  let offset: number | undefined = 0;
  for (let pages = 0; offset !== undefined; pages++) {
    assert(pages < 500);
    const reply = await ask(world, {
      task_id: "1764537600000_aaaaaa",
      max_bytes: 7,
      offset,
      section: "result",
    });
    assertEquals(reply.result_bytes, new TextEncoder().encode(result).length);
    assertEquals(reply.truncated, true);
    whole += reply.result;
    offset = reply.next_offset;
  }
  assertEquals(whole, result);
});

Deno.test("hermes_task_detail shows the section asked for, and no other", async (t) => {
  const calls = [{ id: "c1", name: "web", arguments: { q: "x" }, result: "r" }];
  const attempt = {
    provider: "gemini",
    model: "m",
    outcome: "failed",
    error: "hermes_failed",
    error_detail: "it broke",
    duration_ms: 5,
    reason: "first",
    started_at: "2026-08-01T10:00:00.000Z",
    exit_code: 3,
    signal: null,
    session_id: null,
    output_tail: "Traceback: token=aB3dE5gH7jK9mN1p",
  } as const;
  const record = taskRecord({ tool_calls: calls, attempts: [attempt] });
  const base = fakeWorld();
  const world = fakeWorld({
    records: [record],
    files: { [`${base.place.cacheDir}/${record.task_id}.log`]: "more output\npassword: hunter2\n" },
  });
  const show = (section: HermesDetailArgs["section"], more: HermesDetailArgs = {}) =>
    ask(world, { task_id: record.task_id, section, ...more });

  await t.step("result", async () => {
    const reply = await show("result");
    assertEquals([reply.result, reply.section, "tool_calls" in reply, "usage" in reply], [
      "hello",
      "result",
      false,
      false,
    ]);
  });
  await t.step("tool_calls", async () => {
    const reply = await show("tool_calls");
    assertEquals([reply.tool_calls, reply.result], [calls, null]);
  });
  await t.step("tool_calls in pages", async () => {
    const first = await show("tool_calls", { max_bytes: 20 });
    const rest = await show("tool_calls", { offset: first.next_offset });
    assertEquals(JSON.parse(`${first.result}${rest.result}`), calls);
  });
  await t.step("log, without secrets", async () => {
    const { result } = await show("log");
    assertStringIncludes(
      result!,
      "attempt 1: gemini · m · failed · hermes_failed · it broke · 5 ms\nTraceback",
    );
    assertStringIncludes(result!, "more output\npassword: [redacted]");
    assert(!result!.includes("aB3dE5gH"), result!);
  });
  await t.step("all", async () => {
    const reply = await show("all");
    assertEquals([reply.prompt, reply.attempts, reply.asked], [record.prompt, record.attempts, record.asked]);
    assertStringIncludes(String(reply.log), "more output");
  });
});

Deno.test("hermes_task_detail finds by task first, then by the newest of the session", () =>
  withStore(async (store) => {
    const session_id = "s1";
    await store.keep(taskRecord({ task_id: "1_a", session_id, created_at: "2026-08-01T00:00:00.000Z" }));
    await store.keep(taskRecord({ task_id: "2_b", session_id, created_at: "2026-08-02T00:00:00.000Z" }));
    const world = { ...fakeWorld(), records: store };
    const found = async (args: HermesDetailArgs) => (await ask(world, args)).task_id;
    assertEquals(await found({ task_id: "1_a", session_id }), "1_a");
    assertEquals(await found({ session_id }), "2_b");
    assertEquals(await found({ task_id: "9_z", session_id }), "2_b");
  }));

Deno.test("hermes_task_detail reads a session that only Hermes knows, once", async () => {
  const { place } = fakeWorld();
  const database = sessionStore("20260801_100000_abc", "cli", ["user", "call", "tool", "assistant"]);
  const world = fakeWorld({ databases: { [`${place.taskHome}/state.db`]: database } });
  const first = await ask(world, { session_id: "20260801_100000_abc" });
  assertEquals([first.cached, first.status, first.task_id, first.result], [
    false,
    "succeeded",
    "ses_20260801_100000_abc",
    "assistant says hello",
  ]);
  assertEquals(first.tool_calls?.map(({ name, result }) => [name, result]), [["terminal", "a.txt"]]);
  const again = await ask(world, { session_id: "20260801_100000_abc" });
  assertEquals([again.cached, again.result], [true, "assistant says hello"]);
  database.close();
});

Deno.test("hermes_task_detail does not record a session that still goes on", async () => {
  const { place } = fakeWorld();
  const database = sessionStore("s9", "cli", ["user", "call", "tool"]);
  const world = fakeWorld({ databases: { [`${place.taskHome}/state.db`]: database } });
  const reply = await ask(world, { session_id: "s9" });
  assertEquals([reply.status, reply.cached, world.kept.size], ["running", false, 0]);
  assertStringIncludes(reply.warnings.join(), "ask again later");
  database.close();
});

Deno.test("hermes_task_detail tells what a running task does", async () => {
  const { place } = fakeWorld();
  const record = taskRecord({ status: "running", result: null });
  const database = sessionStore("s9", `hermes-task:${record.task_id}.1`, ["user", "call"]);
  const world = fakeWorld({ records: [record], databases: { [`${place.taskHome}/state.db`]: database } });
  await addRow(world.queue, queueRow({ taskId: record.task_id, state: "running", runner: "test0" }));
  const reply = await ask(world, { task_id: record.task_id, section: "log" });
  assertEquals(reply.status, "running");
  assertStringIncludes(reply.result!, 'terminal: {"command":"ls -la"}');
  database.close();
});

Deno.test("hermes_task_detail calls a task lost that no process has", async () => {
  const record = taskRecord({ status: "running", result: null });
  const world = fakeWorld({ records: [record] });
  const reply = await ask(world, { task_id: record.task_id });
  assertEquals([reply.ok, reply.status, reply.error], [true, "lost", "lost"]);
  assertEquals(world.kept.get(record.task_id)?.status, "lost");
});

Deno.test("hermes_task_detail still answers when the session cannot be recorded", async () => {
  const { place } = fakeWorld();
  const database = sessionStore("s1", "cli", ["user", "assistant"]);
  const world = fakeWorld({
    databases: { [`${place.taskHome}/state.db`]: database },
    keepProblem: "Cannot record it: the disk is full",
  });
  const reply = await ask(world, { session_id: "s1" });
  assertEquals([reply.result, reply.warnings], ["assistant says hello", [
    "Cannot record it: the disk is full",
  ]]);
  database.close();
});

Deno.test("hermes_task_detail refuses what names no task", async (t) => {
  const table: readonly (readonly [HermesDetailArgs, string, string])[] = [
    [{}, "invalid_args", "session_id"],
    [{ task_id: "../x" }, "invalid_args", '"../x"'],
    [{ task_id: "a/b" }, "invalid_args", '"a/b"'],
    [{ session_id: "..%2f" }, "invalid_args", "session_id"],
    [{ task_id: "1_a", session_id: "a b" }, "invalid_args", "session_id"],
    [{ task_id: "1_a" }, "not_found", 'No task "1_a" is known here: check the id'],
    [{ session_id: "s1" }, "not_found", 'No session "s1"'],
  ];
  for (const [args, code, words] of table) {
    await t.step(JSON.stringify(args), async () => {
      const error = await assertRejects(() => ask(fakeWorld(), args), TaskError);
      assertEquals(error.failure.code, code);
      assertStringIncludes(error.failure.detail, words);
    });
  }
});

Deno.test("hermes_task_detail names a record file that is broken", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    await Deno.writeTextFile(`${dir}/5_e.json`, '{"task');
    const world = { ...fakeWorld(), records: store };
    const error = await assertRejects(() => ask(world, { task_id: "5_e" }), TaskError);
    assertStringIncludes(error.failure.detail, `"${dir}/5_e.json"`);
    assertStringIncludes(error.failure.detail, "move it away");
  }));

Deno.test("hermes_task_detail names a session store that cannot be read", async () => {
  const { place } = fakeWorld();
  const path = `${place.taskHome}/state.db`;
  const world = fakeWorld({ databases: { [path]: new FileFault("other", path, "database is locked") } });
  const error = await assertRejects(() => ask(world, { session_id: "s1" }), TaskError);
  assertStringIncludes(error.failure.detail, "database is locked; ask again later");
});

Deno.test("hermes_task_detail describes every argument", () => {
  const { shape } = detailOperation.input as unknown as { shape: Record<string, { description?: string }> };
  for (const [name, schema] of Object.entries(shape)) assert(schema.description, name);
});
