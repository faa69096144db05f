// Which providers does the router of side tasks know, under which names, and which model does it take unasked? A data
// table of Hermes 0.19.1 and 0.21.3 (`agent/auxiliary_client.py`, `hermes_cli/auth.py`); names that `--provider` takes
// are another table, in core/provider.ts.
import { nearestName } from "../core/near.ts";
import { isAtLeast, type Version } from "./tasks.ts";

/** One provider as side tasks reach it, in the order in which discovery tries them. */
export interface AuxiliaryProvider {
  readonly id: string;
  /** How it is signed in to; `none` needs no key, `cloud` has credentials that cannot be seen from here. */
  readonly auth: "key" | "oauth" | "cloud" | "none" | "program";
  /** Null: there is none, or it cannot be told without asking. */
  readonly baseUrl: string | null;
  readonly keyVariables: readonly string[];
  readonly addressVariable?: string;
  /** Model when neither task nor entry names one; null: the main model's id is sent there. */
  readonly model: string | null;
  /** The same for versions from 0.21. */
  readonly model021?: string;
  /** The model that vision takes of it as main provider instead of the main model. */
  readonly visionModel?: string;
  /** False: named explicitly for a side task, no client comes of it. */
  readonly usable?: false;
}

const keyed = (
  id: string,
  baseUrl: string | null,
  keyVariables: readonly string[],
  model: string | null,
  more: Partial<AuxiliaryProvider> = {},
): AuxiliaryProvider => ({ id, auth: "key", baseUrl, keyVariables, model, ...more });

const at = (addressVariable: string): Partial<AuxiliaryProvider> => ({ addressVariable });
const keyless = (id: string, auth: AuxiliaryProvider["auth"], model: string | null, more = {}) =>
  keyed(id, null, [], model, { auth, ...more });

