import { assertEquals } from "@std/assert";
import { nearest, nearestName } from "../../../src/core/near.ts";

Deno.test("nearestName() finds a name with few edits, and none when all are far", () => {
  const known = ["provider", "prompt", "timeout_seconds"];
  const table: [string, string | undefined][] = [
    ["promt", "prompt"],
    ["porvider", "provider"],
    ["PROMPT", "prompt"],
    ["timeout_second", "timeout_seconds"],
    ["zzz", undefined],
    ["", undefined],
  ];
  for (const [word, name] of table) assertEquals(nearestName(word, known), name, word);
  assertEquals(nearest("promt", known), 'did you mean "prompt"?');
});
