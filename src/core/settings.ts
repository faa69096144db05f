// Every setting: its schema, its default, and where the value in force came from.
import { z } from "zod";

/** The settings in force. Sizes in bytes, times in milliseconds. */
export interface Settings {
  /** Program to start as Hermes; a path or a name on PATH. Empty: found by itself. */
  readonly hermesBin: string;
  /** Credential store that is read. Empty: `auth.json` of the active profile. */
  readonly authPath: string;
  /** Folder of records and index. Empty: `hermes-task-cache` in the root Hermes home. */
  readonly cacheDir: string;
  /** Hermes' provider list. Empty: the newest of the root's and the task profile's. */
  readonly modelsCachePath: string;
  /** Longest prompt, in characters. */
  readonly maxPromptLength: number;
  /** Cut of a `full` answer. */
  readonly maxResultBytes: number;
  /** Cut of a `digest` answer. */
  readonly maxDigestResultBytes: number;
  /** Cut of an error text. */
  readonly maxErrorDetailBytes: number;
  /** Cut of one tool call's arguments. */
  readonly maxToolCallArgsBytes: number;
  /** Cut of one tool call's result. */
  readonly maxToolCallResultBytes: number;
  /** Most tool calls that are kept. */
  readonly maxToolCalls: number;
  /** Limit of a session export. */
  readonly sessionExportTimeoutMs: number;
  /** Output mode when none is asked for. */
  readonly defaultOutputMode: "digest" | "full";
  /** A rest is never longer than this. */
  readonly resetWindowMs: number;
  /** A mark older than this may be tried once although its reset is still ahead. */
  readonly exhaustedForgiveTtlMs: number;
  /** Providers in order of preference. */
  readonly tiebreakOrder: readonly string[];
  /** Capability to `provider/model` pairs, tried in order. Replaces the built-in list of each capability named. */
  readonly capabilityMap: Readonly<Record<string, readonly string[]>>;
  /** `provider/model` pairs (`provider/*` for all of it) to treat as free, or no longer, within a provider's quota. */
  readonly freeTier: { readonly add: readonly string[]; readonly remove: readonly string[] };
  /** Folders in which `cwd` may lie. Empty: `cwd` is refused. */
  readonly cwdAllowlist: readonly string[];
  /** Further folders from which a model cache may be read when a tool call names it. */
  readonly readAllowlist: readonly string[];
  /** Tasks that run at once, over all processes of this user; more wait in order. */
  readonly maxConcurrent: number;
  /** Tasks that may wait for a slot; more are `busy`. */
  readonly maxQueued: number;
  /** Seconds that a call from an MCP host may wait. 0: as long as that host is known to. */
  readonly hostWaitSeconds: number;
  /** How deep tasks may start tasks: 1 means that a Hermes which we started may not use us. */
  readonly maxDepth: number;
  /** Wait for a clean end after a cancel or a vanished host. */
  readonly killGraceMs: number;
  /** Wait for a clean end at the deadline. */
  readonly deadlineGraceMs: number;
  /** Leave running what Hermes left in the background after a success. */
  readonly keepBackgroundProcesses: boolean;
  /** Parts of the user's configuration that tasks get: `mcp_servers`, `skills`, `memory`, `plugins`. */
  readonly inherit: readonly string[];
  /** Let Hermes run flagged commands without asking. */
  readonly yolo: boolean;
}

/** Name of a setting. */
export type SettingName = keyof Settings;

/** What is known of one setting. */
export interface SettingFacts {
  readonly schema: z.ZodType;
  readonly fallback: unknown;
  readonly about: string;
  /** A name from before the `HERMES_TASK_…` form. */
  readonly legacyName?: string;
  /** How text in the environment becomes a value. */
  readonly list?: "words" | "paths";
}

const count = (min: number, max: number) => z.int().min(min).max(max);
const text = z.string();
const words = z.array(z.string().min(1));

