// The demo's second half: the main job on the built-in stand-in, in a throw-away home. The only case in which this
// program starts itself as Hermes.

/** Provider of the demo's home; nobody listens at its address and nobody is asked. */
const CONFIG = `providers:
  stand-in:
    base_url: http://127.0.0.1:9/v1
    api_key: none-is-needed
    default_model: built-in
`;

const PROMPT = "Which files here are over 1 MB?";

/** Runs the main job as a person would type it, on this terminal. Returns the exit status. */
export async function runOnStandIn(): Promise<number> {
  const folder = Deno.makeTempDirSync({ prefix: "hermes-task-demo-" });
  try {
    const env = prepare(folder);
    return await run(["run", "--provider", "stand-in", PROMPT], env, folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Stands in the demo's home, and in no other: nowhere else may the stand-in play Hermes. */
export const STAND_IN_HOME = ".stand-in-home";

function prepare(folder: string): Record<string, string> {
  Deno.mkdirSync(`${folder}/.hermes`, { mode: 0o700 });
  Deno.writeTextFileSync(`${folder}/.hermes/config.yaml`, CONFIG);
  Deno.writeTextFileSync(`${folder}/.hermes/${STAND_IN_HOME}`, "");
  const launcher = `${folder}/hermes`;
  const words = [Deno.execPath(), ...selfArgs(), "stand-in"].map((word) =>
    `'${word.replaceAll("'", `'\\''`)}'`
  );
  Deno.writeTextFileSync(launcher, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`, { mode: 0o755 });
  return {
    ...pick(["PATH", "TERM", "LANG", "LC_ALL", "NO_COLOR", "DENO_DIR", "TMPDIR"]),
    ...pick(Deno.build.standalone ? [] : ["JSR_URL"]),
    HOME: folder,
    HERMES_HOME: `${folder}/.hermes`,
    HERMES_BIN: launcher,
  };
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

/** How this program is started again from source, with the rights that it has. */
function selfArgs(): string[] {
  if (Deno.build.standalone) return [];
  const rights = ["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--allow-sys=homedir"];
  return ["run", "--quiet", "--no-prompt", "--unstable-worker-options", ...rights, Deno.mainModule];
}

async function run(args: readonly string[], env: Record<string, string>, cwd: string): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...selfArgs(), ...args],
    clearEnv: true,
    env,
    cwd,
  }).spawn();
  return (await child.status).code;
}
