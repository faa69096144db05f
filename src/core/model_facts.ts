// What is known of one model? Read from an entry of the models.dev catalogue, as Hermes keeps it; what it does not say
// stays unknown.
import type { Capability } from "./task.ts";
import { unservable } from "./capability.ts";
import { type Fields, isFields } from "./models_dev.ts";
import type { FreeBasis, Price } from "./free.ts";

/** Where a model's id comes from: Hermes' provider list, models.dev, our own map, the user's configuration. */
export type ModelSource = "cache" | "models_dev" | "map" | "config";

/** One model of one provider. Null is unknown. */
export interface ModelFacts {
  readonly provider: string;
  readonly id: string;
  readonly source: ModelSource;
  /** Where abilities and limits come from; null when nobody tells. */
  readonly factsFrom: "models_dev" | "map" | null;
  /** What it reads: `text`, `image`, `pdf`, `audio`, `video`. */
  readonly inputTypes: readonly string[] | null;
  readonly toolCall: boolean | null;
  readonly reasoning: boolean | null;
  readonly contextTokens: number | null;
  readonly outputTokens: number | null;
  readonly price: Price | null;
  readonly free: FreeBasis | undefined;
  readonly capabilities: readonly Capability[];
  readonly isDefault: boolean;
  /** Does it answer in text? Models that embed, draw or speak do not. */
  readonly chat: boolean;
  readonly deprecated: boolean;
}

/** The part of {@link ModelFacts} that a models.dev entry tells. */
export type EntryFacts =
  & Pick<
    ModelFacts,
    | "inputTypes"
    | "toolCall"
    | "reasoning"
    | "contextTokens"
    | "outputTokens"
    | "price"
    | "chat"
    | "deprecated"
  >
  & { readonly outputTypes: readonly string[] | null };

/** Smallest context that Hermes 0.19 works with. */
export const MIN_CONTEXT_TOKENS = 64_000;

/** Names of models that do not chat, though their entry may say that they put out text. */
const NO_CHAT =
  /(?:^|[-_/.:])(?:embed(?:ding|dings|qa)?|rerank(?:er|qa)?|tts|whisper|transcribe|speech|imagen?|veo|live|moderation|guard|reward)(?=$|[-_/.:\d])/i;

/** Reads a models.dev entry. Any value is taken; without one only the name speaks. */
export function entryFacts(id: string, entry: Fields | undefined): EntryFacts {
  const modalities = fieldsOf(entry?.modalities);
  const limit = fieldsOf(entry?.limit);
  const outputTypes = wordsOf(modalities.output);
  return {
    inputTypes: wordsOf(modalities.input) ?? inputsFromAttachment(entry?.attachment),
    outputTypes,
    toolCall: flagOf(entry?.tool_call),
    reasoning: flagOf(entry?.reasoning),
    contextTokens: countOf(limit.context),
    outputTokens: countOf(limit.output),
    price: priceOf(entry?.cost),
    chat: (outputTypes === null || outputTypes.includes("text")) && !NO_CHAT.test(id),
    deprecated: entry?.status === "deprecated",
  };
}

/** What a model can do, as far as its facts tell. */
export function capabilitiesOf(facts: EntryFacts): Capability[] {
  const found: Capability[] = [];
  const outputs = (type: string) => facts.outputTypes?.includes(type) ?? false;
  const inputs = (type: string) => facts.inputTypes?.includes(type) ?? false;
  if (!facts.chat) {
    return [...outputs("image") ? ["image-gen" as const] : [], ...outputs("audio") ? ["voice" as const] : []];
  }
  if (facts.reasoning) found.push("reasoning");
  if (facts.toolCall) found.push("coding");
  if (inputs("image")) found.push("vision");
  if (inputs("audio") || inputs("video")) found.push("multimodal");
  if (facts.reasoning && facts.toolCall) found.push("planning");
  return [...found, "chat"];
}

/**
 * Why a model cannot serve a capability, as a phrase; undefined when nothing speaks against it. Every chat model may
 * serve the capabilities of text; `vision` and `multimodal` need an input that is known.
 */
export function unfit(model: ModelFacts, capability: Capability): string | undefined {
  const never = unservable(capability);
  if (never) return never;
  if (!model.chat) return "no chat model";
  if (model.deprecated) return "withdrawn by its provider";
  if (model.toolCall === false) return "cannot call tools";
  if (model.contextTokens !== null && model.contextTokens < MIN_CONTEXT_TOKENS) {
    return `context of ${model.contextTokens} tokens is under Hermes' ${MIN_CONTEXT_TOKENS}`;
  }
  if (model.capabilities.includes(capability)) return undefined;
  if (capability === "vision") return model.inputTypes ? "no image input" : "image input not known";
  if (capability === "multimodal") {
    return model.inputTypes ? "no audio or video input" : "audio and video input not known";
  }
  return undefined;
}

/** An explicit price of both directions, else unknown. */
function priceOf(cost: unknown): Price | null {
  const { input, output } = fieldsOf(cost);
  return isAmount(input) && isAmount(output) ? { input, output } : null;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

/** Hermes does so when an entry names no inputs; the flag says nothing of other kinds than images. */
function inputsFromAttachment(attachment: unknown): string[] | null {
  return typeof attachment === "boolean" ? (attachment ? ["text", "image"] : ["text"]) : null;
}

function wordsOf(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const words = value.filter((word) => typeof word === "string");
  return words.length > 0 ? words : null;
}

function flagOf(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** Some entries have a limit of 0 for "none given". */
function countOf(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
