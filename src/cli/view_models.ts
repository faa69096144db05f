// Providers as a table, and the models of one provider.
import type { HermesModelsResult, ModelListing, ProviderListing } from "../core/model_listing.ts";
import { type Look, paint, type Tone } from "./paint.ts";
import { type Cell, type Column, showTable } from "./table.ts";
import { safeLine, wrap } from "./text.ts";
import { momentOf, showAge, showCount, showMoment, showRounded, showUntil } from "./when.ts";

const PROVIDER_COLUMNS: readonly Column[] = [
  { title: "PROVIDER" },
  { title: "STATE", flexible: true },
  { title: "MODELS", align: "right" },
  { title: "DEFAULT", flexible: true },
  { title: "FREE" },
  { title: "IMAGES" },
];

const MODEL_COLUMNS: readonly Column[] = [
  { title: "MODEL", flexible: true },
  { title: "ALSO READS" },
  { title: "CONTEXT", align: "right" },
  { title: "$ PER M" },
  { title: "FREE" },
];

/** More providers without a key than this are named in one line. */
const MOST_UNCONFIGURED = 5;

/** The screen of `models`. */
export function showProviders(result: HermesModelsResult, filtered: boolean, look: Look): string[] {
  const unconfigured = result.providers.filter((one) => one.status === "unconfigured");
  const folded = unconfigured.length > MOST_UNCONFIGURED ? unconfigured : [];
  const rows = result.providers.filter((one) => !folded.includes(one)).map((one) =>
    providerRow(one, look.nowMs)
  );
  return [
    ...(result.count === 0 ? ["No provider has such a model."] : showTable(PROVIDER_COLUMNS, rows, look)),
    ...showFolded(folded, look),
    ...(filtered
      ? dim("counted are models that pass the filter; to list them: hermes-task models PROVIDER", look)
      : []),
    ...showCaches(result, look),
    ...showWarnings(result, look),
  ];
}

/** The screen of `models PROVIDER`. */
export function showModels(result: HermesModelsResult, look: Look): string[] {
  return [
    ...result.providers.flatMap((one) => [...showHeading(one, look), ...showModelTable(one, look)]),
    ...showCaches(result, look),
    ...showWarnings(result, look),
  ];
}

function providerRow(one: ProviderListing, nowMs: number): Cell[] {
  const state = stateOf(one, nowMs);
  if (one.status === "unconfigured") return [one.provider, state];
  return [
    one.provider,
    state,
    showCount(one.matching_count),
    one.default_model ?? "–",
    shareSign(one.free_count, one.matching_count),
    shareSign(one.image_count, one.matching_count),
  ];
}

/** Sign, colour and words of a provider's state. */
function stateOf(one: ProviderListing, nowMs: number): { readonly text: string; readonly tone: Tone } {
  const untilMs = momentOf(one.until);
  switch (one.status) {
    case "alive":
      return { text: one.reason ? `● probably: ${one.reason}` : "● alive", tone: "green" };
    case "cooling":
      if (one.forgiven) return { text: "◐ may be tried once", tone: "yellow" };
      return {
        text: untilMs === undefined
          ? `◐ rests: ${one.reason ?? "limited"}`
          : `◐ rests until ${showMoment(untilMs, nowMs)}`,
        tone: "yellow",
      };
    case "dead":
      return { text: `✗ ${one.reason ?? "key refused"}`, tone: "red" };
    case "unconfigured":
      return { text: `○ ${one.reason ?? "no key"}`, tone: "dim" };
    case "unknown":
      return { text: `? ${one.reason ?? "unknown"}`, tone: "dim" };
  }
}

function shareSign(some: number, all: number): string {
  if (some === 0) return "–";
  return some === all ? "✓" : "some";
}

function showFolded(folded: readonly ProviderListing[], look: Look): string[] {
  if (folded.length === 0) return [];
  const text = `○ not set up: ${
    folded.map((one) => one.provider).join(", ")
  } (what one needs: hermes-task models NAME)`;
  return wrap(safeLine(text), look.columns).flatMap((line) => dim(line, look));
}

function showHeading(one: ProviderListing, look: Look): string[] {
  const state = stateOf(one, look.nowMs);
  const parts = [
    one.provider,
    paint(safeLine(state.text), state.tone, look.colour),
    `${showCount(one.model_count)} models`,
    ...(one.matching_count < one.model_count ? [`${showCount(one.matching_count)} pass the filter`] : []),
  ];
  return [
    parts.join("  "),
    ...(one.status === "cooling" && one.reason ? dim(`why: ${one.reason}`, look) : []),
    ...(one.default_model ? dim(`default: ${one.default_model}`, look) : []),
    "",
  ];
}

function showModelTable(one: ProviderListing, look: Look): string[] {
  if (one.models.length === 0) return ["No model."];
  const left = one.matching_count - one.models.length;
  return [
    ...showTable(MODEL_COLUMNS, one.models.map(modelRow), look),
    ...(left > 0 ? dim(`… ${showCount(left)} more: --limit ${one.matching_count}`, look) : []),
    ...showRemarks(one.models, look),
  ];
}

function modelRow(model: ModelListing): Cell[] {
  return [
    model.id,
    showInputs(model.input_types),
    model.context === null ? "?" : showRounded(model.context),
    model.price ? `${model.price.input}/${model.price.output}` : "?",
    model.free ? { text: model.free === "free_tier" ? "✓ quota" : "✓", tone: "green" } : "–",
  ];
}

/** What is remarkable about some models, one line each. */
function showRemarks(models: readonly ModelListing[], look: Look): string[] {
  return models.flatMap((model) => {
    const untilMs = momentOf(model.until);
    return [
      ...(untilMs === undefined ? [] : [`◐ ${model.id} rests ${showUntil(untilMs, look.nowMs)}`]),
      ...(model.deprecated ? [`! ${model.id} is about to be withdrawn`] : []),
    ];
  }).map((line) => paint(safeLine(line), "yellow", look.colour));
}

const INPUT_WORDS: Readonly<Record<string, string>> = { image: "img", audio: "aud", video: "vid" };

/** What a model reads besides text. */
function showInputs(inputs: readonly string[] | null): string {
  if (inputs === null) return "?";
  return inputs.filter((input) => input !== "text").map((input) => INPUT_WORDS[input] ?? input).join(" ") ||
    "–";
}

/** One line on how old the lists are: they are Hermes' own, and only Hermes can renew them. */
function showCaches({ providers }: HermesModelsResult, look: Look): string[] {
  const lists = youngest(providers.map((one) => one.sources.models), "cache");
  const facts = youngest(providers.map((one) => one.sources.facts), "models_dev");
  const parts = [
    lists === undefined ? "provider list none" : `provider list ${showAge(lists * 1000)} old`,
    facts === undefined ? "model facts none" : `model facts ${showAge(facts * 1000)} old`,
  ];
  return dim(`caches: ${parts.join(" · ")} (refresh: hermes model)`, look);
}

type Origin = ProviderListing["sources"]["models"];

function youngest(origins: readonly Origin[], from: string): number | undefined {
  const ages = origins.flatMap((origin) =>
    origin.from === from && origin.age_seconds !== null ? [origin.age_seconds] : []
  );
  return ages.length > 0 ? Math.min(...ages) : undefined;
}

function showWarnings({ warnings }: HermesModelsResult, look: Look): string[] {
  return warnings.map((warning) => paint(`! ${safeLine(warning)}`, "yellow", look.colour));
}

function dim(text: string, look: Look): string[] {
  return [paint(safeLine(text), "dim", look.colour)];
}
