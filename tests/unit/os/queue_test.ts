import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import type { TaskQueue } from "../../../src/ports.ts";
import { clock } from "../../../src/os/system.ts";
import { openQueue } from "../../../src/os/queue.ts";
import { addRow, plainJob, queueRow } from "../../support/queue_rows.ts";

async function withFolder(body: (dir: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "hermes-task-queue-" });
  try {
    await body(`${root}/cache`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const open = (dir: string | undefined, owner = "me") => openQueue({ dir, owner, clock });
const ids = (queue: TaskQueue) => queue.rows().map(({ taskId }) => taskId);

Deno.test("a queue keeps its rows in the order of admission, for every process, with their jobs", () =>
  withFolder(async (dir) => {
    const [one, other] = [open(dir), open(dir, "other")];
    const rows = [3, 1, 2].map((n) => queueRow({ seq: n }));
    for (const row of rows) await addRow(one, row, plainJob({ prompt: `task ${row.seq}` }));
    assertEquals(ids(other), rows.map(({ taskId }) => taskId));
    assertEquals(other.job(rows[0]!.taskId)?.request.prompt, "task 3");
    const { seq: _seq, ...first } = rows[0]!;
    const { seq, ...read } = other.row(first.taskId)!;
    assertEquals([read, seq], [first, 1]);
  }));

Deno.test("a row changes in each of its fields, and is gone with its job", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    const row = queueRow();
    await addRow(queue, row);
    const changes = {
      state: "running" as const,
      kind: "waiting" as const,
      runner: "r",
      waiter: "w",
      wish: "enough",
      limit: 5,
      dead: ["a", "b"],
      own: true,
      needs: { K: "h" },
      batch: { id: "1_a", strategy: "race" as const },
      since: { home: "/h", sessionId: "s", lastMessageId: 3 },
      outcome: "{}",
    };
    assertEquals(await queue.turn((turn) => turn.change(row.taskId, changes)), true);
    assertEquals(queue.row(row.taskId), { ...row, ...changes });
    await queue.turn((turn) => turn.remove(row.taskId));
    assertEquals([queue.row(row.taskId), queue.job(row.taskId)], [undefined, undefined]);
    assertEquals(await queue.turn((turn) => turn.change(row.taskId, { wish: "late" })), false);
  }));

Deno.test("a turn that throws has changed nothing", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    await addRow(queue, queueRow());
    const failing = queue.turn((turn) => {
      turn.remove(queueRow().taskId);
      throw new Error("no");
    });
    assertEquals(await failing.then(() => "done", (error) => error.message), "no");
    assertEquals(ids(queue).length, 1);
  }));

Deno.test("turns of several queues wait for each other", () =>
  withFolder(async (dir) => {
    const queues = Array.from({ length: 5 }, (_, n) => open(dir, `p${n}`));
    await Promise.all(queues.flatMap((queue, n) =>
      Array.from({ length: 20 }, (_, m) => addRow(queue, queueRow({ taskId: `1_${n}x${m}` })))
    ));
    assertEquals(queues[0]!.rows().length, 100);
    assertEquals(
      new Set(
        queues[0]!.rows().map(({ seq }) =>
          seq
        ),
      ).size,
      100,
    );
  }));

// A proof is held for the life of the process.
Deno.test(
  "who proves itself is alive for others; without a proof nobody is",
  { sanitizeResources: false },
  () =>
    withFolder((dir) => {
      const [one, other] = [open(dir), open(dir, "other")];
      one.problem();
      assertEquals([other.alive("me"), other.alive("nobody"), other.alive("other")], [false, false, true]);
      one.prove();
      one.prove();
      assertEquals(other.alive("me"), true);
      other.tidy();
      assertEquals([other.alive("me"), one.alive("me")], [true, true]);
      return Promise.resolve();
    }),
);

// A proof is held for the life of the process.
Deno.test(
  "who proves itself again is alive although somebody has taken the folder away",
  { sanitizeResources: false },
  () =>
    withFolder(async (dir) => {
      const [one, other] = [open(dir), open(dir, "other")];
      one.prove();
      await Deno.remove(dir, { recursive: true });
      one.prove();
      assertEquals(other.alive("me"), true);
    }),
);

Deno.test("the file of a process that was killed is free at once, and tidied away", () =>
  withFolder(async (dir) => {
    const source = `
      import { openQueue } from ${JSON.stringify(import.meta.resolve("../../../src/os/queue.ts"))};
      import { clock } from ${JSON.stringify(import.meta.resolve("../../../src/os/system.ts"))};
      openQueue({ dir: Deno.args[0], owner: "victim", clock }).prove();
      console.log("proved");
      setInterval(() => {}, 1000);`;
    const file = dir.replace(/[^/]*$/, "victim.ts");
    await Deno.writeTextFile(file, source);
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", "--config", config, file, dir],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    const queue = open(dir);
    queue.problem();
    assertEquals(queue.alive("victim"), true);
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    assertEquals(queue.alive("victim"), false);
    queue.tidy();
    assertEquals([...Deno.readDirSync(`${dir}/locks`)].map(({ name }) => name), []);
  }));

Deno.test("whoever listens is woken by another process, and a waking before the wait is not missed", () =>
  withFolder(async (dir) => {
    const [one, other] = [open(dir), open(dir, "other")];
    one.problem();
    const ear = one.listen("topic");
    const before = performance.now();
    setTimeout(() => other.wake("topic"), 20);
    await ear.heard(60_000);
    one.wake("topic");
    await ear.heard(60_000);
    ear.close();
    assert(performance.now() - before < 5_000);
  }));

