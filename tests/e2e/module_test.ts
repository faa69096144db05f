// A Deno script that imports the module, under the two lines of permissions that are documented.
import { assert, assertEquals } from "@std/assert";
import { installFake } from "../support/fake_hermes.ts";
import { aliveTasksIn } from "../support/processes.ts";
import { documentedRights, scriptLine } from "../support/module_script.ts";
import { makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";

const MODULE = new URL("../../mod.ts", import.meta.url).href;

async function runScript(
  home: ThrowAwayHome,
  rights: readonly string[],
  body: string,
): Promise<Record<string, unknown>> {
  const path = `${home.work}/script.ts`;
  await Deno.writeTextFile(
    path,
    `import { createServer, hermesModels, hermesTask, hermesTaskDetail, hermesTelemetry, hermesWait, TaskError } from "${MODULE}";\n${body}`,
  );
  const child = scriptLine(home, path, rights).spawn();
  await child.stdin.close();
  const { stdout, stderr } = await child.output();
  const text = new TextDecoder();
  assert(stdout.length > 0, text.decode(stderr));
  return JSON.parse(text.decode(stdout));
}

const TASK = `const task = await hermesTask({ prompt: "hi", provider: "gemini" });`;

Deno.test("the module runs a task, records it and reads it back under the documented permissions", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "answers");
  const out = await runScript(
    home,
    documentedRights(home),
    `${TASK}
    const detail = await hermesTaskDetail({ task_id: task.task_id! });
    const runs = (await hermesTelemetry()).runs;
    console.log(JSON.stringify({ task, detail, runs }));`,
  );
  const task = out.task as Record<string, unknown>;
  assertEquals([task.ok, (out.detail as Record<string, unknown>).ok, out.runs], [true, true, 1]);
});

Deno.test("the module needs no more of the environment than a few names", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "answers");
  const names = "--allow-env=HOME,HERMES_HOME,HERMES_BIN,PATH,LANG,LOG_TOKENS,LOG_STREAM";
  const rights = documentedRights(home).map((right) => right === "--allow-env" ? names : right);
  const out = await runScript(home, rights, `${TASK} console.log(JSON.stringify(task));`);
  assertEquals(out.ok, true);
});

Deno.test("a background task of the module needs to run Deno, and goes on when the script has ended", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "answers_later");
  const body = `const task = await hermesTask({ prompt: "WAIT: 3", provider: "gemini", background: true });
    console.log(JSON.stringify(task)); Deno.exit(0);`;
  const rights = documentedRights(home).map((right) =>
    right.startsWith("--allow-run=") ? `${right},${Deno.execPath()}` : right
  );
  const given = await runScript(home, rights, body);
  assertEquals([given.ok, given.warnings], [true, []]);
  const waiting = `const { tasks } = await hermesWait({ task_ids: [${JSON.stringify(given.task_id)}] });
    console.log(JSON.stringify(tasks[0]));`;
  assertEquals((await runScript(home, documentedRights(home), waiting)).result, "FAKE-ANSWER later");
});

Deno.test("without the right to run Deno a background task of the module says that it ends with the script", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "answers_later");
  const out = await runScript(
    home,
    documentedRights(home),
    `const given = await hermesTask({ prompt: "WAIT: 1", provider: "gemini", background: true });
    const { tasks } = await hermesWait({ task_ids: [given.task_id!] });
    console.log(JSON.stringify({ given, done: tasks[0] }));`,
  );
  const { given, done } = out as { given: { warnings: string[] }; done: { result: string } };
  assert(given.warnings.some((text) => text.includes("--allow-run=")), given.warnings.join());
  assertEquals(done.result, "FAKE-ANSWER later");
});

Deno.test("[P2] the module ends a task's whole tree where it may run ps and kill", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "leaves_background_process");
  const out = await runScript(home, documentedRights(home), `${TASK} console.log(JSON.stringify(task));`);
  assertEquals(out.ok, true);
  assertEquals(await aliveTasksIn(home), []);
});

