import { assertEquals, assertStringIncludes } from "@std/assert";
import type { TaskRecord } from "../../../src/core/record.ts";
import type { OpenRecordStore } from "../../../src/os/records.ts";
import { writeMadeUpRuns } from "../../support/many_runs.ts";
import { runsOf, STORE_NOW, withStore } from "../../support/record_folder.ts";
import { originalRecordText, taskRecord } from "../../support/records.ts";
import { startStoreProcess } from "../../support/store_process.ts";

const keep = (store: OpenRecordStore, task_id: string, fields: Partial<TaskRecord> = {}) =>
  store.keep(taskRecord({ task_id, ...fields }));

/** What is in the folder besides the index. */
function namesIn(dir: string): string[] {
  return [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) => !name.startsWith("index."))
    .sort();
}

async function writeLog(dir: string, taskId: string, hoursAgo = 0): Promise<void> {
  const seconds = STORE_NOW / 1000 - hoursAgo * 3600;
  await Deno.writeTextFile(`${dir}/${taskId}.log`, "12345");
  await Deno.utime(`${dir}/${taskId}.log`, seconds, seconds);
}

Deno.test("stored() tells state, age and sizes of each record, and which logs have none", () =>
  withStore(async (store, dir) => {
    await keep(store, "1_a", { status: "running" });
    await writeLog(dir, "1_a");
    await writeLog(dir, "9_z", 2);
    await Deno.writeTextFile(`${dir}/half.json`, "{");
    await writeLog(dir, "half", 2);
    const { size, mtime } = await Deno.stat(`${dir}/1_a.json`);
    assertEquals(await store.stored(), {
      tasks: [{
        taskId: "1_a",
        state: "running",
        createdMs: Date.parse("2026-08-01T10:00:00Z"),
        fileMs: mtime!.getTime(),
        recordBytes: size,
        logBytes: 5,
      }],
      strays: [{ taskId: "9_z", fileMs: STORE_NOW - 7_200_000, logBytes: 5 }],
      unreadable: { count: 1, first: ['"half.json" (it is not JSON, perhaps cut off)'] },
      warnings: [],
    });
  }));

Deno.test("stored() takes the file's own time for a record without one", () =>
  withStore(async (store, dir) => {
    Deno.mkdirSync(dir);
    await Deno.writeTextFile(`${dir}/ses_x.json`, originalRecordText({ created_at: undefined }));
    await Deno.utime(`${dir}/ses_x.json`, 1_700_000_000, 1_700_000_000);
    assertEquals((await store.stored()).tasks.map(({ createdMs }) => createdMs), [1_700_000_000_000]);
  }));

Deno.test("stored() knows how a task goes on that another program has written to since", () =>
  withStore(async (store, dir) => {
    await keep(store, "1_a");
    assertEquals((await store.stored()).tasks[0]?.state, "succeeded");
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Deno.writeTextFile(`${dir}/1_a.json`, JSON.stringify(taskRecord({ status: "running" })));
    assertEquals((await store.stored()).tasks[0]?.state, "running");
  }));

Deno.test("remove() takes log, record and row, and nothing else", () =>
  withStore(async (store, dir) => {
    for (const id of ["1_a", "2_b"]) await keep(store, id, { session_id: id });
    for (const id of ["1_a", "2_b", "9_z"]) await writeLog(dir, id);
    await Deno.writeTextFile(`${dir}/half.json`, "{");
    const { tasks, strays } = await store.stored();
    const doomed = { tasks: tasks.filter(({ taskId }) => taskId === "1_a"), strays };
    assertEquals(await store.remove(doomed), { ...doomed, warnings: [] });
    assertEquals(namesIn(dir), ["2_b.json", "2_b.log", "half.json"]);
    assertEquals([await runsOf(store), await store.bySession("1_a")], [1, undefined]);
  }));

Deno.test("remove() passes over what has changed or gone since it was looked at", () =>
  withStore(async (store, dir) => {
    for (const id of ["1_a", "2_b", "3_c"]) await keep(store, id);
    for (const id of ["8_y", "9_z"]) await writeLog(dir, id, 2);
    const stored = await store.stored();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await keep(store, "1_a", { status: "running" });
    await Deno.remove(`${dir}/2_b.json`);
    await keep(store, "8_y");
    await writeLog(dir, "9_z");
    const report = await store.remove(stored);
    assertEquals([report.tasks.map(({ taskId }) => taskId), report.strays, report.warnings], [
      ["3_c"],
      [],
      [],
    ]);
    assertEquals(namesIn(dir), ["1_a.json", "8_y.json", "8_y.log", "9_z.log"]);
    assertEquals(await runsOf(store), 2);
  }));

Deno.test("remove() [P3] leaves the record until its log is gone, and says what stays", () =>
  withStore(async (store, dir) => {
    for (const id of ["1_a", "2_b"]) await keep(store, id);
    await Deno.mkdir(`${dir}/1_a.log/full`, { recursive: true });
    const report = await store.remove(await store.stored());
    assertEquals(report.tasks.map(({ taskId }) => taskId), ["2_b"]);
    assertStringIncludes(report.warnings.join(), `Cannot remove "${dir}/1_a.log"`);
    assertStringIncludes(report.warnings.join(), `see who may write in "${dir}"`);
    assertEquals(namesIn(dir), ["1_a.json", "1_a.log"]);
    assertEquals(await runsOf(store), 1);
  }));

Deno.test("remove() ends between two batches when it is told to, and is told by what it did", () =>
  withStore(async (store, dir) => {
    await writeMadeUpRuns(dir, 1100);
    const ending = new AbortController();
    const removing = store.remove(await store.stored(), ending.signal);
    ending.abort();
    const { tasks } = await removing;
    assertEquals([tasks.length + namesIn(dir).length, tasks.length <= 1000], [1100, true]);
    assertEquals(await runsOf(store), 1100 - tasks.length);
  }));

Deno.test("a folder that is not there holds nothing", () =>
  withStore(async (store, dir) => {
    const stored = await store.stored();
    assertEquals(stored, { tasks: [], strays: [], unreadable: { count: 0, first: [] }, warnings: [] });
    assertEquals(await store.remove(stored), { tasks: [], strays: [], warnings: [] });
    assertEquals(await Deno.stat(dir).catch(() => "none"), "none");
  }));

Deno.test("two processes that prune while a third writes remove each task once, and lose no other", () =>
  withStore(async (store, dir) => {
    for (let n = 0; n < 300; n++) await keep(store, `${n}_a`);
    await using one = startStoreProcess(dir);
    await using two = startStoreProcess(dir);
    await Promise.all([one.ask("count"), two.ask("count")]);
    const pruned = Promise.all([one.ask("prune"), two.ask("prune")]);
    for (let n = 0; n < 30; n++) await keep(store, `${n}_b`, { status: "running" });
    const [first, second] = await pruned;
    const left = namesIn(dir).length;
    assertEquals(Number(first) + Number(second) + left, 330);
    assertEquals(await Promise.all([runsOf(store), one.ask("count"), two.ask("count")]), [left, left, left]);
  }));
