// How is a script started that imports the module? Under the permissions that docs/permissions.md names, no more.
import { fromFileUrl } from "@std/path";
import { denoEnvironment } from "../../scripts/program_line.ts";
import { denoDir } from "./deno_cache.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** The documented line; Hermes is the one that the home's environment names, else the one in its `bin`. */
export function documentedRights(home: ThrowAwayHome): string[] {
  return [
    `--allow-run=${home.env["HERMES_BIN"] ?? `${home.bin}/hermes`},ps,kill`,
    `--allow-read=${home.root}`,
    `--allow-write=${home.root}`,
    "--allow-env",
    "--allow-sys=homedir",
  ];
}

/** A script in a throw-away home. */
export function scriptLine(
  home: ThrowAwayHome,
  script: string,
  rights: readonly string[] = documentedRights(home),
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--quiet",
      "--frozen",
      "--no-check",
      `--config=${ROOT}deno.json`,
      ...rights,
      script,
    ],
    clearEnv: true,
    env: { ...home.env, ...denoEnvironment(denoDir()) },
    cwd: home.work,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}