/** All settings, in the order in which `hermes-task config` shows them. */
export const SETTINGS: Readonly<Record<SettingName, SettingFacts>> = {
  hermesBin: { schema: text, fallback: "", about: "program to start as Hermes", legacyName: "HERMES_BIN" },
  authPath: {
    schema: text,
    fallback: "",
    about: "credential store that is read",
    legacyName: "HERMES_AUTH_PATH",
  },
  cacheDir: { schema: text, fallback: "", about: "folder of records and index" },
  modelsCachePath: { schema: text, fallback: "", about: "Hermes' list of providers and models" },
  maxPromptLength: {
    schema: count(1, 1_000_000),
    fallback: 4000,
    about: "longest prompt, in characters",
    legacyName: "HERMES_MAX_PROMPT_LENGTH",
  },
  maxResultBytes: { schema: count(1024, 50_000_000), fallback: 200 * 1024, about: "cut of a full answer" },
  maxDigestResultBytes: {
    schema: count(256, 50_000_000),
    fallback: 8 * 1024,
    about: "cut of a digest answer",
  },
  maxErrorDetailBytes: { schema: count(80, 100_000), fallback: 500, about: "cut of an error text" },
  maxToolCallArgsBytes: {
    schema: count(16, 1_000_000),
    fallback: 2 * 1024,
    about: "cut of a tool call's arguments",
  },
  maxToolCallResultBytes: {
    schema: count(16, 1_000_000),
    fallback: 8 * 1024,
    about: "cut of a tool call's result",
  },
  maxToolCalls: { schema: count(0, 10_000), fallback: 50, about: "most tool calls in one reply" },
  sessionExportTimeoutMs: {
    schema: count(100, 600_000),
    fallback: 15_000,
    about: "limit of a session export",
  },
  defaultOutputMode: {
    schema: z.enum(["digest", "full"]),
    fallback: "digest",
    about: "output_mode when none is asked",
  },
  resetWindowMs: {
    schema: count(0, 31 * 86_400_000),
    fallback: 86_400_000,
    about: "longest rest of a provider",
  },
  exhaustedForgiveTtlMs: {
    schema: count(0, 31 * 86_400_000),
    fallback: 6 * 3_600_000,
    about: "age after which a mark is forgiven",
  },
  tiebreakOrder: {
    schema: words,
    fallback: ["nvidia", "huggingface", "gemini", "kimi-coding"],
    about: "providers in order of preference",
    list: "words",
  },
  capabilityMap: {
    schema: z.record(z.string(), words),
    fallback: {},
    about: "provider/model pairs by capability",
  },
  freeTier: {
    schema: z.strictObject({ add: words.default([]), remove: words.default([]) }),
    fallback: { add: [], remove: [] },
    about: "pairs to treat as free, or no longer",
  },
  cwdAllowlist: { schema: words, fallback: [], about: "folders in which cwd may lie", list: "paths" },
  readAllowlist: {
    schema: words,
    fallback: [],
    about: "folders from which named files are read",
    list: "paths",
  },
  maxConcurrent: { schema: count(1, 64), fallback: 2, about: "tasks at once, over all processes" },
  maxQueued: { schema: count(0, 10_000), fallback: 32, about: "tasks that may wait for a slot" },
  hostWaitSeconds: {
    schema: count(0, 1800),
    fallback: 0,
    about: "seconds that a host's call may wait; 0: as long as the host is known to",
  },
  maxDepth: { schema: count(1, 8), fallback: 1, about: "how deep tasks may start tasks" },
  killGraceMs: { schema: count(0, 60_000), fallback: 1500, about: "wait for a clean end after a cancel" },
  deadlineGraceMs: {
    schema: count(0, 60_000),
    fallback: 5000,
    about: "wait for a clean end at the deadline",
  },
  keepBackgroundProcesses: {
    schema: z.boolean(),
    fallback: false,
    about: "leave running what Hermes left in the background",
  },
  inherit: {
    schema: z.array(z.enum(["mcp_servers", "skills", "memory", "plugins"])),
    fallback: [],
    about: "parts of the user's configuration for tasks",
    list: "words",
  },
  yolo: { schema: z.boolean(), fallback: false, about: "run flagged commands without asking" },
};

/** The variable of a setting, such as `HERMES_TASK_MAX_CONCURRENT`. */
export function variableOf(name: SettingName): string {
  return "HERMES_TASK_" + name.replace(/[A-Z]/g, (letter) => "_" + letter).toUpperCase();
}
