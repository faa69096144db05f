// Does the guard see a test that leaves its throw-away home, and keep the user's keys out?
import { assert, assertEquals, assertFalse } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

const GUARDED = fromFileUrl(new URL("../../../scripts/guarded.ts", import.meta.url));

/** Runs `script` under the guard, with a real home that holds one file; returns its status and output. */
async function guarded(script: string): Promise<{ code: number; out: string; err: string }> {
  const real = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(real, "auth.json"), "{}");
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", GUARDED, "deno", "eval", script, real],
      env: { HERMES_HOME: real, GEMINI_API_KEY: "of the user", NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, out: text(stdout), err: text(stderr) };
  } finally {
    await Deno.remove(real, { recursive: true });
  }
}

Deno.test("guarded.ts passes the status on when the real home is as it was", async () => {
  assertEquals((await guarded("Deno.exit(0)")).code, 0);
  assertEquals((await guarded("Deno.exit(3)")).code, 3);
});

Deno.test("guarded.ts fails a run that changed a file of the real home", async () => {
  const { code, err } = await guarded(`Deno.writeTextFileSync(Deno.args[0] + "/auth.json", "changed")`);
  assertEquals(code, 1);
  assert(err.includes("auth.json"), err);
});

Deno.test("guarded.ts fails a run that added a file deep in the real home", async () => {
  const script = `Deno.mkdirSync(Deno.args[0] + "/a/b", { recursive: true });
    Deno.writeTextFileSync(Deno.args[0] + "/a/b/c", "")`;
  const { code, err } = await guarded(script);
  assertEquals(code, 1);
  assert(err.includes("a/b/c"), err);
});

Deno.test("guarded.ts gives a home of its own, without the user's keys and Hermes home", async () => {
  const { out } = await guarded("console.log(JSON.stringify(Deno.env.toObject()))");
  const env = JSON.parse(out) as Record<string, string>;
  assertFalse("GEMINI_API_KEY" in env || "HERMES_HOME" in env);
  assert(env.HOME !== Deno.env.get("HOME"), "HOME is the caller's");
});
