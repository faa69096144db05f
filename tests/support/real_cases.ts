// The cases that each surface plays with the real Hermes: answers, refusals, limits, endings, prompts, the user's own.
import { assert, assertEquals, assertLess, assertMatch, assertStringIncludes } from "@std/assert";
import type { HermesTaskArgs } from "../../src/core/task.ts";
import { aliveNaming, type Living, waitUntil } from "./processes.ts";
import { recordIn } from "./kept_record.ts";
import type { RealCase, Stage } from "./real_flow.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

const asking = (model: string, prompt: string, more: Partial<HermesTaskArgs> = {}): HermesTaskArgs => ({
  prompt,
  model,
  provider: "gemini",
  ...more,
});

/** What a lost provider may cost: Hermes' own start and end, and no wait. */
const WITHOUT_WAITING_MS = 45_000;

const ANSWERS: readonly RealCase[] = [
  {
    name: "[P6] an answer, its usage and its record",
    play: async ({ ask, home }) => {
      const reply = await ask.task(asking("mock-plain", "please SAY: forty-two"));
      assertEquals([reply.ok, reply.status, reply.result], [true, "succeeded", "forty-two"]);
      assertEquals([reply.provider, reply.model, reply.exit_code], ["gemini", "mock-plain", 0]);
      const { input_tokens, cache_tokens, output_tokens } = reply.usage!;
      assertEquals([input_tokens, cache_tokens, output_tokens], [100, 23, 7]);
      assertEquals(reply.warnings, ["gemini · mock-plain: its price is not known"]);
      const record = await recordIn(home, reply.task_id);
      assertEquals([record.status, record.result, record.session_id], [
        "succeeded",
        "forty-two",
        reply.session_id,
      ]);
    },
  },
  {
    name: "a tool call, shown in full mode",
    play: async ({ ask }) => {
      const reply = await ask.task(asking("mock-tool", "RUN: echo hi", { output_mode: "full" }));
      assertEquals([reply.ok, reply.digest?.tool_call_count, reply.digest?.tools_used], [true, 1, [
        "terminal",
      ]]);
      const [call] = reply.tool_calls!;
      assertEquals([call?.name, call?.arguments], ["terminal", { command: "echo hi" }]);
      assertStringIncludes(call!.result!, '"output": "hi"');
    },
  },
  {
    name: "[FAULT-44] text of all kinds comes back as it was",
    play: async ({ ask }) => {
      const reply = await ask.task(asking("mock-unicode", "hello"));
      assertEquals(reply.result, "Grüße 日本語 🎉 e\u0301 \u2028 end");
    },
  },
  {
    name: "[P6] 300 KB are cut for the caller and read on to the last byte",
    play: async ({ ask, home }) => {
      const reply = await ask.task(asking("mock-long_300", "hello"));
      assertEquals([reply.ok, reply.truncated], [true, true]);
      const record = await recordIn(home, reply.task_id);
      let text = reply.result!;
      for (let next = reply.next_offset; next !== undefined;) {
        const page = await ask.detail({ task_id: reply.task_id!, offset: next, max_bytes: 100_000 });
        assert(page.result, `nothing at byte ${next}`);
        text += page.result;
        next = page.next_offset;
      }
      assertEquals(text === record.result, true, "the parts together are not the answer");
      assertEquals(new TextEncoder().encode(text).length, reply.result_bytes);
      assert(reply.result_bytes >= 307_199, String(reply.result_bytes));
    },
  },
  {
    name: "a session is continued, and its usage counted from there",
    play: async ({ ask }) => {
      const first = await ask.task(asking("mock-plain", "SAY: one"));
      const second = await ask.task(asking("mock-plain", "SAY: two", { session_id: first.session_id! }));
      assertEquals([second.result, second.session_id], ["two", first.session_id]);
      assertEquals([second.usage?.input_tokens, second.usage?.output_tokens], [100, 7]);
      assertEquals(second.digest?.message_count, 2);
    },
  },
];

