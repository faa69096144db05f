// The command line's worker: one command, then the exit status.
import { runCommand } from "../cli/app.ts";
import { VERSION } from "../core/version.ts";
import { connectBootstrap } from "../os/bootstrap_port.ts";
import { clock, environment } from "../os/system.ts";
import { readStdin, systemTerminal } from "../os/terminal.ts";

/** Time for the record beyond the grace that a running Hermes gets. */
const LAST_RECORD_MS = 5_000;

async function main(): Promise<void> {
  const connection = await connectBootstrap();
  const ending = new AbortController();
  let asked: number | undefined;
  let graceMs = 0;
  connection.onEnd((reason, status) => {
    asked = status;
    connection.ending(graceMs + LAST_RECORD_MS);
    ending.abort(reason);
  });
  const status = await runCommand(connection.argv, {
    openWorld: async () => {
      const { createWorld } = await import("../os/world.ts");
      const world = await createWorld(connection, connection.guardian);
      graceMs = world.settings.values.killGraceMs;
      return world;
    },
    operations: async () => (await import("../operations/all.ts")).OPERATIONS,
    terminal: systemTerminal(connection.terminal, environment),
    inIsTerminal: connection.terminal.inIsTerminal,
    readStdin,
    signal: ending.signal,
    version: VERSION,
    now: clock.now,
    demo: connection.demo,
  });
  connection.exit(asked ?? status);
}

void main();
