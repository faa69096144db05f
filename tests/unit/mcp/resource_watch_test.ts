import { assertEquals } from "@std/assert";
import type { QueueRow } from "../../../src/core/queue.ts";
import { LIST } from "../../../src/mcp/notices.ts";
import { ResourceWatch } from "../../../src/mcp/resource_watch.ts";
import { type Ear, QUEUE_TOPIC } from "../../../src/ports.ts";
import { type FakeWorld, fakeWorld } from "../../support/fake_world.ts";
import { addRow, queueRow } from "../../support/queue_rows.ts";

const ID = "1_a";
const TASK = `hermes-task://tasks/${ID}`;

/** A row that this process runs: nothing is to be looked after. */
const ROW: QueueRow = queueRow({ taskId: ID, state: "running", runner: "test0", deadlineMs: 9e15 });

function open(options: { readonly world?: () => Promise<FakeWorld> } = {}) {
  const world = fakeWorld();
  const ears = new Set<Ear>();
  const queue: FakeWorld["queue"] = world.queue;
  const listen = queue.listen.bind(queue);
  queue.listen = (topic) => {
    const inner = listen(topic);
    const ear: Ear = {
      heard: (ms, signal) => inner.heard(ms, signal),
      rung: (ms, signal) => inner.rung(ms, signal),
      close: () => (ears.delete(ear), inner.close()),
    };
    ears.add(ear);
    return ear;
  };
  const told: string[] = [];
  const watch = new ResourceWatch(options.world ?? (() => Promise.resolve(world)));
  watch.tellBy({
    sendResourceUpdated: ({ uri }) => Promise.resolve(void told.push(uri)),
    sendResourceListChanged: () => Promise.reject(new Error(`closed ${told.push(LIST)}`)),
  });
  return { world, ears, told, watch };
}

Deno.test("ResourceWatch listens to nothing before somebody wants it, and after nobody does", async () => {
  const { ears, watch, world } = open();
  assertEquals(ears.size, 0);
  await watch.want(1, [TASK]);
  await watch.want(2, [LIST]);
  await world.clock.advance(0);
  assertEquals(ears.size, 1, "one ear for all");
  await watch.want(1, []);
  await world.clock.advance(0);
  assertEquals(ears.size, 1);
  await watch.want(2, []);
  await world.clock.advance(300);
  assertEquals(ears.size, 0);
  await watch.want(undefined, ["hermes-task://telemetry"]);
  assertEquals(ears.size, 0);
});

Deno.test("ResourceWatch tells of changes from the moment on in which they were wanted", async () => {
  const { told, watch, world } = open();
  await watch.want(undefined, [LIST]);
  await addRow(world.queue, ROW);
  await watch.want(undefined, [LIST, TASK]);
  assertEquals(told, [LIST], "the look at that moment sees the task");
  await world.queue.turn((turn) => turn.remove(ID));
  world.queue.wake(QUEUE_TOPIC);
  await world.clock.advance(0);
  assertEquals(told, [LIST, TASK]);
  await world.clock.advance(1_000);
  assertEquals(told, [LIST, TASK, LIST]);
  watch.stop();
});

Deno.test("ResourceWatch tells nothing after its end, and cannot be woken again", async () => {
  const { ears, told, watch, world } = open();
  await watch.want(undefined, [LIST]);
  watch.stop();
  await addRow(world.queue, ROW);
  await watch.want(7, [LIST, TASK]);
  await world.clock.advance(2_000);
  assertEquals([told.length, ears.size], [0, 0]);
});

Deno.test("ResourceWatch lives with a world that cannot be made, and tries again at the next wish", async () => {
  const good = fakeWorld();
  let tries = 0;
  const { told, watch } = open({
    world: () => ++tries === 1 ? Promise.reject(new Error("broken")) : Promise.resolve(good),
  });
  await watch.want(undefined, [LIST]);
  await watch.want(undefined, [LIST, TASK]);
  await addRow(good.queue, ROW);
  await good.clock.advance(1_000);
  assertEquals([tries, told], [2, [LIST, TASK]]);
  watch.stop();
});

Deno.test("ResourceWatch looks after the queue: a task whose runner has died ends, and is told of", async () => {
  const { told, watch, world } = open();
  await addRow(world.queue, { ...ROW, runner: "died" });
  await watch.want(undefined, [TASK]);
  await world.clock.advance(3_000);
  assertEquals(told.at(-1), TASK);
  assertEquals(world.queue.row(ID), undefined);
  watch.stop();
});