Deno.test("who waits looks by itself after a quarter of a second, or when the wait is over", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    const ear = queue.listen("topic");
    const before = performance.now();
    await ear.heard(Infinity);
    await ear.heard(10);
    await ear.heard(Infinity, AbortSignal.abort());
    ear.close();
    assert(performance.now() - before < 10_000);
  }));

Deno.test("who waits to be woken alone is, also where there was no folder at first, and else waits its time out", () =>
  withFolder(async (dir) => {
    const [one, other] = [open(dir), open(dir, "other")];
    const ear = one.listen("topic");
    let began = performance.now();
    await ear.rung(400);
    assert(performance.now() - began >= 390, "no look after a quarter of a second");
    other.problem();
    setTimeout(() => other.wake("topic"), 50);
    began = performance.now();
    await ear.rung(60_000);
    await ear.rung(60_000, AbortSignal.abort());
    one.wake("topic");
    await ear.rung(60_000);
    ear.close();
    assert(performance.now() - began < 5_000);
  }));

Deno.test("hashes depend on name, value and this queue's own salt", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    const { A, B } = await queue.hashes({ A: "v", B: "v" });
    assert(A !== B && !JSON.stringify(A).includes('v"'));
    const stamp = queue.stamp();
    assertEquals(await open(dir, "other").hashes({ A: "v" }), { A: A! });
    await Deno.rename(`${dir}/state.sqlite`, `${dir}/away`);
    assert((await queue.hashes({ A: "v" })).A !== A && queue.stamp() !== stamp);
    assert((await open(undefined).hashes({ A: "v" })).A !== A);
  }));

Deno.test("a read makes no file", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    assertEquals([queue.rows(), queue.row("1_a"), queue.runners()], [[], undefined, []]);
    assertEquals(await Deno.stat(dir).catch(() => "none"), "none");
  }));

const BROKEN: [what: string, make: (dir: string) => Promise<void>][] = [
  [
    "is no database",
    (dir) => Deno.writeTextFile(`${dir}/state.sqlite`, "no database, and long enough to be none"),
  ],
  ["is a folder", (dir) => Deno.mkdir(`${dir}/state.sqlite`)],
  ["was made by a newer program", (dir) => {
    const database = new DatabaseSync(`${dir}/state.sqlite`);
    database.exec("PRAGMA user_version = 99");
    database.close();
    return Promise.resolve();
  }],
];
for (const [what, make] of BROKEN) {
  Deno.test(`a file that ${what} is left as it is, and the queue stands in memory and says so`, () =>
    withFolder(async (dir) => {
      await Deno.mkdir(dir);
      await make(dir);
      const facts = await Deno.stat(`${dir}/state.sqlite`);
      const queue = open(dir);
      assert(queue.problem()?.includes("state.sqlite"), queue.problem());
      await addRow(queue, queueRow());
      assertEquals(ids(queue).length, 1);
      assertEquals((await Deno.stat(`${dir}/state.sqlite`)).size, facts.size);
    }));
}

Deno.test("a queue whose file was taken away starts anew at the next turn, and not for a look", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    await addRow(queue, queueRow({ taskId: "1_old" }));
    await Deno.remove(dir, { recursive: true });
    assertEquals(queue.rows(), []);
    await addRow(queue, queueRow({ taskId: "1_new" }));
    assertEquals(ids(queue), ["1_new"]);
  }));

Deno.test("a file that could not be used is used once it can be, and nothing is under way in memory", () =>
  withFolder(async (dir) => {
    await Deno.mkdir(`${dir}/state.sqlite`, { recursive: true });
    let passedMs = 0;
    const queue = openQueue({ dir, owner: "me", clock: { ...clock, now: () => clock.now() + passedMs } });
    await addRow(queue, queueRow());
    await Deno.remove(`${dir}/state.sqlite`);
    passedMs = 60_000;
    assert(queue.problem());
    await queue.turn((turn) => turn.remove(queueRow().taskId));
    assertEquals(queue.problem(), undefined);
    await addRow(queue, queueRow());
    assertEquals(ids(open(dir, "other")).length, 1);
  }));

Deno.test("tidy() takes ticks of tasks that have ended away, and prompts out of the log", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    await addRow(queue, queueRow(), plainJob({ prompt: "a very private prompt" }));
    for (const topic of ["1_ended", queueRow().taskId, "queue"]) queue.wake(topic);
    queue.tidy();
    const ticks = () => [...Deno.readDirSync(`${dir}/ticks`)].map(({ name }) => name).toSorted();
    assertEquals(ticks(), [`${queueRow().taskId}.tick`, "queue.tick"]);
    await queue.turn((turn) => turn.remove(queueRow().taskId));
    queue.tidy();
    assertEquals(ticks(), ["queue.tick"]);
    for (const name of ["state.sqlite", "state.sqlite-wal"]) {
      const text = new TextDecoder().decode(await Deno.readFile(`${dir}/${name}`));
      assertEquals(text.includes("very private"), false, name);
    }
  }));

Deno.test("the files are their owner's alone, and hold no prompt once the task has ended", () =>
  withFolder(async (dir) => {
    const queue = open(dir);
    await addRow(queue, queueRow(), plainJob({ prompt: "a very private prompt" }));
    for (const name of ["state.sqlite", "state.sqlite-wal"]) {
      assertEquals((await Deno.stat(`${dir}/${name}`)).mode! & 0o077, 0, name);
    }
    await queue.turn((turn) => turn.remove(queueRow().taskId));
    const database = new DatabaseSync(`${dir}/state.sqlite`);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const bytes = await Deno.readFile(`${dir}/state.sqlite`);
    assertEquals(new TextDecoder().decode(bytes).includes("very private"), false);
  }));
