// What does the SDK serve? The operations as tools, with arguments checked by us, and their documents and prompts.
import { McpServer, ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { TaskError } from "../core/failure.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./identity.ts";
import { promptMessages, PROMPTS } from "./prompts.ts";
import { toolReply } from "./reply.ts";
import { type Era, handleResources } from "./resource_server.ts";
import { clientName, runTool, type Served } from "./run_tool.ts";
import { toolsOf } from "./tools.ts";

/** Builds the server of one connection; it tells the host of changed resources from then on. */
export function buildServer(served: Served, era: Era = "legacy"): McpServer {
  const server = new McpServer(SERVER_INFO, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });
  handleTools(server.server, served);
  handleResources(server.server, served, era);
  handlePrompts(server.server);
  served.watch.tellBy(server.server);
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
