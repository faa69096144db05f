import { assertEquals, assertThrows } from "@std/assert";
import { TaskError } from "../../../src/core/failure.ts";
import { inputSchema, parseArgs } from "../../../src/core/operation.ts";
import { admitPrompt, taskInput } from "../../../src/core/task_request.ts";

const refusalOf = (work: () => unknown) => assertThrows(work, TaskError).failure;

Deno.test("taskInput fills in every default", () => {
  assertEquals(parseArgs(taskInput, { prompt: "hi" }), {
    prompt: "hi",
    provider: "auto",
    model: "",
    capability: "",
    timeout_seconds: 300,
    background: false,
    cwd: "",
    toolsets: "",
    max_turns: 500,
    output_mode: undefined,
    session_id: "",
    dry_run: false,
  });
});

Deno.test("taskInput clamps the time and knows reason for reasoning", () => {
  const seconds = (timeout_seconds: number) =>
    parseArgs(taskInput, { prompt: "x", timeout_seconds }).timeout_seconds;
  assertEquals([1, 10, 600, 99999].map(seconds), [10, 10, 600, 1800]);
  assertEquals(parseArgs(taskInput, { prompt: "x", capability: "reason" }).capability, "reasoning");
});

Deno.test("[FAULT-37] taskInput refuses what looks like a flag", () => {
  for (const args of [{ model: "--yolo" }, { provider: "-z" }, { toolsets: "--x" }, { session_id: "-r" }]) {
    const failure = refusalOf(() => parseArgs(taskInput, { prompt: "x", ...args }));
    assertEquals([failure.code, failure.detail.includes(Object.keys(args)[0]!)], ["invalid_args", true]);
  }
});

Deno.test("taskInput names a wrong and an unknown argument, with a near name", () => {
  assertEquals(
    refusalOf(() => parseArgs(taskInput, { promt: "x" })).detail.includes('did you mean "prompt"?'),
    true,
  );
  assertEquals(
    refusalOf(() => parseArgs(taskInput, { prompt: 7 })).detail.startsWith('Argument "prompt"'),
    true,
  );
  assertEquals(
    refusalOf(() => parseArgs(taskInput, { prompt: "x", background: "yes" })).code,
    "invalid_args",
  );
});

Deno.test("[FAULT-74] the input schema is flat and has one type each", () => {
  const schema = inputSchema(taskInput);
  assertEquals(schema.type, "object");
  assertEquals(schema.required, ["prompt"]);
  for (const [name, property] of Object.entries(schema.properties)) {
    assertEquals(typeof property.type, "string", name);
    assertEquals(typeof property.description, "string", name);
  }
});

Deno.test("admitPrompt() refuses what Hermes cannot take, and counts characters", () => {
  const limits = { maxPromptLength: 4000 };
  assertEquals(admitPrompt("  hi \n", limits), "hi");
  assertEquals(admitPrompt("🎉".repeat(4000), limits).length, 8000);
  const long = refusalOf(() => admitPrompt("x".repeat(4001), limits));
  assertEquals([long.code, long.extra], ["prompt_too_long", { prompt_len: 4001, max_prompt_len: 4000 }]);
  assertEquals(
    refusalOf(() => admitPrompt("x".repeat(1_000_000), { maxPromptLength: 2_000_000 })).code,
    "prompt_too_long",
  );
  for (const prompt of ["", "  \n", "a\0b"]) {
    assertEquals(refusalOf(() => admitPrompt(prompt, limits)).code, "invalid_args");
  }
});
