// The user's configuration of Hermes, and the one that tasks run under.
import { parseDocument, stringify } from "yaml";
import { FileFault, type World } from "../ports.ts";
import { DIALECT } from "./dialect.ts";

/** A provider that the user's configuration defines. */
export interface ConfiguredProvider {
  readonly name: string;
  /** `custom:<name>`, lower-case, spaces as dashes. */
  readonly id: string;
  readonly keyEnv?: string;
  /** Variables that its block refers to. */
  readonly environmentNames: readonly string[];
  /** Is a key written into the block itself? */
  readonly hasKey: boolean;
  /** That key; a function, so that it is not shown with the rest by accident. */
  readonly ownKey?: () => string;
  readonly baseUrl?: string;
  readonly enabled: boolean;
  readonly defaultModel?: string;
}

/** What we need of `config.yaml`. */
export interface UserConfig {
  readonly path: string;
  /** Why the file could not be read, with the next step. */
  readonly problem?: string;
  /** Would Hermes itself not be able to read it either? */
  readonly broken?: boolean;
  readonly providers: readonly ConfiguredProvider[];
  /** Variables that the providers' blocks refer to. */
  readonly environmentNames: readonly string[];
  /** The whole, as plain data; never leaves this room but into the task profile. */
  readonly root: Readonly<Record<string, unknown>>;
}

/** Reads the configuration of the active profile. A broken file is a `problem`, not an error. */
export async function readUserConfig(world: Pick<World, "files" | "place">): Promise<UserConfig> {
  const path = `${world.place.home}/config.yaml`;
  const nothing = { path, providers: [], environmentNames: [], root: {} };
  try {
    const document = parseDocument(await world.files.readText(path), { ...DIALECT, prettyErrors: true });
    const [fault] = document.errors;
    if (fault) {
      return {
        ...nothing,
        broken: true,
        problem: `Cannot read "${path}": ${firstLine(fault.message)}; run hermes doctor`,
      };
    }
    const root: unknown = document.toJS({ maxAliasCount: 1000 });
    if (root === null || root === undefined) return nothing;
    if (!isObject(root)) {
      return { ...nothing, broken: true, problem: `Cannot read "${path}": not a mapping; run hermes doctor` };
    }
    const providers = providersIn(root);
    return {
      path,
      providers,
      environmentNames: [...new Set(providers.flatMap((one) => one.environmentNames))],
      root,
    };
  } catch (error) {
    if (isEnvRefusal(error)) {
      return {
        ...nothing,
        problem: `Cannot read "${path}": the YAML library needs --allow-env=LOG_TOKENS,LOG_STREAM`,
      };
    }
    if (!(error instanceof FileFault)) throw error;
    return error.kind === "missing"
      ? nothing
      : { ...nothing, broken: true, problem: `Cannot read ${error.message}; check its owner and mode` };
  }
}

/** The YAML library looks at two variables of its own; a script that imports us may not allow that. */
function isEnvRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === "NotCapable" && error.message.includes("LOG_");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!.replace(/:$/, "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function providersIn(root: Record<string, unknown>): ConfiguredProvider[] {
  const named = isObject(root.providers) ? Object.entries(root.providers) : [];
  const listed = Array.isArray(root.custom_providers) ? root.custom_providers : [];
  return [
    ...named.flatMap(([name, block]) => isObject(block) ? [providerOf(name, block)] : []),
    ...listed.flatMap((block) =>
      isObject(block) && typeof block.name === "string" ? [providerOf(block.name, block)] : []
    ),
  ];
}

