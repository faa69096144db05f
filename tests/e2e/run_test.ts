// The command line from source, with its real permissions, against every behaviour of Hermes.
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { HermesTaskResult } from "../../src/core/task.ts";
import { type Behaviour, installFake } from "../support/fake_hermes.ts";
import { aliveTasksIn } from "../support/processes.ts";
import { type ProgramResult, runProgram } from "../support/program.ts";
import { type HomeOptions, makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";

interface Ran extends ProgramResult {
  readonly reply: HermesTaskResult;
}

async function run(
  home: ThrowAwayHome,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const ran = await runProgram(["run", ...args], { env: { ...home.env, ...env }, cwd: home.work });
  return { ...ran, reply: JSON.parse(ran.stdout) };
}

async function homeWith(behaviour: Behaviour, options: HomeOptions = {}): Promise<ThrowAwayHome> {
  const home = await makeHome(options);
  await installFake(home.bin, behaviour);
  return home;
}

const GEMINI = ["--provider", "gemini"];

const ENDS: [Behaviour, ids: string, code: string | undefined, exit: number][] = [
  ["answers", "", undefined, 0],
  ["answers_newer", "", undefined, 0],
  ["answers_with_tools", "", undefined, 0],
  ["talks_about_429", "[F-ORIG-1] ", undefined, 0],
  ["splits_utf8", "[F-ORIG-6][FAULT-44] ", undefined, 0],
  ["lies_with_session_id", "[F-ORIG-7] ", undefined, 0],
  ["late_store", "", undefined, 0],
  ["locked_store", "", undefined, 0],
  ["ansi", "", undefined, 0],
  ["rate_limited", "", "rate_limited", 4],
  ["rate_limited_newer", "", "rate_limited", 4],
  ["auth_failed", "", "auth_failed", 4],
  ["auth_failed_newer", "", "auth_failed", 4],
  ["no_credit", "", "no_credit", 4],
  ["no_credit_newer", "", "no_credit", 4],
  ["model_missing", "", "model_not_found", 3],
  ["model_missing_newer", "", "model_not_found", 3],
  ["unknown_provider", "", "provider_not_found", 3],
  ["key_missing", "", "no_credential", 3],
  ["not_configured", "", "no_credential", 3],
  ["exits_0_empty", "[FAULT-47] ", "empty_response", 7],
  ["exits_0_no_reply", "[FAULT-47] ", "empty_response", 7],
  ["turn_limit", "", "turn_limit", 7],
  ["truncated", "", "truncated_answer", 7],
  ["fails_with_partial", "[FAULT-49] ", "hermes_failed", 7],
  ["drifts", "[FAULT-59][FAULT-61] ", "provider_drift", 7],
  ["prints_binary", "", "hermes_failed", 7],
];

for (const [behaviour, ids, code, exit] of ENDS) {
  Deno.test(`${ids}run with a Hermes that ${behaviour}: ${code ?? "an answer"}`, async () => {
    await using home = await homeWith(behaviour);
    const { reply, code: status, stderr } = await run(home, [...GEMINI, "do it"]);
    assertEquals([reply.error, status, stderr], [code, exit, ""]);
    assertEquals(reply.ok, code === undefined);
    if (behaviour.endsWith("_newer") && code) assertEquals(reply.result, null);
    if (behaviour === "rate_limited_newer") assert(reply.retry_after_seconds! > 20);
    if (code) assertMatch(reply.error_detail!, /[^.]; /);
    else assert(reply.result);
    const kept = JSON.parse(await Deno.readTextFile(`${home.root}/hermes-task-cache/${reply.task_id}.json`));
    assertEquals([kept.error, kept.status], [code ?? null, reply.status]);
  });
}

Deno.test("[FAULT-46] the answer comes from the session, not from what is printed around it", async () => {
  await using home = await homeWith("lies_with_session_id");
  const { reply } = await run(home, [...GEMINI, "do it"]);
  assertMatch(reply.session_id!, /^2\d{7}_\d{6}_[0-9a-f]{6}$/);
  assert(reply.session_id !== "20990101_000000_ffffff");
  assertStringIncludes(reply.result!, "session_id:");
});

Deno.test("tool calls, usage and digest come from the session", async () => {
  await using home = await homeWith("answers_with_tools");
  const { reply } = await run(home, [...GEMINI, "--output-mode", "full", "do it"]);
  assert(reply.tool_calls!.length >= 2);
  assertEquals(reply.digest!.tool_call_count, reply.tool_calls!.length);
  assertEquals(reply.digest!.tools_used, [...new Set(reply.tool_calls!.map(({ name }) => name))]);
  assert(reply.usage!.input_tokens! > 0);
});

Deno.test("an answer of 300 KB is kept whole and cut at a character, with the way to the rest", async () => {
  await using home = await homeWith("prints_300kb");
  const { reply } = await run(home, [...GEMINI, "do it"]);
  assertEquals([reply.truncated, reply.next_offset! <= 8192], [true, true]);
  assert(reply.result_bytes > 300_000);
  const rest = await runProgram([
    "detail",
    reply.task_id!,
    "--section",
    "result",
    "--offset",
    String(reply.next_offset),
    "--json",
  ], {
    env: home.env,
  });
  const detail = JSON.parse(rest.stdout);
  assertEquals(new TextEncoder().encode(reply.result! + detail.result).length, reply.result_bytes);
});

Deno.test("[FAULT-36][FAULT-38][FAULT-39] any prompt reaches Hermes as one value, and no shell sees it", async () => {
  await using home = await homeWith("shows_environment");
  for (
    const prompt of ["--help", "- item", "--", "---", "-q", "@file", "a;touch X", "$(touch X)", "ü\n2nd line"]
  ) {
    const { reply } = await run(home, [...GEMINI, "--", prompt]);
    const seen = JSON.parse(reply.result!);
    const queries = seen.argv.filter((arg: string) => arg.startsWith("--query="));
    assertEquals(queries, [`--query=${prompt === "--" ? "Text: --" : prompt}`]);
  }
  assertEquals([...Deno.readDirSync(home.work)], []);
});

Deno.test("[FAULT-79][FAULT-41][FAULT-54] Hermes gets a chosen environment, one more of depth, the caller's folder and no input", async () => {
  await using home = await homeWith("shows_environment");
  const { reply } = await run(home, [...GEMINI, "env"], {
    AWS_SECRET_ACCESS_KEY: "not-for-hermes",
    NVIDIA_API_KEY: "nvapi-not-for-gemini",
    HERMES_KANBAN_TASK: "1",
    FOO: "bar",
  });
  const { env, cwd, stdin_bytes } = JSON.parse(reply.result!);
  assertEquals(
    [env.FOO, env.AWS_SECRET_ACCESS_KEY, env.NVIDIA_API_KEY, env.HERMES_KANBAN_TASK],
    Array(4).fill(undefined),
  );
  assertEquals([env.HERMES_HOME, env.XDG_HERMES_TASK_DEPTH, cwd, stdin_bytes], [
    `${home.root}/profiles/hermes-task`,
    "1",
    home.work,
    0,
  ]);
  assertMatch(env.XDG_HERMES_TASK_ID, new RegExp(`^[a-z0-9]+\\.${reply.task_id}\\.1$`));
});

Deno.test("[FAULT-41] a task may not start a task", async () => {
  await using home = await homeWith("answers");
  const inside: Record<string, string>[] = [{ XDG_HERMES_TASK_DEPTH: "1" }, {
    XDG_HERMES_TASK_ID: "other.1_a.1",
  }];
  for (const env of inside) {
    const { reply, code } = await run(home, ["hi"], env);
    assertEquals([reply.error, code], ["depth_exceeded", 8]);
  }
});

Deno.test("[FAULT-77][P5] no key that Hermes prints reaches the reply, the record or a log; files are private", async () => {
  await using home = await homeWith("prints_secrets");
  const { stdout, reply } = await run(home, [...GEMINI, "--output-mode", "full", "do it"]);
  const cache = `${home.root}/hermes-task-cache`;
  const texts = [stdout];
  for (const entry of Deno.readDirSync(cache)) {
    if (!entry.isFile) continue;
    texts.push(new TextDecoder("latin1").decode(await Deno.readFile(`${cache}/${entry.name}`)));
    if (entry.name.endsWith(".json")) {
      assertEquals((await Deno.stat(`${cache}/${entry.name}`)).mode! & 0o777, 0o600);
    }
  }
  assertEquals((await Deno.stat(cache)).mode! & 0o777, 0o700);
  assert(reply.task_id);
  for (const text of texts) {
    for (const secret of ["AIzaSy", "sk-or-v1-", "nvapi-", "ghp_"]) {
      const found = new RegExp(`${secret}[A-Za-z0-9_-]{12,}`).exec(text);
      assertEquals(found, null);
    }
  }
});

Deno.test("the task profile is made with links to the user's credentials, and mended", async () => {
  await using home = await homeWith("answers", {
    config: "providers:\n  mine: {base_url: 'http://127.0.0.1:1/v1', key_env: MINE}\n",
  });
  await run(home, [...GEMINI, "hi"]);
  const profile = `${home.root}/profiles/hermes-task`;
  for (const name of [".env", "auth.json", "auth.lock"]) {
    assertEquals(await Deno.readLink(`${profile}/${name}`), `../../${name}`);
  }
  assertStringIncludes(await Deno.readTextFile(`${profile}/config.yaml`), "key_env: MINE");
  assertEquals((await Deno.stat(`${profile}/config.yaml`)).mode! & 0o777, 0o600);
  await Deno.remove(`${profile}/auth.json`);
  await Deno.symlink("/nowhere", `${profile}/auth.json`);
  await run(home, [...GEMINI, "hi"]);
  assertEquals(await Deno.readLink(`${profile}/auth.json`), "../../auth.json");
});

Deno.test("a file where a link belongs is left alone and reported; the task runs without the profile", async () => {
  await using home = await homeWith("shows_environment", {
    files: {
      "profiles/hermes-task/config.yaml": "# Generated by hermes-task\n",
      "profiles/hermes-task/auth.json": "mine",
    },
  });
  const { reply } = await run(home, [...GEMINI, "hi"]);
  const { env, argv } = JSON.parse(reply.result!);
  assertEquals([env.HERMES_HOME, argv.includes("--ignore-user-config")], [home.root, true]);
  assert(reply.warnings.some((text) => text.includes("auth.json") && text.includes("move it away")));
  assertEquals(await Deno.readTextFile(`${home.root}/profiles/hermes-task/auth.json`), "mine");
});

Deno.test("a profile of the user's own that has our name is left alone: another name is taken", async () => {
  await using home = await homeWith("answers", {
    files: { "profiles/hermes-task/config.yaml": "model: mine\n" },
  });
  await run(home, [...GEMINI, "hi"]);
  assertEquals(await Deno.readTextFile(`${home.root}/profiles/hermes-task/config.yaml`), "model: mine\n");
  assertEquals((await Deno.lstat(`${home.root}/profiles/hermes-task-own2/auth.json`)).isSymlink, true);
});

Deno.test("[FAULT-52] a failed task leaves the redacted end of what Hermes printed", async () => {
  await using home = await homeWith("fails_with_partial");
  const { reply } = await run(home, [...GEMINI, "do it"]);
  assert(String(reply.output_tail).length > 0);
  const detail = await runProgram(["detail", reply.task_id!, "--section", "log", "--json"], {
    env: home.env,
  });
  assertStringIncludes(detail.stdout, String(reply.output_tail).slice(0, 20));
});

Deno.test("an echo script as HERMES_BIN works, with what is not known said", async () => {
  await using home = await makeHome();
  const path = await installFake(home.bin, "echo_script");
  const { reply, code } = await run(home, [...GEMINI, "hi there"], { HERMES_BIN: path });
  assertEquals([reply.ok, code, reply.usage], [true, 0, null]);
  assert(reply.warnings.some((text) => text.includes("version")));
});

Deno.test("a linked profiles folder does not lead the task profile's links astray", async () => {
  await using home = await homeWith("answers");
  const elsewhere = `${home.home}/disk/deep/profiles`;
  await Deno.mkdir(elsewhere, { recursive: true });
  await Deno.symlink(elsewhere, `${home.root}/profiles`);
  const { reply } = await run(home, [...GEMINI, "hi"]);
  assertEquals(reply.ok, true);
  assertEquals(
    await Deno.realPath(`${home.root}/profiles/hermes-task/auth.json`),
    await Deno.realPath(`${home.root}/auth.json`),
  );
});

Deno.test("what Hermes leaves in the background may live on where a setting says so", async () => {
  await using home = await homeWith("leaves_background_process");
  await run(home, [...GEMINI, "hi"], { HERMES_TASK_KEEP_BACKGROUND_PROCESSES: "true" });
  const left = await aliveTasksIn(home);
  for (const { pid } of left) Deno.kill(pid, "SIGKILL");
  assert(left.length > 0);
});

Deno.test("the stand-in of the demo plays Hermes nowhere else", async () => {
  await using home = await homeWith("answers");
  const ran = await runProgram(["stand-in", "chat", "--query=x"], { env: home.env, cwd: home.work });
  assertEquals([ran.code, JSON.parse(ran.stdout).error], [2, "invalid_args"]);
  assertEquals([...Deno.readDirSync(home.root)].some(({ name }) => name === "state.db"), false);
});

Deno.test("[P5] a key in the prompt of a dry run is not shown", async () => {
  await using home = await homeWith("answers");
  const { stdout } = await run(home, [
    "--dry-run",
    ...GEMINI,
    "use sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef",
  ]);
  assert(!stdout.includes("0123456789abcdef"));
});

Deno.test("a bad setting is named in every reply, refusals included", async () => {
  await using home = await homeWith("answers");
  const env = { ...home.env, HERMES_TASK_MAX_CONCURRENT: "0" };
  for (const args of [["telemetry"], ["models"], ["detail", "1_none"], ["run", ...GEMINI, "hi"]]) {
    const { stdout } = await runProgram(args, { env, cwd: home.work });
    assert(
      JSON.parse(stdout).warnings?.some((text: string) => text.includes("HERMES_TASK_MAX_CONCURRENT")),
      args.join(" "),
    );
  }
});

Deno.test("without a Hermes a dry run leaves the user's home as it was, and names the store that is missing", async () => {
  await using home = await makeHome({ auth: null });
  const before = [...Deno.readDirSync(home.root)].map(({ name }) => name).sort();
  const { reply } = await run(home, ["--dry-run", "hi"], { HERMES_BIN: `${home.bin}/none` });
  assertEquals(reply.error, "spawn_failed");
  assertEquals([...Deno.readDirSync(home.root)].map(({ name }) => name).sort(), before);
  const failed = await run(home, ["hi"], { HERMES_BIN: `${home.bin}/none` });
  assert(
    failed.reply.warnings.some((text) => text.includes(`${home.root}/auth.json`)),
    failed.reply.warnings.join("\n"),
  );
});
