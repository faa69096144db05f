// Puts a stand-in for Hermes where a test wants it: one executable named `hermes`, one behaviour.
import { fromFileUrl, join } from "@std/path";
import { denoDir } from "./deno_cache.ts";

const FIXTURES = fromFileUrl(new URL("../fixtures/hermes/", import.meta.url));

/** Behaviours written in TypeScript, by file name under `tests/fixtures/hermes`. */
export const BEHAVIOURS = [
  "ansi",
  "answers",
  "answers_later",
  "answers_newer",
  "answers_with_tools",
  "auth_failed",
  "auth_failed_newer",
  "drifts",
  "exits_0_empty",
  "exits_0_no_reply",
  "fails_with_partial",
  "floods",
  "hangs",
  "hangs_in_tool",
  "hangs_on_version",
  "hangs_with_grandchild",
  "ignores_sigterm",
  "key_missing",
  "late_store",
  "leaves_background_process",
  "lies_with_session_id",
  "locked_store",
  "model_missing",
  "model_missing_newer",
  "no_credit",
  "no_credit_newer",
  "not_configured",
  "prints_300kb",
  "prints_binary",
  "prints_secrets",
  "rate_limited",
  "rate_limited_marks_pool",
  "rate_limited_newer",
  "shows_environment",
  "splits_utf8",
  "talks_about_429",
  "truncated",
  "turn_limit",
  "unknown_provider",
  "waits_for_quota",
] as const;

/** Name of a behaviour written in TypeScript. */
export type Behaviour = typeof BEHAVIOURS[number];

/**
 * Writes an executable `hermes` into `dir` and returns its path. It works with an empty environment.
 * `echo_script` and `soak` are plain shell scripts; `shell_wrapper` runs `options.inner` (`hangs_with_grandchild` when left
 * out) as its child.
 */
export async function installFake(
  dir: string,
  behaviour: Behaviour | "echo_script" | "soak" | "shell_wrapper",
  options: { readonly inner?: Behaviour; readonly name?: string } = {},
): Promise<string> {
  await Deno.mkdir(dir, { recursive: true });
  const path = join(dir, options.name ?? "hermes");
  if (behaviour === "echo_script" || behaviour === "soak") {
    return await writeProgram(path, await script(behaviour));
  }
  if (behaviour === "shell_wrapper") {
    await writeProgram(join(dir, "hermes-behind"), launcher(options.inner ?? "hangs_with_grandchild"));
    return await writeProgram(path, await script("shell_wrapper"));
  }
  return await writeProgram(path, launcher(behaviour));
}

/** The launcher becomes Deno, as Hermes' own becomes Python; what the shell adds to the environment goes again. */
function launcher(behaviour: Behaviour): string {
  const file = join(FIXTURES, `${behaviour}.ts`);
  return `#!/bin/sh
unset PWD OLDPWD SHLVL
DENO_DIR='${denoDir()}' DENO_NO_UPDATE_CHECK=1 exec '${Deno.execPath()}' run -A --quiet --no-lock --no-config --no-npm --no-remote '${file}' "$@"
`;
}

function script(name: string): Promise<string> {
  return Deno.readTextFile(join(FIXTURES, `${name}.sh`));
}

async function writeProgram(path: string, text: string): Promise<string> {
  await Deno.writeTextFile(path, text, { mode: 0o755 });
  await Deno.chmod(path, 0o755);
  return path;
}
