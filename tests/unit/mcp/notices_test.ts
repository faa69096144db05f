import { assertEquals } from "@std/assert";
import type { QueueRow } from "../../../src/core/queue.ts";
import { LIST, Notices } from "../../../src/mcp/notices.ts";
import { queueRow } from "../../support/queue_rows.ts";

const TASK = "hermes-task://tasks/1_a";
const LOG = `${TASK}/log`;

function row(changes: Partial<QueueRow> = {}, turns: number | null = 0, elapsed_ms = 0): QueueRow {
  const progress = { task_id: "1_a", provider: "p", model: "m", elapsed_ms, turns, activity: null };
  return queueRow({ taskId: "1_a", state: "running", progress, ...changes });
}

function heardBy(...topics: string[]): Notices {
  const notices = new Notices();
  notices.want(undefined, topics);
  return notices;
}

Deno.test("Notices tells nothing at the first look, and then what has changed, once", () => {
  const notices = heardBy(TASK, LOG, LIST);
  assertEquals(notices.look([row()], 0), []);
  assertEquals(notices.look([row()], 10), []);
  assertEquals(notices.look([row({}, 1)], 20), [TASK, LOG]);
  assertEquals(notices.look([row({}, 1)], 5_000), []);
});

const CHANGES: readonly (readonly [string, readonly QueueRow[], boolean])[] = [
  ["another state", [row({ state: "closing" })], true],
  ["more rounds", [row({}, 1)], true],
  ["no progress any more", [row({ progress: null })], true],
  ["a result that is held in the row", [row({ outcome: "{}" })], true],
  ["its end", [], true],
  ["time alone", [row({}, 0, 9_000)], false],
  ["a wish to cancel", [row({ wish: "why" })], false],
  ["another task", [row(), queueRow({ taskId: "1_ab", seq: 2 })], false],
];

for (const [what, rows, told] of CHANGES) {
  Deno.test(`Notices ${told ? "tells" : "does not tell"} of a task: ${what}`, () => {
    const notices = heardBy(TASK);
    notices.look([row()], 0);
    assertEquals(notices.look(rows, 1), told ? [TASK] : []);
  });
}

Deno.test("Notices tells of the list when a task comes or goes, and of no other change", () => {
  const notices = heardBy(LIST);
  assertEquals(notices.look([], 0), []);
  assertEquals(notices.look([row()], 1), [LIST]);
  assertEquals(notices.look([row({}, 5)], 2_000), []);
  assertEquals(notices.look([], 4_000), [LIST]);
});

Deno.test("Notices keeps a second between two of one topic, and the last change is told though it went back", () => {
  const notices = heardBy(TASK);
  notices.look([row()], 0);
  assertEquals(notices.look([row({}, 1)], 100), [TASK]);
  assertEquals(notices.look([row({}, 2)], 600), []);
  assertEquals([notices.look([row({}, 1)], 1_099), notices.waiting], [[], true]);
  assertEquals(notices.look([row({}, 1)], 1_100), [TASK]);
  assertEquals([notices.look([row({}, 1)], 3_000), notices.waiting], [[], false]);
});

Deno.test("Notices goes on when the clock is set back", () => {
  const notices = heardBy(TASK);
  notices.look([row()], 100_000);
  assertEquals(notices.look([row({}, 1)], 100_000), [TASK]);
  assertEquals(notices.look([row({}, 2)], 50_000), [TASK]);
});

Deno.test("Notices forgets what nobody wants any more, and begins anew", () => {
  const notices = heardBy(TASK);
  notices.want(7, [TASK]);
  notices.look([row()], 0);
  notices.want(undefined, []);
  assertEquals([notices.idle, notices.look([row({}, 1)], 1)], [false, [TASK]]);
  notices.want(7, []);
  assertEquals([notices.idle, notices.look([row({}, 2)], 5_000)], [true, []]);
  notices.want(7, [TASK]);
  assertEquals(notices.look([row({}, 3)], 9_000), [], "a first look again");
});

Deno.test("Notices leaves out what never changes", () => {
  const notices = heardBy("hermes-task://telemetry", "file:///x", `${TASK}/other`);
  assertEquals(notices.idle, true);
});
