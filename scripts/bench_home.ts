// The homes of the bench: one whose Hermes caches know 5,000 models, and a stand-in for Hermes that stamps its times.
import { join } from "@std/path";
import { type Behaviour, installFake } from "../tests/support/fake_hermes.ts";
import { entry, modelsDev, providerList } from "../tests/support/model_caches.ts";
import { makeHome, type ThrowAwayHome } from "../tests/support/throw_away_home.ts";

const PROVIDERS = 100;
const MODELS_EACH = 50;
/** Their ids in Hermes' list and in models.dev's. */
const KNOWN = [["gemini", "google"], ["openrouter", "openrouter"], ["nvidia", "nvidia"]] as const;

/** How many models the caches of {@link homeWithModels} know. */
export const MODELS = PROVIDERS * MODELS_EACH;

/** A home with model caches of the size that Hermes' users have. */
export function homeWithModels(): Promise<ThrowAwayHome> {
  const names = Array.from({ length: PROVIDERS }, (_, n) => KNOWN[n] ?? [`provider-${n}`, `provider-${n}`]);
  const lists = names.map((
    [id],
    n,
  ) => [id, Array.from({ length: MODELS_EACH }, (_, m) => `model-${n}-${m}`)]);
  const facts = names.map(([_id, id], n) => [id, modelsOf(n)]);
  return makeHome({
    files: {
      "provider_models_cache.json": JSON.stringify(
        providerList(Math.floor(Date.now() / 1000), Object.fromEntries(lists)),
      ),
      "models_dev_cache.json": JSON.stringify(modelsDev(Object.fromEntries(facts))),
    },
  });
}

function modelsOf(provider: number): Record<string, Record<string, unknown>> {
  return Object.fromEntries(Array.from({ length: MODELS_EACH }, (_, m) => {
    const id = `model-${provider}-${m}`;
    const facts = {
      id,
      name: `Model ${m} of ${provider}`,
      cost: { input: m % 3, output: m % 3 * 4 },
      release_date: "2026-01-01",
      last_updated: "2026-01-01",
      knowledge: "2025-06",
      open_weights: false,
    };
    return [id, entry(facts)];
  }));
}

/** A Hermes that notes when it begins and ends, on the system's clock. */
export interface StampingHermes {
  readonly path: string;
  /** Epoch milliseconds of its last run. */
  stamps(): Promise<{ readonly startedMs: number; readonly endedMs: number }>;
}

/** Puts it into a home; undefined where `date` knows no nanoseconds. */
export async function stampingHermes(
  home: ThrowAwayHome,
  behaviour: Behaviour,
): Promise<StampingHermes | undefined> {
  if (!await dateHasNanoseconds()) return undefined;
  const behind = await installFake(home.bin, behaviour, { name: "hermes-behind" });
  const [started, ended] = [join(home.work, "started"), join(home.work, "ended")];
  const path = await installScript(
    home,
    `date +%s%N >'${started}'\n'${behind}' "$@"\nstatus=$?\ndate +%s%N >'${ended}'\nexit $status`,
  );
  return {
    path,
    stamps: async () => ({ startedMs: await readStamp(started), endedMs: await readStamp(ended) }),
  };
}

/** Makes a shell script the Hermes of a home. */
export async function installScript(home: ThrowAwayHome, body: string): Promise<string> {
  const path = join(home.bin, "hermes");
  await Deno.writeTextFile(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

/** Now, on the clock of the stamps, finer than `Date.now()`. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

async function readStamp(path: string): Promise<number> {
  return Number(BigInt((await Deno.readTextFile(path)).trim()) / 1000n) / 1000;
}

async function dateHasNanoseconds(): Promise<boolean> {
  const { stdout } = await new Deno.Command("date", { args: ["+%s%N"], stdin: "null" }).output();
  return /^\d{19}\s*$/.test(new TextDecoder().decode(stdout));
}
