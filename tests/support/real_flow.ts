// What the real Hermes must come to, whoever asks: one table of cases, played through each surface.
import { assertEquals } from "@std/assert";
import { type ModelServer, startModelServer } from "../../scripts/model_server.ts";
import { aliveIn, waitUntil } from "./processes.ts";
import { escapes, makeRealHome, realHermes, type RealHomeOptions } from "./real_hermes.ts";
import type { OpenSurface, Surface } from "./surfaces.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

/** Where a case plays. */
export interface Stage {
  readonly ask: OpenSurface;
  readonly home: ThrowAwayHome;
  readonly server: ModelServer;
  readonly hermes: string;
}

/** One thing that must hold. */
export interface RealCase {
  readonly name: string;
  /** What the home differs in. */
  readonly options?: RealHomeOptions;
  play(stage: Stage): Promise<void>;
}

/** Plays the cases as tests of this surface, each in a home of its own in which nothing may be left running. */
export function playThrough(surface: Surface, cases: readonly RealCase[]): void {
  for (const { name, options, play } of cases) {
    Deno.test({
      name: `${surface.name}: ${name}`,
      // The protocol's own client keeps timers and streams.
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => {
        const hermes = await realHermes();
        await using server = await startModelServer();
        await using home = await makeRealHome(hermes, server, options);
        {
          await using ask = await surface.open(home);
          await play({ ask, home, server, hermes });
        }
        await waitUntil(async () => (await aliveIn(home)).length === 0, 5000, "nothing runs on");
        assertEquals(escapes(server), [], "something tried to leave the machine");
      },
    });
  }
}
