// Gathers what is known of providers and models, for those who only want to look.
import type { Catalog } from "../core/catalog.ts";
import { readUserConfig } from "../hermes/config.ts";
import { type HealthReading, readHealth } from "../hermes/credentials.ts";
import { readCatalog } from "../hermes/models.ts";
import type { World } from "../ports.ts";

/** Who is here and what they offer. */
export interface Survey {
  readonly health: HealthReading;
  readonly catalog: Catalog;
}

/** Reads credentials and catalogue. Never throws for a bad file: what is wrong stands in their warnings. */
export async function surveyProviders(world: World, options: { cachePath?: string } = {}): Promise<Survey> {
  const known = await readUserConfig(world);
  const [health, catalog] = await Promise.all([
    readHealth(world, known),
    readCatalog(world, { ...options, known }),
  ]);
  return { health, catalog };
}
