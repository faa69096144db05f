// Does the project keep its own rules? Runs the static gates one after the other, all of them whatever fails, and gives
// each a verdict in one line. With an argument, the tasks named run after them: check.ts test.

const GATES = ["fmt", "lint", "types", "doc", "publish"];

// Deno 2.9.6 now and then crashes at the end of a lint run that has a plugin (3 of 100 runs, signal 11).
const CRASHED = 128;
const TRIES = 3;

/** Runs a gate; its output appears only when it failed. */
async function passes(gate: string): Promise<boolean> {
  const startedMs = Date.now();
  let ended = await task(gate, "piped").output();
  for (let tries = 1; ended.code > CRASHED && tries < TRIES; tries++) {
    ended = await task(gate, "piped").output();
  }
  if (!ended.success) { for (const text of [ended.stdout, ended.stderr]) await Deno.stderr.write(text); }
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  console.log(`gate ${gate}: ${ended.success ? "passed" : "failed"} (${seconds} s)`);
  return ended.success;
}

function task(name: string, output: "piped" | "inherit"): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", name],
    cwd: new URL("../", import.meta.url),
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: output,
    stderr: output,
  });
}

let failed = 0;
for (const gate of GATES) failed += await passes(gate) ? 0 : 1;
for (const name of Deno.args) failed += (await task(name, "inherit").spawn().status).success ? 0 : 1;
Deno.exit(failed > 0 ? 1 : 0);
