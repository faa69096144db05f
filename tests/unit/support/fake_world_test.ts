import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { FileFault, SpawnFault } from "../../../src/ports.ts";
import { fakeWorld } from "../../support/fake_world.ts";

const COMMAND = { program: "/usr/bin/hermes", args: ["chat"], cwd: "/", env: {}, mark: "test0.a.1" };

Deno.test("a scripted child ends at its time, with its words", async () => {
  const world = fakeWorld({ nowMs: 0, children: () => ({ stdout: "héllo", code: 3, afterMs: 200 }) });
  const child = await world.processes.start(COMMAND);
  assertEquals(child.output().stdout.text, "");
  assertEquals(await world.clock.until(child.exit), { code: 3, signal: null });
  assertEquals(world.clock.now(), 200);
  assertEquals(child.output().stdout, { text: "héllo", tail: "", sizeBytes: 6, cut: false });
});

Deno.test("a child that heeds being asked ends in its own way; one that does not, by the guardian", async () => {
  const scripts = [{ afterMs: Infinity, whenAsked: { afterMs: 300, code: 130 } }, { afterMs: Infinity }];
  const world = fakeWorld({ nowMs: 0, children: (_command, start) => scripts[start]! });
  const [heeds, stubborn] = [await world.processes.start(COMMAND), await world.processes.start(COMMAND)];
  heeds!.ask();
  stubborn!.ask();
  assertEquals(await world.clock.until(heeds!.exit), { code: 130, signal: null });
  await world.guardian.stop(stubborn!.pid, "test0.a.2");
  assertEquals((await stubborn!.exit).signal, "SIGKILL");
  assertEquals(world.stops, [{ pid: stubborn!.pid, mark: "test0.a.2" }]);
  assert(world.processes.started.every((child) => child.asked && !child.running));
});

Deno.test("a scripted spawn fault is thrown", async () => {
  const world = fakeWorld({ children: () => new SpawnFault("missing", "No such file") });
  await assertRejects(() => world.processes.start(COMMAND), SpawnFault, "No such file");
});

Deno.test("files and databases are found by path, or throw the fault that was given", async () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t (a); INSERT INTO t VALUES (7)");
  const fault = new FileFault("other", "/bad.db", "not a database");
  const world = fakeWorld({
    files: { "/d/a.txt": "text" },
    databases: { "/a.db": database, "/b.db": () => [{ n: 1 }], "/bad.db": fault },
  });
  await world.files.writeText("/d/b.txt", "more");
  assertEquals(await world.files.readText("/d/b.txt"), "more");
  assertEquals((await world.files.stat("/d"))?.kind, "directory");
  await assertRejects(() => world.files.readText("/none"), FileFault, '"/none"');
  assertEquals(await world.databases.read("/a.db", (ask) => ask("SELECT a FROM t WHERE a = ?", 7)[0]?.a), 7);
  assertEquals(await world.databases.read("/b.db", (ask) => ask("any")), [{ n: 1 }]);
  assertEquals(await world.databases.read("/none.db", () => 1), undefined);
  await assertRejects(() => world.databases.read("/bad.db", () => 1), FileFault, "not a database");
  database.close();
});
