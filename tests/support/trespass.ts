// Lets a program with our worker's rights try what it must not do, and checks each outcome.
import { assert, assertEquals } from "@std/assert";
import { denoDir } from "./deno_cache.ts";
import { installFake } from "./fake_hermes.ts";
import { makeHome, type ThrowAwayHome } from "./throw_away_home.ts";

const ALLOWED = ["read the home", "write a record", "write the task profile's configuration", "run Hermes"];
const REFUSED = [
  "read elsewhere",
  "write auth.json",
  "write auth.json through the link",
  "write .env through the link",
  "write config.yaml",
  "make a link",
  "run a shell",
  "run itself",
  "signal another process",
  "open a socket",
  "listen",
  "read another variable",
  "ask for more",
];

/** Runs the program of `tests/fixtures/rights` in a home of its own, `folder` first on its PATH. */
export async function trespass(
  program: string,
  args: readonly string[],
  folder?: string,
): Promise<void> {
  await using home = await prepared();
  const before = await Deno.readTextFile(`${home.root}/auth.json`);
  const { stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    clearEnv: true,
    env: {
      ...home.env,
      AWS_SECRET_ACCESS_KEY: "x",
      DENO_DIR: denoDir(),
      ...folder ? { PATH: `${folder}:${home.env.PATH}` } : {},
    },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  assert(stdout.length > 0, text.decode(stderr));
  const outcomes: Record<string, string> = JSON.parse(text.decode(stdout));
  assertEquals(Object.keys(outcomes).sort(), [...ALLOWED, ...REFUSED].sort());
  for (const name of ALLOWED) assertEquals(outcomes[name], "done", name);
  for (const name of REFUSED) {
    assert(/^(NotCapable|PermissionDenied)$/.test(outcomes[name]!), `${name}: ${outcomes[name]}`);
  }
  assertEquals(await Deno.readTextFile(`${home.root}/auth.json`), before);
}

async function prepared(): Promise<ThrowAwayHome> {
  const home = await makeHome();
  await installFake(home.bin, "answers");
  const profile = `${home.root}/profiles/hermes-task`;
  await Deno.mkdir(profile, { recursive: true });
  await Deno.mkdir(`${home.root}/hermes-task-cache`);
  for (const name of [".env", "auth.json"]) await Deno.symlink(`../../${name}`, `${profile}/${name}`);
  await Deno.writeTextFile(`${home.home}/private.txt`, "private");
  return home;
}
