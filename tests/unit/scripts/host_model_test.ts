import { assertEquals, assertStringIncludes } from "@std/assert";
import { startHostModel } from "../../../scripts/host_model.ts";
import { type HostTurn, nextMove } from "../../../scripts/host_moves.ts";

const SCRIPT = { task: { prompt: "hello" }, waitSeconds: 7 };
const TOOLS = ["x_hermes_task_detail", "x_hermes_task", "x_hermes_wait"].map((name) => ({ name }));

const afterAll = (...results: string[]): HostTurn => ({ model: "mock", stream: true, tools: TOOLS, results });
const RUNNING = JSON.stringify({ ok: true, status: "running", task_id: "1_a", result: null });
const DONE = { ok: true, status: "succeeded", task_id: "1_a", result: "done" };

Deno.test("nextMove() delegates first", () => {
  const move = nextMove(afterAll(), SCRIPT);
  assertEquals(move, { kind: "call", tool: { name: "x_hermes_task" }, arguments: { prompt: "hello" } });
});

Deno.test("nextMove() says something short where the tools are not offered", () => {
  assertEquals(nextMove({ ...afterAll(), tools: [] }, SCRIPT), { kind: "say", text: "A side request." });
});

for (
  const [name, result] of [
    ["a task that was handed over", RUNNING],
    ["a reply behind a line of the host's", `Wall time: 3 seconds\nOutput:\n${RUNNING}`],
    ["a wait that ended early", JSON.stringify({ ok: true, tasks: [JSON.parse(RUNNING)], pending: ["1_a"] })],
  ] as const
) {
  Deno.test(`nextMove() waits after ${name}`, () => {
    const move = nextMove(afterAll(result), SCRIPT);
    const wait = { task_ids: ["1_a"], mode: "all", wait_seconds: 7 };
    assertEquals(move, { kind: "call", tool: { name: "x_hermes_wait" }, arguments: wait });
  });
}

for (
  const [name, result, text] of [
    ["the answer of a task", JSON.stringify(DONE), "HOST-SAYS done"],
    [
      "the answer of a wait",
      JSON.stringify({ ok: true, tasks: [DONE], pending: [] }),
      "HOST-SAYS done",
    ],
    [
      "the error of a task",
      JSON.stringify({ ok: false, status: "failed", result: null, error: "timeout" }),
      "HOST-SAYS an error: timeout",
    ],
    ["a host's own words", "timed out after 5s", "HOST-GAVE-UP timed out after 5s"],
  ] as const
) {
  Deno.test(`nextMove() says ${name}`, () => {
    assertEquals(nextMove(afterAll(RUNNING, result), SCRIPT), { kind: "say", text });
  });
}

/** A request of each wire form: its tools offered, with or without a result, and where the answer's parts stand. */
const FORMS = [
  {
    path: "/v1/responses",
    tools: [{ type: "namespace", name: "mcp__x", tools: [{ type: "function", name: "hermes_task" }] }],
    talk: (result?: string) => ({
      input: result === undefined ? [] : [{ type: "function_call_output", call_id: "c", output: result }],
    }),
    called: '"name":"hermes_task","namespace":"mcp__x","arguments":"{\\"prompt\\":\\"hello\\"}"',
    last: "response.completed",
  },
  {
    path: "/v1/messages",
    tools: [{ name: "mcp__x__hermes_task" }],
    talk: (result?: string) => ({
      messages: result === undefined
        ? []
        : [{ role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: result }] }],
    }),
    called: '"partial_json":"{\\"prompt\\":\\"hello\\"}"',
    last: "message_stop",
  },
  {
    path: "/v1/chat/completions",
    tools: [{ type: "function", function: { name: "x_hermes_task" } }],
    talk: (result?: string) => ({
      messages: result === undefined ? [] : [{ role: "tool", content: result }],
    }),
    called: '"name":"x_hermes_task","arguments":"{\\"prompt\\":\\"hello\\"}"',
    last: "[DONE]",
  },
] as const;

for (const { path, tools, talk, called, last } of FORMS) {
  Deno.test(`a host model calls and says on ${path}, streamed and whole, and keeps what it saw`, async () => {
    await using model = startHostModel(SCRIPT);
    const ask = async (body: object) => {
      const text = JSON.stringify({ model: "mock", tools, ...body });
      return await (await fetch(model.url + path, { method: "POST", body: text })).text();
    };
    const streamed = await ask({ ...talk(), stream: true });
    assertStringIncludes(streamed, called);
    assertStringIncludes(streamed.trimEnd().split("\n").at(-1)!, last);
    assertStringIncludes(await ask(talk()), "hermes_task");
    const said = ["HOST-SAYS done", "HOST-SAYS done"];
    const answers = [
      await ask({ ...talk(JSON.stringify(DONE)), stream: true }),
      await ask(talk(JSON.stringify(DONE))),
    ];
    assertEquals(answers.map((answer) => /HOST-SAYS done/.exec(answer)?.[0]), said);
    assertEquals(model.turns().map(({ stream }) => stream), [true, false, true, false]);
    assertEquals(model.turns().at(-1)!.results, [JSON.stringify(DONE)]);
  });
}
