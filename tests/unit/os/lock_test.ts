import { assert, assertEquals } from "@std/assert";
import { isLocked, tryLock, tryLockThere, trySqliteLock } from "../../../src/os/lock.ts";

for (const take of [tryLock, trySqliteLock]) {
  Deno.test(`${take.name}() is refused while held, also in the same process, and free afterwards`, async () => {
    const dir = await Deno.makeTempDir();
    const path = `${dir}/lock`;
    const held = take(path);
    assert(held);
    assertEquals(take(path), undefined);
    held.release();
    const again = take(path);
    assert(again);
    again.release();
    await Deno.remove(dir, { recursive: true });
  });

  Deno.test(`${take.name}() is free once its holder was killed`, async () => {
    const dir = await Deno.makeTempDir();
    const path = `${dir}/lock`;
    const program = `
      import { ${take.name} } from ${JSON.stringify(import.meta.resolve("../../../src/os/lock.ts"))};
      globalThis.held = ${take.name}(Deno.args[0]);
      Deno.stdout.writeSync(new TextEncoder().encode(held ? "held" : "none"));
      setInterval(() => held, 1000);`;
    await Deno.writeTextFile(`${dir}/holder.ts`, program);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", "--no-config", `${dir}/holder.ts`, path],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    assertEquals(new TextDecoder().decode((await reader.read()).value), "held");
    assertEquals(take(path), undefined);
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    const mine = take(path);
    assert(mine);
    mine.release();
    await Deno.remove(dir, { recursive: true });
  });
}

Deno.test("isLocked() tells a holder, makes no file, and is no holder to others who look", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/lock`;
  assertEquals([isLocked(path), tryLockThere(path)], [false, undefined]);
  assertEquals([...Deno.readDirSync(dir)], []);
  const held = tryLock(path);
  assertEquals([isLocked(path), tryLockThere(path)], [true, undefined]);
  held?.release();
  if (typeof Deno.FsFile.prototype.tryLockSync === "function") {
    using looker = await Deno.open(path);
    assertEquals([looker.tryLockSync(false), isLocked(path)], [true, false]);
  }
  const there = tryLockThere(path);
  assert(there);
  there.release();
  await Deno.remove(dir, { recursive: true });
});
