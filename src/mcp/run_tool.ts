// How does a request become the result of an operation? Arguments are checked by us, progress goes to the host's token,
// and what went wrong is a result too.
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { refusal } from "../core/failure.ts";
import { nearest } from "../core/near.ts";
import { parseArgs, perform } from "../core/operation.ts";
import { refusedResult } from "../core/refused.ts";
import { waitBudget } from "../hosts/budget.ts";
import type { World } from "../ports.ts";
import type { Calls } from "./calls.ts";
import type { Fields } from "./fit.ts";
import { startReporter } from "./progress.ts";
import type { ResourceWatch } from "./resource_watch.ts";
import type { ServedOperation } from "./tools.ts";

/** What a server serves. */
export interface Served {
  readonly operations: readonly ServedOperation[];
  /** The outside world, made at the first call: a broken one must not stop the handshake. */
  readonly world: () => Promise<World>;
  readonly calls: Calls;
  readonly watch: ResourceWatch;
}

/** One call of a tool. */
export interface Call {
  readonly tool: string;
  readonly args: unknown;
}

/** Runs an operation. Never throws: a call that went wrong has a result that says so. */
export async function runTool(
  served: Served,
  call: Call,
  server: Server,
  context: ServerContext,
): Promise<unknown> {
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
export function clientName(server: Server, context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as Fields | undefined;
  const info = envelope?.[CLIENT_INFO_META_KEY] as { readonly name?: string } | undefined;
  return (info ?? server.getClientVersion())?.name;
}
