// Do the stand-ins do what their names say? Their likeness to the real Hermes is tests/real/fake_against_real_test.ts.
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { type Behaviour, BEHAVIOURS, installFake } from "../../support/fake_hermes.ts";
import { columnsOf, type Impression, runHermes } from "../../support/impression.ts";
import { aliveWithMark, descendantsOf, isAlive, kill, MARK, waitUntil } from "../../support/processes.ts";
import { makeHome, type ThrowAwayHome } from "../../support/throw_away_home.ts";

const FIXTURES = fromFileUrl(new URL("../../fixtures/hermes/", import.meta.url));
const ARGS = [
  "chat",
  "--query=hello",
  "-Q",
  "-m",
  "some-model",
  "--provider",
  "gemini",
  "--source",
  "hermes-task:a.1",
];

async function runFake(behaviour: Behaviour, args: readonly string[] = ARGS): Promise<Impression> {
  await using home = await makeHome();
  return await runHermes(await installFake(home.bin, behaviour), home, args);
}

/** Starts one that will not end by itself, with a mark of its own. */
function startMarked(home: ThrowAwayHome, program: string, mark: string) {
  const env = { ...home.env, [MARK]: mark };
  const ends = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const child = new Deno.Command(program, { args: ARGS, cwd: home.work, clearEnv: true, env, ...ends })
    .spawn();
  return { child, alive: () => aliveWithMark(mark), status: child.status };
}

Deno.test("every file of a behaviour is listed, and says first what it stands for", async () => {
  const files = [...Deno.readDirSync(FIXTURES)].filter((entry) => entry.name.endsWith(".ts"));
  assertEquals(files.map((entry) => entry.name.replace(".ts", "")).toSorted(), [...BEHAVIOURS].toSorted());
  for (const { name } of files) assertMatch(await Deno.readTextFile(FIXTURES + name), /^\/\/ .{20}/);
});

