import { assertEquals, assertMatch } from "@std/assert";
import { withStore } from "../../support/record_folder.ts";
import { taskRecord } from "../../support/records.ts";

/** What a store answers in a program of its own that has only these rights. */
async function askUnder(rights: readonly string[], dir: string) {
  const program = `
    import { openRecordStore } from ${JSON.stringify(import.meta.resolve("../../../src/os/records.ts"))};
    const [dir, record] = Deno.args;
    const store = openRecordStore({ dir, now: Date.now });
    const kept = await store.keep({ ...JSON.parse(record), task_id: "2_b" }) ?? "kept";
    const session = (await store.bySession("20260801_100000_abcdef"))?.task_id;
    const { groups, warnings } = await store.sums({});
    store.remember("probe", "1");
    const runs = groups.reduce((sum, group) => sum + group.runs, 0);
    console.log(JSON.stringify({ kept, session, runs, warnings, probe: store.recall("probe") }));
    store.close();`;
  const file = dir.replace(/[^/]*$/, "asker.ts");
  await Deno.writeTextFile(file, program);
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-lock",
      "--config",
      config,
      ...rights,
      file,
      dir,
      JSON.stringify(taskRecord()),
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (text === "") throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(text);
}

Deno.test("a store needs no more than to read and write its own folder", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    store.close();
    const said = await askUnder([`--allow-read=${dir}`, `--allow-write=${dir}`], dir);
    assertEquals(said, {
      kept: "kept",
      session: "2_b",
      runs: 2,
      warnings: [],
      probe: "1",
    });
  }));

Deno.test("a store that may not write still answers from the files, and says so", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    store.close();
    const said = await askUnder([`--allow-read=${dir}`], dir);
    assertMatch(
      said.kept,
      /^Cannot record task "2_b": .* access is denied; give yourself the right to write there/,
    );
    assertEquals([said.session, said.runs, said.probe], ["1764537600000_aaaaaa", 1, "1"]);
    assertMatch(
      said.warnings.join(),
      /Cannot use ".*index\.sqlite".*the record files themselves were counted/,
    );
  }));

Deno.test("a store that may do nothing refuses in words and never throws at keep()", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord());
    store.close();
    const said = await askUnder([], dir).catch((error) => error.message);
    assertMatch(said.kept ?? said, /access is denied/);
  }));
