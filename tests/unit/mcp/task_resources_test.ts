import { assertEquals } from "@std/assert";
import { listArgs, parseListCursor, taskResources } from "../../../src/mcp/task_resources.ts";
import type { ListedTask } from "../../../src/operations/tasks.ts";

const TASK: ListedTask = {
  task_id: "1_a",
  status: "queued",
  provider: null,
  model: null,
  created_at: "2026-08-02T12:00:00.000Z",
  started_at: null,
  ended_at: null,
  duration_ms: null,
  error: null,
  prompt: null,
  batch_id: null,
};

const CURSORS: readonly (readonly [string | undefined, ReturnType<typeof parseListCursor>])[] = [
  [undefined, { before: 0, cursor: "" }],
  ["20@1764537600000.1_a", { before: 20, cursor: "1764537600000.1_a" }],
  ["", undefined],
  ["20@", undefined],
  ["@x", undefined],
  ["-1@x", undefined],
  ["1764537600000.1_a", undefined],
];

for (const [cursor, start] of CURSORS) {
  Deno.test(`parseListCursor() takes ${JSON.stringify(cursor)} for ${JSON.stringify(start)}`, () => {
    assertEquals(parseListCursor(cursor), start);
  });
}

Deno.test("listArgs() asks for what a page has room for", () => {
  assertEquals(listArgs({ before: 0, cursor: "" }), { limit: 20 });
  assertEquals(listArgs({ before: 190, cursor: "x" }), { limit: 10, cursor: "x" });
  assertEquals(listArgs({ before: 999, cursor: "x" }), { limit: 1, cursor: "x" });
});

Deno.test("taskResources() goes on until the bound, and ends with the last task", () => {
  const reply = { tasks: [], next_cursor: "9.1_a" };
  assertEquals(taskResources(reply, { before: 0, cursor: "" }).nextCursor, "20@9.1_a");
  assertEquals(taskResources(reply, { before: 160, cursor: "" }).nextCursor, "180@9.1_a");
  assertEquals(taskResources(reply, { before: 180, cursor: "" }).nextCursor, undefined);
  assertEquals(taskResources({ tasks: [] }, { before: 0, cursor: "" }), { resources: [] });
});

Deno.test("taskResources() names state, first words, provider and model as far as they are known", () => {
  const answered = { ...TASK, status: "succeeded", provider: "p", model: "m", prompt: "Say hi" } as const;
  const { resources } = taskResources({ tasks: [TASK, answered] }, { before: 0, cursor: "" });
  assertEquals(resources.map(({ uri, name }) => [uri, name]), [
    ["hermes-task://tasks/1_a", "1_a"],
    ["hermes-task://tasks/1_a", "1_a"],
  ]);
  assertEquals(resources.map(({ title }) => title), ["queued: prompt not recorded", "succeeded: Say hi"]);
  assertEquals(resources.map(({ description }) => description), [
    "queued: prompt not recorded (2026-08-02T12:00:00.000Z)",
    "succeeded: Say hi (p · m · 2026-08-02T12:00:00.000Z)",
  ]);
});
