// Which pairs stand for a capability, once the user's setting `capabilityMap` has been laid over our map?
import { CAPABILITIES, CAPABILITY_MAP, capabilityNamed, type ModelPair } from "./capability.ts";
import { parsePair } from "./free.ts";
import type { Settings } from "./settings.ts";
import type { Capability } from "./task.ts";

/** The map in force. */
export interface PairMap {
  /** Pairs in order: the user's, where the setting names the capability, else ours. */
  pairs(capability: Capability): readonly ModelPair[];
  /** The user's own pairs only. */
  chosenPairs(capability: Capability): readonly ModelPair[];
  /** Under which capabilities a model stands, in the map in force or only in the user's own. */
  standsFor(pair: ModelPair, within: "all" | "chosen"): readonly Capability[];
  /** One line for each entry of the setting that is not in force. */
  readonly problems: readonly string[];
}

/** Lays the setting over our map. */
export function buildPairMap(setting: Settings["capabilityMap"]): PairMap {
  const { chosen, problems } = parseSetting(setting);
  const pairs = (capability: Capability) => chosen.get(capability) ?? CAPABILITY_MAP[capability];
  const chosenPairs = (capability: Capability) => chosen.get(capability) ?? [];
  const index = { all: indexPairs(pairs), chosen: indexPairs(chosenPairs) };
  return {
    pairs,
    chosenPairs,
    standsFor: (pair, within) => index[within].get(keyOf(pair)) ?? [],
    problems,
  };
}

function parseSetting(setting: Settings["capabilityMap"]) {
  const chosen = new Map<Capability, ModelPair[]>();
  const problems: string[] = [];
  for (const [name, texts] of Object.entries(setting)) {
    const capability = capabilityNamed(name);
    if (!capability) {
      problems.push(
        `Setting capabilityMap: unknown capability "${name}"; known are ${CAPABILITIES.join(", ")}`,
      );
      continue;
    }
    // An empty list is a wish too: no pair of ours for this capability.
    if (texts.length === 0) chosen.set(capability, []);
    for (const text of texts) {
      const pair = parsePair(text);
      if (pair) chosen.set(capability, [...chosen.get(capability) ?? [], pair]);
      else problems.push(`Setting capabilityMap: "${text}" is not in force; write it as provider/model`);
    }
  }
  return { chosen, problems };
}

function indexPairs(
  pairsOf: (capability: Capability) => readonly ModelPair[],
): ReadonlyMap<string, Capability[]> {
  const index = new Map<string, Capability[]>();
  for (const capability of CAPABILITIES) {
    for (const pair of pairsOf(capability)) {
      const there = index.get(keyOf(pair)) ?? [];
      index.set(keyOf(pair), [...there, capability]);
    }
  }
  return index;
}

function keyOf({ provider, model }: ModelPair): string {
  return `${provider}/${model}`;
}
