import { assert, assertEquals } from "@std/assert";
import { type Command, COMMANDS } from "../../../src/cli/commands.ts";
import { flagsOf } from "../../../src/cli/flags.ts";
import { showCommandHelp, showHelp } from "../../../src/cli/help.ts";
import { widthOf } from "../../../src/cli/text.ts";
import { OPERATIONS } from "../../../src/operations/all.ts";
import { fakeOperation, RUN_INPUT } from "../../support/command_line.ts";

Deno.test("showCommandHelp() fits a screen with the real operations, and every argument has its line", () => {
  for (const operation of OPERATIONS) {
    const command = COMMANDS.find(({ name }) => name === operation.command)!;
    const flags = flagsOf(command, operation);
    const lines = showCommandHelp(command, flags);
    assert(lines.length <= 24 && lines.every((line) => widthOf(line) <= 80), lines.join("\n"));
    for (const { name, argument, about } of flags) {
      assert(about !== "", name);
      if (argument !== command.positional?.argument) {
        assert(lines.some((it) => it.startsWith(`  --${name}`)), name);
      }
    }
  }
});

function helpOf(command: Command): string[] {
  const operation = command.operation ? fakeOperation(command.name, RUN_INPUT, () => ({})) : undefined;
  return showCommandHelp(command, flagsOf(command, operation));
}

Deno.test("showHelp() lists every command on one screen", () => {
  const lines = showHelp("1.2.3");
  assert(lines.length <= 24 && lines.every((line) => widthOf(line) <= 80), lines.join("\n"));
  for (const { name } of COMMANDS) assert(lines.some((line) => line.startsWith(`  ${name}`)), name);
});

Deno.test("showCommandHelp() fits a screen and shows an example, for each command", () => {
  for (const command of COMMANDS) {
    const lines = helpOf(command);
    assert(lines.length <= 24 && lines.every((line) => widthOf(line) <= 80), lines.join("\n"));
    assert(lines.some((line) => line.startsWith("Example:  ")), lines.join("\n"));
  }
});

Deno.test("showCommandHelp() shows each argument under its own name, with choices and defaults", () => {
  assertEquals(
    helpOf(COMMANDS.find(({ name }) => name === "run")!).join("\n"),
    `hermes-task run: give Hermes one task and wait for the answer

Usage:    hermes-task run [FLAGS] PROMPT…
Example:  hermes-task run "Which files here are over 1 MB?"
          git diff | hermes-task run --capability coding

  --provider TEXT            auto, or a provider id or alias (auto)
  --model TEXT               A model id
  --timeout-seconds N        Seconds for the whole task (300)
  --max-turns N              Hermes' own turn limit (500)
  --output-mode digest|full  How much comes back
  --dry-run                  Show what would be done
  --json                     Print the result object as JSON
  --help                     Show this

PROMPT "-" or none: read from standard input. After "--" all is prompt.`,
  );
});
