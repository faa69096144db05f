import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { judge, printedSessionId, type RunFacts } from "../../../src/core/judge.ts";

const NOW = 1_796_083_147_000;

type Message = NonNullable<RunFacts["session"]>["messages"][number];

const user = (text: string): Message => ({ role: "user", text, finishReason: null });
const said = (text: string, finishReason: string | null = "stop"): Message => ({
  role: "assistant",
  text,
  finishReason,
});

function session(...messages: Message[]): RunFacts["session"] {
  const words = messages.filter(({ role, text }) => role === "assistant" && text !== "");
  return {
    messages,
    billed: [],
    failedTurn: null,
    answer: words.at(-1)?.text ?? null,
    finishReason: messages.findLast(({ role }) => role === "assistant")?.finishReason ?? null,
  };
}

function run(facts: Partial<RunFacts>): RunFacts {
  return {
    exitCode: 0,
    signal: null,
    stoppedBy: undefined,
    stdout: "",
    stderr: "\nsession_id: 20261201_000000_abcdef\n",
    session: undefined,
    timeoutSeconds: 300,
    provider: "gemini",
    model: "m",
    nowMs: NOW,
    longestRestMs: 86_400_000,
    ...facts,
  };
}

Deno.test("judge() takes the answer from the session, not from what was printed around it", () => {
  const verdict = judge(
    run({ stdout: "┌─ Reasoning ─┐\nhm\nfour\n", session: session(user("2+2"), said("four")) }),
  );
  assertEquals(verdict, { failure: undefined, answer: "four", fromOutput: false });
});

Deno.test("judge() takes what was printed where there is no session, and says so", () => {
  assertEquals(judge(run({ stdout: "echo: hi\n", stderr: "" })), {
    failure: undefined,
    answer: "echo: hi",
    fromOutput: true,
  });
});

Deno.test("[F-ORIG-1] judge() leaves a good answer alone that speaks of errors", () => {
  const texts = [
    "HTTP 429: is what a server says when it is asked too often",
    "API call failed after 3 retries: HTTP 402: that is what the log said",
    "⚠️ No reply: was the title of the page",
    "⚠️  Reached maximum iterations (3). Requesting summary...",
    "Unknown provider 'x' was the message",
  ];
  for (const text of texts) {
    const verdict = judge(run({
      stdout: `${text}\n`,
      stderr: "RateLimitError 429\n\nsession_id: 20260811_142937_abcdef\n",
      session: session(user("?"), said(text)),
    }));
    assertEquals(verdict, { failure: undefined, answer: text, fromOutput: false }, text);
  }
});

const FAILURES: [name: string, facts: Partial<RunFacts>, code: string][] = [
  [
    "429 of 0.19",
    { stdout: "API call failed after 1 retries: HTTP 429: Mock: rate limit reached\n" },
    "rate_limited",
  ],
  ["429 of 0.22", {
    stdout: "custom rate-limited every one of 1 attempts — wait.\n\nProvider said: HTTP 429: slow down\n",
  }, "rate_limited"],
  ["401 of 0.19", { stdout: "HTTP 401: Mock: incorrect API key provided\n" }, "auth_failed"],
  ["401 of 0.22", {
    stdout: "custom rejected your API key, so the model can't be reached.\n\nProvider said: HTTP 401: no\n",
  }, "auth_failed"],
  ["402 of 0.19", { stdout: "HTTP 402: payment required\n" }, "no_credit"],
  ["402 of 0.22", { stdout: "Billing or credits exhausted: HTTP 402: Mock\nTop up.\n" }, "no_credit"],
  ["an empty purse told as 401", { stdout: 'HTTP 401: CreditsError "Insufficient balance"\n' }, "no_credit"],
  ["a quota told as 403", { stdout: "HTTP 403: quota exceeded for today\n" }, "rate_limited"],
  ["404", { stdout: "HTTP 404: The model `x` does not exist\n" }, "model_not_found"],
  ["500", { stdout: "API call failed after 1 retries: HTTP 500: oops\n" }, "hermes_failed"],
  [
    "an unknown provider, CR LF",
    { stdout: "Unknown provider 'nosuch'. Check 'hermes model'\r\n" },
    "provider_not_found",
  ],
  ["an unknown provider, on stderr", { stderr: "Unknown provider 'nosuch'. Check\n" }, "provider_not_found"],
  ["a missing key", { stdout: "⚠️  No API key found for provider 'gemini'.\n" }, "no_credential"],
  [
    "a cooling pool",
    { stdout: "No usable credentials found for provider 'gemini'. Set …\n" },
    "no_credential",
  ],
  ["no set-up", { stdout: "\nIt looks like Hermes isn't configured yet -- no API keys\n" }, "no_credential"],
  [
    "an unknown session",
    { stderr: "Session not found: nope\nUse hermes sessions list\n" },
    "session_not_found",
  ],
  ["an older parser", {
    exitCode: 2,
    stderr: "usage: hermes\nhermes: error: unrecognized arguments: --quiet\n",
  }, "hermes_too_old"],
  ["anything else", { exitCode: 3, stdout: "half an answer\n" }, "hermes_failed"],
];

