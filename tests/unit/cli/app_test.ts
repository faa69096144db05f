import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { runCommand } from "../../../src/cli/app.ts";
import type { CommandContext } from "../../../src/cli/context.ts";
import { refusal } from "../../../src/core/failure.ts";
import type { Terminal } from "../../../src/ports.ts";
import {
  type Called,
  fakeContext,
  fakeOperation,
  fakeTerminal,
  fakeWorld,
  NOW,
  RUN_INPUT,
} from "../../support/command_line.ts";

const pipe = { outIsTerminal: false, errIsTerminal: false };
const answered = {
  ok: true,
  status: "succeeded",
  task_id: "1764537600123_k3x9qd",
  provider: "gemini",
  model: "m",
  result: "Done \x1b[31m\x9b.",
  truncated: false,
  duration_ms: 8100,
  usage: null,
  free_basis: "free_id",
  attempts: [],
  warnings: [],
};

/** Runs a command line whose `run` answers so; returns all that can be seen of it. */
async function execute(
  argv: readonly string[],
  answer: (called: Called) => object | Promise<object> = () => answered,
  more: Partial<CommandContext> & { readonly on?: Partial<Terminal> & { readonly readsUntil?: number } } = {},
) {
  const { on, ...context } = more;
  const terminal = fakeTerminal(on);
  const calls: Called[] = [];
  const operations = [fakeOperation("run", RUN_INPUT, answer, calls)];
  const status = await runCommand(
    argv,
    fakeContext(terminal, { operations: () => Promise.resolve(operations), ...context }),
  );
  return { status, stdout: terminal.stdout(), stderr: terminal.stderr(), calls };
}

Deno.test("runCommand() calls the operation with every default filled in, as the command line", async () => {
  const { calls, status } = await execute(["run", "--max-turns", "7", "say", "hi"]);
  assertEquals(status, 0);
  assertEquals(calls[0]!.request, {
    prompt: "say hi",
    provider: "auto",
    model: "",
    timeout_seconds: 300,
    max_turns: 7,
    dry_run: false,
  });
  assertEquals(calls[0]!.options.caller, { surface: "cli" });
});

Deno.test("runCommand() prints the answer and its facts on a terminal", async () => {
  const { stdout, stderr } = await execute(["run", "hi"]);
  assertEquals(stdout, "Done ␛[31m\ufffd.\n\ngemini · m · 8.1 s · free · 1764537600123_k3x9qd\n");
  assertEquals(stderr, "");
});

Deno.test("runCommand() prints exactly the result object where no terminal is, and with --json", async () => {
  for (const [argv, on] of [[["run", "hi"], pipe], [["run", "hi", "--json"], {}]] as const) {
    const { stdout, stderr } = await execute(argv, undefined, { on });
    assertEquals(JSON.parse(stdout), answered);
    assert(stdout.endsWith("}\n") && !/[^\P{Cc}\n]/u.test(stdout), stdout);
    assertEquals(stderr, "");
  }
});

Deno.test("runCommand() ends with the status of the error, and prints it as JSON where no terminal is", async () => {
  for (
    const [error, expected] of [
      ["rate_limited", 4],
      ["timeout", 124],
      ["cancelled", 130],
      ["not_found", 9],
      ["hermes_failed", 7],
      ["constructor", 1],
    ] as const
  ) {
    const failed = { ...answered, ok: false, result: null, error, error_detail: "Why; run this" };
    const { status, stdout } = await execute(["run", "hi"], () => failed, { on: pipe });
    assertEquals(status, expected, error);
    assertEquals(JSON.parse(stdout), failed);
  }
});

Deno.test("runCommand() colours a failure only where standard error is a terminal too", async () => {
  const failed = { ...answered, ok: false, result: null, error: "timeout", error_detail: "Too slow" };
  for (const errIsTerminal of [true, false]) {
    const { stderr } = await execute(["run", "hi"], () => failed, { on: { colour: true, errIsTerminal } });
    assertEquals(stderr.startsWith("\x1b[31m✗\x1b[0m Too slow\n"), errIsTerminal, stderr);
    assertEquals(stderr.includes("\x1b"), errIsTerminal, stderr);
  }
});

