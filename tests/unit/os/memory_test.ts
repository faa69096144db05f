import { assertEquals } from "@std/assert";
import { createMemory } from "../../../src/os/memory.ts";

Deno.test("createMemory() makes a value once for a name and stamp, and anew when the stamp differs", async () => {
  const memory = createMemory();
  let made = 0;
  const make = () => Promise.resolve(++made);
  const keep = (name: string, stamp: string) => memory.kept(name, stamp, make);
  assertEquals([await keep("a", "1"), await keep("a", "1"), await keep("b", "1")], [1, 1, 2]);
  assertEquals([await keep("a", "2"), await keep("a", "2"), await keep("a", "1")], [3, 3, 4]);
});

Deno.test("createMemory() keeps neither nothing nor a failure", async () => {
  const memory = createMemory();
  let made = 0;
  const nothing = () => Promise.resolve(void ++made);
  await memory.kept("a", "1", nothing);
  await memory.kept("a", "1", nothing);
  await memory.kept("a", "1", () => Promise.reject(new Error(`${++made}`))).catch(() => {});
  assertEquals(await memory.kept("a", "1", () => Promise.resolve(++made)), 4);
});
