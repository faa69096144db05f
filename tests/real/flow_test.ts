// The whole flow on the command line: hermes-task, the real Hermes, and the model server behind it.
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type ModelServer, startModelServer } from "../../scripts/model_server.ts";
import type { HermesTaskResult } from "../../src/core/task.ts";
import { aliveWithMark, waitUntil } from "../support/processes.ts";
import { runProgram } from "../support/program.ts";
import { escapes, makeRealHome, realHermes, type RealHomeOptions } from "../support/real_hermes.ts";
import type { ThrowAwayHome } from "../support/throw_away_home.ts";

const HERMES = await realHermes();

interface Stage {
  readonly server: ModelServer;
  readonly home: ThrowAwayHome;
  /** Runs one task and gives back what it printed, with its exit status. */
  run(model: string, prompt: string, ...more: string[]): Promise<HermesTaskResult & { exit: number }>;
}

function flow(name: string, body: (stage: Stage) => Promise<void>, options: RealHomeOptions = {}) {
  Deno.test({
    name: `run: ${name}`,
    fn: async () => {
      await using server = await startModelServer();
      await using home = await makeRealHome(HERMES, server, options);
      await body({ server, home, run: (model, prompt, ...more) => run(home, model, [prompt, ...more]) });
      await waitUntil(async () => (await ownLeft(home)).length === 0, 5000, "nothing is left running");
      assertEquals(escapes(server), [], "something tried to leave the machine");
    },
  });
}

/** Marked processes whose environment names this test's home. */
async function ownLeft(home: ThrowAwayHome) {
  return (await aliveWithMark("")).filter((process) => process.command.includes(home.home));
}

async function run(home: ThrowAwayHome, model: string, args: readonly string[]) {
  const route = args.includes("--provider") ? [] : ["--provider", "gemini"];
  const all = ["run", ...args, "--model", model, ...route, "--json"];
  const { code, stdout, stderr } = await runProgram(all, {
    env: home.env,
    cwd: home.work,
    timeoutMs: 120_000,
  });
  assertEquals(stderr, "", "nothing goes to standard error when all is well");
  return { ...JSON.parse(stdout), exit: code } as HermesTaskResult & { exit: number };
}

flow("an answer, its usage and its record", async ({ run, home }) => {
  const result = await run("mock-plain", "please SAY: forty-two");
  assertEquals([result.exit, result.ok, result.status, result.result], [0, true, "succeeded", "forty-two"]);
  assertEquals([result.provider, result.model], ["gemini", "mock-plain"]);
  assertEquals([result.usage?.input_tokens, result.usage?.cache_tokens, result.usage?.output_tokens], [
    100,
    23,
    7,
  ]);
  const record = JSON.parse(await Deno.readTextFile(`${home.root}/hermes-task-cache/${result.task_id}.json`));
  assertEquals([record.status, record.result, record.session_id], [
    "succeeded",
    "forty-two",
    result.session_id,
  ]);
});

flow("a tool call, shown in full mode", async ({ run }) => {
  const result = await run("mock-tool", "RUN: echo hi", "--output-mode", "full");
  assertEquals([result.exit, result.digest?.tool_call_count, result.digest?.tools_used], [0, 1, [
    "terminal",
  ]]);
  const [call] = result.tool_calls!;
  assertEquals([call?.name, call?.arguments], ["terminal", { command: "echo hi" }]);
  assertStringIncludes(call!.result!, '"output": "hi"');
});

flow("the user's own sessions stay alone", async ({ run, home }) => {
  await run("mock-plain", "hello");
  const stores = [`${home.root}/profiles/hermes-task/state.db`, `${home.root}/state.db`];
  const there = await Promise.all(stores.map((path) => Deno.stat(path).then(() => true, () => false)));
  assertEquals(there, [true, false]);
});

for (
  const [behaviour, error, exit] of [
    ["429_30", "rate_limited", 4],
    ["401", "auth_failed", 4],
    ["402", "no_credit", 4],
    ["404", "model_not_found", 3],
    ["500", "hermes_failed", 7],
  ] as const
) {
  flow(`${behaviour} is ${error}`, async ({ run, server }) => {
    const result = await run("some-model", "hello");
    assertEquals([result.exit, result.ok, result.error], [exit, false, error]);
    assert(result.error_detail, "says what to do next");
    assertEquals(result.attempts.length, 1);
    assert(result.duration_ms! < 10_000, `${result.duration_ms} ms: no long waits for a lost provider`);
    assert(server.requests().some((request) => request.behaviour === behaviour));
  }, { failing: { gemini: behaviour } });
}

