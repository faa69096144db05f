import { assertEquals } from "@std/assert";

const SRC = new URL("../../../src/", import.meta.url);

function namesBelow(folder: URL): string[] {
  return Array.from(Deno.readDirSync(folder)).flatMap((entry) =>
    entry.isDirectory ? namesBelow(new URL(`${entry.name}/`, folder)) : [entry.name]
  );
}

// Deno 2.8.3's `compile --bundle` tells the bundles of a program apart by their file names alone: with a second
// `server.ts` in the tree it put that one where the worker belonged, and the binary was silent.
Deno.test("no file of src has the name of a worker's entry", () => {
  const names = namesBelow(SRC);
  for (const { name } of Deno.readDirSync(new URL("workers/", SRC))) {
    assertEquals(names.filter((each) => each === name), [name]);
  }
});