Deno.test("runCommand() reports a refusal in the shape that the place wants", async () => {
  const refuse = () =>
    Promise.reject(refusal("busy", "2 tasks are running; wait", { retryAtMs: NOW + 60_000 }));
  const onTerminal = await execute(["run", "hi"], refuse);
  assertEquals(onTerminal.status, 5);
  assertEquals(onTerminal.stdout, "");
  assertEquals(onTerminal.stderr, "✗ 2 tasks are running\n  free again at 13:54 (in 1 min)\n  Next: wait\n");
  const inPipe = await execute(["run", "hi"], refuse, { on: pipe });
  assertEquals(JSON.parse(inPipe.stdout), {
    ok: false,
    error: "busy",
    error_detail: "2 tasks are running; wait",
    retryable: true,
    retry_after_seconds: 60,
    next_available_at: new Date(NOW + 60_000).toISOString(),
  });
  assertEquals([inPipe.status, inPipe.stderr], [5, ""]);
});

Deno.test("runCommand() refuses a wrong command line without opening the world", async () => {
  const openWorld = () => Promise.reject(new Error("the world was opened"));
  for (
    const [argv, words] of [
      [["rnu", "hi"], '✗ Unknown command "rnu": did you mean "run"?\n'],
      [["--no-json", "run"], '✗ Unknown command "--no-json": flags stand after the command\n'],
      [["Summarize this"], '✗ Unknown command "Summarize this": a task is given by hermes-task run "…"\n'],
      [["run", "--modle", "m", "hi"], '✗ Unknown flag "--modle": did you mean "--model"?\n'],
      [["run"], '✗ Argument "prompt": '],
      [["help", "rnu"], '✗ Unknown command "rnu": did you mean "run"?\n'],
      [["completions"], "✗ Name the shell: hermes-task completions bash|zsh|fish\n"],
    ] as const
  ) {
    const { status, stderr, stdout, calls } = await execute(argv, undefined, { openWorld });
    assertEquals([status, stdout, calls.length], [2, "", 0]);
    assert(stderr.startsWith(words), stderr);
  }
});

Deno.test("runCommand() tells a wrong flag as JSON too, although the line could not be read", async () => {
  const { status, stdout, stderr } = await execute(["run", "--bad", "--json"]);
  assertEquals([status, JSON.parse(stdout).error, stderr], [2, "invalid_args", ""]);
});

Deno.test("runCommand() reads the prompt from standard input for - and where nobody types", async () => {
  const readStdin = () => Promise.resolve("from a pipe\n");
  for (
    const [argv, inIsTerminal, prompt] of [
      [["run", "-"], true, "from a pipe\n"],
      [["run"], false, "from a pipe\n"],
      [["run", "given"], false, "given"],
      [["run", ""], false, ""],
    ] as const
  ) {
    const { calls } = await execute(argv, undefined, { readStdin, inIsTerminal });
    assertEquals(calls[0]!.request.prompt, prompt);
  }
});

Deno.test("runCommand() can be ended while it waits for standard input", async () => {
  const ending = new AbortController();
  const readStdin = () => new Promise<string>(() => setTimeout(() => ending.abort(), 1));
  const { status, calls, stderr } = await execute(["run", "-"], undefined, {
    readStdin,
    signal: ending.signal,
  });
  assertEquals([status, calls.length], [130, 0]);
  assertEquals(stderr, "✗ Ended while the prompt was read, nothing was started\n");
});

Deno.test("runCommand() hands Ctrl-C to the task and shows how it ended", async () => {
  const ending = new AbortController();
  const cancelled = {
    ...answered,
    ok: false,
    result: null,
    error: "cancelled",
    error_detail: "Cancelled by you",
  };
  const untilEnded = ({ options }: Called) =>
    new Promise<object>((resolve) => {
      options.signal!.addEventListener("abort", () => resolve(cancelled));
      ending.abort();
    });
  const { status, stderr } = await execute(["run", "hi"], untilEnded, { signal: ending.signal });
  assertEquals(status, 130);
  assert(stderr.startsWith("✗ Cancelled by you\n"), stderr);
});

