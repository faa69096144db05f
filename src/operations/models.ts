// `hermes_models`: which providers and models there are, whether they work now, what they can do and cost.
import { z } from "zod";
import { CAPABILITIES, capabilityNamed } from "../core/capability.ts";
import { refusal } from "../core/failure.ts";
import { type HermesModelsResult, listProviders } from "../core/model_listing.ts";
import type { Operation } from "../core/operation.ts";
import { nearProviders } from "../core/provider.ts";
import type { Caller } from "../core/record.ts";
import { resolveProvider } from "../core/route.ts";
import type { Capability } from "../core/task.ts";
import { type Survey, surveyProviders } from "../flow/survey.ts";
import type { World } from "../ports.ts";

export type {
  FieldOrigin,
  HermesModelsResult,
  ListSource,
  ModelListing,
  ProviderListing,
} from "../core/model_listing.ts";

/** Arguments of `hermes_models`. All may be left out. */
export interface HermesModelsArgs {
  /** A provider id or alias; empty: all that exist here. */
  readonly provider?: string;
  /** Only models that read this; one whose inputs are unknown passes `text` alone. */
  readonly input_type?: "" | "text" | "image" | "pdf" | "audio" | "video";
  /** Only models with this ability. */
  readonly capability?: Capability | "reason" | "";
  /** Only models known to be free. */
  readonly free_only?: boolean;
  /** Most models per provider. Default 10. */
  readonly limit?: number;
  /** Read Hermes' provider list from here. */
  readonly models_cache_path?: string;
}

/** {@link HermesModelsArgs} with every default filled in. */
export interface ModelsRequest {
  readonly provider: string;
  readonly input_type: "" | "text" | "image" | "pdf" | "audio" | "video";
  readonly capability: Capability | "reason" | "";
  readonly free_only: boolean;
  readonly limit: number;
  readonly models_cache_path: string;
}

const input: z.ZodType<ModelsRequest, HermesModelsArgs> = z.strictObject({
  provider: z.string().trim().max(200).default("").describe(
    "A provider id or alias, such as gemini. Empty: all.",
  ),
  input_type: z.enum(["", "text", "image", "pdf", "audio", "video"]).default("")
    .describe("Only models that read this kind of input: text, image, pdf, audio, video."),
  capability: z.enum(["", "reason", ...CAPABILITIES]).default("")
    .describe(`Only models with this ability: ${CAPABILITIES.join(", ")}.`),
  free_only: z.boolean().default(false).describe("Only models known to cost nothing."),
  limit: z.int().min(1).max(100_000).default(10).describe("Most models shown per provider."),
  models_cache_path: z.string().default("")
    .describe("Read Hermes' provider list from this file; inside the Hermes home or an allowed folder."),
});

const text = z.string().nullable();
const count = z.number().nullable();

const output = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  error_detail: z.string().optional(),
  source: text.optional(),
  fetched_at: count.optional().describe("When the newest list was fetched, epoch seconds."),
  count: z.number().optional().describe("Number of providers listed."),
  warnings: z.array(z.string()).optional(),
  providers: z.array(z.looseObject({
    provider: z.string(),
    status: z.string().describe("alive, cooling, dead, unconfigured or unknown."),
    until: text.describe("Rests until then, ISO 8601 UTC."),
    default_model: text,
    models: z.array(z.looseObject({
      id: z.string(),
      input_types: z.array(z.string()).nullable(),
      is_default: z.boolean(),
      free: text.describe("Why it costs nothing; null: not known to be free."),
    })),
  })).optional(),
});

/** The operation behind `hermes_models`, `hermes-task models` and `hermesModels`. */
export const modelsOperation: Operation<World, HermesModelsArgs, ModelsRequest, HermesModelsResult> = {
  name: "hermes_models",
  command: "models",
  title: "List Hermes providers and models",
  description:
    "Lists the providers and models that Hermes Agent can use here: whether each works now (alive, cooling until a time, dead, unconfigured), " +
    "what each model reads and can do, its price, whether it is free, and the default. Unknown is null. " +
    "Use it before hermes_task when a certain model or input (image, pdf, audio, video) matters. Reads files only.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  async run(world, request, { caller }) {
    const cachePath = await admitCachePath(world, request.models_cache_path, caller);
    const survey = await surveyProviders(world, cachePath ? { cachePath } : {});
    const { health, catalog } = survey;
    const { tiebreakOrder } = world.settings.values;
    const facts = {
      health: health.providers,
      complete: health.complete,
      catalog,
      tiebreakOrder,
      nowMs: world.clock.now(),
    };
    const filter = {
      provider: admitProvider(request.provider, survey),
      inputType: request.input_type,
      capability: capabilityNamed(request.capability) ?? "" as const,
      freeOnly: request.free_only,
      limit: request.limit,
    };
    const listed = listProviders(filter, facts);
    return { ok: true, ...listed, warnings: [...new Set([...health.warnings, ...catalog.warnings])] };
  },
};

/** The canonical id of what was asked for; empty for all. */
function admitProvider(name: string, { health, catalog }: Survey): string {
  if (name === "") return "";
  const asked = name.toLowerCase();
  const id = resolveProvider(name, health.providers) ?? catalog.providers.find((known) => known === asked);
  if (id !== undefined) return id;
  const near = nearProviders(name, [...health.providers.keys(), ...catalog.providers]);
  const next = near.length > 0
    ? `did you mean ${near.map((one) => `"${one}"`).join(" or ")}?`
    : "see hermes-task models";
  throw refusal("provider_not_found", `No provider "${name}" is known; ${next}`, { extra: { near } });
}

/** The real path of a list that the caller named. It must lie where our worker may read; a script has its own rights. */
async function admitCachePath(world: World, named: string, { surface }: Caller): Promise<string | undefined> {
  if (named === "") return undefined;
  const { place, guardian, settings } = world;
  const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/.test(named);
  const { path, kind } = await guardian.resolve(isAbsolute ? named : `${place.cwd}/${named}`);
  if (
    surface !== "module" &&
    !await isInsideAny(world, path, [place.root, place.home, ...settings.values.readAllowlist])
  ) {
    throw refusal(
      "invalid_args",
      `Argument "models_cache_path": "${named}" lies outside the Hermes home; move it there, or add its folder to readAllowlist in hermes-task.jsonc`,
    );
  }
  if (kind === "file") return path;
  throw refusal(
    "invalid_args",
    `Argument "models_cache_path": "${named}" is no file; leave it out to read Hermes' own list`,
  );
}

async function isInsideAny(world: World, path: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const real = (await world.guardian.resolve(folder)).path.replace(/[\\/]+$/, "");
    if (path.startsWith(`${real}/`) || path.startsWith(`${real}\\`)) return true;
  }
  return false;
}
