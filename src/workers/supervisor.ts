// The supervisor's worker: runs what is queued, one task after the other, and answers to nobody.
import { supervise } from "../flow/supervise.ts";
import { connectBootstrap } from "../os/bootstrap_port.ts";
import { createWorld } from "../os/world.ts";

/** How long it waits for a task. */
const IDLE_MS = 30_000;
/** Time for the end of a tree and its record, beyond the grace that a running Hermes gets. */
const LAST_RECORD_MS = 5_000;

async function main(): Promise<void> {
  const connection = await connectBootstrap();
  const world = await createWorld(connection, connection.guardian);
  const ending = new AbortController();
  connection.onEnd((reason) => {
    connection.ending(world.settings.values.killGraceMs + LAST_RECORD_MS);
    ending.abort(reason);
  });
  await supervise(world, { signal: ending.signal, idleMs: IDLE_MS });
  connection.exit(0);
}

void main();