/** Name of the model server's behaviour, code of ours, what Hermes 0.19 notes in the user's row. */
const REFUSALS = [
  { behaviour: "429_30", error: "rate_limited", noted: null },
  { behaviour: "401", error: "auth_failed", noted: 401 },
  { behaviour: "402", error: "no_credit", noted: 402 },
  { behaviour: "404", error: "model_not_found", noted: null },
] as const;

const LOST: readonly RealCase[] = [
  ...REFUSALS.map(({ behaviour, error, noted }): RealCase => ({
    name: `${behaviour} is ${error} at once, and auth.json has what Hermes notes there, no more`,
    options: { failing: { gemini: behaviour } },
    play: async ({ ask, home, server }) => {
      const before = await authOf(home);
      const reply = await ask.task(asking("some-model", "hello"));
      assertEquals([reply.ok, reply.status, reply.error], [false, "failed", error]);
      assert(reply.error_detail, "says what to do next");
      assertEquals(reply.attempts.length, 1);
      assertLess(reply.duration_ms!, WITHOUT_WAITING_MS);
      assert(server.requests().some((request) => request.behaviour === behaviour));
      const after = await authOf(home);
      assertEquals(after.mode, before.mode);
      assertEquals(after.linked, "../../auth.json");
      assertEquals(after.noted, noted);
      if (noted === null) assertEquals(after.text, before.text);
      assertEquals(after.withoutNotes, before.withoutNotes);
    },
  })),
  {
    name: "an unknown provider is named with a near one, and nothing is started",
    play: async ({ ask, server }) => {
      const reply = await ask.task(asking("mock-plain", "hello", { provider: "gemni" }));
      assertEquals([reply.ok, reply.error], [false, "provider_not_found"]);
      assertStringIncludes(reply.error_detail!, "gemini");
      assertEquals(server.requests().filter((request) => request.kind === "chat"), []);
    },
  },
  {
    name: "[FAULT-47] the turn limit is no success",
    play: async ({ ask }) => {
      const reply = await ask.task(asking("mock-loop", "hello", { max_turns: 2 }));
      assertEquals([reply.ok, reply.error], [false, "turn_limit"]);
    },
  },
];

interface AuthFacts {
  readonly text: string;
  readonly mode: number;
  /** Where the task profile's link leads. */
  readonly linked: string | undefined;
  /** The error code in the row of gemini. */
  readonly noted: unknown;
  /** All of it but what Hermes notes about a row after a failure, and when. */
  readonly withoutNotes: unknown;
}

async function authOf({ root }: ThrowAwayHome): Promise<AuthFacts> {
  const text = await Deno.readTextFile(`${root}/auth.json`);
  const store = JSON.parse(text);
  const row = store.credential_pool.gemini[0];
  const noted = row.last_error_code;
  for (const name of Object.keys(row)) if (name.startsWith("last_")) delete row[name];
  delete store.updated_at;
  return {
    text,
    mode: (await Deno.stat(`${root}/auth.json`)).mode! & 0o777,
    linked: await Deno.readLink(`${root}/profiles/hermes-task/auth.json`).catch(() => undefined),
    noted,
    withoutNotes: store,
  };
}

