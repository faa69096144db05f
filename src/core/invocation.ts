// argv and environment of one Hermes call.
import { DEPTH_VARIABLE, MARK_VARIABLE } from "./process_family.ts";
import { HERMES_OWN, PASSED_ON } from "./environment.ts";

/** What one call needs. */
export interface CallPlan {
  readonly prompt: string;
  /** The id that Hermes gets as `--provider`. */
  readonly provider: string;
  readonly model: string;
  readonly source: string;
  readonly toolsets: string;
  readonly maxTurns: number;
  /** Session to continue; empty for a new one. */
  readonly sessionId: string;
  readonly yolo: boolean;
  /** Without the task profile: keep the user's default model and fallbacks out, as far as this flag does. */
  readonly ignoreUserConfig: boolean;
}

/** Flags of `hermes chat`; provider and model are always named. Values are glued on, so none is ever read as a flag. */
export function buildArgs(plan: CallPlan): string[] {
  const optional: [boolean, string][] = [
    [plan.toolsets !== "", `--toolsets=${plan.toolsets}`],
    [plan.sessionId !== "", `--resume=${plan.sessionId}`],
    [plan.sessionId !== "", "--no-restore-cwd"],
    [plan.yolo, "--yolo"],
    [plan.ignoreUserConfig, "--ignore-user-config"],
  ];
  return [
    "chat",
    `--query=${safePrompt(plan.prompt)}`,
    "--quiet",
    `--model=${plan.model}`,
    `--provider=${plan.provider}`,
    `--source=${plan.source}`,
    `--max-turns=${plan.maxTurns}`,
    ...optional.flatMap(([wanted, flag]) => wanted ? [flag] : []),
  ];
}

const IMAGE_PATH = /^["']?(?:file:\/\/|~|\.{0,2}\/).*?\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|heic)\b/i;

/**
 * The prompt as Hermes takes it for text. Two forms would be taken for something else (0.19.0): exactly `--` opens the
 * interactive program, and a leading path to an image becomes an attachment.
 */
export function safePrompt(prompt: string): string {
  return prompt === "--" || IMAGE_PATH.test(prompt) ? `Text: ${prompt}` : prompt;
}

/** What the environment of one call is made from. */
export interface EnvironmentPlan {
  readonly home: string;
  readonly mark: string;
  /** Depth of this process; the child's is one more. */
  readonly depth: number;
  /** Key and address variables of the provider chosen. */
  readonly variables: readonly string[];
}

/** The complete environment of one call: chosen, never inherited. */
export function buildEnvironment(
  plan: EnvironmentPlan,
  read: (name: string) => string | undefined,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of [...PASSED_ON, ...HERMES_OWN, ...plan.variables]) {
    const value = read(name);
    if (value !== undefined) env[name] = value;
  }
  if (!env.LANG && !env.LC_ALL) env.LC_ALL = "C.UTF-8";
  return {
    // Makes a clean end after SIGTERM 1.3 s quicker than Hermes' own 1.5, and saves as much (0.19.0).
    HERMES_SIGTERM_GRACE: "0.2",
    ...env,
    HERMES_HOME: plan.home,
    NO_COLOR: "1",
    TERM: "dumb",
    PYTHONUTF8: "1",
    PYTHONIOENCODING: "utf-8",
    // Nobody is there to type a password: an empty one makes sudo refuse at once instead of after 45 s (0.19.0).
    SUDO_PASSWORD: "",
    [MARK_VARIABLE]: plan.mark,
    [DEPTH_VARIABLE]: String(plan.depth + 1),
  };
}
