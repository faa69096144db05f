import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { FileFault } from "../../../src/ports.ts";
import { openRecordStore } from "../../../src/os/records.ts";
import { runsOf, STORE_NOW, withStore } from "../../support/record_folder.ts";
import { originalRecordText, taskRecord } from "../../support/records.ts";

Deno.test("keep() writes a file that only its owner can read, and leaves nothing beside it", () =>
  withStore(async (store, dir) => {
    const record = taskRecord();
    assertEquals(await store.keep(record), undefined);
    assertEquals(await store.byTask(record.task_id), record);
    const names = [...Deno.readDirSync(dir)].map(({ name }) => name);
    assertEquals(names.filter((name) => !name.startsWith("index.")), [`${record.task_id}.json`]);
    if (Deno.build.os === "windows") return;
    assertEquals(Deno.statSync(dir).mode! & 0o777, 0o700);
    for (const name of names) assertEquals(Deno.statSync(`${dir}/${name}`).mode! & 0o777, 0o600, name);
  }));

Deno.test("keep() closes a folder that was open to others", () =>
  withStore(async (store, dir) => {
    if (Deno.build.os === "windows") return;
    Deno.mkdirSync(dir, { mode: 0o755 });
    await store.keep(taskRecord());
    assertEquals(Deno.statSync(dir).mode! & 0o777, 0o700);
  }));

Deno.test("keep() leaves no secret in the file", () =>
  withStore(async (store, dir) => {
    const key = "AIza" + "aB3dE5gH7j".repeat(4).slice(0, 35);
    await store.keep(taskRecord({ result: `GEMINI_API_KEY=${key}`, warnings: [`see ?key=${key}`] }));
    const text = await Deno.readTextFile(`${dir}/1764537600000_aaaaaa.json`);
    assert(!text.includes(key.slice(4)), text);
  }));

Deno.test("keep() keeps the last of several changes, in the order of the calls", () =>
  withStore(async (store) => {
    const states = ["queued", "running", "running", "succeeded"] as const;
    await Promise.all(states.map((status, n) => store.keep(taskRecord({ status, duration_ms: n }))));
    assertEquals((await store.byTask("1764537600000_aaaaaa"))?.status, "succeeded");
    const { groups } = await store.sums({});
    assertEquals(groups.map(({ status, runs, durationsMs }) => ({ status, runs, durationsMs })), [
      { status: "succeeded", runs: 1, durationsMs: [3] },
    ]);
  }));

Deno.test("keep() says why, and the next step, when the folder cannot be made", async () => {
  const file = await Deno.makeTempFile();
  const store = openRecordStore({ dir: `${file}/cache`, now: () => STORE_NOW });
  assertMatch(
    await store.keep(taskRecord()) ?? "",
    /^Cannot record task "1764537600000_aaaaaa": .*; set cacheDir/,
  );
  store.close();
  await Deno.remove(file);
});

Deno.test("keep() refuses an id that is a path", () =>
  withStore(async (store, dir) => {
    assertStringIncludes(await store.keep({ ...taskRecord(), task_id: "../x" }) ?? "", "not a plain id");
    assertEquals(await Deno.stat(`${dir}/../x.json`).catch(() => "none"), "none");
  }));

Deno.test("byTask() [F-ORIG-4] never reads beside the folder", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    await Deno.writeTextFile(`${dir}/../x.json`, originalRecordText());
    for (const id of ["../x", "..%2fx", "/etc/passwd", ""]) assertEquals(await store.byTask(id), undefined);
  }));

Deno.test("byTask() names the file that it cannot read", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    for (
      const [text, why] of [["", "empty"], ['{"task_id": "x", "res', "not JSON"], ["[1]", "not a record"]]
    ) {
      await Deno.writeTextFile(`${dir}/broken.json`, text!);
      const fault = await assertRejects(() => store.byTask("broken"), FileFault, why);
      assertStringIncludes(fault.message, `${dir}/broken.json`);
    }
  }));

Deno.test("the original server's files are read and never rewritten", () =>
  withStore(async (store, dir) => {
    Deno.mkdirSync(dir);
    const files = {
      "1723380000000_abc123": originalRecordText(),
      "ses_20260812_000000_aaaaaa": originalRecordText({
        task_id: "ses_20260812_000000_aaaaaa",
        session_id: "20260812_000000_aaaaaa",
        result: null,
        created_at: "2026-08-12T00:00:00.000Z",
        digest: null,
      }),
    };
    for (const [id, text] of Object.entries(files)) await Deno.writeTextFile(`${dir}/${id}.json`, text);
    const record = await store.byTask("1723380000000_abc123");
    assertEquals(record?.status, "succeeded");
    assertEquals(record?.digest?.tools_used, ["search_files", "bash"]);
    assertEquals(record?.usage?.cost_basis, "per_call_estimate");
    assertEquals((await store.bySession("20260811_115247_084e47"))?.task_id, "1723380000000_abc123");
    assertEquals((await store.bySession("20260812_000000_aaaaaa"))?.result, null);
    assertEquals(await runsOf(store), 2);
    for (const [id, text] of Object.entries(files)) {
      assertEquals(await Deno.readTextFile(`${dir}/${id}.json`), text);
    }
  }));

