// A request for a task with every default filled in, and what refuses it before a record exists.
import { z } from "zod";
import { CAPABILITIES } from "./capability.ts";
import { type Failure, refusal } from "./failure.ts";
import type { Settings } from "./settings.ts";
import type { Capability, HermesTaskArgs } from "./task.ts";

/** A checked request. */
export interface TaskRequest {
  readonly prompt: string;
  readonly provider: string;
  readonly model: string;
  readonly capability: Capability | "";
  readonly timeout_seconds: number;
  /** Undefined: as long as the host can. */
  readonly wait_seconds?: number | undefined;
  readonly background: boolean;
  readonly cwd: string;
  readonly toolsets: string;
  readonly max_turns: number;
  /** Undefined: the configured default. */
  readonly output_mode: "digest" | "full" | undefined;
  readonly session_id: string;
  readonly dry_run: boolean;
}

const CAPABILITY_WORDS = ["", "reason", ...CAPABILITIES] as const;

/** A value that Hermes gets on its command line: what looks like a flag is refused. */
const word = (what: RegExp, kind: string) =>
  z.string().trim().refine((text) => !text.startsWith("-"), { error: `must be ${kind}, not a flag` })
    .refine((text) => text === "" || what.test(text), { error: `must be ${kind}` });

/** Longest argument that Linux takes, less what stands before the prompt. */
const MAX_PROMPT_BYTES = 130_000;

/** Seconds that a call may wait, clamped. */
export const waitSeconds: z.ZodOptional<z.ZodType<number, number>> = z.number()
  .transform((seconds) => Math.min(1800, Math.max(0, seconds))).optional();

/** The arguments of `hermes_task`, one by one. */
export const taskFields = {
  prompt: z.string().describe(
    "The task, in plain words. At most 4000 characters unless configured otherwise.",
  ),
  provider: word(/^[\w:. -]{1,100}$/, "a provider id").default("auto")
    .describe(
      '"auto" picks one that is alive and free; or a provider id or alias, which is never replaced by another.',
    ),
  model: word(/^\S{1,200}$/, "a model id").default("").describe("A model id; empty: chosen."),
  capability: z.enum(CAPABILITY_WORDS).default("").transform((name): Capability | "" =>
    name === "reason" ? "reasoning" : name
  )
    .describe(
      "What the task needs: reasoning, coding, vision, multimodal, planning, chat. Empty: told from the prompt.",
    ),
  timeout_seconds: z.number().default(300).transform((seconds) =>
    Math.min(1800, Math.max(10, Math.round(seconds)))
  )
    .describe(
      'Seconds for the whole task, 10 to 1800. A wish such as "timeout 10 minutes" means 600.',
    ),
  wait_seconds: waitSeconds.describe(
    "Seconds that this call may wait; then it answers status running, the task goes on, and hermes_wait gives its " +
      "answer. Omitted: as long as your host can wait.",
  ),
  background: z.boolean().default(false).describe(
    "Answer at once with the task_id; the task goes on in the background.",
  ),
  cwd: z.string().default("").describe(
    "Working directory, inside a folder of the allowlist. Empty: the caller's own.",
  ),
  toolsets: word(/^[\w:./, -]{1,400}$/, "a comma-separated list of toolsets").default("")
    .describe("Hermes toolsets, such as file,terminal. Comma separated; empty: Hermes' own choice."),
  max_turns: z.int().min(1).max(100_000).default(500).describe("Hermes' own limit of model turns."),
  output_mode: z.enum(["digest", "full"]).optional()
    .describe(
      '"digest" cuts the answer at 8 KB (read on with hermes_task_detail); "full" cuts at 200 KB and adds tool_calls.',
    ),
  session_id: word(/^[A-Za-z0-9_-]{1,128}$/, "a session id").default("").describe(
    "Continue this Hermes session.",
  ),
  dry_run: z.boolean().default(false).describe(
    "Show what would be chosen and started, and why; start nothing.",
  ),
};

/** The arguments of `hermes_task`. */
export const taskInput: z.ZodType<TaskRequest, HermesTaskArgs> = z.strictObject(taskFields)
  .transform((request): TaskRequest => ({ output_mode: undefined, ...request }));

/** The prompt as it will be handed over. Throws for one that is empty, too long or impossible. */
export function admitPrompt(prompt: string, settings: Pick<Settings, "maxPromptLength">): string {
  const text = prompt.trim().toWellFormed();
  if (text === "") throw refusal("invalid_args", 'Argument "prompt": it is empty; say what is to be done');
  if (text.includes("\0")) {
    throw refusal("invalid_args", 'Argument "prompt": it contains a NUL character; remove it');
  }
  const tooLong = promptTooLong(text, settings.maxPromptLength);
  if (tooLong) throw refusal(tooLong.code, tooLong.detail, { extra: tooLong.extra });
  return text;
}

function promptTooLong(text: string, limit: number): Failure | undefined {
  const length = [...text].length;
  const bytes = new TextEncoder().encode(text).length;
  if (length <= limit && bytes <= MAX_PROMPT_BYTES) return undefined;
  const [size, most, unit] = length > limit ? [length, limit, "chars"] : [bytes, MAX_PROMPT_BYTES, "bytes"];
  return {
    code: "prompt_too_long",
    detail:
      `prompt is ${size} ${unit}, max is ${most} ${unit}; shorten it, split it into smaller tasks, or put the text into a file that the task reads`,
    extra: { prompt_len: length, max_prompt_len: length > limit ? limit : most },
  };
}
