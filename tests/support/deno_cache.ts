// Where does this Deno keep its cache? Programs that run in a throw-away home are told, so that they make none there.
import { join } from "@std/path";

/** Folder of the cache of this very process. */
export function denoDir(): string {
  const given = Deno.env.get("DENO_DIR");
  if (given) return given;
  const home = Deno.env.get("HOME") ?? Deno.cwd();
  if (Deno.build.os === "darwin") return join(home, "Library", "Caches", "deno");
  return join(Deno.env.get("XDG_CACHE_HOME") ?? join(home, ".cache"), "deno");
}
