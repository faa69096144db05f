// Which Hermes is this, and what can it do? Asked once per program file, then remembered.
import { type Child, SpawnFault, type World } from "../ports.ts";
import { markOf } from "./mark.ts";

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

/** How long a probe may take, and what ends it before. */
export interface ProbeLimits {
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

/** Asks Hermes for its version and flags, or recalls what it said. Throws a spawn fault. */
export async function probeHermes(
  world: World,
  path: string,
  env: Readonly<Record<string, string>>,
  limits: ProbeLimits = {},
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
  limits: ProbeLimits,
): Promise<HermesFacts> {
  const version = await output(world, [path, "--version"], env, limits);
  if (version?.startsWith("hermes-task ")) throw new SpawnFault("other", `"${path}" is hermes-task itself`);
  const found = /^Hermes Agent v(\S+) \(([^)]+)\)/.exec(version ?? "");
  // A program that does not say that it is Hermes is not asked further: an echo script would only echo.
  if (!found) return { version: null, flags: null };
  const help = await output(world, [path, "chat", "--help"], env, limits);
  const flags = [...new Set((help ?? "").match(/--[a-z][a-z-]+/g) ?? [])];
  return { version: found[1]!, flags: flags.length > 0 ? flags : null };
}

/** What a short command prints; undefined when it fails or takes too long. */
async function output(
  world: World,
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  limits: ProbeLimits,
): Promise<string | undefined> {
  const mark = markOf(world.place.owner, "probe", crypto.randomUUID());
  world.guardian.watch(mark);
  const child = await world.processes.start({
    program,
    args,
    cwd: world.place.cwd,
    env: { ...env, XDG_HERMES_TASK_ID: mark },
    mark,
  });
  const ended = await endedWithin(world, child, limits);
  await world.guardian.stop(child.pid, mark);
  if (!ended) return undefined;
  const { code } = await child.exit;
  return code === 0 ? child.output().stdout.text : undefined;
}

/** Waits for a child, but not longer than the limit; tells whether it has ended. */
export async function endedWithin(world: World, child: Child, limits: ProbeLimits): Promise<boolean> {
  const over = new AbortController();
  const signal = limits.signal ? AbortSignal.any([limits.signal, over.signal]) : over.signal;
  const ended = await Promise.race([
    child.exit.then(() => true),
    world.clock.sleep(limits.limitMs ?? PROBE_LIMIT_MS, signal).then(() => false),
  ]);
  over.abort();
  return ended;
}
