import { assertEquals, assertStringIncludes } from "@std/assert";
import { SETTINGS, variableOf } from "../../../src/core/settings.ts";
import { resolveSettings } from "../../../src/core/settings_layers.ts";

const resolve = (env: Record<string, string> = {}, file?: unknown, given = {}) =>
  resolveSettings({ env: (name) => env[name], file, given, pathSeparator: ":" });

Deno.test("resolveSettings() takes embedding program, environment, file, default in that order", () => {
  const file = { maxConcurrent: 5, killGraceMs: 7 };
  const { values, sources } = resolve({ HERMES_TASK_MAX_CONCURRENT: "4" }, file, { maxConcurrent: 3 });
  assertEquals([values.maxConcurrent, sources.maxConcurrent], [3, "embedding program"]);
  assertEquals(resolve({ HERMES_TASK_MAX_CONCURRENT: "4" }, file).values.maxConcurrent, 4);
  assertEquals([values.killGraceMs, sources.killGraceMs], [7, "file"]);
  assertEquals([values.maxPromptLength, sources.maxPromptLength], [4000, "default"]);
});

Deno.test("resolveSettings() reads the names of the original", () => {
  const { values } = resolve({
    HERMES_BIN: "/x/hermes",
    HERMES_AUTH_PATH: "/x/auth.json",
    HERMES_MAX_PROMPT_LENGTH: "9",
    HERMES_TASK_CWD_ALLOWLIST: "/a:/b",
  });
  assertEquals([values.hermesBin, values.authPath, values.maxPromptLength, values.cwdAllowlist], [
    "/x/hermes",
    "/x/auth.json",
    9,
    ["/a", "/b"],
  ]);
});

Deno.test("resolveSettings() reads lists as words and as JSON", () => {
  assertEquals(resolve({ HERMES_TASK_TIEBREAK_ORDER: "gemini, nvidia" }).values.tiebreakOrder, [
    "gemini",
    "nvidia",
  ]);
  assertEquals(resolve({ HERMES_TASK_TIEBREAK_ORDER: '["zai"]' }).values.tiebreakOrder, ["zai"]);
  assertEquals(resolve({ HERMES_TASK_YOLO: "true" }).values.yolo, true);
});

Deno.test("resolveSettings() names each bad setting and lets the next layer hold", () => {
  const { values, problems } = resolve({ HERMES_TASK_MAX_CONCURRENT: "many" }, {
    maxConcurrent: 6,
    maxConcurent: 1,
    yolo: "yes",
  });
  assertEquals([values.maxConcurrent, values.yolo], [6, false]);
  assertEquals(problems.length, 3);
  assertStringIncludes(problems.join("\n"), 'unknown setting "maxConcurent"; did you mean "maxConcurrent"?');
  assertStringIncludes(problems.join("\n"), "HERMES_TASK_MAX_CONCURRENT");
  assertStringIncludes(problems.join("\n"), "hermes-task.jsonc: yolo");
});

Deno.test("resolveSettings() survives a file that is no object", () => {
  assertEquals(resolve({}, [1]).problems.length, 1);
  assertEquals(
    resolveSettings({ env: () => undefined, fileProblem: "line 3: ValueExpected", pathSeparator: ":" })
      .problems.length,
    1,
  );
});

Deno.test("every default fits its own schema, and every setting has a variable", () => {
  for (const [name, facts] of Object.entries(SETTINGS)) {
    assertEquals(facts.schema.safeParse(facts.fallback).success, true, name);
  }
  assertEquals(variableOf("maxToolCallArgsBytes"), "HERMES_TASK_MAX_TOOL_CALL_ARGS_BYTES");
  assertEquals(variableOf("cwdAllowlist"), "HERMES_TASK_CWD_ALLOWLIST");
});