/** All of them. The first is tried before the registry, whose order the others have. */
export const AUXILIARY_PROVIDERS: readonly AuxiliaryProvider[] = [
  keyed("openrouter", "https://openrouter.ai/api/v1", ["OPENROUTER_API_KEY"], "google/gemini-3.6-flash", {
    model021: "nvidia/nemotron-3-ultra-550b-a55b:free",
  }),
  keyless("nous", "oauth", "google/gemini-3.6-flash"),
  keyless("openai-codex", "oauth", null),
  keyed("openai-api", "https://api.openai.com/v1", ["OPENAI_API_KEY"], null, at("OPENAI_BASE_URL")),
  keyless("xai-oauth", "oauth", null),
  keyless("qwen-oauth", "oauth", null, { usable: false }),
  keyed("lmstudio", "http://127.0.0.1:1234/v1", ["LM_API_KEY"], null, { ...at("LM_BASE_URL"), auth: "none" }),
  keyed(
    "copilot",
    "https://api.githubcopilot.com",
    ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    null,
    at("COPILOT_API_BASE_URL"),
  ),
  keyless("copilot-acp", "program", null),
  keyed(
    "gemini",
    "https://generativelanguage.googleapis.com/v1beta",
    ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    "gemini-3.6-flash",
    at("GEMINI_BASE_URL"),
  ),
  keyed(
    "zai",
    "https://api.z.ai/api/paas/v4",
    ["GLM_API_KEY", "ZAI_API_KEY", "Z_AI_API_KEY"],
    "glm-4.5-flash",
    { ...at("GLM_BASE_URL"), visionModel: "glm-5v-turbo" },
  ),
  keyed(
    "kimi-coding",
    "https://api.moonshot.ai/v1",
    ["KIMI_API_KEY", "KIMI_CODING_API_KEY"],
    "kimi-k2-turbo-preview",
    at("KIMI_BASE_URL"),
  ),
  keyed("kimi-coding-cn", "https://api.moonshot.cn/v1", ["KIMI_CN_API_KEY"], "kimi-k2-turbo-preview"),
  keyed(
    "stepfun",
    "https://api.stepfun.ai/step_plan/v1",
    ["STEPFUN_API_KEY"],
    "step-3.5-flash",
    at("STEPFUN_BASE_URL"),
  ),
  keyed("arcee", "https://api.arcee.ai/api/v1", ["ARCEEAI_API_KEY"], null, at("ARCEE_BASE_URL")),
  keyed(
    "gmi",
    "https://api.gmi-serving.com/v1",
    ["GMI_API_KEY"],
    "google/gemini-3.1-flash-lite-preview",
    at("GMI_BASE_URL"),
  ),
  keyed(
    "minimax",
    "https://api.minimax.io/anthropic",
    ["MINIMAX_API_KEY"],
    "MiniMax-M3",
    at("MINIMAX_BASE_URL"),
  ),
  keyless("minimax-oauth", "oauth", null, { usable: false }),
  keyed(
    "anthropic",
    "https://api.anthropic.com",
    ["ANTHROPIC_API_KEY", "ANTHROPIC_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    "claude-haiku-4-5-20251001",
    at("ANTHROPIC_BASE_URL"),
  ),
  keyed(
    "alibaba",
    "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    ["DASHSCOPE_API_KEY"],
    null,
    at("DASHSCOPE_BASE_URL"),
  ),
  keyed(
    "alibaba-coding-plan",
    "https://coding-intl.dashscope.aliyuncs.com/v1",
    ["ALIBABA_CODING_PLAN_API_KEY", "DASHSCOPE_API_KEY"],
    null,
    at("ALIBABA_CODING_PLAN_BASE_URL"),
  ),
  keyed(
    "minimax-cn",
    "https://api.minimaxi.com/anthropic",
    ["MINIMAX_CN_API_KEY"],
    "MiniMax-M3",
    at("MINIMAX_CN_BASE_URL"),
  ),
  keyed(
    "deepseek",
    "https://api.deepseek.com/v1",
    ["DEEPSEEK_API_KEY"],
    "deepseek-v4-flash",
    at("DEEPSEEK_BASE_URL"),
  ),
  keyed("xai", "https://api.x.ai/v1", ["XAI_API_KEY"], null, at("XAI_BASE_URL")),
  keyed(
    "nvidia",
    "https://integrate.api.nvidia.com/v1",
    ["NVIDIA_API_KEY"],
    null,
    at("NVIDIA_BASE_URL"),
  ),
  keyed(
    "ai-gateway",
    "https://ai-gateway.vercel.sh/v1",
    ["AI_GATEWAY_API_KEY"],
    "google/gemini-3-flash",
    at("AI_GATEWAY_BASE_URL"),
  ),
  keyed(
    "opencode-zen",
    "https://opencode.ai/zen/v1",
    ["OPENCODE_ZEN_API_KEY"],
    "gemini-3-flash",
    at("OPENCODE_ZEN_BASE_URL"),
  ),
  keyed(
    "opencode-go",
    "https://opencode.ai/zen/go/v1",
    ["OPENCODE_GO_API_KEY"],
    "glm-5",
    at("OPENCODE_GO_BASE_URL"),
  ),
  keyed(
    "kilocode",
    "https://api.kilo.ai/api/gateway",
    ["KILOCODE_API_KEY"],
    "google/gemini-3.6-flash",
    at("KILOCODE_BASE_URL"),
  ),
  keyed("huggingface", "https://router.huggingface.co/v1", ["HF_TOKEN"], null, at("HF_BASE_URL")),
  keyed("xiaomi", "https://api.xiaomimimo.com/v1", ["XIAOMI_API_KEY"], null, {
    ...at("XIAOMI_BASE_URL"),
    visionModel: "mimo-v2.5",
  }),
  keyed("tencent-tokenhub", "https://tokenhub.tencentmaas.com/v1", ["TOKENHUB_API_KEY"], "hy3-preview", {
    ...at("TOKENHUB_BASE_URL"),
    model021: "hy4-preview",
  }),
  keyed(
    "ollama-cloud",
    "https://ollama.com/v1",
    ["OLLAMA_API_KEY"],
    "nemotron-3-nano:30b",
    at("OLLAMA_BASE_URL"),
  ),
  keyless("bedrock", "cloud", "anthropic.claude-haiku-4-5-20251001-v1:0"),
  keyless("vertex", "cloud", "google/gemini-3-flash-preview"),
  keyed("azure-foundry", null, ["AZURE_FOUNDRY_API_KEY"], null, at("AZURE_FOUNDRY_BASE_URL")),
  keyed(
    "deepinfra",
    "https://api.deepinfra.com/v1/openai",
    ["DEEPINFRA_API_KEY"],
    "deepseek-ai/DeepSeek-V4-Flash",
    at("DEEPINFRA_BASE_URL"),
  ),
  keyed(
    "fireworks",
    "https://api.fireworks.ai/inference/v1",
    ["FIREWORKS_API_KEY"],
    "accounts/fireworks/models/glm-5p2",
  ),
  keyed(
    "novita",
    "https://api.novita.ai/openai/v1",
    ["NOVITA_API_KEY"],
    "deepseek/deepseek-v3-0324",
    at("NOVITA_BASE_URL"),
  ),
  keyed("upstage", "https://api.upstage.ai/v1", ["UPSTAGE_API_KEY"], null, at("UPSTAGE_BASE_URL")),
];

/** Names that are no provider and mean something: the router's own words. */
export const SPECIAL_PROVIDERS = ["auto", "main", "custom", "openai", "moa"] as const;

const ALIASES: Readonly<Record<string, string>> = {
  gemini: "google google-gemini google-ai-studio",
  xai: "x-ai x.ai grok",
  zai: "glm z-ai z.ai zhipu",
  "kimi-coding": "kimi moonshot",
  "kimi-coding-cn": "kimi-cn moonshot-cn",
  gmi: "gmi-cloud gmicloud",
  "minimax-cn": "minimax-china minimax_cn",
  anthropic: "claude claude-code",
  copilot: "github github-copilot github-model github-models",
  "copilot-acp": "github-copilot-acp copilot-acp-agent",
  "tencent-tokenhub": "tokenhub tencent tencent-cloud tencentmaas",
  "openai-codex": "codex",
  deepinfra: "deep-infra deepinfra-ai",
  fireworks: "fireworks-ai fw",
  novita: "novita-ai novitaai",
  upstage: "solar",
};

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([id, names]) => names.split(" ").map((name) => [name, id] as const)),
);