Deno.test("runCommand() draws the live line on a terminal only, and removes it before the answer", async () => {
  const slow = async ({ options }: Called) => {
    options.onProgress?.({
      task_id: "t",
      provider: "gemini",
      model: "m",
      elapsed_ms: 1,
      turns: 1,
      activity: "terminal: ls",
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    return answered;
  };
  const { stdout } = await execute(["run", "hi"], slow);
  assert(stdout.includes("⠋ gemini · m · 0 s · terminal: ls"), stdout);
  assert(/\r +\rDone /.test(stdout), stdout);
  for (const more of [{ on: pipe }, { on: { ...pipe, errIsTerminal: true } }]) {
    const quiet = await execute(["run", "hi"], slow, more);
    assertEquals([JSON.parse(quiet.stdout), quiet.stderr], [answered, ""]);
  }
});

Deno.test("runCommand() prints the whole answer on a terminal, reading what the reply cut", async () => {
  const terminal = fakeTerminal();
  const asked: Called[] = [];
  const input = z.strictObject({ task_id: z.string(), section: z.string() });
  const whole = () => ({ ok: true, result: "begin and end", truncated: false });
  const operations = [
    fakeOperation(
      "run",
      RUN_INPUT,
      () => ({ ...answered, result: "begin", truncated: true, next_offset: 5 }),
    ),
    fakeOperation("detail", input, whole, asked),
  ];
  await runCommand(["run", "hi"], fakeContext(terminal, { operations: () => Promise.resolve(operations) }));
  assertEquals(asked[0]!.request, { task_id: answered.task_id, section: "result" });
  assert(terminal.stdout().startsWith("begin and end\n\ngemini"), terminal.stdout());
});

Deno.test("runCommand() still shows the cut answer when the rest cannot be read", async () => {
  const terminal = fakeTerminal();
  const input = z.strictObject({ task_id: z.string(), section: z.string() });
  const operations = [
    fakeOperation(
      "run",
      RUN_INPUT,
      () => ({ ...answered, result: "begin", truncated: true, next_offset: 5 }),
    ),
    fakeOperation("detail", input, () => Promise.reject(refusal("not_found", "no record"))),
  ];
  const context = fakeContext(terminal, { operations: () => Promise.resolve(operations) });
  assertEquals(await runCommand(["run", "hi"], context), 0);
  assert(terminal.stdout().startsWith("begin\n… cut"), terminal.stdout());
});

Deno.test("runCommand() ends quietly when nobody reads its output any more", async () => {
  for (const on of [{ readsUntil: 0 }, { ...pipe, readsUntil: 0 }]) {
    const { status, stderr } = await execute(["run", "hi"], undefined, { on });
    assertEquals([status, stderr], [141, ""]);
  }
  const failed = { ...answered, ok: false, error: "timeout", error_detail: "Too slow" };
  assertEquals((await execute(["run", "hi"], () => failed, { on: { ...pipe, readsUntil: 0 } })).status, 124);
});

Deno.test("runCommand() turns a fault of ours into an error without a stack trace or a secret", async () => {
  const broken = () =>
    Promise.reject(
      new TypeError("x is not a function, Authorization: Bearer abcdefghijklmnopqrstuvwxyz123456"),
    );
  const { status, stdout } = await execute(["run", "hi"], broken, { on: pipe });
  const { error, error_detail } = JSON.parse(stdout);
  assertEquals([status, error], [1, "unknown"]);
  assert(!/\n\s+at |abcdefghijklmnop/.test(error_detail), error_detail);
  assert(error_detail.endsWith("please report it"), error_detail);
});

Deno.test("runCommand() explains commands by help, --help and -h", async () => {
  const byHelp = await execute(["help", "run"]);
  assert(byHelp.stdout.startsWith("hermes-task run: "), byHelp.stdout);
  assertEquals((await execute(["run", "--help"])).stdout, byHelp.stdout);
  assertEquals((await execute(["run", "-h", "hi"])).stdout, byHelp.stdout);
  const all = await execute(["help"]);
  for (const argv of [[], ["--help"], ["-h"]]) assertEquals((await execute(argv)).stdout, all.stdout);
  assert((await execute(["help", "mcp"])).stdout.includes('"args": ["mcp"]'));
});

Deno.test("runCommand() prints the version without loading the operations", async () => {
  const operations = () => Promise.reject(new Error("loaded"));
  for (const argv of [["version"], ["--version"], ["-V"]]) {
    assertEquals((await execute(argv, undefined, { operations, on: pipe })).stdout, "hermes-task 1.2.3\n");
  }
  const asJson = await execute(["version", "--json"], undefined, { operations });
  assertEquals(JSON.parse(asJson.stdout), { ok: true, version: "1.2.3" });
});

Deno.test("runCommand() runs the demo on the machine's own Hermes where that can answer, else on the stand-in", async () => {
  const demo = () => Promise.resolve(3);
  const answering = (plan: object) => ({ request }: Called) => request.dry_run ? plan : answered;
  const own = await execute(["demo"], answering({ ok: true, provider: "gemini", model: "m" }), { demo });
  assertEquals([own.status, own.calls.length], [0, 2]);
  assert(own.stderr.includes("with the Hermes of this machine, by gemini · m"), own.stderr);
  const none = await execute(["demo"], answering({ ok: false, error_detail: "No Hermes to start" }), {
    demo,
  });
  assertEquals([none.status, none.calls.length], [3, 1]);
  assert(
    none.stderr.includes("built-in stand-in") && none.stderr.includes("No Hermes to start"),
    none.stderr,
  );
  assertEquals((await execute(["demo"])).status, 9);
});

Deno.test("runCommand() shows the settings with their origin, as a table and as JSON", async () => {
  const openWorld = () =>
    Promise.resolve(fakeWorld({ HERMES_TASK_MAX_CONCURRENT: "4", HERMES_TASK_MAX_DEPTH: "many" }));
  const { stdout, status } = await execute(["config"], undefined, { openWorld });
  assertEquals(status, 0);
  const lines = stdout.split("\n");
  const line = (name: string) => lines.find((it) => it.startsWith(name + " "))?.split(/ {2,}/);
  assertEquals(line("maxConcurrent"), ["maxConcurrent", "4", "environment"]);
  assertEquals(line("maxDepth")?.slice(0, 3), ["maxDepth", "1", "default"]);
  assertEquals(line("hermesBin")?.slice(0, 3), ["hermesBin", "/usr/bin/hermes", "default"]);
  assert(lines.some((it) => it.startsWith("! HERMES_TASK_MAX_DEPTH: ")), stdout);
  assert(lines.every((it) => it.startsWith("!") || it.length <= 80), stdout);
  const wide = await execute(["config"], undefined, { openWorld, on: { columns: 120 } });
  assert(/^maxConcurrent +4 +environment +HERMES_TASK_MAX_CONCURRENT$/m.test(wide.stdout), wide.stdout);
  const asJson = JSON.parse((await execute(["config", "--json"], undefined, { openWorld })).stdout);
  assertEquals(asJson.settings.find((it: { name: string }) => it.name === "hermesBin"), {
    name: "hermesBin",
    value: "",
    found: "/usr/bin/hermes",
    source: "default",
    variable: "HERMES_TASK_HERMES_BIN",
    legacy_variable: "HERMES_BIN",
    about: "program to start as Hermes",
  });
  assertEquals([asJson.ok, asJson.file, asJson.problems.length], [
    true,
    "/home/u/.hermes/hermes-task.jsonc",
    1,
  ]);
});

Deno.test("runCommand() shows history by provider and day to a person, and just the result to a program", async () => {
  const calls: Called[] = [];
  const input = z.strictObject({
    since: z.string().default(""),
    group_by: z.string().default(""),
    limit: z.int().default(20),
  });
  const operation = fakeOperation(
    "telemetry",
    input,
    ({ request }) => telemetryOf(String(request.group_by)),
    calls,
  );
  const operations = () => Promise.resolve([operation]);
  const person = await execute(["telemetry", "--since", "7d"], undefined, { operations });
  assertEquals(calls.map(({ request }) => [request.since, request.group_by]), [["7d", ""], ["7d", "day"], [
    "7d",
    "provider",
  ]]);
  assert(/^gemini +2 /m.test(person.stdout) && person.stdout.includes("▄█  per day"), person.stdout);
  const program = await execute(["telemetry"], undefined, { operations, on: pipe });
  assertEquals(calls.length, 4);
  assertEquals(JSON.parse(program.stdout), telemetryOf(""));
});

function telemetryOf(group_by: string) {
  const sums = {
    runs: 2,
    success_rate: 1,
    duration_ms: { total: 2, avg: 1, p50: 1, p95: 1 },
    tokens: { input: null, output: null, cache: null, reasoning: null, runs: 0 },
    estimated_cost_usd: null,
    error_breakdown: {},
  };
  const keys = group_by === "day" ? ["2026-08-10", "2026-08-11"] : ["gemini"];
  return {
    ok: true,
    ...sums,
    open_tasks: 0,
    cost_breakdown: {},
    failover: { tasks: 0, saved: 0, lost_ms: 0 },
    tool_usage: { tools: {} },
    ...(group_by
      ? {
        group_by,
        groups: keys.map((key) => ({ key, ...sums, runs: key.endsWith("-10") ? 1 : 2 })),
      }
      : {}),
    warnings: [],
  };
}
