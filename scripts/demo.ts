// One command that shows the main job from a fresh clone: with the Hermes of this machine when it can answer for free;
// else with the real Hermes in the tools' cache and a model server on this machine; else on the built-in stand-in.
import { fromFileUrl, join } from "@std/path";
import { denoFolder } from "./guarded.ts";
import { ensureHermes } from "./install_hermes.ts";
import { startModelServer } from "./model_server.ts";
import { denoEnvironment, sourceArgs } from "./program_line.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const PROMPT = "Which files here are over 1 MB?";
/** All of the surroundings that a throw-away home is given. */
const PASSED_ON = ["PATH", "TERM", "LANG", "LC_ALL", "NO_COLOR", "TMPDIR"];

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
  const { success } = await command(["run", "--dry-run", "--json", "hello"], {}).output();
  return success;
}

/** A home of its own when there is an environment for one, else the user's. */
async function program(args: readonly string[], home?: Record<string, string>): Promise<number> {
  const inHome = home ? { clearEnv: true, env: home, cwd: ROOT } : {};
  return (await command(args, { stdout: "inherit", stderr: "inherit", ...inHome }).spawn().status).code;
}

function command(args: readonly string[], options: Deno.CommandOptions): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [...sourceArgs(), ...args],
    stdin: "inherit",
    ...options,
  });
}

/** The real program asks a model server of ours: everything is real but the model's words. */
async function withRealHermes(hermes: string): Promise<number> {
  await using server = await startModelServer();
  const home = await Deno.makeTempDir({ prefix: "hermes-task-demo-" });
  try {
    say(
      "with the real Hermes in the tools' cache and a model server on this machine that plays the model,",
    );
    say("in a throw-away home. Hermes, its tool call and everything around them are real; the model is not.");
    console.error(`$ hermes-task run --provider demo "${PROMPT}"\n`);
    await Deno.mkdir(join(home, ".hermes"));
    await Deno.writeTextFile(join(home, ".hermes", "config.yaml"), configFor(server.url));
    const args = ["run", "--provider", "demo", PROMPT];
    const status = await program(args, await environment(home, hermes, server.url));
    say(
      'For your own: install Hermes Agent, give it a free key (hermes auth add gemini), then: hermes-task run "…"',
    );
    return status;
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

function configFor(url: string): string {
  return `model:
  context_length: 200000
providers:
  demo:
    base_url: ${url}/v1
    api_key: none-is-needed
    default_model: mock-files
`;
}

async function environment(home: string, hermes: string, proxy: string): Promise<Record<string, string>> {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(passedOn),
    ...denoEnvironment(await denoFolder()),
    HOME: home,
    HERMES_HOME: join(home, ".hermes"),
    HERMES_BIN: hermes,
    // Nothing of this leaves the machine.
    HTTPS_PROXY: proxy,
    NO_PROXY: "127.0.0.1",
  };
}

if (import.meta.main) Deno.exit(await main());
