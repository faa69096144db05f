import { assert, assertEquals } from "@std/assert";
import { showTask } from "../../../src/cli/view_task.ts";
import type { HermesTaskResult } from "../../../src/core/task.ts";
import { NOW } from "../../support/command_line.ts";

const look = { columns: 80, colour: false, nowMs: NOW };

const answered: HermesTaskResult = {
  ok: true,
  status: "succeeded",
  task_id: "1764537600123_k3x9qd",
  provider: "gemini",
  model: "gemini-3.1-flash-lite",
  output_mode: "digest",
  result: "Two files are over 1 MB:\n\n- data/a.parquet\n- docs/demo.gif\n",
  truncated: false,
  result_bytes: 60,
  exit_code: 0,
  duration_ms: 14_200,
  session_id: "20260811_115247_084e47",
  digest: null,
  usage: {
    input_tokens: 1243,
    output_tokens: 88,
    cache_tokens: null,
    reasoning_tokens: null,
    cost_usd: null,
    cost_basis: null,
  },
  free_basis: "free_tier",
  attempts: [],
  warnings: [],
};

function text(result: HermesTaskResult, how = look): string {
  const screen = showTask(result, how);
  return [...screen.out, "--", ...screen.err].join("\n");
}

Deno.test("showTask() shows the answer, then one line of facts", () => {
  assertEquals(
    text(answered),
    `Two files are over 1 MB:

- data/a.parquet
- docs/demo.gif

gemini · gemini-3.1-flash-lite · 14.2 s · 1,243 + 88 tokens · free · 1764537600123_k3x9qd
--`,
  );
});

Deno.test("showTask() dims the facts and paints warnings, but never the answer", () => {
  const { out } = showTask({ ...answered, result: "42", warnings: ["record not kept"] }, {
    ...look,
    colour: true,
  });
  assertEquals(out[0], "42");
  assertEquals(out[2], "\x1b[33m! record not kept\x1b[0m");
  assert(out[3]!.startsWith("\x1b[2mgemini · ") && out[3]!.endsWith("\x1b[0m"));
});

Deno.test("showTask() lets no control character of answer, model or warning reach the terminal", () => {
  const evil = "a\x1b]0;title\x07\x9b2J\0\x7fb";
  const screen = text({ ...answered, result: evil, model: evil, warnings: [evil] });
  assertEquals(screen.match(/[^\n\x20-\x7e\xa0-\uffff]/), null);
  assert(screen.startsWith("a␛]0;title␇\ufffd2J␀␡b\n"));
});

Deno.test("showTask() says what was paid, and nothing of what is unknown", () => {
  const usage = { ...answered.usage!, input_tokens: null, output_tokens: null };
  for (
    const [more, line] of [
      [
        { free_basis: null, usage: { ...usage, cost_usd: 0.0012, cost_basis: "actual" } },
        "14.2 s · $0.0012 · 17",
      ],
      [
        { free_basis: null, usage: { ...usage, cost_usd: 0.5, cost_basis: "estimated" } },
        "14.2 s · about $0.50 · 17",
      ],
      [{ free_basis: null, usage: null }, "14.2 s · 17"],
      [{ free_basis: null, usage: null, duration_ms: null }, "lite · 17"],
    ] as const
  ) assert(text({ ...answered, ...more }).includes(line), text({ ...answered, ...more }));
});

Deno.test("showTask() says after which failures the answer came", () => {
  const attempt = { model: "m", outcome: "failed", error_detail: null, duration_ms: 1, reason: "r" } as const;
  const attempts = [
    { ...attempt, provider: "nvidia", error: "rate_limited" },
    { ...attempt, provider: "gemini", outcome: "succeeded", error: null },
  ] as const;
  assert(text({ ...answered, attempts }).includes("free · after nvidia: rate limited · 17645"));
});

Deno.test("showTask() says how to read what was cut", () => {
  const screen = text({
    ...answered,
    result: "begin",
    truncated: true,
    result_bytes: 300_000,
    next_offset: 8192,
  });
  assert(screen.includes(
    "… cut, 293.0 KB in all; the rest: hermes-task detail 1764537600123_k3x9qd --section result --offset 8192",
  ));
});