function providerOf(name: string, block: Record<string, unknown>): ConfiguredProvider {
  const text = (key: string) =>
    typeof block[key] === "string" && block[key] !== "" ? block[key] as string : undefined;
  const model = text("default_model") ?? text("model");
  const keyEnv = text("key_env");
  const baseUrl = text("base_url");
  return {
    name,
    id: `custom:${name.toLowerCase().replaceAll(" ", "-")}`,
    environmentNames: namesIn(block),
    hasKey: text("api_key") !== undefined,
    enabled: block.enabled !== false,
    ...(text("api_key") ? { ownKey: () => text("api_key")! } : {}),
    ...(keyEnv ? { keyEnv } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    ...(model ? { defaultModel: model } : {}),
  };
}

/** Variables named by `key_env` and by `${NAME}` in a provider's block. */
function namesIn(block: Record<string, unknown>): string[] {
  const named = typeof block.key_env === "string" && block.key_env !== "" ? [block.key_env] : [];
  const referred = [...JSON.stringify(block).matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name!);
  return [...new Set([...named, ...referred])];
}

/** What `inherit` may name, and the keys of the configuration that carry it. */
const INHERITABLE: Readonly<Record<string, readonly string[]>> = {
  mcp_servers: ["mcp_servers"],
  skills: ["skills"],
  memory: ["memory"],
  plugins: ["plugins", "hooks"],
};

/** Parts of the user's configuration that every task gets: who answers, and what keeps the user safe. */
const CARRIED = [
  "providers",
  "custom_providers",
  "auxiliary",
  "credential_pool_strategies",
  "terminal",
  "security",
  "platform_toolsets",
  "secrets",
  "code_execution",
  "browser",
  "database",
];

/** The first lines of the generated file. The first one is how it is recognised as ours. */
const HEAD = `# Generated by hermes-task for the tasks that it starts; your own configuration is not touched.
# Changes made here are lost: change config.yaml of your own profile, or hermes-task.jsonc.
`;

/** Builds the configuration of the task profile: no fallbacks, one attempt per model call, quiet, nothing asked of a person. */
export function buildTaskConfig(user: UserConfig, choice: { inherit: readonly string[] }): string {
  const { root } = user;
  const carried = pick(root, [...CARRIED, ...choice.inherit.flatMap((part) => INHERITABLE[part] ?? [])]);
  const agent = isObject(root.agent) ? pick(root.agent, ["disabled_toolsets", "image_input_mode"]) : {};
  const model = isObject(root.model) ? pick(root.model, ["context_length", "supports_vision"]) : {};
  return HEAD + stringify({
    ...carried,
    // Without a model block, and without keys of its own, Hermes 0.19 ends at once: "isn't configured yet".
    model: { default: "chosen-per-task", provider: "auto", ...model },
    agent: { ...agent, api_max_retries: 1 },
    display: { show_reasoning: false, streaming: false, inline_diffs: false, interface: "cli" },
    security: { ...section(carried.security), allow_lazy_installs: false, tirith_enabled: false },
    // What asks for a person is refused at once: nobody is there.
    approvals: { ...safeApprovals(root.approvals), timeout: 1, single_query_mode: "deny" },
    clarify: { timeout: 1 },
    terminal: { ...section(carried.terminal), oneshot_completion_wait_seconds: 0 },
    auxiliary: { ...section(carried.auxiliary), title_generation: { enabled: false } },
    worktree: false,
  }, { ...DIALECT, lineWidth: 0 });
}

/** What the user forbids holds for tasks too; that the user lets everything through does not: `yolo` decides. */
function safeApprovals(value: unknown): Record<string, unknown> {
  const { deny, mode } = section(value);
  return { ...deny === undefined ? {} : { deny }, ...mode === "manual" || mode === "smart" ? { mode } : {} };
}

function section(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function pick(from: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => Object.hasOwn(from, key) ? [[key, from[key]]] : []));
}

/** Writes the task profile's configuration when what it is made from has changed. */
export async function keepTaskConfig(world: World, user: UserConfig): Promise<void> {
  const path = `${world.place.taskHome}/config.yaml`;
  const text = buildTaskConfig(user, world.settings.values);
  const there = await world.files.readText(path).catch((error) => {
    if (error instanceof FileFault && error.kind === "missing") return undefined;
    throw error;
  });
  if (there !== text) await world.files.writeText(path, text);
}
