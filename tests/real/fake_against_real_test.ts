// Are the stand-ins true? Runs the real Hermes against the model server, the matching stand-in with the same
// arguments, and compares what callers rely on.
import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { startModelServer } from "../../scripts/model_server.ts";
import { type Behaviour, installFake } from "../support/fake_hermes.ts";
import { columnsOf, type Impression, runHermes, type RunOptions } from "../support/impression.ts";
import { escapes, makeRealHome, realHermes } from "../support/real_hermes.ts";
import type { ThrowAwayHome } from "../support/throw_away_home.ts";

interface Case extends RunOptions {
  readonly fake: Behaviour;
  readonly model: string;
  readonly prompt?: string;
  readonly provider?: string;
  readonly more?: readonly string[];
  /** Both answers in one form, where their words differ. */
  readonly even?: (text: string) => string;
}

const CASES: readonly Case[] = [
  { fake: "answers", model: "mock-plain", prompt: "SAY: the same words" },
  { fake: "answers_with_tools", model: "mock-steps_2_50" },
  { fake: "rate_limited", model: "mock-429_1" },
  { fake: "auth_failed", model: "mock-401" },
  { fake: "no_credit", model: "mock-402" },
  { fake: "model_missing", model: "mock-404" },
  { fake: "unknown_provider", model: "mock-plain", provider: "nosuch" },
  { fake: "key_missing", model: "mock-plain", provider: "deepseek" },
  { fake: "exits_0_no_reply", model: "mock-empty" },
  {
    fake: "truncated",
    model: "mock-length",
    even: (text) => text.replace(/^(MOCK-TRUNC){4}$|^part one.*four$/m, "<cut>"),
  },
  { fake: "turn_limit", model: "mock-loop", more: ["--max-turns", "2"] },
  { fake: "lies_with_session_id", model: "mock-fakeid" },
  { fake: "ansi", model: "mock-ansi" },
  {
    fake: "prints_300kb",
    model: "mock-long_300",
    even: (text) => String(new TextEncoder().encode(text).length > 300_000),
  },
  { fake: "hangs", model: "mock-hang", askAfterMessages: 1 },
  { fake: "hangs_in_tool", model: "mock-tool", prompt: "RUN: sleep 3600", askAfterMessages: 2 },
  { fake: "leaves_background_process", model: "mock-bg", prompt: "RUN: sleep 2" },
];

const HERMES = await realHermes();

for (const { fake, ...facts } of CASES) {
  Deno.test({
    name: `stand-in ${fake} leaves what the real Hermes leaves`,
    fn: async () => {
      const even = facts.even ?? ((text: string) => text);
      const args = argsOf(facts);
      const real = await withReal((home, hermes) => runHermes(hermes, home, args, facts));
      const same = await withFake(fake, (home, hermes) => runHermes(hermes, home, args, facts));
      assertEquals({ ...same, stdout: even(same.stdout) }, { ...real, stdout: even(real.stdout) });
    },
  });
}

Deno.test({
  name: "the stand-ins' session store has the tables and columns of the real one",
  fn: async () => {
    const columns = (home: ThrowAwayHome) =>
      ["sessions", "messages", "session_model_usage", "schema_version"].map((table) =>
        columnsOf(home, table)
      );
    const args = argsOf({ model: "mock-plain" });
    const real = await withReal(async (home, hermes) => (await runHermes(hermes, home, args), columns(home)));
    const same = await withFake(
      "answers",
      async (home, hermes) => (await runHermes(hermes, home, args), columns(home)),
    );
    assertEquals(same, real);
  },
});

for (
  const [name, args] of [
    ["an unknown flag", ["chat", "--query=x", "--no-such-flag"]],
    ["a session that is not there", ["chat", "--query=x", "-Q", "--resume=nope", "-m", "mock-plain"]],
    ["the export of such a session", [
      "sessions",
      "export",
      "--session-id",
      "nope",
      "--format",
      "jsonl",
      "-",
    ]],
    ["--version", ["--version"]],
  ] as const
) {
  Deno.test({
    name: `stand-in and real Hermes agree on ${name}`,
    fn: async () => {
      const real = await withReal((home, hermes) => runHermes(hermes, home, args));
      const same = await withFake("answers", (home, hermes) => runHermes(hermes, home, args));
      assertEquals(keyLines(same), keyLines(real));
    },
  });
}

Deno.test({
  name: "the stand-ins' help names only flags that the real one has",
  fn: async () => {
    const real = await withReal((home, hermes) => runHermes(hermes, home, ["chat", "--help"]));
    const same = await withFake("answers", (home, hermes) => runHermes(hermes, home, ["chat", "--help"]));
    const flags = (text: string) => new Set(text.match(/--[a-z-]+/g));
    assertEquals([...flags(same.stdout).difference(flags(real.stdout))], []);
    assert(!real.stdout.includes("--query-file") && !same.stdout.includes("--query-file"));
  },
});

Deno.test({
  name: "a continued session is exported with the same keys",
  fn: async () => {
    const real = await withReal(exportAfterResume);
    const same = await withFake("answers", exportAfterResume);
    assertEquals(same, real);
  },
});

/** Line by line up to what differs between installations. */
function keyLines({ code, stdout, stderr }: Impression): unknown {
  const [first = ""] = stdout.split("\n");
  return { code, first, errors: stderr.split("\n").filter((line) => !/^usage:|^ /.test(line)) };
}

async function exportAfterResume(home: ThrowAwayHome, hermes: string) {
  await runHermes(hermes, home, argsOf({ model: "mock-plain", prompt: "SAY: one" }));
  const id = newestId(home);
  const second = await runHermes(hermes, home, [
    ...argsOf({ model: "mock-plain", prompt: "SAY: two" }),
    `--resume=${id}`,
  ]);
  const exported = await runHermes(hermes, home, [
    "sessions",
    "export",
    "--session-id",
    id,
    "--format",
    "jsonl",
    "-",
  ]);
  const session = JSON.parse(exported.stdout);
  const messages: Record<string, unknown>[] = session.messages;
  return {
    second,
    code: exported.code,
    lines: exported.stdout.trimEnd().split("\n").length,
    keys: Object.keys(session),
    roles: messages.map((message) => message.role),
    contents: messages.map((message) => message.content),
    messageKeys: messages.map((message) => Object.keys(message).toSorted()),
  };
}

function newestId(home: ThrowAwayHome): string {
  const db = new DatabaseSync(`${home.root}/state.db`, { readOnly: true });
  try {
    return String(db.prepare("SELECT id FROM sessions").get()!.id);
  } finally {
    db.close();
  }
}

function argsOf(
  facts: { model: string; prompt?: string; provider?: string; more?: readonly string[] },
): string[] {
  const route = ["-m", facts.model, "--provider", facts.provider ?? "gemini"];
  const source = ["--source", "hermes-task:1764537600123_k3x9qd.1"];
  return ["chat", `--query=${facts.prompt ?? "x"}`, "-Q", ...route, ...source, ...facts.more ?? []];
}

async function withReal<T>(body: (home: ThrowAwayHome, hermes: string) => Promise<T>): Promise<T> {
  await using server = await startModelServer();
  await using home = await makeRealHome(HERMES, server);
  const result = await body(home, HERMES);
  assertEquals(escapes(server), [], "Hermes tried to leave the machine");
  return result;
}

async function withFake<T>(
  behaviour: Behaviour,
  body: (home: ThrowAwayHome, hermes: string) => Promise<T>,
): Promise<T> {
  await using server = await startModelServer();
  await using home = await makeRealHome("", server);
  return await body(home, await installFake(home.bin, behaviour));
}
