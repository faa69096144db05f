import { assert, assertEquals, assertMatch } from "@std/assert";
import { isPlainId, newTaskId } from "../../../src/core/id.ts";

Deno.test("newTaskId() is the time and six letters", () => {
  assertEquals(newTaskId(1764537600123, () => 0), "1764537600123_aaaaaa");
  assertEquals(newTaskId(1764537600123.9, () => 0.999999), "1764537600123_999999");
  assertMatch(newTaskId(1, Math.random), /^1_[a-z0-9]{6}$/);
});

Deno.test("isPlainId() takes ids of tasks and sessions", () => {
  for (const id of ["1723380000000_abc123", "20260811_115247_084e47", "ses_20260811_115247_084e47", "a-B"]) {
    assert(isPlainId(id), id);
  }
});

Deno.test("isPlainId() [F-ORIG-4] refuses all that could be a path", () => {
  const bad = [
    "",
    "../x",
    "a/b",
    "a\\b",
    "..%2f",
    ".",
    "..",
    "a.json",
    "a b",
    "a\0",
    "a\n",
    "é",
    "x".repeat(129),
  ];
  for (const id of bad) assert(!isPlainId(id), JSON.stringify(id));
});
