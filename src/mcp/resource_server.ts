// How are the resources served? Documents are read by the same operations as the tools; tasks are listed, and in the
// handshake era subscribed to. In the era of 2026-07-28 the SDK itself serves subscriptions.
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { redactValue } from "../core/redact.ts";
import type { HermesTasksResult } from "../operations/tasks.ts";
import type { Fields } from "./fit.ts";
import { LIST } from "./notices.ts";
import { fitted } from "./reply.ts";
import { RESOURCE_TEMPLATES, resourceContents, resourceRead, RESOURCES, taskOf } from "./resources.ts";
import { type Call, clientName, runTool, type Served } from "./run_tool.ts";
import { listArgs, parseListCursor, type TaskResources, taskResources } from "./task_resources.ts";

/** An era of the protocol: that of handshakes, or that of 2026-07-28. */
export type Era = "legacy" | "modern";

/** Serves lists, documents and subscriptions. */
export function handleResources(server: Server, served: Served, era: Era): void {
  const run = (call: Call, context: ServerContext) => runTool(served, call, server, context);
  const subscribed = new Set<string>();
  // Whoever has read the list, or subscribed, wants to know when the list is another one.
  const watch = () => era === "modern" ? undefined : served.watch.want(undefined, [LIST, ...subscribed]);
  server.setRequestHandler("resources/list", async ({ params }, context) => {
    await watch();
    const { resources, ...next } = await listTaskResources(params?.cursor, (call) => run(call, context));
    return { resources: params?.cursor === undefined ? [...RESOURCES, ...resources] : resources, ...next };
  });
  server.setRequestHandler(
    "resources/templates/list",
    () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }),
  );
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const client = clientName(server, context);
    return await readResource(uri, client, (call) => run(call, context));
  });
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, context) => {
    await admitSubscription(uri, (call) => run(call, context));
    subscribed.add(uri);
    await watch();
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    if (!resourceRead(uri)) throw new ResourceNotFoundError(uri);
    if (subscribed.delete(uri)) await watch();
    return {};
  });
}

type Run = (call: Call) => Promise<unknown>;

/** A store that cannot be read has no tasks to list, and stops nothing. */
async function listTaskResources(cursor: string | undefined, run: Run): Promise<TaskResources> {
  const start = parseListCursor(cursor);
  const reply = start && redactValue(await run({ tool: "hermes_tasks", args: listArgs(start) }) as Fields);
  if (start && reply?.["ok"] === true) return taskResources(reply as HermesTasksResult, start);
  if (cursor === undefined) return { resources: [] };
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor: give the nextCursor of a page");
}

async function readResource(uri: string, client: string | undefined, run: Run): Promise<ReadResourceResult> {
  const read = resourceRead(uri);
  if (!read) throw new ResourceNotFoundError(uri);
  const reply = fitted(await run(read), { ...read, client });
  refuseFailed(uri, reply);
  return resourceContents(uri, read, reply);
}

/** Only a task that is known can be subscribed to; the two other documents change with everything. */
async function admitSubscription(uri: string, run: Run): Promise<void> {
  if (!resourceRead(uri)) throw new ResourceNotFoundError(uri);
  const task_id = taskOf(uri);
  if (task_id === undefined) {
    const words = `Resource "${uri}" gives no notices: read it again, or subscribe to a task`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, words);
  }
  refuseFailed(uri, await run({ tool: "hermes_task_detail", args: { task_id, max_bytes: 1 } }) as Fields);
}

function refuseFailed(uri: string, { ok, error, error_detail }: Fields): void {
  if (ok !== false) return;
  if (error === "not_found") throw new ResourceNotFoundError(uri);
  throw new ProtocolError(ProtocolErrorCode.InternalError, `${error}: ${error_detail}`);
}
