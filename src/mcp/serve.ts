// What is loaded behind the opening: the SDK and the operations.
import { OPERATIONS } from "../operations/all.ts";
import type { World } from "../ports.ts";
import { attach } from "./attach.ts";
import type { Calls } from "./calls.ts";
import type { Wire } from "./wire.ts";

/** Serves all operations over a wire. */
export function serve(wire: Wire, calls: Calls, createWorld: () => Promise<World>): void {
  attach(wire, { operations: OPERATIONS, calls, createWorld });
}