for (
  const [behaviour, code, stdout, roles] of [
    ["answers", 0, /^FAKE-ANSWER ok\n$/, "user assistant"],
    ["answers_with_tools", 0, /^STEPS-DONE 2\n$/, "user assistant tool assistant tool assistant"],
    ["rate_limited", 1, /^API call failed after 1 retries: HTTP 429: /, "user"],
    ["rate_limited_newer", 1, /\nProvider said: HTTP 429: /, "user assistant"],
    ["auth_failed", 1, /^HTTP 401: /, "user"],
    ["auth_failed_newer", 1, /\nProvider said: HTTP 401: /, "user assistant"],
    ["no_credit", 1, /^HTTP 402: /, "user"],
    ["no_credit_newer", 1, /^Billing or credits exhausted: HTTP 402: /, "user assistant"],
    ["model_missing", 1, /^HTTP 404: /, "user"],
    ["model_missing_newer", 1, /\nProvider said: HTTP 404: /, "user assistant"],
    ["unknown_provider", 1, /^Unknown provider 'gemini'.*\r\n.*\r\n$/, undefined],
    ["key_missing", 1, /^No usable credentials found .*\r\n$/, undefined],
    ["not_configured", 1, /^\nIt looks like Hermes isn't configured yet/, undefined],
    ["talks_about_429", 0, /429/, "user assistant"],
    ["exits_0_empty", 0, /^$/, "user assistant"],
    ["exits_0_no_reply", 0, /^⚠️ No reply: /, "user assistant"],
    [
      "turn_limit",
      0,
      /^⚠️ {2}Reached maximum iterations/,
      "user assistant tool assistant tool user assistant",
    ],
    [
      "truncated",
      0,
      /^part one, .*part four\n$/,
      "user assistant user assistant user assistant user assistant",
    ],
    ["fails_with_partial", 3, /^first half of the answ$/, "user"],
    ["prints_300kb", 0, /^0000000 word-é7.{200000}/, "user assistant"],
    ["splits_utf8", 0, /^Grüße 日本語 🎉 end\n$/, undefined],
    ["drifts", 0, /^⚠️ {2}Normalized model/, "user assistant"],
  ] as const
) {
  Deno.test(`${behaviour} ends with ${code} and leaves ${roles ?? "no session"}`, async () => {
    const { code: ended, stdout: printed, session } = await runFake(behaviour);
    assertEquals(ended, code);
    assertMatch(printed, stdout);
    assertEquals(session?.roles.join(" "), roles);
  });
}

Deno.test("answers_newer has the flags and the columns of the newer line", async () => {
  await using home = await makeHome();
  const hermes = await installFake(home.bin, "answers_newer");
  assertMatch(
    (await runHermes(hermes, home, ["--version"])).stdout,
    /^Hermes Agent v0\.20\.0 \(2026\.8\.3\)\n/,
  );
  const help = (await runHermes(hermes, home, ["chat", "--help"])).stdout;
  for (const flag of ["--query-file", "--format", "--run-budget"]) assertStringIncludes(help, flag);
  await Deno.writeTextFile(`${home.work}/q.txt`, "from a file");
  const [, , ...rest] = ARGS;
  await runHermes(hermes, home, ["chat", "--query-file", `${home.work}/q.txt`, ...rest]);
  assert(columnsOf(home, "sessions").includes("last_activity_at"));
});

Deno.test("shows_environment gets what its caller gave, and nothing of ours", async () => {
  await using home = await makeHome();
  const hermes = await installFake(home.bin, "shows_environment");
  const seen = JSON.parse((await runHermes(hermes, home, ARGS)).stdout);
  assertEquals(seen, { argv: ARGS, env: home.env, cwd: home.work, stdin_bytes: 0 });
});

Deno.test("rate_limited_marks_pool changes the row in the file that a link leads to", async () => {
  await using home = await makeHome();
  const profile = `${home.root}/profiles/hermes-task`;
  await Deno.mkdir(profile, { recursive: true });
  await Deno.symlink("../../auth.json", `${profile}/auth.json`);
  const inProfile = { ...home, root: profile, env: { ...home.env, HERMES_HOME: profile } };
  await runHermes(await installFake(home.bin, "rate_limited_marks_pool"), inProfile, ARGS);
  const { credential_pool } = JSON.parse(await Deno.readTextFile(`${home.root}/auth.json`));
  assertEquals(credential_pool.gemini[0].last_error_code, 429);
  assert((await Deno.lstat(`${profile}/auth.json`)).isSymlink);
});

Deno.test("hangs heeds SIGTERM: the session line, exit 130", async () => {
  await using home = await makeHome();
  const hermes = await installFake(home.bin, "hangs");
  const { code, stdout, stderr, session } = await runHermes(hermes, home, ARGS, { askAfterMessages: 1 });
  assertEquals([code, stdout, stderr], [130, "", "\nsession_id: <session>\n"]);
  assertEquals(session?.roles, ["user"]);
});

Deno.test("hangs_with_grandchild leaves a tool and a daemon, both found by their mark only", async () => {
  await using home = await makeHome();
  const mark = `t${crypto.randomUUID().slice(0, 8)}.a.1`;
  const hermes = await installFake(home.bin, "hangs_with_grandchild");
  const { child, alive, status } = startMarked(home, hermes, mark);
  await waitUntil(async () => (await alive()).length === 3, 10_000, "Hermes, a tool and a daemon live");
  child.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert(await isAlive(child.pid), "it ignores being asked");
  child.kill("SIGKILL");
  await status;
  const left = await alive();
  assertEquals(left.length, 2);
  assert(left.every((process) => process.ppid !== child.pid));
  left.forEach((process) => kill(process.pid));
  await waitUntil(async () => (await alive()).length === 0, 5000, "all gone");
});

Deno.test("shell_wrapper keeps Hermes below itself", async () => {
  await using home = await makeHome();
  const mark = `t${crypto.randomUUID().slice(0, 8)}.a.1`;
  const wrapper = await installFake(home.bin, "shell_wrapper", { inner: "ignores_sigterm" });
  const { child, alive, status } = startMarked(home, wrapper, mark);
  await waitUntil(async () => (await descendantsOf(child.pid)).length === 1, 10_000, "Hermes lives below");
  child.kill("SIGKILL");
  await status;
  const left = await alive();
  assertEquals(left.length, 1);
  left.forEach((process) => kill(process.pid));
  await waitUntil(async () => (await alive()).length === 0, 5000, "all gone");
});

Deno.test("echo_script echoes whatever it gets", async () => {
  await using home = await makeHome();
  const hermes = await installFake(home.bin, "echo_script");
  assertEquals((await runHermes(hermes, home, ["--version"])).stdout, "echo: --version\n");
});
