// One command that shows the main job from a fresh clone: with the Hermes of this machine when it can answer for free;
// else with the real Hermes in the tools' cache and a model server on this machine; else on the built-in stand-in.
import { fromFileUrl, join } from "@std/path";
import { denoFolder } from "./guarded.ts";
import { ensureHermes } from "./install_hermes.ts";
import { startModelServer } from "./model_server.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const RIGHTS = ["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--allow-sys=homedir"];
const PROMPT =
  "Which files here are over 1 MB?\nRUN: find . -size +1M -not -path './.git/*'\nSAY: None of them is.";

async function main(): Promise<number> {
  if (await canAnswer()) return await program(["demo"]);
  const hermes = await ensureHermes(say).catch((error) => void say(String(error)));
  return hermes ? await withRealHermes(hermes) : await program(["demo"]);
}

function say(text: string): void {
  console.error(`demo: ${text}`);
}

/** Would a task find a Hermes and a free provider with a live key here? */
async function canAnswer(): Promise<boolean> {
  const { code } = await command(["run", "--dry-run", "--json", "hello"], {}, "null").output();
  return code === 0;
}

async function program(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<number> {
  return (await command(args, env, "inherit", cwd).spawn().status).code;
}

function command(
  args: readonly string[],
  env: Record<string, string>,
  output: "inherit" | "null",
  cwd?: string,
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--frozen",
      "--quiet",
      "--no-prompt",
      "--unstable-worker-options",
      ...RIGHTS,
      join(ROOT, "src/main.ts"),
      ...args,
    ],
    env,
    cwd,
    stdin: "inherit",
    stdout: output,
    stderr: output,
  });
}

/** The real program asks a model server of ours: everything is real but the model's words. */
async function withRealHermes(hermes: string): Promise<number> {
  await using server = await demoServer();
  const home = await Deno.makeTempDir({ prefix: "hermes-task-demo-" });
  try {
    say(
      "with the real Hermes in the tools' cache and a model server on this machine that has its answers ready,",
    );
    say("in a throw-away home. Hermes, its tool call and everything around them are real; the model is not.");
    console.error(`$ hermes-task run --provider demo "Which files here are over 1 MB?"\n`);
    await Deno.mkdir(join(home, ".hermes"));
    await Deno.writeTextFile(join(home, ".hermes", "config.yaml"), configFor(server.url));
    const status = await program(
      ["run", "--provider", "demo", "--", PROMPT],
      await environment(home, hermes, server.url),
      ROOT,
    );
    say(
      'For your own: install Hermes Agent, give it a free key (hermes auth add gemini), then: hermes-task run "…"',
    );
    return status;
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function demoServer(): Promise<{ url: string } & AsyncDisposable> {
  const { url, close } = await startModelServer();
  return { url, [Symbol.asyncDispose]: async () => void await close() };
}

function configFor(url: string): string {
  return `model:
  context_length: 200000
providers:
  demo:
    base_url: ${url}/v1
    api_key: none-is-needed
    default_model: mock-tool
`;
}

async function environment(home: string, hermes: string, proxy: string): Promise<Record<string, string>> {
  return {
    HOME: home,
    HERMES_HOME: join(home, ".hermes"),
    HERMES_BIN: hermes,
    DENO_DIR: await denoFolder(),
    // Nothing of this leaves the machine.
    HTTPS_PROXY: proxy,
    NO_PROXY: "127.0.0.1",
  };
}

if (import.meta.main) Deno.exit(await main());
