// The supervisor's worker: runs what is queued, one task after the other, and answers to nobody.
import { failCurrent, supervise } from "../flow/supervise.ts";
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
  const fail = async (error: unknown) => {
    connection.ending(LAST_RECORD_MS);
    await failCurrent(world, error).finally(() => connection.exit(1));
  };
  // There is no terminal to tell it to: the record is where somebody will read it.
  self.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    void fail(event.reason);
  });
  try {
    await supervise(world, { signal: ending.signal, idleMs: IDLE_MS });
    connection.exit(0);
  } catch (error) {
    await fail(error);
  }
}

void main();
