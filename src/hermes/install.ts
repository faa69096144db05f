// Which Hermes is this, and what can it do? Asked once per program file, then remembered.
import { SpawnFault, type World } from "../ports.ts";
import type { Patience } from "./ended_within.ts";
import { runShort } from "./short_run.ts";

/** What a look at the program told. */
export interface HermesFacts {
  /** Such as `0.19.0`; null when it did not say. */
  readonly version: string | null;
  /** Flags that `hermes chat --help` lists, such as `--query-file`; null when it did not say. */
  readonly flags: readonly string[] | null;
}

/** Flags without which a task cannot be started. */
const NEEDED = ["--query", "--quiet", "--source", "--max-turns", "--provider", "--model"];

const PROBE_LIMIT_MS = 15_000;

/** The flags that this Hermes lacks; empty when it did not tell what it has. */
export function missingFlags(facts: HermesFacts): string[] {
  return facts.flags ? NEEDED.filter((flag) => !facts.flags!.includes(flag)) : [];
}

/** Asks Hermes for its version and flags, or recalls what it said. Throws a spawn fault. */
export async function probeHermes(
  world: World,
  path: string,
  env: Readonly<Record<string, string>>,
  limits: Partial<Patience> = {},
): Promise<HermesFacts> {
  const file = await world.files.stat(path);
  const key = `hermes:${path}:${file?.sizeBytes ?? "?"}:${file?.modifiedMs ?? "?"}`;
  const known = world.records.recall(key);
  if (known !== undefined) return JSON.parse(known) as HermesFacts;
  const limitMs = Math.min(limits.limitMs ?? PROBE_LIMIT_MS, PROBE_LIMIT_MS) / 2;
  const facts = await ask(world, path, env, { limitMs, signal: limits.signal });
  // What was cut short, or says nothing today, may say more the next time.
  if (facts.version !== null && facts.flags !== null) world.records.remember(key, JSON.stringify(facts));
  return facts;
}

async function ask(
  world: World,
  path: string,
  env: Readonly<Record<string, string>>,
  limits: Patience,
): Promise<HermesFacts> {
  const printed = async (args: readonly string[]) => {
    const ran = await runShort(world, { program: path, args, env, purpose: "probe" }, limits);
    return ran?.code === 0 ? ran.stdout : undefined;
  };
  const version = await printed(["--version"]);
  if (version?.startsWith("hermes-task ")) throw new SpawnFault("other", `"${path}" is hermes-task itself`);
  const found = /^Hermes Agent v(\S+) \(([^)]+)\)/.exec(version ?? "");
  // A program that does not say that it is Hermes is not asked further: an echo script would only echo.
  if (!found) return { version: null, flags: null };
  const help = await printed(["chat", "--help"]);
  const flags = [...new Set((help ?? "").match(/--[a-z][a-z-]+/g) ?? [])];
  return { version: found[1]!, flags: flags.length > 0 ? flags : null };
}
