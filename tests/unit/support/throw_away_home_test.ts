import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { guardRealHome, makeHome, withHome } from "../../support/throw_away_home.ts";

Deno.test("withHome() makes a home with keys in 0600 files and removes it", async () => {
  const path = await withHome({ dotenv: "A=b\n", files: { "x/y.txt": "z" } }, async (home) => {
    const auth = await Deno.stat(join(home.root, "auth.json"));
    assertEquals(auth.mode! & 0o777, 0o600);
    assertEquals(await Deno.readTextFile(join(home.root, "x/y.txt")), "z");
    assert(home.env.PATH!.startsWith(home.bin));
    return home.home;
  });
  await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
});

Deno.test("guardRealHome() throws once something in the guarded home changed", async () => {
  await using home = await makeHome();
  const before = Deno.env.get("HOME");
  Deno.env.set("HOME", home.home);
  try {
    const check = await guardRealHome();
    await check();
    await Deno.writeTextFile(join(home.root, "state.db"), "");
    await assertRejects(check, Error, "changed during the tests");
  } finally {
    if (before === undefined) Deno.env.delete("HOME");
    else Deno.env.set("HOME", before);
  }
});
