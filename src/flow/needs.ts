// Which variables does a task need from the environment? The keys and addresses that are set here, and that Hermes does
// not find in its own `.env` anyway.
import type { Needs } from "../core/queue.ts";
import { registryKeyNames } from "../core/environment.ts";
import { canonicalProvider } from "../core/provider.ts";
import { readUserConfig, type UserConfig } from "../hermes/config.ts";
import { keyNames } from "../hermes/dotenv.ts";
import { FileFault, type World } from "../ports.ts";

/** Hashes of what a task for this provider needs; `auto` may come to any. */
export async function needsOf(world: World, provider: string): Promise<Needs> {
  const names = await namesFor(world, provider);
  const set = Object.entries(valuesOf(world, names));
  if (set.length === 0) return {};
  const written = keyNames(await dotenvOf(world));
  return await world.queue.hashes(Object.fromEntries(set.filter(([name]) => !written.has(name))));
}

/** Names and values of all variables that hold keys or addresses here. */
export async function keyValuesHere(world: World): Promise<Readonly<Record<string, string>>> {
  return valuesOf(world, await namesFor(world, "auto"));
}

async function namesFor(world: World, provider: string): Promise<string[]> {
  const known = provider === "auto" ? undefined : canonicalProvider(provider);
  if (known) return [...known.keyVariables, ...known.addressVariables];
  const user = await readUserConfig(world);
  if (provider !== "auto") return variablesOf(provider, user);
  return [...new Set([...registryKeyNames(), ...user.environmentNames])];
}

/** Names of the variables that hold the key and the address of one provider. */
export function variablesOf(provider: string, user: UserConfig): string[] {
  const facts = canonicalProvider(provider);
  if (facts) return [...facts.keyVariables, ...facts.addressVariables];
  const own = user.providers.find(({ id }) => id === provider);
  return own ? [...own.environmentNames] : [];
}

function valuesOf({ environment }: World, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = environment.get(name);
    return value ? [[name, value]] : [];
  }));
}

async function dotenvOf(world: World): Promise<string> {
  try {
    return await world.files.readText(`${world.place.home}/.env`);
  } catch (error) {
    if (error instanceof FileFault) return "";
    throw error;
  }
}
