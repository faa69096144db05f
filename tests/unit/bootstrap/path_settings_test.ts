// Are the paths found in whatever a settings file looks like, and in no time?
import { assertEquals, assertLess } from "@std/assert";
import { readPathSettings } from "../../../src/bootstrap/path_settings.ts";

async function cacheDirIn(text: string): Promise<string | undefined> {
  const file = await Deno.makeTempFile({ prefix: "hermes-task-test-" });
  try {
    await Deno.writeTextFile(file, text);
    return readPathSettings(file, () => undefined, ":").cacheDir;
  } finally {
    await Deno.remove(file);
  }
}

const FORMS = {
  "plain JSON": '{"cacheDir":"/a"}',
  "a byte order mark and comments": '\uFEFF{ // why\n "cacheDir": /* here */ "/a" }',
  "a trailing comma before a comment": '{"cacheDir":"/a", // the last\n /* really */ }',
  "a ruler of slashes": `{ "maxConcurrent": 2,\n${"/".repeat(5000)}\n "cacheDir": "/a" }`,
  "many comments in a row": `{ "maxConcurrent": 2, ${"/* x */".repeat(2000)} "cacheDir": "/a" }`,
};

for (const [name, text] of Object.entries(FORMS)) {
  Deno.test(`readPathSettings() reads ${name}`, async () => {
    const began = performance.now();
    assertEquals(await cacheDirIn(text), "/a");
    assertLess(performance.now() - began, 2000);
  });
}

Deno.test("readPathSettings() leaves what is inside of a string", async () => {
  assertEquals(await cacheDirIn('{"cacheDir":"/a//b,]/*c*/\\"//"}'), '/a//b,]/*c*/"//');
});
