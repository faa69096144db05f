import { assert, assertEquals } from "@std/assert";
import { COMMANDS, SHELLS } from "../../../src/cli/commands.ts";
import { completionScript } from "../../../src/cli/completions.ts";
import { flagsOf } from "../../../src/cli/flags.ts";
import { fakeOperation, RUN_INPUT } from "../../support/command_line.ts";

const operation = fakeOperation("run", RUN_INPUT, () => ({}));
const commands = COMMANDS.map((command) => ({
  command,
  flags: flagsOf(command, command.name === "run" ? operation : undefined),
}));

Deno.test("completionScript() knows every command and flag, for each shell", () => {
  for (const shell of SHELLS) {
    const script = completionScript(shell, commands).join("\n");
    for (const { command, flags } of commands) {
      assert(script.includes(command.name), command.name);
      for (const { name } of flags) {
        assert(script.includes(shell === "fish" ? `-l ${name}` : `--${name}`), `${shell} ${name}`);
      }
    }
  }
});

async function completedByBash(words: readonly string[]): Promise<string[]> {
  const script = [
    ...completionScript("bash", commands),
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`,
    '_hermes_task; printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  const bash = new Deno.Command("bash", { args: ["--norc", "-c", script.join("\n")] });
  const { stdout, stderr } = await bash.output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test({
  name: "completionScript() works in bash",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    assertEquals(await completedByBash(["hermes-task", "mo"]), ["models"]);
    assertEquals(await completedByBash(["hermes-task", "run", "--ti"]), ["--timeout-seconds"]);
    assertEquals(await completedByBash(["hermes-task", "run", "--output-mode", ""]), ["digest", "full"]);
    assertEquals(await completedByBash(["hermes-task", "completions", "z"]), ["zsh"]);
    assertEquals(await completedByBash(["hermes-task", "help", "tel"]), ["telemetry"]);
  },
});
