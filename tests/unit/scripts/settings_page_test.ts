import { assertEquals } from "@std/assert";
import { settingsPage, settingsSchema } from "../../../scripts/settings_page.ts";

Deno.test("docs/settings.md is what the settings say (else run scripts/settings_page.ts)", async () => {
  assertEquals(
    await Deno.readTextFile(new URL("../../../docs/settings.md", import.meta.url)),
    settingsPage(),
  );
});

Deno.test("docs/hermes-task.schema.json is what the settings say (else run scripts/settings_page.ts)", async () => {
  const text = await Deno.readTextFile(new URL("../../../docs/hermes-task.schema.json", import.meta.url));
  assertEquals(JSON.parse(text), JSON.parse(settingsSchema()));
  assertEquals(JSON.parse(text).properties.maxConcurrent.default, 2);
});