/**
 * The id that the router makes of a name: trimmed, lower-cased, `custom:NAME` without its prefix, aliases followed.
 * Empty becomes `auto`. Whether such a provider exists is another question.
 */
export function normalizeProvider(name: string): string {
  const word = name.trim().toLowerCase();
  if (word === "") return "auto";
  if (word.startsWith("custom:")) return word.slice("custom:".length).trim() || "custom";
  return CANONICAL.get(word) ?? word;
}

/** The facts of a provider by its id or an alias. */
export function auxiliaryProvider(name: string): AuxiliaryProvider | undefined {
  const id = normalizeProvider(name);
  return AUXILIARY_PROVIDERS.find((known) => known.id === id);
}

/** The model that a provider gets unasked. */
export function unaskedModel(provider: AuxiliaryProvider, version: Version | null): string | null {
  const newer = version !== null && isAtLeast(version, "0.21.0");
  return newer ? provider.model021 ?? provider.model : provider.model;
}

/** Names that other parts of Hermes take for a provider, and its router of side tasks does not. */
const MEANT: Readonly<Record<string, string>> = {
  opencode: "opencode-zen",
  zen: "opencode-zen",
  go: "opencode-go",
  hf: "huggingface",
  "hugging-face": "huggingface",
  nim: "nvidia",
  qwen: "alibaba",
  dashscope: "alibaba",
  ollama: "custom",
  vllm: "custom",
  llamacpp: "custom",
  "llama.cpp": "custom",
  or: "openrouter",
  chatgpt: "openai-api",
};

/** Which provider was meant by a name that is none; `also` are further names that exist here. */
export function meantProvider(name: string, also: Iterable<string> = []): string | undefined {
  const word = name.trim().toLowerCase();
  const ids = AUXILIARY_PROVIDERS.map(({ id }) => id);
  return MEANT[word] ?? nearestName(word, [...ids, ...SPECIAL_PROVIDERS, ...CANONICAL.keys(), ...also]);
}