Deno.test("under less, the module answers and says what is missing", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "shows_environment");
  const options = `{ home: ${JSON.stringify(home.root)}, settings: { hermesBin: ${
    JSON.stringify(`${home.bin}/hermes`)
  } } }`;
  const out = await runScript(
    home,
    [`--allow-run=${home.bin}/hermes`, `--allow-read=${home.root}`],
    `
    const task = await hermesTask({ prompt: "hi", provider: "gemini" }, ${options});
    const models = await hermesModels({}, ${options});
    const runs = (await hermesTelemetry({}, ${options})).runs;
    console.log(JSON.stringify({ task, models: models.ok, runs }));`,
  );
  const task = out.task as { ok: boolean; result: string; warnings: string[] };
  assertEquals([task.ok, out.models, out.runs], [true, true, 0]);
  assert(JSON.parse(task.result).argv.includes("--ignore-user-config"));
  for (const missing of [/record/i, /--ignore-user-config/, /--allow-run=ps,kill/]) {
    assert(task.warnings.some((text) => missing.test(text)), `${missing} in ${task.warnings.join("\n")}`);
  }
});

Deno.test("the module takes the Hermes that it may run, not the first folder on PATH that it may not look into", async () => {
  await using home = await makeHome();
  const hermes = await installFake(`${home.home}/.local/bin`, "answers");
  const rights = documentedRights(home).map((right) =>
    right.startsWith("--allow-run") ? `--allow-run=${hermes},ps,kill` : right
  );
  const out = await runScript(home, rights, `${TASK} console.log(JSON.stringify(task));`);
  assertEquals([out.ok, out.error_detail], [true, undefined]);
});

Deno.test("without a way to the home, the module says which permission or option is missing", async () => {
  await using home = await makeHome();
  const out = await runScript(
    home,
    [],
    `
    try { await hermesModels(); } catch (error) { console.log(JSON.stringify(error instanceof TaskError ? error.failure : String(error))); }`,
  );
  assertEquals(out.code, "invalid_args");
  assert(String(out.detail).includes("--allow-env=HOME,HERMES_HOME"));
});

Deno.test("the module throws what stops a task before a record exists", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "answers");
  const out = await runScript(
    home,
    documentedRights(home),
    `
    try { await hermesTask({ prompt: "" }); } catch (error) { console.log(JSON.stringify((error as TaskError).failure)); }`,
  );
  assertEquals(out.code, "invalid_args");
});

Deno.test("the module cancels by a signal and tells of progress", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "hangs");
  const out = await runScript(
    home,
    documentedRights(home),
    `
    const cancel = new AbortController();
    const seen: number[] = [];
    const task = await hermesTask({ prompt: "hi", provider: "gemini" }, { signal: cancel.signal, onProgress: (p) => { if (seen.push(p.elapsed_ms) === 2) cancel.abort(); } });
    console.log(JSON.stringify({ status: task.status, seen: seen.length }));`,
  );
  assertEquals([out.status, Number(out.seen) >= 2], ["cancelled", true]);
});

Deno.test("createServer() serves the tools from an embedding program", async () => {
  await using home = await makeHome();
  await installFake(home.bin, "answers");
  const path = `${home.work}/server.ts`;
  await Deno.writeTextFile(
    path,
    `import { createServer } from "${MODULE}";\nDeno.exit(await createServer({ maxPromptLength: 5 }).start());`,
  );
  const child = scriptLine(home, path).spawn();
  const writer = child.stdin.getWriter();
  const lines = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "hermes_task", arguments: { prompt: "too long" } },
    },
  ];
  for (const line of lines) await writer.write(new TextEncoder().encode(JSON.stringify(line) + "\n"));
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes('"id":2')) {
    const { value, done } = await reader.read();
    if (done) break;
    seen += value;
  }
  assert(seen.includes("prompt_too_long"), seen);
  await writer.close();
  assertEquals((await child.status).code, 0);
  await reader.cancel();
  await child.stderr.cancel();
});
