// The keys with which one provider is asked: read when a task starts, so that they can be taken out of what it brings,
// and held no longer than that.
import { FileFault, type World } from "../ports.ts";
import { readAuthStore } from "./auth_store.ts";
import type { UserConfig } from "./config.ts";
import { keyValues } from "./dotenv.ts";

/** What is asked, and which variables may hold its key. */
export interface KeyOwner {
  readonly provider: string;
  readonly variables: readonly string[];
}

const TOKENS = ["access_token", "refresh_token", "agent_key"];

/** Every value that is a key of this provider here. Addresses are none. */
export async function keysOf(world: World, owner: KeyOwner, user: UserConfig): Promise<string[]> {
  const stores = [...new Set([world.place.authPath, `${world.place.root}/auth.json`])];
  const found = [
    ...owner.variables.map((name) => world.environment.get(name) ?? ""),
    ...keyValues(await textOf(world, `${world.place.home}/.env`), owner.variables),
    ...written(user, owner.provider),
    ...(await Promise.all(stores.map((path) => inStore(world, path, owner.provider)))).flat(),
  ];
  return found.map((value) => value.trim()).filter((value) => value !== "" && !/^[a-z]+:\/\//i.test(value));
}

async function textOf(world: World, path: string): Promise<string> {
  try {
    return await world.files.readText(path);
  } catch (error) {
    if (error instanceof FileFault) return "";
    throw error;
  }
}

/** A key that stands in the configuration itself. */
function written(user: UserConfig, provider: string): string[] {
  return user.providers.flatMap(({ id, ownKey }) => id === provider && ownKey ? [ownKey()] : []);
}

async function inStore(world: World, path: string, provider: string): Promise<string[]> {
  const { pool, logins } = await readAuthStore(world.files, path);
  const rows = [...pool.get(provider) ?? [], logins.get(provider)];
  return rows.flatMap((row) => tokensIn(row));
}

function tokensIn(row: unknown): string[] {
  if (row === null || typeof row !== "object") return [];
  const fields = row as Record<string, unknown>;
  const own = TOKENS.flatMap((name) => typeof fields[name] === "string" ? [fields[name] as string] : []);
  return [...own, ...tokensIn(fields.tokens)];
}
