// Which side tasks does Hermes have, and which fields may their blocks hold? A data table, read in Hermes 0.19.1 and
// 0.21.3 (`hermes_cli/config_defaults.py`, `agent/auxiliary_client.py` and the callers).

/** A Hermes version from which or up to which something holds, such as `0.21.0`. */
export type Version = string;

/** One side task: a job that Hermes gives to a second model. */
export interface SideTask {
  /** The key below `auxiliary:`. */
  readonly key: string;
  /** What it is for, in a few words. */
  readonly about: string;
  /** What its model must read. */
  readonly needs: "text" | "image";
  /** Time limit of a call when the block sets none, in seconds. */
  readonly timeoutSeconds: number;
  /** Smallest limit that Hermes really uses, whatever the block says. */
  readonly leastTimeoutSeconds?: number;
  /**
   * How it reaches a model. `call`: by the router, with `fallback_chain`. `fork`: a second agent, which takes the block
   * only when provider and model are both set, else the main model, and never a chain. `none`: nothing calls it.
   */
  readonly reach: "call" | "fork" | "none";
  /** Does Hermes' default block have `reasoning_effort`? */
  readonly effort: boolean;
  /** Further fields of its default block, or read by its caller. */
  readonly own?: Readonly<Record<string, unknown>>;
  /** First version that has it. */
  readonly since?: Version;
  /** First version that no longer has it. */
  readonly until?: Version;
  /** Does Hermes have a default block for it? */
  readonly block: boolean;
}

const task = (
  key: string,
  timeoutSeconds: number,
  about: string,
  more: Partial<SideTask> = {},
): SideTask => ({
  key,
  about,
  needs: "text",
  timeoutSeconds,
  reach: "call",
  effort: true,
  block: true,
  ...more,
});

/** Every side task, in the order of Hermes' defaults. */
export const SIDE_TASKS: readonly SideTask[] = [
  task("vision", 120, "look at images", { needs: "image", own: { download_timeout: 30 } }),
  task("web_extract", 360, "sum up web pages and browser snapshots", { until: "0.21.0" }),
  task("compression", 120, "shorten long conversations", { leastTimeoutSeconds: 300 }),
  task("skills_hub", 30, "search the skills hub", { reach: "none" }),
  task("approval", 30, "judge commands that need consent"),
  task("mcp", 30, "answer MCP servers that ask for a model"),
  task("title_generation", 30, "name sessions", { own: { enabled: true, language: "" } }),
  task("memory_query_rewrite", 8, "rewrite questions to memory", { effort: false }),
  task("tts_audio_tags", 30, "mark up text for speech"),
  task("triage_specifier", 120, "specify kanban tasks"),
  task("kanban_decomposer", 180, "split kanban tasks"),
  task("profile_describer", 60, "describe profiles"),
  task("goal_judge", 60, "judge whether a goal is reached"),
  task("curator", 600, "curate skills", { reach: "fork" }),
  task("monitor", 60, "sort what cron jobs bring"),
  task("background_review", 120, "review finished turns", { reach: "fork" }),
  task("moa_reference", 900, "answer in a mixture of agents", { effort: false }),
  task("moa_aggregator", 900, "sum up a mixture of agents", { effort: false }),
  task("kanban_estimator", 60, "estimate kanban tasks", { block: false }),
  task("review", 120, "review code", { since: "0.21.0" }),
];

/** The task of that key, whatever the version. */
export function sideTask(key: string): SideTask | undefined {
  return SIDE_TASKS.find((known) => known.key === key);
}

/** The tasks that a Hermes of this version has; null is a version that is not known: all. */
export function sideTasksOf(version: Version | null): readonly SideTask[] {
  if (version === null) return SIDE_TASKS;
  return SIDE_TASKS.filter(({ since, until }) =>
    (since === undefined || isAtLeast(version, since)) && (until === undefined || !isAtLeast(version, until))
  );
}

/** Settings that stand beside the tasks, directly under `auxiliary:`, with their defaults. */
export const SECTION_FIELDS: Readonly<Record<string, unknown>> = {
  transient_retries: 2,
  free_only: false,
  openrouter_model: "",
  stream_only_base_urls: [],
};

/** What a field holds. `variable` is the name of an environment variable, `chain` a list of routes. */
export type FieldKind =
  | "text"
  | "seconds"
  | "count"
  | "number"
  | "switch"
  | "map"
  | "variable"
  | "secret"
  | "chain";

