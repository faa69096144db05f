// The server's worker: serves the host whose bytes the bootstrap hands on, and answers on standard output.
import type { Calls } from "../mcp/calls.ts";
import { serve } from "../mcp/serve.ts";
import { serveStreams, type Streams } from "../mcp/stdio.ts";
import type { Wire } from "../mcp/wire.ts";
import { connectBootstrap, type Connection } from "../os/bootstrap_port.ts";
import { standardStreams } from "../os/stdio.ts";
import { createWorld } from "../os/world.ts";

/** Time for the end of a tree and its records, beyond the grace that a running Hermes gets. */
const LAST_RECORDS_MS = 5_000;

async function main(): Promise<void> {
  const connection = await connectBootstrap();
  const limits = { graceMs: 0 };
  const endLimitMs = () => limits.graceMs + LAST_RECORDS_MS;
  const end = serveStreams(streamsOf(connection), {
    opening: connection.answered,
    load: (wire: Wire, calls: Calls) =>
      Promise.resolve(serve(wire, calls, async () => {
        const world = await createWorld(connection, connection.guardian);
        limits.graceMs = world.settings.values.killGraceMs;
        return world;
      })),
    endLimitMs,
    exit: connection.exit,
  });
  connection.onEnd((_reason, status) => {
    connection.ending(endLimitMs());
    void end(status);
  });
}

/** Input comes by way of the bootstrap, which sees its end too. */
function streamsOf(connection: Connection): Streams {
  return {
    stdin: {
      on: (event, listener) =>
        event === "data" && connection.onInput(listener as (bytes: Uint8Array) => void),
    },
    stdout: standardStreams().stdout,
  };
}

void main();
