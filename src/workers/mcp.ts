// The server's worker: answers the host on standard input and output. Nothing heavy is imported before the opening
// is answered.
import type { Calls } from "../mcp/calls.ts";
import { OPENING } from "../mcp/opening_data.ts";
import { serveStreams } from "../mcp/stdio.ts";
import type { Wire } from "../mcp/wire.ts";
import { connectBootstrap } from "../os/bootstrap_port.ts";
import { standardStreams } from "../os/stdio.ts";

/** Time for the end of a tree and its records, beyond the grace that a running Hermes gets. */
const LAST_RECORDS_MS = 5_000;

function main(): void {
  const connecting = connectBootstrap();
  const limits = { graceMs: 0 };
  const endLimitMs = () => limits.graceMs + LAST_RECORDS_MS;

  async function load(wire: Wire, calls: Calls): Promise<void> {
    const [{ serve }, { createWorld }] = await Promise.all([
      import("../mcp/serve.ts"),
      import("../os/world.ts"),
    ]);
    serve(wire, calls, async () => {
      const connection = await connecting;
      const world = await createWorld(connection, connection.guardian);
      limits.graceMs = world.settings.values.killGraceMs;
      return world;
    });
  }

  const exit = (status: number) => void connecting.then((connection) => connection.exit(status));
  const end = serveStreams(standardStreams(), { opening: OPENING, load, endLimitMs, exit });
  connecting.then((connection) =>
    connection.onEnd((_reason, status) => {
      connection.ending(endLimitMs());
      void end(status);
    })
  );
}

main();