/** One field of a task's block. */
export interface TaskField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly about: string;
  /** The value that holds without it; undefined: none, or another for each task. */
  readonly fallback?: unknown;
  readonly choices?: readonly string[];
  /** Only these tasks read it; undefined: all. */
  readonly tasks?: readonly string[];
  /** When does Hermes read it? */
  readonly read: "each call" | "at start";
  /** First version that reads it. */
  readonly since?: Version;
}

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"] as const;

const field = (name: string, kind: FieldKind, about: string, more: Partial<TaskField> = {}): TaskField => ({
  name,
  kind,
  about,
  read: "each call",
  ...more,
});

/** The protocols that `api_mode` may name. */
export const API_MODES = ["chat_completions", "codex_responses", "anthropic_messages"] as const;

/** Every field that Hermes reads of a task's block. */
export const TASK_FIELDS: readonly TaskField[] = [
  field("provider", "text", "who answers; auto: Hermes finds one", { fallback: "auto" }),
  field("model", "text", "model id as that provider spells it", { fallback: "" }),
  field("base_url", "text", "address of an endpoint; needs a provider or a key beside it", { fallback: "" }),
  field("timeout", "seconds", "limit of one call, in seconds"),
  field("reasoning_effort", "text", "how long the model thinks", { fallback: "", choices: EFFORTS }),
  field("fallback_chain", "chain", "routes to try when the first one fails"),
  field("key_env", "variable", "environment variable that holds the key", { fallback: "" }),
  field("api_key_env", "variable", "the same as key_env", { fallback: "" }),
  field("api_mode", "text", "protocol; empty: told by the address", { fallback: "", choices: API_MODES }),
  field("api_key", "secret", "the key itself; belongs into .env", { fallback: "" }),
  field("extra_body", "map", "further fields of each request", { fallback: {} }),
  field("download_timeout", "seconds", "limit of fetching an image, in seconds", {
    tasks: ["vision"],
    fallback: 30,
    read: "at start",
  }),
  field("temperature", "number", "how freely the model answers", { tasks: ["vision"], fallback: 0.1 }),
  field("max_concurrency", "count", "images prepared at once; before 0.21 for vision only", {
    read: "at start",
  }),
  field("context_length", "count", "context window of the model, in tokens", { tasks: ["compression"] }),
  field("max_tokens", "count", "longest answer, in tokens", { tasks: ["goal_judge"] }),
  field("enabled", "switch", "is the task carried out at all?", {
    tasks: ["title_generation", "background_review"],
    fallback: true,
  }),
  field("language", "text", "language of titles", { tasks: ["title_generation"], fallback: "" }),
  field("prefer_fast_model", "switch", "take the provider's fast model", {
    tasks: ["title_generation"],
    fallback: false,
    since: "0.21.0",
  }),
  field("max_input_tokens", "count", "longest input, in tokens", {
    tasks: ["background_review"],
    fallback: 600_000,
    since: "0.21.0",
  }),
];

/** The fields that a task's block may hold; for a task that is not known, those of every task. */
export function fieldsOf(key: string): readonly TaskField[] {
  return TASK_FIELDS.filter(({ tasks }) => tasks === undefined || tasks.includes(key));
}

/** One field of an entry of `fallback_chain`. Provider and model are needed, though Hermes' documents say otherwise. */
export const ENTRY_FIELDS: readonly TaskField[] = [
  field("provider", "text", "who answers"),
  field("model", "text", "model id as that provider spells it"),
  field("base_url", "text", "address of an endpoint"),
  field("key_env", "variable", "environment variable that holds the key"),
  field("api_key_env", "variable", "the same as key_env"),
  field("api_mode", "text", "protocol", { choices: API_MODES }),
  field("transport", "text", "the same as api_mode", { choices: API_MODES }),
  field("timeout", "seconds", "limit of this entry's call, in seconds"),
  field("api_key", "secret", "the key itself; belongs into .env"),
];

/** Keys that look as if Hermes read them, with what to write instead. */
export const DEAD_KEYS: Readonly<Record<string, string>> = {
  fallback_provider: "fallback_chain",
  fallback_model: "fallback_chain",
};

/** Is a version equal to another or newer? Compares numbers; what follows them (`rc1`) is left out. */
export function isAtLeast(version: Version, other: Version): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbersOf(version: Version): number[] {
  return (/^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? "0").split(".").map(Number);
}
