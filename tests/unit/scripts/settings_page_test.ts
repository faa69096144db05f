import { assertEquals } from "@std/assert";
import { settingsPage } from "../../../scripts/settings_page.ts";

Deno.test("docs/settings.md is what the settings say (else run scripts/settings_page.ts)", async () => {
  assertEquals(
    await Deno.readTextFile(new URL("../../../docs/settings.md", import.meta.url)),
    settingsPage(),
  );
});
