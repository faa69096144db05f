import { assertEquals, assertThrows } from "@std/assert";
import { type Command, commandOf } from "../../../src/cli/commands.ts";
import { flagsOf } from "../../../src/cli/flags.ts";
import { asksForJson, parseLine } from "../../../src/cli/parse.ts";
import { TaskError } from "../../../src/core/failure.ts";
import { fakeOperation, RUN_INPUT } from "../../support/command_line.ts";

const run = commandOf("run")!;
const flags = flagsOf(run, fakeOperation("run", RUN_INPUT, () => ({})));

function parse(words: readonly string[], command: Command = run) {
  return parseLine(command, command === run ? flags : flagsOf(command), words);
}

Deno.test("parseLine() reads flags of every kind, in both forms, before and after the prompt", () => {
  for (
    const [words, values] of [
      [["a", "b"], { prompt: "a b" }],
      [["--model", "m", "a"], { model: "m", prompt: "a" }],
      [["a", "--model=m=n"], { model: "m=n", prompt: "a" }],
      [["--timeout-seconds", "2.5", "--max-turns=7", "a"], {
        timeout_seconds: 2.5,
        max_turns: 7,
        prompt: "a",
      }],
      [["--timeout-seconds=-5"], { timeout_seconds: -5 }],
      [["--dry-run", "true"], { dry_run: true, prompt: "true" }],
      [["--no-dry-run", "a"], { dry_run: false, prompt: "a" }],
      [["--dry-run=false", "a"], { dry_run: false, prompt: "a" }],
      [["--output-mode", "full", "a"], { output_mode: "full", prompt: "a" }],
      [["--model", "", "a"], { model: "", prompt: "a" }],
      [["--model=", "a"], { model: "", prompt: "a" }],
      [["--model=--yolo", "a"], { model: "--yolo", prompt: "a" }],
      [["--prompt", "a"], { prompt: "a" }],
      [["42", "007"], { prompt: "42 007" }],
      [["-"], { prompt: "-" }],
      [[""], { prompt: "" }],
      [["--", "--help", "- item"], { prompt: "--help - item" }],
      [["a", "--", "-x"], { prompt: "a -x" }],
      [["--", "a", "--", "b"], { prompt: "a -- b" }],
      [["@file", "./shot.png", "a;touch X", "$(touch X)"], {
        prompt: "@file ./shot.png a;touch X $(touch X)",
      }],
      [["__proto__"], { prompt: "__proto__" }],
      [[], {}],
    ] as const
  ) assertEquals(parse(words), { values, json: false, help: false }, JSON.stringify(words));
});

Deno.test("parseLine() takes --json and --help out of the arguments", () => {
  assertEquals(parse(["--json", "a", "--help"]), { values: { prompt: "a" }, json: true, help: true });
  assertEquals(parse(["-h"]), { values: {}, json: false, help: true });
});

Deno.test("parseLine() refuses what it cannot understand and names the flag and the next step", () => {
  for (
    const [words, message] of [
      [["--modle", "m"], 'Unknown flag "--modle": did you mean "--model"?'],
      [["--timeout_seconds", "5"], 'Unknown flag "--timeout_seconds": did you mean "--timeout-seconds"?'],
      [["--no-model"], 'Unknown flag "--no-model": did you mean "--model"?'],
      [
        ["--frobnicate"],
        'Unknown flag "--frobnicate"; text that begins with "-" goes after "--"; run hermes-task help run',
      ],
      [
        ["- item"],
        'Unknown flag "- item"; text that begins with "-" goes after "--"; run hermes-task help run',
      ],
      [["---"], 'Unknown flag "---"; text that begins with "-" goes after "--"; run hermes-task help run'],
      [
        ["--__proto__=1"],
        'Unknown flag "--__proto__"; text that begins with "-" goes after "--"; run hermes-task help run',
      ],
      [["--model"], 'Flag "--model" needs a value: A model id'],
      [["--model", "--json"], 'Flag "--model" needs a value, got "--json"; if it is one: --model=--json'],
      [["--model", "a", "--model", "b"], 'Flag "--model" is given twice; give it once'],
      [["--model=", "--model="], 'Flag "--model" is given twice; give it once'],
      [["--dry-run", "--no-dry-run"], 'Flag "--dry-run" is given twice; give it once'],
      [["--dry-run=yes"], 'Flag "--dry-run" takes no value, got "yes"; leave it away'],
      [["--timeout-seconds", "5x"], 'Flag "--timeout-seconds" needs a number, got "5x"'],
      [["--timeout-seconds="], 'Flag "--timeout-seconds" needs a number, got ""'],
      [["--timeout-seconds", "Infinity"], 'Flag "--timeout-seconds" needs a number, got "Infinity"'],
      [["--max-turns", "1.5"], 'Flag "--max-turns" needs a whole number, got "1.5"'],
      [["--output-mode", "ful"], 'Flag "--output-mode" cannot be "ful": did you mean "full"?'],
      [["--output-mode", "zip"], 'Flag "--output-mode" cannot be "zip": known are digest, full'],
      [["--prompt", "a", "b"], 'Flag "--prompt" and "b" say the same argument; give one of them'],
    ] as const
  ) {
    const error = assertThrows(() => parse(words), TaskError, undefined, JSON.stringify(words));
    assertEquals([error.failure.code, error.failure.detail], ["invalid_args", message]);
  }
});

Deno.test("parseLine() refuses words too many, and a choice that is none", () => {
  for (
    const [name, words, message] of [
      ["detail", ["a", "b"], 'Unexpected "b" after "detail"; run hermes-task help detail'],
      ["config", ["a"], 'Unexpected "a" after "config"; run hermes-task help config'],
      ["completions", ["bsh"], 'Unknown shell "bsh": did you mean "bash"?'],
      ["config", ["--frobnicate"], 'Unknown flag "--frobnicate"; run hermes-task help config'],
    ] as const
  ) {
    const error = assertThrows(() => parse(words, commandOf(name)!), TaskError);
    assertEquals(error.failure.detail, message);
  }
});

Deno.test("asksForJson() does not take a prompt's word for the flag", () => {
  assertEquals(asksForJson(["run", "--bad", "--json"]), true);
  assertEquals(asksForJson(["run", "--", "--json"]), false);
});
