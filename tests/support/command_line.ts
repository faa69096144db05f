// A command line without a machine: operations that answer what they are told, and a terminal that keeps its text.
import { z } from "zod";
import type { CommandContext } from "../../src/cli/context.ts";
import type { CommandOperation } from "../../src/cli/flags.ts";
import type { CallOptions } from "../../src/core/operation.ts";
import { resolveSettings } from "../../src/core/settings_layers.ts";
import type { Clock, Terminal, World } from "../../src/ports.ts";

/** 13:53 of a day, wherever the test runs. */
export const NOW = new Date(2026, 7, 11, 13, 53, 10).getTime();

/** A terminal that keeps what is written to it. */
export interface FakeTerminal extends Terminal {
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/** Makes a terminal; `readsUntil` is the number of writes after which its reader is gone. */
export function fakeTerminal(
  more: Partial<Terminal> & { readonly readsUntil?: number } = {},
): FakeTerminal {
  const written = { out: [] as string[], err: [] as string[] };
  const { readsUntil = Infinity, ...terminal } = more;
  return {
    outIsTerminal: true,
    errIsTerminal: true,
    colour: false,
    columns: 80,
    ...terminal,
    out: (text) => {
      if (written.out.length >= readsUntil) return Promise.resolve(false);
      written.out.push(text);
      return Promise.resolve(true);
    },
    err: (text) => Promise.resolve(written.err.push(text) > 0),
    stdout: () => written.out.join(""),
    stderr: () => written.err.join(""),
  };
}

/** What an operation was called with. */
export interface Called {
  readonly request: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
}

/** An operation that notes its calls and answers. */
export function fakeOperation(
  command: string,
  input: z.ZodType,
  answer: (called: Called) => object | Promise<object>,
  calls: Called[] = [],
): CommandOperation {
  return {
    name: `hermes_${command}`,
    command,
    title: command,
    description: command,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input,
    output: z.looseObject({}),
    run: async (_world, request, options) => {
      const called = { request: request as Called["request"], options };
      calls.push(called);
      return await answer(called);
    },
  };
}

/** The input of a task, as far as the command line cares: one argument of each kind. */
export const RUN_INPUT: z.ZodType = z.strictObject({
  prompt: z.string().describe("The task. Trimmed."),
  provider: z.string().default("auto").describe(
    "auto, or a provider id or alias; its canonical id is reported",
  ),
  model: z.string().default("").describe("A model id; empty: chosen"),
  timeout_seconds: z.number().default(300).describe("Seconds for the whole task. More words for a model."),
  max_turns: z.int().default(500).describe("Hermes' own turn limit"),
  output_mode: z.enum(["digest", "full"]).optional().describe("How much comes back"),
  dry_run: z.boolean().default(false).describe("Show what would be done; nothing is started"),
});

/** A clock that moves only by sleeping. */
export function fakeClock(): Clock & { readonly passedMs: () => number } {
  let now = NOW;
  return {
    now: () => now,
    passedMs: () => now - NOW,
    sleep: async (ms, signal) => {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (!signal?.aborted) now += ms;
    },
  };
}

/** As much of a world as the command line touches. */
export function fakeWorld(env: Readonly<Record<string, string>> = {}): World {
  const place = {
    authPath: "/home/u/.hermes/auth.json",
    cacheDir: "/home/u/.hermes/hermes-task-cache",
    settingsPath: "/home/u/.hermes/hermes-task.jsonc",
    hermes: { path: "/usr/bin/hermes", from: "PATH", tried: [] },
  };
  const settings = resolveSettings({ env: (name) => env[name], pathSeparator: ":" });
  return { place, settings, clock: fakeClock() } as unknown as World;
}

/** A context around a terminal; everything can be replaced. */
export function fakeContext(terminal: Terminal, more: Partial<CommandContext> = {}): CommandContext {
  return {
    openWorld: () => Promise.resolve(fakeWorld()),
    operations: () => Promise.resolve([]),
    terminal,
    inIsTerminal: true,
    readStdin: () => Promise.reject(new Error("standard input was read")),
    signal: new AbortController().signal,
    version: "1.2.3",
    now: () => NOW,
    ...more,
  };
}
