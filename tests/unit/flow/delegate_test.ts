import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TaskError } from "../../../src/core/failure.ts";
import { parseArgs } from "../../../src/core/operation.ts";
import type { TaskRecord } from "../../../src/core/record.ts";
import type { HermesTaskArgs } from "../../../src/core/task.ts";
import { taskInput } from "../../../src/core/task_request.ts";
import { delegate } from "../../../src/flow/delegate.ts";
import { FileFault, type Query, SpawnFault } from "../../../src/ports.ts";
import type { ChildScript } from "../../support/fake_children.ts";
import { type FakeWorld, fakeWorld, type WorldOptions } from "../../support/fake_world.ts";

const AUTH = JSON.stringify({
  version: 1,
  providers: {},
  credential_pool: {
    gemini: [{
      id: "a1",
      auth_type: "api_key",
      source: "manual",
      access_token: "AIza-fake-key-for-tests-000000000000000",
      last_status: null,
    }],
  },
});
const VERSION: ChildScript = { stdout: "Hermes Agent v0.19.0 (2026.7.20)\n" };
const HELP: ChildScript = { stdout: "--query --quiet --source --max-turns --provider --model" };

/** A world with one key for gemini, whose Hermes does what the script says once it is asked for a chat. */
function worldOf(chat: ChildScript | SpawnFault, more: WorldOptions = {}): FakeWorld {
  return fakeWorld({
    files: { "/home/u/.hermes/auth.json": AUTH, "/usr/bin/hermes": "x", "/home/u/here/x": "" },
    children: ({ args }) => args[0] === "--version" ? VERSION : args[1] === "--help" ? HELP : chat,
    ...more,
  });
}

async function run(
  world: FakeWorld,
  args: Partial<HermesTaskArgs> = {},
  signal?: AbortSignal,
): Promise<TaskRecord> {
  const request = parseArgs(taskInput, { prompt: "hi", ...args });
  const ended = await world.clock.until(delegate(world, request, { caller: { surface: "module" }, signal }));
  if (ended.kind !== "record") throw new Error("a dry run");
  return ended.record;
}

const chats = (world: FakeWorld) =>
  world.processes.started.filter(({ command }) => command.args[1]?.startsWith("--query"));
const ECHO: ChildScript = { stdout: "hello\n" };

Deno.test("[P3] delegate() keeps the record before it starts Hermes and after its end", async () => {
  const world = worldOf(ECHO);
  const record = await run(world);
  assertEquals(world.history.map(({ status }) => status), ["queued", "running", "succeeded"]);
  assertEquals([record.result, record.provider, record.model, record.free_basis], [
    "hello",
    "gemini",
    "gemini-3.1-flash-lite",
    "free_tier",
  ]);
  assertEquals(world.kept.get(record.task_id), record);
});

Deno.test("delegate() starts Hermes once, in the task profile, marked, and sweeps after a success", async () => {
  const world = worldOf(ECHO);
  const record = await run(world);
  const [{ command }] = chats(world) as [ReturnType<typeof chats>[number]];
  assertEquals(chats(world).length, 1);
  assertEquals(command.env.HERMES_HOME, "/home/u/.hermes/profiles/hermes-task");
  assertEquals([command.mark, command.env.XDG_HERMES_TASK_ID], Array(2).fill(`test0.${record.task_id}.1`));
  assert(world.watched.includes(command.mark));
  assertEquals(world.stops.at(-1)?.mark, command.mark);
  assert(command.args.includes(`--source=hermes-task:${record.task_id}.1`));
});

Deno.test("delegate() asks a Hermes for its version once", async () => {
  const world = worldOf(ECHO);
  await run(world);
  await run(world);
  assertEquals(world.processes.started.filter(({ command }) => command.args[0] === "--version").length, 1);
});

Deno.test("delegate() ends a run at its deadline: asked once, then swept", async () => {
  const world = worldOf({ afterMs: Infinity });
  const record = await run(world, { timeout_seconds: 10 });
  assertEquals([record.status, record.error, record.exit_code], ["timed_out", "timeout", 124]);
  assertEquals(chats(world).map(({ asked, running }) => [asked, running]), [[true, false]]);
  assertEquals(record.duration_ms, 15_000);
});

Deno.test("delegate() waits no longer than a clean end takes", async () => {
  const world = worldOf({ afterMs: Infinity, whenAsked: { afterMs: 700, code: 130 } });
  assertEquals((await run(world, { timeout_seconds: 10 })).duration_ms, 10_700);
});

