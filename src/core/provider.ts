// A data table: the providers that Hermes 0.19.1 knows, their names, key variables and default models.
// Which id does a name mean, and what does that provider need?
import { nearestName } from "./near.ts";

/** One provider of Hermes' registry. */
export interface ProviderFacts {
  /** The canonical id: what `--provider` gets and what `auth.json` uses. */
  readonly id: string;
  /** Further names that Hermes' `--provider` accepts. */
  readonly aliases: readonly string[];
  /** Environment variables that may hold its key, first one first. */
  readonly keyVariables: readonly string[];
  /** Environment variables that move its address. */
  readonly addressVariables: readonly string[];
  /** How it is signed in to: a key, an OAuth login, or something that cannot be seen from here (AWS, Google, Entra). */
  readonly auth: "key" | "oauth" | "other";
  /** Its id in the models.dev catalogue. */
  readonly modelsDevId?: string;
  /** Model when the caller names none. */
  readonly defaultModel?: string;
}

/**
 * The registry. Aliases are those that `hermes chat --provider` takes; Hermes' other tables disagree with it.
 * `OPENAI_API_KEY` is left out of openrouter, though Hermes tries it there last: it belongs to another purse.
 */
export const PROVIDERS: readonly ProviderFacts[] = [
  {
    id: "openrouter",
    aliases: ["or"],
    keyVariables: ["OPENROUTER_API_KEY"],
    addressVariables: ["OPENROUTER_BASE_URL"],
    auth: "key",
    modelsDevId: "openrouter",
    defaultModel: "nvidia/nemotron-3-ultra-550b-a55b:free",
  },
  {
    id: "nous",
    aliases: ["nous-portal", "nousresearch"],
    keyVariables: [],
    addressVariables: ["NOUS_INFERENCE_BASE_URL"],
    auth: "oauth",
  },
  {
    id: "openai-codex",
    aliases: ["codex", "openai_codex"],
    keyVariables: [],
    addressVariables: ["HERMES_CODEX_BASE_URL"],
    auth: "oauth",
    modelsDevId: "openai",
  },
  {
    id: "openai-api",
    aliases: [],
    keyVariables: ["OPENAI_API_KEY"],
    addressVariables: ["OPENAI_BASE_URL"],
    auth: "key",
  },
  {
    id: "xai-oauth",
    aliases: ["grok-oauth", "x-ai-oauth", "xai-grok-oauth"],
    keyVariables: [],
    addressVariables: ["HERMES_XAI_BASE_URL", "XAI_BASE_URL"],
    auth: "oauth",
    modelsDevId: "xai",
  },
  {
    id: "qwen-oauth",
    aliases: ["qwen", "qwen-portal", "qwen-cli"],
    keyVariables: [],
    addressVariables: ["HERMES_QWEN_BASE_URL"],
    auth: "oauth",
    modelsDevId: "alibaba",
  },
  {
    id: "minimax-oauth",
    aliases: ["minimax-portal", "minimax-global", "minimax_oauth", "minimax-oauth-io"],
    keyVariables: [],
    addressVariables: [],
    auth: "oauth",
    modelsDevId: "minimax",
  },
  {
    id: "copilot",
    aliases: ["github", "github-copilot", "github-models", "github-model"],
    keyVariables: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    addressVariables: ["COPILOT_API_BASE_URL"],
    auth: "key",
    modelsDevId: "github-copilot",
  },
  {
    id: "copilot-acp",
    aliases: ["github-copilot-acp", "copilot-acp-agent"],
    keyVariables: [],
    addressVariables: ["COPILOT_ACP_BASE_URL"],
    auth: "other",
  },
  {
    id: "anthropic",
    aliases: ["claude", "claude-code", "claude-oauth"],
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    addressVariables: ["ANTHROPIC_BASE_URL"],
    auth: "key",
    modelsDevId: "anthropic",
  },
  {
    id: "gemini",
    aliases: ["google", "google-gemini", "google-ai-studio"],
    keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    addressVariables: ["GEMINI_BASE_URL"],
    auth: "key",
    modelsDevId: "google",
    defaultModel: "gemini-3.1-flash-lite",
  },
  {
    id: "zai",
    aliases: ["glm", "z-ai", "z.ai", "zhipu"],
    keyVariables: ["GLM_API_KEY", "ZAI_API_KEY", "Z_AI_API_KEY"],
    addressVariables: ["GLM_BASE_URL"],
    auth: "key",
    modelsDevId: "zai",
  },
  {
    id: "kimi-coding",
    aliases: ["kimi", "moonshot", "kimi-for-coding"],
    keyVariables: ["KIMI_API_KEY", "KIMI_CODING_API_KEY"],
    addressVariables: ["KIMI_BASE_URL"],
    auth: "key",
    modelsDevId: "kimi-for-coding",
  },
  {
    id: "kimi-coding-cn",
    aliases: ["kimi-cn", "moonshot-cn"],
    keyVariables: ["KIMI_CN_API_KEY"],
    addressVariables: [],
    auth: "key",
    modelsDevId: "kimi-for-coding",
  },
  {
    id: "nvidia",
    aliases: ["nvidia-nim"],
    keyVariables: ["NVIDIA_API_KEY"],
    addressVariables: ["NVIDIA_BASE_URL"],
    auth: "key",
    modelsDevId: "nvidia",
  },
  {
    id: "huggingface",
    aliases: ["hf", "hugging-face", "huggingface-hub"],
    keyVariables: ["HF_TOKEN"],
    addressVariables: ["HF_BASE_URL"],
    auth: "key",
    modelsDevId: "huggingface",
  },
  {
    id: "opencode-zen",
    aliases: ["opencode", "opencode_zen", "zen"],
    keyVariables: ["OPENCODE_ZEN_API_KEY"],
    addressVariables: ["OPENCODE_ZEN_BASE_URL"],
    auth: "key",
    modelsDevId: "opencode",
    defaultModel: "deepseek-v4-flash-free",
  },
  {
    id: "opencode-go",
    aliases: ["go", "opencode_go", "opencode-go-sub"],
    keyVariables: ["OPENCODE_GO_API_KEY"],
    addressVariables: ["OPENCODE_GO_BASE_URL"],
    auth: "key",
    modelsDevId: "opencode-go",
  },
  {
    id: "ollama-cloud",
    aliases: ["ollama_cloud"],
    keyVariables: ["OLLAMA_API_KEY"],
    addressVariables: ["OLLAMA_BASE_URL"],
    auth: "key",
    modelsDevId: "ollama-cloud",
  },
  {
    id: "deepseek",
    aliases: ["deepseek-chat"],
    keyVariables: ["DEEPSEEK_API_KEY"],
    addressVariables: ["DEEPSEEK_BASE_URL"],
    auth: "key",
    modelsDevId: "deepseek",
  },
  {
    id: "xai",
    aliases: ["grok", "x-ai", "x.ai"],
    keyVariables: ["XAI_API_KEY"],
    addressVariables: ["XAI_BASE_URL"],
    auth: "key",
    modelsDevId: "xai",
  },
  {
    id: "minimax",
    aliases: ["mini-max"],
    keyVariables: ["MINIMAX_API_KEY"],
    addressVariables: ["MINIMAX_BASE_URL"],
    auth: "key",
    modelsDevId: "minimax",
  },
  {
    id: "minimax-cn",
    aliases: ["minimax-china", "minimax_cn"],
    keyVariables: ["MINIMAX_CN_API_KEY"],
    addressVariables: ["MINIMAX_CN_BASE_URL"],
    auth: "key",
    modelsDevId: "minimax-cn",
  },
  {
    id: "alibaba",
    aliases: ["dashscope", "alibaba-cloud", "qwen-dashscope"],
    keyVariables: ["DASHSCOPE_API_KEY"],
    addressVariables: ["DASHSCOPE_BASE_URL"],
    auth: "key",
    modelsDevId: "alibaba",
  },
  {
    id: "alibaba-coding-plan",
    aliases: ["alibaba-coding", "alibaba_coding", "alibaba_coding_plan", "dashscope-coding"],
    keyVariables: ["ALIBABA_CODING_PLAN_API_KEY", "DASHSCOPE_API_KEY"],
    addressVariables: ["ALIBABA_CODING_PLAN_BASE_URL"],
    auth: "key",
  },
  {
    id: "stepfun",
    aliases: ["step", "stepfun-coding-plan"],
    keyVariables: ["STEPFUN_API_KEY"],
    addressVariables: ["STEPFUN_BASE_URL"],
    auth: "key",
    modelsDevId: "stepfun",
  },
  {
    id: "xiaomi",
    aliases: ["mimo", "xiaomi-mimo"],
    keyVariables: ["XIAOMI_API_KEY"],
    addressVariables: ["XIAOMI_BASE_URL"],
    auth: "key",
    modelsDevId: "xiaomi",
  },
  {
    id: "arcee",
    aliases: ["arcee-ai", "arceeai"],
    keyVariables: ["ARCEEAI_API_KEY"],
    addressVariables: ["ARCEE_BASE_URL"],
    auth: "key",
  },
  {
    id: "gmi",
    aliases: ["gmi-cloud", "gmicloud"],
    keyVariables: ["GMI_API_KEY"],
    addressVariables: ["GMI_BASE_URL"],
    auth: "key",
  },
  {
    id: "ai-gateway",
    aliases: ["vercel", "vercel-ai-gateway", "aigateway", "ai_gateway"],
    keyVariables: ["AI_GATEWAY_API_KEY"],
    addressVariables: ["AI_GATEWAY_BASE_URL"],
    auth: "key",
    modelsDevId: "vercel",
  },
  {
    id: "kilocode",
    aliases: ["kilo", "kilo-code", "kilo-gateway"],
    keyVariables: ["KILOCODE_API_KEY"],
    addressVariables: ["KILOCODE_BASE_URL"],
    auth: "key",
    modelsDevId: "kilo",
  },
  {
    id: "tencent-tokenhub",
    aliases: ["tencent", "tokenhub", "tencent-cloud", "tencentmaas"],
    keyVariables: ["TOKENHUB_API_KEY"],
    addressVariables: ["TOKENHUB_BASE_URL"],
    auth: "key",
  },
  {
    id: "deepinfra",
    aliases: ["deep-infra", "deepinfra-ai"],
    keyVariables: ["DEEPINFRA_API_KEY"],
    addressVariables: ["DEEPINFRA_BASE_URL"],
    auth: "key",
  },
  {
    id: "fireworks",
    aliases: ["fireworks-ai", "fw"],
    keyVariables: ["FIREWORKS_API_KEY"],
    addressVariables: [],
    auth: "key",
    modelsDevId: "fireworks-ai",
  },
  {
    id: "novita",
    aliases: ["novita-ai", "novitaai"],
    keyVariables: ["NOVITA_API_KEY"],
    addressVariables: ["NOVITA_BASE_URL"],
    auth: "key",
    modelsDevId: "novita-ai",
  },
  {
    id: "upstage",
    aliases: ["solar"],
    keyVariables: ["UPSTAGE_API_KEY"],
    addressVariables: ["UPSTAGE_BASE_URL"],
    auth: "key",
  },
  {
    id: "lmstudio",
    aliases: ["lm-studio", "lm_studio"],
    keyVariables: ["LM_API_KEY"],
    addressVariables: ["LM_BASE_URL"],
    auth: "key",
  },
  {
    id: "bedrock",
    aliases: ["aws", "aws-bedrock", "amazon", "amazon-bedrock"],
    keyVariables: [],
    addressVariables: ["BEDROCK_BASE_URL"],
    auth: "other",
  },
  {
    id: "vertex",
    aliases: ["google-vertex", "vertex-ai", "gcp-vertex"],
    keyVariables: [],
    addressVariables: [],
    auth: "other",
  },
  {
    id: "azure-foundry",
    aliases: ["azure", "azure-ai", "azure-ai-foundry"],
    keyVariables: ["AZURE_FOUNDRY_API_KEY"],
    addressVariables: ["AZURE_FOUNDRY_BASE_URL"],
    auth: "key",
  },
];

const BY_NAME: ReadonlyMap<string, ProviderFacts> = new Map(
  PROVIDERS.flatMap((facts) => [...facts.aliases, facts.id].map((name) => [name, facts] as const)),
);

/** The provider that an id or alias means, whatever its case; undefined for an unknown name. */
export function canonicalProvider(idOrAlias: string): ProviderFacts | undefined {
  return BY_NAME.get(idOrAlias.trim().toLowerCase());
}

/** Ids that somebody may have meant by an unknown name, best first, at most three. `alsoKnown` adds names of this place. */
export function nearProviders(name: string, alsoKnown: Iterable<string> = []): string[] {
  const names = new Set([...BY_NAME.keys(), ...alsoKnown]);
  const found = new Set<string>();
  while (found.size < 3) {
    const near = nearestName(name.trim(), names);
    if (near === undefined) break;
    names.delete(near);
    found.add(BY_NAME.get(near)?.id ?? near);
  }
  return [...found];
}