Deno.test("showTask() shows a failure with its next step on standard error", () => {
  const failed: HermesTaskResult = {
    ...answered,
    ok: false,
    status: "failed",
    result: null,
    usage: null,
    error: "auth_failed",
    error_detail: 'The key of "gemini" was refused; run: hermes auth add gemini',
  };
  assertEquals(
    text(failed),
    `--
✗ The key of "gemini" was refused
  Next: hermes auth add gemini
gemini · gemini-3.1-flash-lite · 14.2 s · 1764537600123_k3x9qd`,
  );
});

Deno.test("showTask() keeps what there is of an answer that was not finished", () => {
  const failed = {
    ...answered,
    ok: false,
    result: "Half an",
    error: "truncated_answer",
    error_detail: "Cut",
  } as const;
  const screen = showTask(failed, look);
  assertEquals(screen.out, ["Half an"]);
  assertEquals(screen.err.slice(0, 2), ["", "✗ Cut"]);
});

Deno.test("showTask() lists who is resting until when", () => {
  const at = (hours: number, minutes: number, day = 11) =>
    new Date(2026, 7, day, hours, minutes).toISOString();
  const failed: HermesTaskResult = {
    ...answered,
    ok: false,
    status: "failed",
    task_id: null,
    provider: null,
    model: null,
    duration_ms: null,
    result: null,
    usage: null,
    free_basis: null,
    error: "all_exhausted",
    error_detail:
      "No provider is free to answer: all 3 are resting; wait 12 min, or add a key: hermes auth add",
    next_available_at: at(14, 5),
    passed_over: [
      { provider: "gemini", model: "", reason: "rate limited", until: at(14, 5) },
      { provider: "openrouter", model: "", reason: "out of credit", until: at(0, 0, 12) },
      { provider: "nvidia", model: "", reason: "key refused", until: null },
    ],
  };
  assertEquals(
    text(failed),
    `--
✗ No provider is free to answer: all 3 are resting
  gemini      rate limited   until 14:05 (in 12 min)
  openrouter  out of credit  until Wed 00:00 (in 10 h)
  nvidia      key refused
  free again at 14:05 (in 12 min)
  Next: wait 12 min, or add a key: hermes auth add`,
  );
});

Deno.test("showTask() shows of a dry run what would be used, passed over, and started", () => {
  const plan = {
    candidates: [{ provider: "gemini", model: "gemini-3.5-flash-lite", reason: "sees images, free, alive" }],
    passed_over: [
      { provider: "opencode-zen", model: "", reason: "no image input", until: null },
      {
        provider: "nous",
        model: "x/".repeat(20),
        reason: "this key was refused, sign in again",
        until: null,
      },
      {
        provider: "openrouter",
        model: "google/gemma-4-31b-it",
        reason: "rate limited",
        until: new Date(2026, 7, 11, 14, 5).toISOString(),
      },
    ],
    capability: { name: "vision", reason: "the word screenshot" },
    argv: [
      "/usr/bin/hermes",
      "-p",
      "hermes-task",
      "chat",
      "--query=Describe this\nnow",
      "-Q",
      "-m",
      "it's",
      "--source",
      "hermes-task:1764537600123_k3x9qd.1",
    ],
    env_names: ["HOME"],
    cwd: "/home/u/project",
    profile: null,
  };
  assertEquals(
    text({ ...answered, status: null, result: null, dry_run: true, plan }),
    `would use    gemini · gemini-3.5-flash-lite         sees images, free, alive
passed over  opencode-zen                           no image input
             nous · x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/
                                                    this key was refused, sign
                                                    in again
             openrouter · google/gemma-4-31b-it     rate limited, until 14:05
for          vision (the word screenshot)
would run    /usr/bin/hermes -p hermes-task chat --query=… -Q -m 'it'\\''s'
             --source hermes-task:1764537600123_k3x9qd.1
in           /home/u/project
profile      none: without the user's configuration
--`,
  );
});