for (const [name, facts, code] of FAILURES) {
  Deno.test(`judge() names a failed run: ${name}`, () => {
    const verdict = judge(run({ exitCode: 1, session: session(user("hi")), ...facts }));
    assertEquals(verdict.failure?.code, code);
    assertEquals(verdict.answer, null);
    assertStringIncludes(verdict.failure!.detail, ";");
  });
}

Deno.test("judge() reads when a rate limit is over", () => {
  const table: [string, number][] = [
    ["HTTP 429: Please retry in 34.5s", 34_500],
    ["HTTP 429: try again in 2 minutes", 120_000],
    ["HTTP 429: limited. Retry-After: 30", 30_000],
    ["HTTP 429: wait, retrying in 600 s", 600_000],
  ];
  for (const [line, afterMs] of table) {
    assertEquals(judge(run({ exitCode: 1, stdout: line })).failure?.retryAtMs, NOW + afterMs, line);
  }
  assertEquals(judge(run({ exitCode: 1, stdout: "HTTP 429: limited" })).failure?.retryAtMs, undefined);
});

Deno.test("judge() sees a turn that was given up although the status is 0", () => {
  const limit = judge(run({
    stdout: "⚠️  Reached maximum iterations (3). Requesting summary...\nso far so good\n",
    session: session(
      user("hi"),
      said("", "tool_calls"),
      user("You've reached the maximum number of tool-calling iterations allowed."),
      said("so far so good", null),
    ),
  }));
  assertEquals([limit.failure?.code, limit.answer], ["turn_limit", "so far so good"]);
  const empty = judge(
    run({
      stdout: "⚠️ No reply: the model returned empty content\n",
      session: session(user("hi"), said("(empty)", null)),
    }),
  );
  assertEquals([empty.failure?.code, empty.answer], ["empty_response", null]);
  const nothing = judge(run({ stdout: "", session: undefined }));
  assertEquals(nothing.failure?.code, "empty_response");
});

Deno.test("judge() takes a model that says (empty) at its word", () => {
  assertEquals(
    judge(run({ stdout: "(empty)\n", session: session(user("say it"), said("(empty)")) })).answer,
    "(empty)",
  );
});

Deno.test("judge() joins the parts of a cut answer", () => {
  const parts = session(
    user("hi"),
    said("one ", "length"),
    user("[System: Your previous response was truncated by the output length limit. Continue exactly"),
    said("two", "length"),
  );
  const verdict = judge(run({ stdout: "one two\n", session: parts }));
  assertEquals([verdict.failure?.code, verdict.answer], ["truncated_answer", "one two"]);
});

Deno.test("judge() blames the one who ended the run", () => {
  const table: [Partial<RunFacts>, string][] = [
    [{ stoppedBy: "deadline", exitCode: 130 }, "timeout"],
    [{ stoppedBy: "cancel", exitCode: 130 }, "cancelled"],
    [{ exitCode: 130 }, "cancelled"],
    [{ exitCode: 143, signal: "SIGTERM" }, "cancelled"],
    [{ exitCode: 137, signal: "SIGKILL" }, "hermes_failed"],
  ];
  for (const [facts, code] of table) {
    assertEquals(judge(run({ stdout: "half", ...facts })).failure?.code, code);
  }
});

