// Makes src/mcp/opening_data.ts: what the SDK answers to `initialize` and to lists that never change, as constants.
// Run it after a change of a tool, of the version or of the SDK: deno run -A scripts/opening.ts
import { InMemoryTransport, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { Calls } from "../src/mcp/calls.ts";
import { ResourceWatch } from "../src/mcp/resource_watch.ts";
import { buildServer } from "../src/mcp/server.ts";
import type { ServedOperation } from "../src/mcp/tools.ts";
import { OPERATIONS } from "../src/operations/all.ts";

/** The handshake versions of the SDK, newest first. */
export const HANDSHAKE_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

const LISTS = ["tools/list", "resources/templates/list", "prompts/list"];

/** What the SDK answers to the opening of a connection of the handshake era. */
export interface OpeningReplies {
  readonly initialize: Readonly<Record<string, unknown>>;
  readonly lists: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Asks the SDK itself. */
export async function sdkReplies(
  operations: readonly ServedOperation[],
  version: string,
): Promise<OpeningReplies> {
  const [host, ours] = InMemoryTransport.createLinkedPair();
  const world = () => Promise.reject(new Error("the opening needs no world"));
  const server = buildServer({ operations, world, calls: new Calls(), watch: new ResourceWatch(world) });
  await server.connect(ours);
  await host.start();
  const ask = (id: number, method: string, params: Record<string, unknown>) =>
    new Promise<Record<string, unknown>>((resolve) => {
      host.onmessage = (message) => {
        if ("id" in message && message.id === id) {
          resolve((message as { result: Record<string, unknown> }).result);
        }
      };
      void host.send({ jsonrpc: "2.0", id, method, params });
    });
  const clientInfo = { name: "opening", version: "1" };
  const initialize = await ask(1, "initialize", { protocolVersion: version, capabilities: {}, clientInfo });
  await host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const lists: Record<string, Record<string, unknown>> = {};
  for (const [at, method] of LISTS.entries()) lists[method] = await ask(2 + at, method, {});
  await server.close();
  return { initialize, lists };
}

async function main(): Promise<void> {
  const path = new URL("../src/mcp/opening_data.ts", import.meta.url);
  const { initialize, lists } = await sdkReplies(OPERATIONS, HANDSHAKE_VERSIONS[0]!);
  const { protocolVersion: _version, ...rest } = initialize;
  const show = (value: unknown) => JSON.stringify(value, undefined, 2);
  await Deno.writeTextFile(
    path,
    `// A data table, made by scripts/opening.ts: the opening of a connection, word for word as the SDK would give it.
import type { OpeningConstants } from "./opening.ts";

/** Answers to \`initialize\` and the lists. */
export const OPENING: OpeningConstants = ${show({ versions: HANDSHAKE_VERSIONS, initialize: rest, lists })};
`,
  );
  const format = new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", path.pathname] });
  await format.spawn().status;
}

if (import.meta.main) await main();
