// The tables of side tasks: what they say of each version, and that they hold together.
import { assert, assertEquals } from "@std/assert";
import {
  ENTRY_FIELDS,
  fieldsOf,
  isAtLeast,
  SECTION_FIELDS,
  SIDE_TASKS,
  sideTask,
  sideTasksOf,
  TASK_FIELDS,
} from "../../../src/auxiliary/tasks.ts";

Deno.test("isAtLeast() compares versions by their numbers", () => {
  for (
    const [version, other, expected] of [
      ["0.19.1", "0.19.1", true],
      ["0.21.3", "0.21", true],
      ["0.9.9", "0.21.0", false],
      ["0.21", "0.21.3", false],
      ["1.0.0rc1", "0.21.3", true],
      ["unknown", "0.1", false],
    ] as const
  ) assertEquals(isAtLeast(version, other), expected, `${version} against ${other}`);
});

Deno.test("sideTasksOf() has web_extract before 0.21 and review from then on", () => {
  const keys = (version: string | null) => sideTasksOf(version).map(({ key }) => key);
  assert(keys("0.19.1").includes("web_extract") && !keys("0.19.1").includes("review"));
  assert(!keys("0.21.3").includes("web_extract") && keys("0.21.3").includes("review"));
  assertEquals(keys(null), SIDE_TASKS.map(({ key }) => key));
});

Deno.test("SIDE_TASKS has Hermes' limits, and its two forks go without a chain", () => {
  const limits = {
    vision: 120,
    compression: 120,
    memory_query_rewrite: 8,
    curator: 600,
    moa_aggregator: 900,
  };
  for (const [key, seconds] of Object.entries(limits)) {
    assertEquals(sideTask(key)?.timeoutSeconds, seconds, key);
  }
  const forks = SIDE_TASKS.filter(({ reach }) => reach === "fork").map(({ key }) => key);
  assertEquals(forks, ["curator", "background_review"]);
  assertEquals(SIDE_TASKS.filter(({ needs }) => needs === "image").map(({ key }) => key), ["vision"]);
});

Deno.test("fieldsOf() gives a task its own fields and no other task's", () => {
  const names = (key: string) => fieldsOf(key).map(({ name }) => name);
  assert(names("vision").includes("download_timeout"));
  assert(!names("mcp").includes("download_timeout"));
  assert(names("a_plugin_task").includes("provider"));
});

Deno.test("no key stands twice in a table, and none is both a task and a setting of the section", () => {
  for (
    const names of [
      SIDE_TASKS.map(({ key }) => key),
      TASK_FIELDS.map(({ name }) => name),
      ENTRY_FIELDS.map(({ name }) => name),
    ]
  ) assertEquals(names.length, new Set(names).size);
  assertEquals(Object.keys(SECTION_FIELDS).filter((key) => sideTask(key)), []);
  assertEquals(TASK_FIELDS.flatMap(({ tasks = [] }) => tasks).filter((key) => !sideTask(key)), []);
});