Deno.test("[FAULT-18] delegate() ends a cancelled run within its grace and frees the slot", async () => {
  const world = worldOf({ afterMs: Infinity });
  const cancel = new AbortController();
  world.clock.at(world.clock.now() + 3000, () => cancel.abort());
  const record = await run(world, {}, cancel.signal);
  assertEquals([record.status, record.error, record.duration_ms], ["cancelled", "cancelled", 4500]);
  assertEquals(world.queue.rows(), []);
});

Deno.test("delegate() starts nothing for a call that is cancelled already", async () => {
  const world = worldOf(ECHO);
  assertEquals((await run(world, {}, AbortSignal.abort())).error, "cancelled");
  assertEquals(chats(world), []);
});

Deno.test("delegate() records a task that has no route, and starts nothing", async () => {
  const world = worldOf(ECHO, { files: { "/usr/bin/hermes": "x" } });
  const record = await run(world);
  assertEquals([record.status, record.error, record.attempts], ["failed", "no_credential", []]);
  assertEquals(world.kept.get(record.task_id)?.error, "no_credential");
});

Deno.test("[FAULT-34] delegate() names HERMES_BIN and the places looked at when there is no Hermes", async () => {
  const world = worldOf(ECHO, { place: { hermes: { from: "nowhere", tried: ["/a/hermes", "/b/hermes"] } } });
  const record = await run(world);
  assertEquals(record.error, "spawn_failed");
  for (const word of ["/a/hermes", "/b/hermes", "HERMES_BIN"]) {
    assertStringIncludes(record.error_detail!, word);
  }
});

Deno.test("delegate() records a Hermes that cannot be started", async () => {
  const record = await run(
    worldOf(new SpawnFault("not_executable", '"/usr/bin/hermes" may not be executed')),
  );
  assertEquals([record.error, record.attempts[0]?.outcome], ["spawn_failed", "failed"]);
});

Deno.test("delegate() refuses a Hermes that lacks a needed flag", async () => {
  const world = worldOf(ECHO, {
    children: ({ args }) => args[0] === "--version" ? VERSION : { stdout: "--query --model" },
  });
  const record = await run(world);
  assertEquals(record.error, "hermes_too_old");
  assertStringIncludes(record.error_detail!, "--quiet");
});

Deno.test("delegate() works with a program that only echoes, and says what is not known", async () => {
  const world = worldOf(ECHO, { children: () => ECHO });
  const record = await run(world);
  assertEquals([record.result, record.hermes_version, record.usage, record.tool_calls], [
    "hello",
    null,
    null,
    null,
  ]);
  assert(record.warnings.some((text) => text.includes("does not say which version")));
  assert(record.warnings.some((text) => text.includes("left no session")));
});

Deno.test("[P3] delegate() returns an answer that cannot be recorded, with a warning", async () => {
  const record = await run(worldOf(ECHO, { keepProblem: "Cannot record this task: the disk is full" }));
  assertEquals([record.status, record.result, record.warnings[0]], [
    "succeeded",
    "hello",
    "Cannot record this task: the disk is full",
  ]);
});

Deno.test("delegate() runs without the task profile where that cannot be made", async () => {
  const world = worldOf(ECHO, { profile: { ok: false, problem: "links need a privilege" } });
  const record = await run(world);
  const [{ command }] = chats(world) as [ReturnType<typeof chats>[number]];
  assertEquals(command.env.HERMES_HOME, "/home/u/.hermes");
  assert(command.args.includes("--ignore-user-config"));
  assertStringIncludes(record.warnings[0]!, "links need a privilege");
});

Deno.test("delegate() turns a fault of its own into a recorded unknown", async () => {
  const world = worldOf(ECHO);
  const broken = { ...world, databases: { read: () => Promise.reject(new TypeError("boom")) } };
  const record = await run(broken as FakeWorld);
  assertEquals([record.error, record.status], ["unknown", "failed"]);
  assertStringIncludes(record.error_detail!, "please report");
});

const REFUSED: [name: string, args: Partial<HermesTaskArgs>, more: WorldOptions, code: string][] = [
  ["an empty prompt", { prompt: " " }, {}, "invalid_args"],
  ["a cwd without an allowlist", { cwd: "/home/u/here" }, {}, "cwd_not_allowed"],
  [
    "a cwd outside the allowlist",
    { cwd: "/home/u/here" },
    { settings: { cwdAllowlist: ["/home/u/her"] } },
    "cwd_not_allowed",
  ],
  [
    "a cwd that is not there",
    { cwd: "/home/u/nope" },
    { settings: { cwdAllowlist: ["/home/u"] } },
    "cwd_not_allowed",
  ],
  ["an unknown session", { session_id: "nope" }, {}, "session_not_found"],
  ["a task inside a task", {}, { place: { depth: 1 } }, "depth_exceeded"],
];
for (const [name, args, more, code] of REFUSED) {
  Deno.test(`delegate() refuses ${name} before a record exists`, async () => {
    const world = worldOf(ECHO, more);
    const error = await assertRejects(() => run(world, args), TaskError);
    assertEquals(error.failure.code, code);
    assertEquals([world.history, world.processes.started], [[], []]);
  });
}

