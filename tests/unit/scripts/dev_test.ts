// What does scripts/dev say where it cannot go on?
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

const DEV = fromFileUrl(new URL("../../../scripts/dev", import.meta.url));
const COREUTILS = ["cat", "dirname", "env", "mkdir", "mktemp", "rm", "tail", "uname"];

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs scripts/dev with bash and a few programs of coreutils only. */
async function dev(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const bin = await Deno.makeTempDir();
  try {
    for (const name of COREUTILS) await Deno.symlink(await onPath(name), join(bin, name));
    const { code, stdout, stderr } = await new Deno.Command(await onPath("bash"), {
      args: [DEV, ...args],
      clearEnv: true,
      env: { ...env, PATH: bin },
      stdin: "null",
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, out: text(stdout), err: text(stderr) };
  } finally {
    await Deno.remove(bin, { recursive: true });
  }
}

async function onPath(name: string): Promise<string> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    const path = join(folder, name);
    const found = await Deno.stat(path).then((info) => info.isFile, () => false);
    if (found) return path;
  }
  throw new Error(`${name} is not on PATH`);
}

Deno.test("scripts/dev lists its tasks, with no home and no Deno", async () => {
  const { code, out, err } = await dev([], {});
  assertEquals([code, err], [0, ""]);
  for (const task of ["demo", "ok", "test", "build", "hermes-task"]) assertStringIncludes(out, `  ${task} `);
});

Deno.test("scripts/dev refuses a task that is none", async () => {
  const { code, err } = await dev(["tset"], {});
  assertEquals(code, 2);
  assertStringIncludes(err, `no task "tset"`);
});

Deno.test("scripts/dev names three ways to get Deno where there is none", async () => {
  const home = await Deno.makeTempDir();
  try {
    const { code, err } = await dev(["check"], { HOME: home });
    assertEquals(code, 1);
    assert(["npm", "pip", "curl", "on PATH", "put the executable"].every((way) => err.includes(way)), err);
    assertEquals(Array.from(Deno.readDirSync(join(home, ".cache", "hermes-task-tools"))), []);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
