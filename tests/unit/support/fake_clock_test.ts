import { assertEquals, assertRejects } from "@std/assert";
import { FakeClock } from "../../support/fake_clock.ts";

Deno.test("sleep() comes back only once the clock has been moved that far", async () => {
  const clock = new FakeClock(0);
  const woken: number[] = [];
  const sleeping = [300, 100, 200].map(async (ms) => {
    await clock.sleep(ms);
    woken.push(clock.now());
  });
  await clock.advance(250);
  assertEquals(woken, [100, 200]);
  await clock.advance(50);
  await Promise.all(sleeping);
  assertEquals(woken, [100, 200, 300]);
});

Deno.test("sleep() comes back at once when its signal is aborted, and leaves no timer", async () => {
  const clock = new FakeClock(0);
  const stop = new AbortController();
  const sleeping = clock.sleep(1000, stop.signal);
  stop.abort();
  await sleeping;
  assertEquals(clock.now(), 0);
  await assertRejects(() => clock.until(new Promise(() => {})), Error, "no timer left");
});

Deno.test("until() moves from timer to timer and no further", async () => {
  const clock = new FakeClock(0);
  const work = async () => {
    await clock.sleep(1000);
    await clock.sleep(500);
    return "done";
  };
  assertEquals(await clock.until(work()), "done");
  assertEquals(clock.now(), 1500);
});

Deno.test("until() hands an error on", async () => {
  const clock = new FakeClock(0);
  const work = async () => {
    await clock.sleep(10);
    throw new Error("broken");
  };
  await assertRejects(() => clock.until(work()), Error, "broken");
});
