import { assertEquals } from "@std/assert";
import { resourceContents, resourceRead } from "../../../src/mcp/resources.ts";

const READS = [
  ["hermes-task://providers", { tool: "hermes_models", args: {} }],
  ["hermes-task://telemetry", { tool: "hermes_telemetry", args: {} }],
  ["hermes-task://tasks/1_a", { tool: "hermes_task_detail", args: { task_id: "1_a" } }],
  [
    "hermes-task://tasks/1_a/log",
    { tool: "hermes_task_detail", args: { task_id: "1_a", section: "log" }, field: "result" },
  ],
  [
    "hermes-task://tasks/1_a/result",
    { tool: "hermes_task_detail", args: { task_id: "1_a", section: "result" }, field: "result" },
  ],
  ["hermes-task://tasks/../x", undefined],
  ["hermes-task://tasks/..%2fx/result", undefined],
  ["hermes-task://tasks/", undefined],
  ["hermes-task://tasks/1_a/other", undefined],
  ["file:///etc/passwd", undefined],
] as const;

for (const [uri, expected] of READS) {
  Deno.test(`resourceRead() knows how to read ${uri}`, () => {
    assertEquals(resourceRead(uri), expected);
  });
}

Deno.test("resourceContents() gives an answer as text and a record as JSON", () => {
  const uri = "hermes-task://tasks/1_a/result";
  const read = resourceRead(uri)!;
  assertEquals(resourceContents(uri, read, { ok: true, result: "x" }).contents, [{
    uri,
    mimeType: "text/plain",
    text: "x",
  }]);
  const [none] = resourceContents(uri, read, { ok: true, result: null }).contents;
  assertEquals(none, { uri, mimeType: "application/json", text: '{"ok":true,"result":null}' });
});
