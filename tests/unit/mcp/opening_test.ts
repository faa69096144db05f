import { assertEquals } from "@std/assert";
import { Opening } from "../../../src/mcp/opening.ts";

const CONSTANTS = {
  versions: ["2025-11-25", "2024-11-05"],
  initialize: { serverInfo: { name: "hermes-task" } },
  lists: { "tools/list": { tools: [] }, "prompts/list": { prompts: [] } },
};
const PARAMS = {
  protocolVersion: "2024-11-05",
  capabilities: {},
  clientInfo: { name: "host", version: "1" },
};
const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params: PARAMS };
const LIST = { jsonrpc: "2.0", id: "two", method: "tools/list" };

Deno.test("Opening answers initialize with the version asked for", () => {
  const result = { protocolVersion: "2024-11-05", ...CONSTANTS.initialize };
  assertEquals(new Opening(CONSTANTS).answer(INITIALIZE), { id: 0, result, goesOn: true });
});

Deno.test("Opening answers an unknown version with the newest of its era", () => {
  const params = { ...PARAMS, protocolVersion: "2026-07-28" };
  const result = { protocolVersion: "2025-11-25", ...CONSTANTS.initialize };
  assertEquals(new Opening(CONSTANTS).answer({ ...INITIALIZE, params })?.result, result);
});

Deno.test("Opening answers tools/list after initialize only", () => {
  const opening = new Opening(CONSTANTS);
  assertEquals(opening.answer(LIST), undefined);
  opening.answer(INITIALIZE);
  assertEquals(opening.answer(LIST), { id: "two", result: { tools: [] }, goesOn: false });
  const prompts = { jsonrpc: "2.0", id: 3, method: "prompts/list", params: {} };
  assertEquals(opening.answer(prompts)?.result, { prompts: [] });
  assertEquals(opening.answer({ jsonrpc: "2.0", id: 4, method: "ping" })?.result, {});
  assertEquals(opening.answer({ jsonrpc: "2.0", id: 5, method: "toString" }), undefined);
});

const LEFT_TO_THE_SDK: readonly unknown[] = [
  null,
  [INITIALIZE],
  "initialize",
  { ...INITIALIZE, jsonrpc: "1.0" },
  { ...INITIALIZE, id: null },
  { ...INITIALIZE, id: 1.5 },
  { ...INITIALIZE, id: undefined },
  { ...INITIALIZE, params: undefined },
  { ...INITIALIZE, params: { ...PARAMS, protocolVersion: 1 } },
  { ...INITIALIZE, params: { ...PARAMS, capabilities: undefined } },
  { ...INITIALIZE, params: { ...PARAMS, clientInfo: { name: "host" } } },
  {
    ...INITIALIZE,
    params: { ...PARAMS, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
  },
  { jsonrpc: "2.0", id: 1, method: "server/discover" },
  { jsonrpc: "2.0", id: 1, method: "ping" },
];

for (const message of LEFT_TO_THE_SDK) {
  Deno.test(`Opening leaves ${JSON.stringify(message)} to the SDK`, () => {
    assertEquals(new Opening(CONSTANTS).answer(message), undefined);
  });
}

Deno.test("Opening leaves a second initialize and a page of tools to the SDK", () => {
  const opening = new Opening(CONSTANTS);
  opening.answer(INITIALIZE);
  assertEquals(opening.answer(INITIALIZE), undefined);
  assertEquals(opening.answer({ ...LIST, params: { cursor: "x" } }), undefined);
});
