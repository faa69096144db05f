// What does the SDK serve? The operations as tools, with arguments checked by us, and their documents and prompts.
import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { refusal, TaskError } from "../core/failure.ts";
import { nearest } from "../core/near.ts";
import { parseArgs, perform } from "../core/operation.ts";
import { refusedResult } from "../core/refused.ts";
import { waitBudget } from "../hosts/budget.ts";
import type { World } from "../ports.ts";
import type { Calls } from "./calls.ts";
import type { Fields } from "./fit.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./identity.ts";
import { startReporter } from "./progress.ts";
import { promptMessages, PROMPTS } from "./prompts.ts";
import { fitted, toolReply } from "./reply.ts";
import { RESOURCE_TEMPLATES, resourceContents, resourceRead, RESOURCES } from "./resources.ts";
import { type ServedOperation, toolsOf } from "./tools.ts";

/** What a server serves. */
export interface Served {
  readonly operations: readonly ServedOperation[];
  /** The outside world, made at the first call: a broken one must not stop the handshake. */
  readonly world: () => Promise<World>;
  readonly calls: Calls;
}

/** One call of a tool. */
interface Call {
  readonly tool: string;
  readonly args: unknown;
}

/** Builds the server of one connection, for either era of the protocol. */
export function buildServer(served: Served): McpServer {
  const server = new McpServer(SERVER_INFO, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });
  handleTools(server.server, served);
  handleResources(server.server, served);
  handlePrompts(server.server);
  return server;
}

/** The SDK's own check of arguments answers in bare text, so its registry of tools is not used. */
function handleTools(server: Server, served: Served): void {
  server.setRequestHandler("tools/list", () => ({ tools: toolsOf(served.operations) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const call = { tool: params.name, args: params.arguments };
    const result = await runTool(served, call, server, context);
    return toolReply(result, { ...call, client: clientName(server, context) });
  });
}

function handleResources(server: Server, served: Served): void {
  server.setRequestHandler("resources/list", () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler(
    "resources/templates/list",
    () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }),
  );
  server.setRequestHandler("resources/read", ({ params }, context) => {
    return readResource(served, params.uri, server, context);
  });
}

function handlePrompts(server: Server): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    try {
      return promptMessages(params.name, params.arguments);
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.failure.detail);
    }
  });
}

async function readResource(
  served: Served,
  uri: string,
  server: Server,
  context: ServerContext,
): Promise<ReadResourceResult> {
  const read = resourceRead(uri);
  if (!read) throw new ResourceNotFoundError(uri);
  const result = await runTool(served, read, server, context);
  const reply = fitted(result, { ...read, client: clientName(server, context) });
  if (reply["error"] === "not_found") throw new ResourceNotFoundError(uri);
  if (reply["ok"] === false) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${reply["error"]}: ${reply["error_detail"]}`);
  }
  return resourceContents(uri, read, reply);
}

/** Never throws: a call that went wrong has a reply that says so. */
async function runTool(served: Served, call: Call, server: Server, context: ServerContext): Promise<unknown> {
  let world: World | undefined;
  try {
    const operation = findOperation(served.operations, call.tool);
    const request = parseArgs(operation.input, call.args) as never;
    world = await served.world();
    return await runOperation(served, operation, request, world, server, context);
  } catch (error) {
    const { maxErrorDetailBytes } = world?.settings.values ?? { maxErrorDetailBytes: 500 };
    const nowMs = world?.clock.now() ?? 0;
    return refusedResult(error, nowMs, maxErrorDetailBytes);
  }
}

function runOperation(
  served: Served,
  operation: ServedOperation,
  request: never,
  world: World,
  server: Server,
  context: ServerContext,
): Promise<unknown> {
  const host = clientName(server, context);
  return served.calls.run(context.mcpReq.signal, async (signal) => {
    const reporter = startReporter(context, world.clock, signal);
    const caller = { surface: "mcp", ...(host === undefined ? {} : { host }) } as const;
    try {
      return await perform(operation, world, request, {
        caller,
        signal,
        onProgress: reporter.report,
        hostWaitSeconds: waitBudget(host),
      });
    } finally {
      reporter.stop();
    }
  });
}

function findOperation(operations: readonly ServedOperation[], name: string): ServedOperation {
  const found = operations.find((operation) => operation.name === name);
  if (found) return found;
  const names = operations.map((operation) => operation.name);
  throw refusal(
    "invalid_args",
    `Unknown tool "${name}": ${nearest(name, names) ?? `known are ${names.join(", ")}`}`,
  );
}

/** The host's name for itself: in each request of the new era, in the handshake of the old. */
function clientName(server: Server, context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as Fields | undefined;
  const info = envelope?.[CLIENT_INFO_META_KEY] as { readonly name?: string } | undefined;
  return (info ?? server.getClientVersion())?.name;
}