Deno.test("bySession() gives the newest, also one that another program has just written", () =>
  withStore(async (store, dir) => {
    const session_id = "s1";
    await store.keep(taskRecord({ task_id: "1_a", session_id, created_at: "2026-08-02T00:00:00.000Z" }));
    await store.keep(taskRecord({ task_id: "2_b", session_id, created_at: "2026-08-01T00:00:00.000Z" }));
    assertEquals((await store.bySession("s1"))?.task_id, "1_a");
    const text = originalRecordText({ session_id, created_at: "2026-08-03T00:00:00.000Z" });
    await Deno.writeTextFile(`${dir}/3_c.json`, text);
    assertEquals((await store.bySession("s1"))?.task_id, "3_c");
    await Deno.remove(`${dir}/3_c.json`);
    assertEquals((await store.bySession("s1"))?.task_id, "1_a");
    assertEquals(await store.bySession("s2"), undefined);
  }));

Deno.test("sums() notices how a task ended whose owner died before the index knew", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord({ status: "running" }));
    assertEquals((await store.sums({})).groups[0]?.status, "running");
    await new Promise((resolve) => setTimeout(resolve, 5));
    const path = `${dir}/1764537600000_aaaaaa.json`;
    await Deno.writeTextFile(path, JSON.stringify(taskRecord({ status: "lost", error: "lost" })));
    assertEquals((await store.sums({})).groups.map(({ status }) => status), ["lost"]);
  }));

Deno.test("sums() keeps to its window and forgets nothing that was kept in a whole day's sums", () =>
  withStore(async (store) => {
    const at = (task_id: string, created_at: string) => store.keep(taskRecord({ task_id, created_at }));
    await at("1_a", "2026-08-01T00:00:00.000Z");
    await at("2_b", "2026-08-01T23:59:59.999Z");
    await at("3_c", "2026-08-02T12:00:00.000Z");
    assertEquals(await runsOf(store), 3);
    await at("4_d", "2026-08-01T12:00:00.000Z");
    assertEquals(await runsOf(store), 4);
    const runs = async (since: string, until: string) => {
      const sums = await store.sums({ sinceMs: Date.parse(since), untilMs: Date.parse(until) });
      return [
        sums.groups.reduce((sum, group) => sum + group.runs, 0),
        sums.tools.terminal ?? 0,
        sums.earliestMs,
      ];
    };
    const first = Date.parse("2026-08-01T00:00:00Z");
    assertEquals(await runs("2026-08-01T00:00:00Z", "2026-08-01T23:59:59.999Z"), [3, 3, first]);
    assertEquals(await runs("2026-08-01T00:00:00Z", "2026-08-01T12:00:00Z"), [2, 2, first]);
    assertEquals(await runs("2026-08-01T12:00:01Z", "2026-08-02T12:00:00Z"), [
      2,
      2,
      Date.parse("2026-08-01T23:59:59.999Z"),
    ]);
    assertEquals(await runs("2026-08-03T00:00:00Z", "2026-08-04T00:00:00Z"), [0, 0, null]);
    assertEquals(await runs("2026-08-03T00:00:00Z", "2026-08-01T00:00:00Z"), [0, 0, null]);
  }));

Deno.test("sums() counts files that hold no record, and names them", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    await Deno.writeTextFile(`${dir}/half.json`, '{"task_id":');
    const { groups, warnings } = await store.sums({});
    assertEquals(groups.length, 1);
    assertStringIncludes(warnings.join(), '"half.json" (it is not JSON');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Deno.writeTextFile(`${dir}/half.json`, originalRecordText());
    assertEquals(await runsOf(store), 2);
    assertEquals((await store.sums({})).warnings, []);
  }));

Deno.test("a store without a folder answers, and makes none by being asked", () =>
  withStore(async (store, dir) => {
    assertEquals(await store.byTask("1_a"), undefined);
    assertEquals(await store.bySession("s"), undefined);
    assertEquals((await store.sums({})).groups, []);
    store.remember("hermes", "0.19.0");
    assertEquals(await Deno.stat(dir).catch(() => "none"), "none");
    await store.keep(taskRecord());
    assertEquals(store.recall("hermes"), "0.19.0");
    assertEquals(await runsOf(store), 1);
  }));

Deno.test("remember() lasts beyond the process", () =>
  withStore(async (store, _dir, more) => {
    await store.keep(taskRecord());
    store.remember("probe", "1");
    store.remember("probe", "2");
    store.close();
    assertEquals(more().recall("probe"), "2");
    assertEquals(more().recall("other"), undefined);
  }));

Deno.test("what a killed writer left behind is removed once it is old", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    const old = `${dir}/.1_a.0123abcd.tmp`;
    const fresh = `${dir}/.2_b.0123abcd.tmp`;
    for (const path of [old, fresh]) await Deno.writeTextFile(path, "half");
    await Deno.utime(old, STORE_NOW / 1000 - 7200, STORE_NOW / 1000 - 7200);
    await Deno.utime(fresh, STORE_NOW / 1000, STORE_NOW / 1000);
    await store.sums({});
    await new Promise((resolve) => setTimeout(resolve, 50));
    assertEquals(await Deno.stat(old).catch(() => "none"), "none");
    assert((await Deno.stat(fresh)).isFile);
  }));