Deno.test("[F-ORIG-7] printedSessionId() takes the last line of standard error", () => {
  assertEquals(
    printedSessionId("noise\nsession_id: 1_a_b\n\nsession_id: 20261201_000000_abcdef\n"),
    "20261201_000000_abcdef",
  );
  assertEquals(printedSessionId("the session_id: x"), undefined);
});

Deno.test("[FAULT-59] judge() does not take another provider's or model's work for the one that was asked", () => {
  const billed = (provider: string | null, model: string | null) => ({
    ...session(user("hi"), said("four"))!,
    billed: [{ provider, model }],
  });
  const code = (provider: string, asked: string, by: ReturnType<typeof billed>) =>
    judge(run({ provider, model: asked, session: by })).failure?.code;
  assertEquals(code("gemini", "m", billed("gemini", "m")), undefined);
  assertEquals(code("custom:mine", "m", billed("custom", "m")), undefined);
  assertEquals(code("opencode-zen", "vendor/m", billed("opencode-zen", "M")), undefined);
  assertEquals(code("gemini", "m", billed(null, null)), undefined);
  assertEquals(code("gemini", "m", billed("openrouter", "m")), "provider_drift");
  assertEquals(code("deepseek", "mock-plain", billed("deepseek", "deepseek-chat")), "provider_drift");
  assertEquals(judge(run({ session: billed("openrouter", "x") })).answer, "four");
});

Deno.test("judge() does not take bytes for an answer", () => {
  assertEquals(judge(run({ stdout: "\u0000\uFFFD\uFFFD", stderr: "" })).failure?.code, "hermes_failed");
});

Deno.test("judge() joins a message that was wrapped", () => {
  const { failure } = judge(
    run({
      exitCode: 1,
      stdout:
        "Unknown provider 'x'. Check 'hermes model' for the list, or run\r\n'hermes doctor'.\r\n\r\nmore\r\n",
    }),
  );
  assertEquals(
    failure?.detail,
    "Unknown provider 'x'. Check 'hermes model' for the list, or run 'hermes doctor'; see hermes-task models",
  );
});

Deno.test("judge() takes Hermes' own note of a failed turn, with the time of its reset", () => {
  const failedTurn = { error: "HTTP 429: slow down", resetsAtMs: NOW + 30_000 };
  const verdict = judge(
    run({
      exitCode: 1,
      stdout: "custom is rate-limiting requests right now\n",
      session: { ...session(user("hi"))!, failedTurn },
    }),
  );
  assertEquals([verdict.failure?.code, verdict.failure?.retryAtMs, verdict.answer], [
    "rate_limited",
    NOW + 30_000,
    null,
  ]);
});

Deno.test("judge() takes no words before a last tool call for the answer", () => {
  const messages = session(user("hi"), said("Let me look.", "tool_calls"), {
    role: "tool",
    text: "out",
    finishReason: null,
  });
  assertEquals(judge(run({ stdout: "The answer is 42\n", session: messages })).answer, "The answer is 42");
  assertEquals(judge(run({ stdout: "", session: messages })).failure?.code, "empty_response");
});

Deno.test("judge() knows a cut answer that speaks of an error, with the status of the newer line", () => {
  const cut = session(user("hi"), said("HTTP 429: means too many", "length"));
  assertEquals(
    judge(run({ exitCode: 1, stdout: "HTTP 429: means too many\n", session: cut })).failure?.code,
    "truncated_answer",
  );
});

Deno.test("judge() sees an error line behind a long warning, and takes no wait that is no time", () => {
  const stderr = `${"warning ".repeat(2000)}\nUnknown provider 'x'. Check\n`;
  assertEquals(judge(run({ exitCode: 1, stderr })).failure?.code, "provider_not_found");
  const far = judge(run({ exitCode: 1, stdout: "HTTP 429: try again in 1760000000000 h" })).failure!;
  assert(Number.isFinite(new Date(far.retryAtMs!).getTime()));
});
