import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { runsOf, withStore } from "../../support/record_folder.ts";
import { taskRecord } from "../../support/records.ts";
import { startStoreProcess } from "../../support/store_process.ts";

const PAGE = 4096;
const COUNT = 120;

/** Ways in which the file can be hurt while it is open. */
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  "pages in its middle overwritten": (path) => overwrite(path, 3 * PAGE, 9 * PAGE),
  "bytes inside of pages overwritten": (path) => {
    for (let page = 1; page < 12; page++) overwrite(path, page * PAGE + 2000, page * PAGE + 2300);
  },
  "pages in its middle emptied": (path) => overwrite(path, 2 * PAGE, 12 * PAGE, 0),
  "cut off": (path) => Deno.truncateSync(path, 5 * PAGE + 77),
  "emptied": (path) => Deno.truncateSync(path, 0),
  "overwritten as a whole": (path) => Deno.writeTextFileSync(path, "this is no database".repeat(3000)),
  "replaced by what is no database": (path) => {
    Deno.writeTextFileSync(`${path}.new`, "this is no database".repeat(3000));
    Deno.renameSync(`${path}.new`, path);
  },
  "replaced by another database": (path) => {
    const database = new DatabaseSync(`${path}.new`);
    database.exec("CREATE TABLE tasks (x); PRAGMA user_version = 1");
    database.close();
    Deno.renameSync(`${path}.new`, path);
  },
  "removed": (path) => Deno.removeSync(path),
};

function overwrite(path: string, from: number, to: number, byte = 0x5a): void {
  const file = Deno.openSync(path, { write: true });
  file.seekSync(from, Deno.SeekMode.Start);
  file.writeSync(new Uint8Array(Math.min(to, file.statSync().size) - from).fill(byte));
  file.close();
}

/** Moves everything from the log beside it into the file itself, where it is hurt. */
function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Every session that the index file knows, and whether the file is sound. */
function contentOf(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  const sessions = database.prepare("SELECT session_id FROM tasks").all().map((row) =>
    String(row.session_id)
  );
  const sound = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  database.close();
  return { sessions: sessions.sort(), sound };
}

Deno.test("an index that is damaged while two processes have it open", async (t) => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    await t.step(
      `${name}: both go on answering, and after reindex() it equals the records`,
      () =>
        withStore(async (store, dir) => {
          const path = `${dir}/index.sqlite`;
          for (let n = 0; n < COUNT; n++) {
            const created_at = new Date(Date.UTC(2026, 0, 1, n)).toISOString();
            await store.keep(taskRecord({ task_id: `${n}_a`, session_id: `s${n}_a`, created_at }));
          }
          await using other = startStoreProcess(dir);
          assertEquals([await runsOf(store), await other.ask("count")], [COUNT, COUNT]);
          checkpoint(path);
          damage(path);
          assertEquals(await other.ask("session", "s7_a"), "7_a");
          assertEquals(await other.ask("keep", "1_b"), null);
          assertEquals(await store.keep(taskRecord({ task_id: "2_b", session_id: "s2_b" })), undefined);
          assertEquals((await store.bySession("s8_a"))?.task_id, "8_a");
          assertEquals((await store.stored()).warnings, []);
          const all = COUNT + 2;
          const report = await store.reindex();
          assertEquals([report.records, report.busy, report.warnings], [all, false, []]);
          assertEquals(await other.ask("keep", "3_b"), null);
          assertEquals([await runsOf(store), await other.ask("count")], [all + 1, all + 1]);
          const ids = [...Deno.readDirSync(dir)].map(({ name }) => name).filter((it) => it.endsWith(".json"));
          const sessions = ids.map((it) => `s${it.slice(0, -5)}`).sort();
          assertEquals(contentOf(path), { sessions, sound: "ok" });
        }),
    );
  }
});

Deno.test("bySession() finds a session although the index has lost it without a sign", () =>
  withStore(async (store, dir) => {
    for (const id of ["1_a", "2_b"]) await store.keep(taskRecord({ task_id: id, session_id: `s${id}` }));
    const path = `${dir}/index.sqlite`;
    checkpoint(path);
    const database = new DatabaseSync(path, { readOnly: true });
    const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'tasks_by_session'")
      .get()!;
    database.close();
    const bytes = Deno.readFileSync(path);
    const page = bytes.subarray((Number(root.rootpage) - 1) * PAGE, Number(root.rootpage) * PAGE);
    page[new TextDecoder("latin1").decode(page).indexOf("s2_b")] = "t".charCodeAt(0);
    Deno.writeFileSync(path, bytes);
    store.close();
    assertEquals((await store.bySession("s2_b"))?.task_id, "2_b");
    assertEquals(contentOf(path), { sessions: ["s1_a", "s2_b"], sound: "ok" });
  }));

Deno.test("two processes that reindex at once, while a third writes, end with an index of all records", () =>
  withStore(async (store, dir) => {
    for (let n = 0; n < 200; n++) await store.keep(taskRecord({ task_id: `${n}_a`, session_id: `s${n}_a` }));
    await using one = startStoreProcess(dir);
    await using two = startStoreProcess(dir);
    const made = Promise.all([one.ask("reindex"), two.ask("reindex")]);
    for (let n = 0; n < 20; n++) await store.keep(taskRecord({ task_id: `${n}_b`, session_id: `s${n}_b` }));
    for (const records of await made) assertEquals(Number(records) >= 200, true, String(records));
    assertEquals(await Promise.all([runsOf(store), one.ask("count"), two.ask("count")]), [220, 220, 220]);
    assertEquals(contentOf(`${dir}/index.sqlite`).sessions.length, 220);
  }));

Deno.test("reindex() waits for a lock no longer than it must, and leaves the index as it was when it is kept", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    const holder = new DatabaseSync(`${dir}/index.sqlite`);
    holder.exec("BEGIN IMMEDIATE");
    setTimeout(() => holder.exec("ROLLBACK"), 10);
    const report = await store.reindex();
    assertEquals([report.records, report.busy], [1, false]);
    holder.close();
  }));

Deno.test("reindex() counts files that hold no record, and works without a folder", () =>
  withStore(async (store, dir) => {
    const none = { records: 0, unreadable: { count: 0, first: [] as string[] }, busy: false, warnings: [] };
    assertEquals(await store.reindex(), none);
    assertEquals(await Deno.stat(dir).catch(() => "none"), "none");
    await store.keep(taskRecord());
    await Deno.writeTextFile(`${dir}/half.json`, "");
    const unreadable = { count: 1, first: ['"half.json" (it is empty)'] };
    assertEquals(await store.reindex(), { ...none, records: 1, unreadable });
  }));

Deno.test("reindex() says when the index cannot be a file", () =>
  withStore(async (store, dir) => {
    Deno.mkdirSync(`${dir}/index.sqlite`, { recursive: true });
    await store.keep(taskRecord());
    const { records, warnings } = await store.reindex();
    assertEquals(records, 1);
    assertEquals(warnings.length, 1, warnings.join());
  }));