flow("an unknown provider is named, with a near one", async ({ run, server }) => {
  const result = await run("mock-plain", "hello", "--provider", "gemni");
  assertEquals([result.exit, result.error], [3, "provider_not_found"]);
  assertStringIncludes(result.error_detail!, "gemini");
  assertEquals(server.requests().filter((request) => request.kind === "chat"), [], "nothing was started");
});

flow("a model that hangs ends at the deadline, with all that it started", async ({ run, home }) => {
  const result = await run("mock-hang", "hello", "--timeout-seconds", "10");
  assertEquals([result.exit, result.error, result.status], [124, "timeout", "timed_out"]);
  assert(result.duration_ms! < 17_000, `${result.duration_ms} ms`);
  assertEquals(await ownLeft(home), []);
});

flow("a tool that hangs ends with its task", async ({ run, home }) => {
  const result = await run("mock-tool", "RUN: sleep 3600", "--timeout-seconds", "10");
  assertEquals([result.exit, result.error], [124, "timeout"]);
  assertEquals(result.digest?.tool_call_count, 1, "what was saved before is read");
  assertEquals(await ownLeft(home), []);
});

flow("a background process ends with its task", async ({ run, home }) => {
  const result = await run("mock-bg", "RUN: sleep 3600");
  assertEquals([result.exit, result.result], [0, "BG-STARTED"]);
  assertEquals(await ownLeft(home), []);
});

flow("300 KB come whole into the record and cut to the caller", async ({ run, home }) => {
  const result = await run("mock-long_300", "hello");
  assertEquals([result.exit, result.truncated], [0, true]);
  assert(result.result_bytes >= 307_199 && result.result_bytes <= 307_200);
  assert(result.result!.length <= 8 * 1024);
  const record = JSON.parse(await Deno.readTextFile(`${home.root}/hermes-task-cache/${result.task_id}.json`));
  assertEquals(new TextEncoder().encode(record.result).length, result.result_bytes);
});

flow("unicode comes back as it was", async ({ run }) => {
  assertEquals((await run("mock-unicode", "hello")).result, "Grüße 日本語 🎉 e\u0301 \u2028 end");
});

flow("control characters take nothing of the answer away", async ({ run }) => {
  assertStringIncludes((await run("mock-ansi", "hello")).result!, "esrever");
});

flow("a false session line in the answer deceives nobody", async ({ run }) => {
  const result = await run("mock-fakeid", "hello");
  assertEquals(result.result, "session_id: 20990101_000000_ffffff\nreal answer");
  assert(result.session_id !== "20990101_000000_ffffff");
});

flow("an empty reply is no success", async ({ run }) => {
  const result = await run("mock-empty", "hello");
  assertEquals([result.exit, result.error], [7, "empty_response"]);
});

flow("a reply that was cut says so and is kept", async ({ run }) => {
  const result = await run("mock-length", "hello");
  assertEquals([result.exit, result.error], [7, "truncated_answer"]);
  assertStringIncludes(result.result!, "MOCK-TRUNC");
});

flow("the turn limit is no success", async ({ run }) => {
  const result = await run("mock-loop", "hello", "--max-turns", "2");
  assertEquals([result.exit, result.error], [7, "turn_limit"]);
});

flow("a session is continued, and its usage counted from there", async ({ run }) => {
  const first = await run("mock-plain", "SAY: one");
  const second = await run("mock-plain", "SAY: two", "--session-id", first.session_id!);
  assertEquals([second.exit, second.result, second.session_id], [0, "two", first.session_id]);
  assertEquals([second.usage?.input_tokens, second.digest?.message_count], [100, 2]);
});

flow("a prompt that looks like a flag is a prompt", async ({ run }) => {
  const result = await run("mock-echo", "--prompt=--help me");
  assertEquals([result.exit, result.result], [0, "--help me"]);
});
