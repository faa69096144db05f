import { assertEquals } from "@std/assert";
import { batchFailure, commonBatch, outcomeOf } from "../../../src/core/batch_outcome.ts";
import type { Batch, TaskRecord } from "../../../src/core/record.ts";
import { groupAnswers } from "../../../src/core/vote.ts";
import { taskRecord } from "../../support/records.ts";

const answered = (task_id: string, result: string, more: Partial<TaskRecord> = {}) =>
  taskRecord({ task_id, result, status: "succeeded", error: null, ...more });

const EQUAL: [a: string, b: string, equal: boolean][] = [
  ["Yes.", "yes", true],
  ["**Yes**", "Yes!", true],
  ["a  b\nc", "A b c", true],
  ['{"a": 1, "b": [2]}', '```json\n{"b":[2],"a":1}\n```', true],
  ['{"a": 1}', '{"a": 2}', false],
  ["１２", "12", true],
  ["yes", "no", false],
  ["3.14", "3", false],
];
for (const [a, b, equal] of EQUAL) {
  Deno.test(`groupAnswers() takes ${JSON.stringify(a)} and ${JSON.stringify(b)} for ${equal ? "equal" : "different"}`, () => {
    assertEquals(groupAnswers([answered("1_a", a), answered("1_b", b)]).length, equal ? 1 : 2);
  });
}

Deno.test("groupAnswers() puts the largest group first and leaves out what was not answered", () => {
  const failed = taskRecord({ task_id: "1_d", status: "failed", error: "hermes_failed", result: "yes" });
  const groups = groupAnswers([
    answered("1_a", "no"),
    answered("1_b", "Yes"),
    answered("1_c", "yes."),
    failed,
  ]);
  assertEquals(groups, [
    { answer: "Yes", count: 2, task_ids: ["1_b", "1_c"] },
    { answer: "no", count: 1, task_ids: ["1_a"] },
  ]);
});

const RACE: Batch = { id: "1_a", strategy: "race" };

Deno.test("outcomeOf() a race is who answered first", () => {
  const late = answered("1_a", "a", { ended_at: "2026-08-02T12:00:09Z" });
  const first = answered("1_b", "b", { ended_at: "2026-08-02T12:00:01Z" });
  assertEquals(outcomeOf(RACE, [late, first]).winner, "1_b");
  assertEquals(outcomeOf(RACE, [taskRecord({ status: "running" })]).winner, null);
});

const FAILS: [strategy: Batch["strategy"], states: TaskRecord["status"][], fails: boolean][] = [
  ["all", ["succeeded", "succeeded"], false],
  ["all", ["succeeded", "failed"], true],
  ["all", ["running", "failed"], false],
  ["race", ["succeeded", "cancelled"], false],
  ["race", ["failed", "failed"], true],
  ["vote", ["failed", "succeeded"], false],
];
for (const [strategy, states, fails] of FAILS) {
  Deno.test(`batchFailure() ${strategy} with ${states.join(" and ")}: ${fails ? "fails" : "does not fail"}`, () => {
    const records = states.map((status, n) =>
      taskRecord({ task_id: `1_${n}`, status, error: status === "failed" ? "hermes_failed" : null })
    );
    assertEquals(batchFailure({ id: "1_0", strategy }, records) !== undefined, fails);
  });
}

Deno.test("commonBatch() is that of all, or none", () => {
  const one = answered("1_a", "a", { batch: RACE });
  assertEquals(commonBatch([one, answered("1_b", "b", { batch: RACE })]), RACE);
  assertEquals(commonBatch([one, answered("1_c", "c")]), undefined);
  assertEquals(commonBatch([]), undefined);
});
