// Operations that do what their prompt says, for tests of the surface alone: no Hermes, no files.
import { z } from "zod";
import { refusal } from "../../src/core/failure.ts";
import type { CallOptions } from "../../src/core/operation.ts";
import { cutUtf8 } from "../../src/core/page.ts";
import { resolveSettings } from "../../src/core/settings_layers.ts";
import type { ServedOperation } from "../../src/mcp/tools.ts";
import type { World } from "../../src/ports.ts";
import { ScriptedQueue } from "./scripted_queue.ts";

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** An answer of many kinds of characters, none of which may be damaged: `answer:N` gives N repeats of it. */
export const SAMPLE = 'häß "q" \\ 日本 👩‍🚀\n';

type Script = (word: string, options: CallOptions) => Promise<Record<string, unknown>>;

/** The queue that a server looks at; `queue:WORDS` does to it what the words say. */
const QUEUE = new ScriptedQueue();

const SCRIPTS: Readonly<Record<string, Script>> = {
  answer: (word) => Promise.resolve(finished(SAMPLE.repeat(Number(word)))),
  hang: async (_word, { signal }) => {
    await new Promise<void>((resolve) => signal!.addEventListener("abort", () => resolve()));
    return {
      ...finished(null),
      ok: false,
      status: "cancelled",
      error: "cancelled",
      error_detail: "Cancelled",
    };
  },
  // Reports often, also in the very moment before it answers.
  progress: async (word, { onProgress }) => {
    for (let turn = 0; turn < Number(word); turn++) {
      onProgress?.({ task_id: "1_a", provider: "p", model: "m", elapsed_ms: 5, turns: turn, activity: null });
      if (turn % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return finished("done");
  },
  late: async (word, { onProgress, signal }) => {
    await new Promise<void>((resolve) => signal!.addEventListener("abort", () => resolve()));
    const note = { task_id: "1_a", provider: "p", model: "m", elapsed_ms: 5, turns: 1, activity: "late" };
    setTimeout(() => onProgress?.(note), Number(word));
    return finished("too late");
  },
  queue: (word) => Promise.resolve(finished(QUEUE.does(word))),
  caller: (_word, { caller }) => Promise.resolve(finished(JSON.stringify(caller))),
  secret: () => Promise.resolve(finished("OPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")),
  refuse: () => {
    throw refusal("rate_limited", "Provider rests", { retryAtMs: 61_000, extra: { provider: "gemini" } });
  },
  throw: () =>
    Promise.reject(new Error("boom with OPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")),
};

const taskInput = z.strictObject({
  prompt: z.string().min(1).describe("The task"),
  output_mode: z.enum(["digest", "full"]).default("digest").describe("How much"),
  timeout_seconds: z.number().default(300).describe("Seconds"),
});

const task: ServedOperation = {
  name: "hermes_task",
  command: "run",
  title: "Task",
  description: "A task",
  annotations,
  input: taskInput,
  output: z.looseObject({ ok: z.boolean(), result: z.string().nullable(), truncated: z.boolean() }),
  run: (async (_world: World, request: z.infer<typeof taskInput>, options: CallOptions) => {
    const [name = "", word = ""] = request.prompt.split(":");
    const reply = await SCRIPTS[name]!(word, options);
    return { ...reply, output_mode: request.output_mode };
  }) as ServedOperation["run"],
};

const detailInput = z.strictObject({
  task_id: z.string().describe("The task; `N_a` is one that answered with N samples"),
  section: z.string().default("").describe("Which part"),
  offset: z.int().default(0).describe("Bytes"),
  max_bytes: z.int().default(0).describe("Bytes"),
});

const detail: ServedOperation = {
  ...task,
  name: "hermes_task_detail",
  command: "detail",
  input: detailInput,
  run: ((_world: World, { task_id, offset, max_bytes }: z.infer<typeof detailInput>) => {
    const times = parseInt(task_id);
    if (!(times >= 0)) throw refusal("not_found", `No task "${task_id}"; run hermes_telemetry`);
    const page = cutUtf8(SAMPLE.repeat(times), max_bytes || Infinity, offset);
    return Promise.resolve({
      ...finished(page.text),
      task_id,
      result_bytes: page.sizeBytes,
      truncated: page.nextOffset !== undefined,
      ...(page.nextOffset === undefined ? {} : { next_offset: page.nextOffset }),
    });
  }) as ServedOperation["run"],
};

const models: ServedOperation = {
  ...task,
  name: "hermes_models",
  command: "models",
  input: z.strictObject({ limit: z.int().default(10).describe("Models of each provider") }),
  output: z.looseObject({ ok: z.boolean(), providers: z.array(z.unknown()) }),
  run: ((_world: World, { limit }: { limit: number }) => {
    const models = Array.from(
      { length: limit },
      (_, n) => ({ id: `vendor/model-${n}`, notes: "x".repeat(300) }),
    );
    const providers = Array.from({ length: 30 }, (_, n) => ({ id: `provider-${n}`, models }));
    return Promise.resolve({ ok: true, providers });
  }) as ServedOperation["run"],
};

const telemetry: ServedOperation = {
  ...task,
  name: "hermes_telemetry",
  command: "telemetry",
  input: z.strictObject({}),
  output: z.looseObject({ ok: z.boolean() }),
  run: () => Promise.resolve({ ok: true, runs: 0 }),
};

const tasks: ServedOperation = {
  ...task,
  name: "hermes_tasks",
  command: "tasks",
  input: z.strictObject({
    limit: z.int().default(20).describe("Most tasks"),
    cursor: z.string().default("").describe("Where to go on"),
  }),
  output: z.looseObject({ ok: z.boolean() }),
  run:
    ((_world: World, { limit, cursor }: { limit: number; cursor: string }) =>
      Promise.resolve(QUEUE.list(limit, cursor))) as ServedOperation["run"],
};

/** Five names that hosts know. */
export const SCRIPTED: readonly ServedOperation[] = [task, detail, models, telemetry, tasks];

function finished(result: string | null): Record<string, unknown> {
  const base = { ok: true, status: "succeeded", task_id: "1_a", provider: "gemini", model: "m", result };
  const result_bytes = new TextEncoder().encode(result ?? "").length;
  const attempts = [{ provider: "gemini", model: "m", outcome: "succeeded", reason: "free and alive" }];
  return { ...base, truncated: false, result_bytes, attempts, warnings: [] };
}

/** A world that is no more than a clock, settings, a queue and its own place in it. */
export function bareWorld(problems: readonly string[] = []): World {
  const settings = resolveSettings({ env: () => undefined, pathSeparator: ":" });
  return {
    clock: realClock,
    settings: { ...settings, problems },
    queue: QUEUE,
    place: { depth: 0, owner: "scripted" },
    runsItself: true,
  } as unknown as World;
}

const realClock = {
  now: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()));
    }),
};
