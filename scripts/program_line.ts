// How is hermes-task started from source? With the wide rights of its bootstrap, which narrows its worker by itself.
import { fromFileUrl, join } from "@std/path";

const ROOT = fromFileUrl(new URL("../", import.meta.url));

/** What the bootstrap may do; compiled programs have the same built in. */
export const RIGHTS: readonly string[] = [
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-env",
  "--allow-sys=homedir",
];

/** By these Deno itself finds its modules. */
const DENO_VARIABLES = ["JSR_URL", "NPM_CONFIG_REGISTRY", "DENO_TLS_CA_STORE"];

/** Arguments of `deno` before those of hermes-task. A configuration of one's own has a lock of its own beside it. */
export function sourceArgs(config?: string): string[] {
  const locked = config === undefined
    ? [`--config=${join(ROOT, "deno.json")}`, "--frozen"]
    : [`--config=${config}`];
  const main = join(ROOT, "src", "main.ts");
  return ["run", "--quiet", "--no-prompt", "--unstable-worker-options", ...locked, ...RIGHTS, main];
}

/** What a Deno in a throw-away home must be told; `cache` is where this one keeps its modules. */
export function denoEnvironment(cache: string): Record<string, string> {
  const given = DENO_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(given), DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1" };
}
