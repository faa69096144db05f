// How is the SDK put on a wire?
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { World } from "../ports.ts";
import type { Calls } from "./calls.ts";
import { ListenedWire } from "./listened_wire.ts";
import { ResourceWatch } from "./resource_watch.ts";
import { buildServer } from "./server.ts";
import type { ServedOperation } from "./tools.ts";
import type { Wire } from "./wire.ts";

/** What is served over a wire. */
export interface AttachOptions {
  readonly operations: readonly ServedOperation[];
  readonly createWorld: () => Promise<World>;
  readonly calls: Calls;
}

/** Attaches the SDK to the wire. The world is made at once, and again at a call when that failed. */
export function attach(wire: Wire, options: AttachOptions): void {
  const world = keptWhenMade(options.createWorld);
  const { operations, calls } = options;
  const watch = new ResourceWatch(world);
  serveStdio(({ era }) => buildServer({ operations, world, calls, watch }, era), {
    transport: new ListenedWire(wire, watch),
  });
  world().catch(() => {/* the first call says why */});
}

function keptWhenMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (made) return made;
    const trying = make();
    made = trying;
    trying.catch(() => made = undefined);
    return trying;
  };
}