const ENDINGS: readonly RealCase[] = [
  {
    name: "[FAULT-5] a model that hangs ends at the deadline",
    play: async ({ ask, home }) => {
      const reply = await ask.task(asking("mock-hang", "hello", { timeout_seconds: 10 }));
      assertEquals([reply.error, reply.status, reply.exit_code], ["timeout", "timed_out", 124]);
      assertLess(reply.duration_ms!, 17_000);
      assertEquals(await hermesIn(home), []);
    },
  },
  {
    name: "[FAULT-20][FAULT-22] a cancel ends Hermes and its tool's sleep; the session goes on afterwards",
    play: async ({ ask, home }) => {
      let sleeping: Living[] = [];
      const moment = () =>
        waitUntil(async () => (sleeping = await sleepsIn(home)).length > 0, 30_000, "a tool that sleeps");
      await ask.cancelAt(moment, asking("mock-tool", "RUN: sleep 300"));
      assert(sleeping.length > 0);
      await waitUntil(async () => (await sleepsIn(home)).length === 0, 10_000, "the sleep is dead");
      const closed = async () => (await recordIn(home)).status !== "running";
      await waitUntil(closed, 10_000, "a closed record");
      const { status, error, session_id } = await recordIn(home);
      assertEquals([status, error], ["cancelled", "cancelled"]);
      assertEquals(await hermesIn(home), []);
      const next = await ask.task(asking("mock-plain", "SAY: on", { session_id: session_id! }));
      assertEquals([next.result, next.session_id], ["on", session_id]);
    },
  },
  {
    name: "[P2] what Hermes leaves in the background ends with its task",
    play: async ({ ask, home }) => {
      const started = `${home.work}/started`;
      const reply = await ask.task(asking("mock-bg", `RUN: touch ${started}; sleep 300`));
      assertEquals([reply.ok, reply.result], [true, "BG-STARTED"]);
      assert((await Deno.stat(started)).isFile);
      assertEquals([...await sleepsIn(home), ...await hermesIn(home)], []);
    },
  },
  {
    name: "[FAULT-54] a command that wants a person's consent is refused at once and not run",
    play: async ({ ask, home }) => {
      const kept = `${home.home}/kept`;
      await Deno.mkdir(kept);
      const reply = await ask.task(asking("mock-tool", `RUN: rm -rf ${kept}`, { output_mode: "full" }));
      assert((await Deno.stat(kept)).isDirectory, "it was removed");
      assertMatch(reply.tool_calls![0]!.result!, /BLOCKED|denied/i);
      assertLess(reply.duration_ms!, WITHOUT_WAITING_MS);
    },
  },
];

async function sleepsIn(home: ThrowAwayHome): Promise<Living[]> {
  return (await aliveNaming(home.home)).filter(({ command }) => /^(\S*\/)?sleep 300\b/.test(command));
}

async function hermesIn(home: ThrowAwayHome): Promise<Living[]> {
  return (await aliveNaming(home.home)).filter(({ command }) => command.includes("--query="));
}

const PROMPTS: readonly RealCase[] = [
  ["--help"],
  ["- item"],
  ["--", "Text: --"],
  ["HOME/seen.png what is this?", "Text: HOME/seen.png what is this?"],
].map(([prompt = "", heard = prompt]): RealCase => ({
  name: `[FAULT-36][FAULT-38] the prompt ${prompt} is a text`,
  play: async ({ ask, home }) => {
    await Deno.writeFile(`${home.home}/seen.png`, PIXEL);
    const [told, expected] = [prompt, heard].map((text) => text.replace("HOME", home.home));
    const reply = await ask.task(asking("mock-echo", told!));
    assertEquals([reply.ok, reply.result], [true, expected]);
  },
}));

const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** The user's own sessions and keys, which lie beside the tasks'; who asks makes no difference there. */
export const USERS_OWN: RealCase = {
  name: "the user's own list of sessions shows theirs and no task",
  play: async ({ ask, home, hermes }) => {
    const chat = ["chat", "--query=a talk of my own", "-Q", "-m", "mock-plain", "--provider", "gemini"];
    await userRuns(hermes, home, chat);
    const before = await Deno.readTextFile(`${home.root}/auth.json`);
    const reply = await ask.task(asking("mock-plain", "a task for another"));
    assertEquals(reply.ok, true);
    const listed = await userRuns(hermes, home, ["sessions", "list"]);
    assertStringIncludes(listed, "a talk of my own");
    assert(!listed.includes("a task for another") && !listed.includes(reply.session_id!), listed);
    assertEquals(await Deno.readTextFile(`${home.root}/auth.json`), before);
  },
};

async function userRuns(hermes: string, home: Stage["home"], args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(hermes, {
    args,
    clearEnv: true,
    env: { ...home.env },
    cwd: home.work,
    stdin: "null",
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** What holds for every surface. */
export const REAL_CASES: readonly RealCase[] = [...ANSWERS, ...LOST, ...ENDINGS, ...PROMPTS];
