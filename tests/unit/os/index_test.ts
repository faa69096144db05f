import { assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { runsOf, withStore } from "../../support/record_folder.ts";
import { taskRecord } from "../../support/records.ts";

Deno.test("the index is made anew when it is missing, no database, torn, of an old form or without tables", async (t) => {
  const damages: Record<string, (path: string) => void> = {
    missing: (path) => Deno.removeSync(path),
    "no database": (path) => Deno.writeTextFileSync(path, "this is no database".repeat(500)),
    torn: (path) => {
      const bytes = Deno.readFileSync(path);
      Deno.writeFileSync(path, bytes.fill(0x5a, 4096, bytes.length - 4096));
    },
    "cut off": (path) => Deno.truncateSync(path, 5000),
    empty: (path) => Deno.truncateSync(path, 0),
    "old form": (path) => {
      const database = new DatabaseSync(path);
      database.exec("DROP TABLE tasks; CREATE TABLE tasks (x); PRAGMA user_version = 0");
      database.close();
    },
    "without tables": (path) => {
      const database = new DatabaseSync(path);
      database.exec("DROP TABLE attempts; DROP TABLE day_sums");
      database.close();
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    await t.step(name, () =>
      withStore(async (store, dir, more) => {
        for (let n = 0; n < 20; n++) await store.keep(taskRecord({ task_id: `${n}_a`, session_id: `s${n}` }));
        assertEquals(await runsOf(store), 20);
        store.close();
        damage(`${dir}/index.sqlite`);
        const again = more();
        assertEquals(await runsOf(again), 20);
        assertEquals((await again.bySession("s7"))?.task_id, "7_a");
        assertEquals(again.problem(), undefined);
      }));
  }
});

Deno.test("an index replaced by another process is noticed by one that has it open", () =>
  withStore(async (store, dir, more) => {
    for (let n = 0; n < 5; n++) await store.keep(taskRecord({ task_id: `${n}_a` }));
    assertEquals(await runsOf(store), 5);
    for (const suffix of ["", "-wal", "-shm"]) {
      Deno.renameSync(`${dir}/index.sqlite${suffix}`, `${dir}/old${suffix}`);
    }
    const other = more();
    await other.keep(taskRecord({ task_id: "5_a" }));
    await store.keep(taskRecord({ task_id: "6_a" }));
    assertEquals([await runsOf(store), await runsOf(other)], [7, 7]);
  }));

Deno.test("an index of a newer program is left alone, and the answer says how it was counted", () =>
  withStore(async (store, dir, more) => {
    await store.keep(taskRecord());
    store.close();
    const database = new DatabaseSync(`${dir}/index.sqlite`);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const again = more();
    const sums = await again.sums({});
    assertEquals(sums.groups.length, 1);
    assertStringIncludes(sums.warnings.join(), "made by a newer hermes-task");
    assertEquals(await again.keep(taskRecord({ task_id: "2_b" })), undefined);
    assertEquals(await runsOf(again), 2);
    const left = new DatabaseSync(`${dir}/index.sqlite`, { readOnly: true });
    assertEquals(left.prepare("PRAGMA user_version").get()?.user_version, 99);
    left.close();
  }));

Deno.test("without an index file everything is answered from the record files, and says so", () =>
  withStore(async (store, dir) => {
    Deno.mkdirSync(`${dir}/index.sqlite`, { recursive: true });
    assertEquals(await store.keep(taskRecord()), undefined);
    assertEquals((await store.bySession("20260801_100000_abcdef"))?.task_id, "1764537600000_aaaaaa");
    const sums = await store.sums({});
    assertEquals(sums.groups.length, 1);
    assertStringIncludes(sums.warnings.join(), `Cannot use "${dir}/index.sqlite"`);
  }));

Deno.test("reindex() reads every file again", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    await Deno.writeTextFile(
      `${dir}/1764537600000_aaaaaa.json`,
      JSON.stringify(taskRecord({ provider: "openrouter" })),
    );
    await store.reindex();
    assertEquals((await store.sums({})).groups.map(({ provider }) => provider), ["openrouter"]);
  }));

Deno.test("four processes that write at once lose no record and no row", () =>
  withStore(async (store, dir) => {
    const program = `
      import { openRecordStore } from ${JSON.stringify(import.meta.resolve("../../../src/os/records.ts"))};
      const [dir, me, template] = Deno.args;
      const store = openRecordStore({ dir, now: Date.now });
      for (let n = 0; n < 50; n++) {
        const created_at = new Date(1764537600000 + n).toISOString();
        const record = { ...JSON.parse(template), task_id: me + "_" + n, session_id: me, created_at };
        const why = await store.keep(record);
        if (why) throw new Error(why);
        if (n % 10 === 0) await store.sums({});
      }
      store.close();`;
    const file = dir.replace(/[^/]*$/, "writer.ts");
    await Deno.writeTextFile(file, program);
    const children = ["a", "b", "c", "d"].map((me) =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "--no-lock",
          "--config",
          configPath(),
          file,
          dir,
          me,
          JSON.stringify(taskRecord()),
        ],
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).output()
    );
    for (const { code, stderr } of await Promise.all(children)) {
      assertEquals(code, 0, new TextDecoder().decode(stderr));
    }
    const files = [...Deno.readDirSync(dir)].filter(({ name }) => name.endsWith(".json"));
    assertEquals(files.length, 200);
    const database = new DatabaseSync(`${dir}/index.sqlite`);
    assertEquals(database.prepare("SELECT count(*) AS n FROM tasks").get()?.n, 200);
    assertEquals(database.prepare("PRAGMA integrity_check").get()?.integrity_check, "ok");
    database.close();
    assertEquals(await runsOf(store), 200);
    for (const me of ["a", "b", "c", "d"]) assertEquals((await store.bySession(me))?.task_id, `${me}_49`);
  }));

function configPath(): string {
  return new URL("../../../deno.json", import.meta.url).pathname;
}
