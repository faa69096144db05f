import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { VERSION } from "../../../src/core/version.ts";

Deno.test("VERSION is that of deno.json", () => {
  assertEquals(VERSION, config.version);
});