Deno.test("delegate() takes a cwd inside the allowlist", async () => {
  const world = worldOf(ECHO, { settings: { cwdAllowlist: ["/home/u/"] } });
  await run(world, { cwd: "/home/u/here" });
  assertEquals(chats(world)[0]?.command.cwd, "/home/u/here");
});

Deno.test("delegate() is busy when as many tasks run and wait as are allowed", async () => {
  const world = worldOf({ afterMs: 60_000, stdout: "late" }, {
    settings: { maxConcurrent: 1, maxQueued: 0 },
  });
  const first = delegate(world, parseArgs(taskInput, { prompt: "a" }), { caller: { surface: "module" } });
  await world.clock.advance(10);
  const error = await assertRejects(() => run(world), TaskError);
  assertEquals(error.failure.code, "busy");
  assertEquals((await world.clock.until(first)).kind, "record");
});

Deno.test("[F-ORIG-10] delegate() lets an asked digest override a configured full, and the other way round", async () => {
  const mode = async (configured: "digest" | "full", asked?: "digest" | "full") =>
    (await run(
      worldOf(ECHO, { settings: { defaultOutputMode: configured } }),
      asked ? { output_mode: asked } : {},
    )).output_mode;
  assertEquals([await mode("full", "digest"), await mode("digest", "full"), await mode("full")], [
    "digest",
    "full",
    "full",
  ]);
});

Deno.test("a dry run shows choice, argv and names, and starts no task", async () => {
  const world = worldOf(ECHO, {
    environment: { GEMINI_API_KEY: "AIza-secret-secret-secret-secret-00000", HOME: "/home/u" },
  });
  const request = parseArgs(taskInput, { prompt: "refactor this function", dry_run: true });
  const ended = await world.clock.until(delegate(world, request, { caller: { surface: "module" } }));
  if (ended.kind !== "plan") throw new Error("not a plan");
  assertEquals([ended.plan.argv[0], ended.plan.argv[1], ended.plan.profile], [
    "/usr/bin/hermes",
    "chat",
    "/home/u/.hermes/profiles/hermes-task",
  ]);
  assertEquals(ended.plan.capability.name, "coding");
  assert(ended.plan.env_names.includes("GEMINI_API_KEY"));
  assert(!JSON.stringify(ended).includes("secret-secret"));
  assertEquals([world.history, chats(world)], [[], []]);
});

Deno.test("delegate() does not remember a probe that was cut short", async () => {
  let slow = true;
  const world = worldOf(ECHO, {
    children: ({ args }) =>
      args[0] === "--version"
        ? { ...VERSION, afterMs: slow ? 20_000 : 0 }
        : args[1] === "--help"
        ? HELP
        : ECHO,
  });
  assertEquals((await run(world, { timeout_seconds: 60 })).hermes_version, null);
  slow = false;
  assertEquals((await run(world)).hermes_version, "0.19.0");
});

Deno.test("delegate() keeps an export within the deadline, and makes none for a cancelled run", async () => {
  const printed: ChildScript = { stdout: "hello\n", stderr: "\nsession_id: 20261201_000000_abcdef\n" };
  const hanging: WorldOptions["children"] = ({ args }) =>
    args[0] === "--version"
      ? VERSION
      : args[1] === "--help"
      ? HELP
      : args[0] === "sessions"
      ? { afterMs: Infinity }
      : printed;
  const record = await run(worldOf(ECHO, { children: hanging }), { timeout_seconds: 10 });
  assertEquals([record.result, record.duration_ms! <= 10_000], ["hello", true]);
  const world = worldOf(ECHO, {
    children: ({ args }) =>
      args[0] === "--version"
        ? VERSION
        : args[1] === "--help"
        ? HELP
        : { ...printed, afterMs: Infinity, whenAsked: { afterMs: 100, code: 130, stderr: printed.stderr } },
  });
  const cancel = new AbortController();
  world.clock.at(world.clock.now() + 1000, () => cancel.abort());
  assertEquals((await run(world, {}, cancel.signal)).status, "cancelled");
  assertEquals(world.processes.started.some(({ command }) => command.args[0] === "sessions"), false);
});

