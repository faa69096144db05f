// Which of a provider's models should answer, when the choice is ours? Only one that is able and known to be free.
import type { Catalog } from "./catalog.ts";
import type { FreeBasis } from "./free.ts";
import { type ModelFacts, unfit } from "./model_facts.ts";
import type { Capability } from "./task.ts";

/** What a caller asked for. */
export interface RouteRequest {
  /** `auto`, an id, an alias, or the name of a provider of the user's own. */
  readonly provider: string;
  readonly model: string;
  readonly capability: Capability;
  /** Was the capability named by the caller, not told from the prompt? */
  readonly capabilityAsked: boolean;
}

/** A model that was chosen. */
export interface Chosen {
  readonly model: string;
  readonly freeBasis: FreeBasis;
  readonly why: string;
}

/** A choice, or why there is none. */
export type Choice = Chosen | {
  readonly model?: string;
  readonly why: string;
  readonly freeBasis?: undefined;
};

/** The model of a provider for a request: the one named, else the map's, else what the catalogue says can do it. */
export function chooseModel(provider: string, request: RouteRequest, catalog: Catalog): Choice {
  if (request.model) {
    const listed = catalog.find(provider, request.model);
    return listed ? ifFree(listed, "model asked for") : { why: `does not list "${request.model}"` };
  }
  const models = catalog.modelsOf(provider);
  const mapped = catalog.pairs(request.capability).filter((pair) => pair.provider === provider).map((
    { model },
  ) => model);
  const inOrder = models.toSorted((a, b) => place(a, mapped) - place(b, mapped));
  const able = ableModels(inOrder, request);
  const [best] = [...able.filter(({ free }) => free), ...able];
  if (best) {
    return ifFree(
      best,
      `${request.capability} by the ${mapped.includes(best.id) ? "capability map" : "catalogue"}`,
    );
  }
  const [first] = inOrder;
  return {
    why: first ? unfit(first, request.capability)! : "no models known; run hermes model in a terminal",
  };
}

/** A capability that was only told from the prompt is a wish: where no model has it, one that can talk will do. */
function ableModels(
  models: readonly ModelFacts[],
  { capability, capabilityAsked }: RouteRequest,
): readonly ModelFacts[] {
  const able = models.filter((model) => unfit(model, capability) === undefined);
  return able.length > 0 || capabilityAsked
    ? able
    : models.filter((model) => unfit(model, "chat") === undefined);
}

/** The map's order first, then the provider's default, then Hermes' own order. */
function place(model: ModelFacts, mapped: readonly string[]): number {
  const index = mapped.indexOf(model.id);
  return index >= 0 ? index : mapped.length + (model.isDefault ? 0 : 1);
}

function ifFree(model: ModelFacts, why: string): Choice {
  return model.free
    ? { model: model.id, freeBasis: model.free, why }
    : { model: model.id, why: "not known to be free" };
}
