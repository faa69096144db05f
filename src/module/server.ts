// The MCP server inside an embedding program.
import { OPENING } from "../mcp/opening_data.ts";
import { serveStreams } from "../mcp/stdio.ts";
import { standardStreams } from "../os/stdio.ts";
import { SETTINGS, type Settings } from "../core/settings.ts";
import { worldKeeper } from "./world.ts";

/** Time for the records beyond the grace that a running Hermes gets. */
const LAST_RECORDS_MS = 5_000;

/** A server that is not started yet. */
export interface EmbeddedServer {
  /** Serves on standard input and output; resolves with an exit status at the end of input. */
  start(): Promise<number>;
}

/**
 * Makes an MCP server with the operations as tools, for a program that wants to be one.
 *
 * Needs what {@link hermesTask} needs. Standard output belongs to the protocol: print nothing to it.
 *
 * @param settings Settings that beat environment and file, such as `cwdAllowlist`.
 * @returns The server, to be started once.
 *
 * @example
 * ```ts
 * import { createServer } from "@hermes-task/hermes-task";
 *
 * const server = createServer({ cwdAllowlist: ["/srv/projects"] });
 * if (Deno.args[0] === "serve") Deno.exit(await server.start());
 * ```
 */
export function createServer(settings: Partial<Settings> = {}): EmbeddedServer {
  const openWorld = worldKeeper(false);
  const graceMs = settings.killGraceMs ?? SETTINGS.killGraceMs.fallback as number;
  return {
    start: () =>
      new Promise((resolve) => {
        serveStreams(standardStreams(), {
          opening: OPENING,
          load: async (wire, calls) =>
            (await import("../mcp/serve.ts")).serve(wire, calls, () => openWorld({ settings })),
          endLimitMs: () => graceMs + LAST_RECORDS_MS,
          exit: resolve,
        });
      }),
  };
}