Deno.test("delegate() outlives a guardian that cannot stop anything", async () => {
  const world = worldOf(ECHO);
  const broken = {
    ...world,
    guardian: { ...world.guardian, stop: () => Promise.reject(new Error("no ps")) },
  };
  await run(world);
  const record = await run(broken as FakeWorld);
  assertEquals(record.result, "hello");
  assert(record.warnings.some((text) => text.includes("no ps")), record.warnings.join("\n"));
});

Deno.test("[P5] delegate() takes a key without a known shape out of everything, by its value", async () => {
  const key = "zq81kfhw7dkq0c3m5v9x2b4n6a8s1d3f";
  const config =
    "providers:\n  one: {base_url: 'http://h/v1', key_env: ONE_KEY, default_model: m}\n  two: {base_url: 'http://h/v1', key_env: TWO_KEY}\n";
  const world = worldOf({ code: 1, stdout: `HTTP 401: Incorrect API key provided: ${key}\n` }, {
    files: {
      "/home/u/.hermes/config.yaml": config,
      "/home/u/.hermes/.env": `ONE_KEY="${key}"\nTWO_KEY=other-key-of-two\n`,
      "/usr/bin/hermes": "x",
    },
    environment: { TWO_KEY: "other-key-of-two" },
  });
  const record = await run(world, { provider: "one" });
  assertEquals(record.error, "auth_failed");
  assert(!JSON.stringify(world.history).includes(key));
  assertEquals(chats(world)[0]?.command.env.TWO_KEY, undefined);
});

Deno.test("delegate() tells of a session store that stays locked, and tries again before", async () => {
  const world = worldOf(ECHO, {
    databases: {
      "/home/u/.hermes/state.db": new FileFault("other", "/home/u/.hermes/state.db", "database is locked"),
    },
  });
  const error = await assertRejects(() => run(world, { session_id: "s1" }), TaskError);
  assertEquals(error.failure.code, "hermes_failed");
  assert(error.failure.detail.includes("locked"));
});

Deno.test("delegate() keeps the last profile when the configuration cannot be read, and starts nothing without one", async () => {
  const broken = {
    "/home/u/.hermes/auth.json": AUTH,
    "/home/u/.hermes/config.yaml": "terminal: {backend: docker\n",
    "/usr/bin/hermes": "x",
  };
  const bare = worldOf(ECHO, { files: broken });
  const record = await run(bare);
  assertEquals([record.error, chats(bare).length], ["spawn_failed", 0]);
  assertStringIncludes(record.error_detail!, "config.yaml");
  const profile = "/home/u/.hermes/profiles/hermes-task/config.yaml";
  const earlier = "# Generated by hermes-task\nterminal: {backend: docker}\n";
  const world = worldOf(ECHO, { files: { ...broken, [profile]: earlier } });
  assertEquals((await run(world)).result, "hello");
  assertEquals(world.fileTexts.get(profile), earlier);
});

Deno.test("delegate() knows itself when it is named as Hermes", async () => {
  const world = worldOf(ECHO, { children: () => ({ stdout: "hermes-task 0.1.0\n" }) });
  const record = await run(world);
  assertEquals(record.error, "spawn_failed");
  assertStringIncludes(record.error_detail!, "is hermes-task itself");
});

Deno.test("[P5] delegate() tells of progress without keys", async () => {
  const seen: string[] = [];
  const world = worldOf({ afterMs: 3000, stdout: "x" }, {
    databases: { "/home/u/.hermes/profiles/hermes-task/state.db": busySession() },
  });
  const request = parseArgs(taskInput, { prompt: "hi" });
  await world.clock.until(
    delegate(world, request, {
      caller: { surface: "module" },
      onProgress: (p) => seen.push(p.activity ?? ""),
    }),
  );
  assert(seen.some((text) => text.startsWith("terminal: echo ")), seen.join());
  assert(!seen.join().includes("0123456789abcdef"), seen.join());
});

/** A store in which any session runs a command with a key in it. */
function busySession(): Query {
  const command = JSON.stringify({
    command: "echo sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef",
  });
  const calls = JSON.stringify([{ id: "c", function: { name: "terminal", arguments: command } }]);
  return (sql) => {
    if (sql.includes("pragma_table_info")) {
      return ["id", "source", "started_at", "role", "content", "tool_calls"].map((name) => ({ name }));
    }
    if (sql.includes("FROM sessions")) return [{ id: "s", source: "x", started_at: 1 }];
    return sql.includes("FROM messages")
      ? [{ id: 1, role: "assistant", content: "", tool_calls: calls }]
      : [];
  };
}
