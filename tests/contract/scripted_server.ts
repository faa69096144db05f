// A program that serves the scripted operations on standard input and output, as the worker serves the real ones.
import process from "node:process";
import { attach } from "../../src/mcp/attach.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "../../src/mcp/identity.ts";
import { serveStreams } from "../../src/mcp/stdio.ts";
import { toolsOf } from "../../src/mcp/tools.ts";
import { bareWorld, SCRIPTED } from "./scripted.ts";

const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
const info = { capabilities: CAPABILITIES, serverInfo: SERVER_INFO, instructions: INSTRUCTIONS };

serveStreams(process, {
  opening: { versions: VERSIONS, initialize: info, lists: { "tools/list": { tools: toolsOf(SCRIPTED) } } },
  load: (wire, calls) => {
    attach(wire, { operations: SCRIPTED, calls, createWorld: () => Promise.resolve(bareWorld()) });
    return Promise.resolve();
  },
  endLimitMs: () => 5000,
  exit: (status) => Deno.exit(status),
});
