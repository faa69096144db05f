// What the bootstrap does, done with the permissions of the script that imports the module: by `ps` and `kill` where
// they may be run, else by ending Hermes itself alone.
import { familyOf, listingArgs, parseListing, type ProcessRow } from "../core/process_family.ts";
import { isLocked } from "../os/lock.ts";
import type { Guardian, StopReport } from "../ports.ts";
import { launchSupervisor } from "./launch.ts";
import { absolutePath, type Located } from "./locate.ts";

const LIMIT_MS = 2000;
const ONLY_HERMES =
  "Only Hermes itself could be ended; to end what it started too, allow --allow-run=ps,kill";

/** Rights of a script that imports the module. */
export function moduleGuardian(
  place: Located,
  prepareProfile: Guardian["prepareProfile"],
): Guardian {
  return {
    watch: () => {},
    release: () => {},
    stop: (pid, mark) => stop(pid, mark, place.owner),
    prepareProfile,
    mayLaunch,
    launch: async (variables) => await mayLaunch() ?? launchSupervisor(place, variables, PROGRAM),
    reap: (owner) => reap(place, owner),
    resolve: async (path) => {
      try {
        const real = await Deno.realPath(absolutePath(path, place.cwd, place.userHome));
        const facts = await Deno.stat(real);
        return { path: real, kind: facts.isFile ? "file" : facts.isDirectory ? "directory" : "other" };
      } catch {
        return { path, kind: "missing" };
      }
    },
  };
}

async function stop(pid: number, mark: string, owner: string): Promise<StopReport> {
  if (!mark.startsWith(`${owner}.`)) throw new Error("Not a mark of this process");
  return await sweep(pid, mark);
}

async function sweep(root: number | undefined, mark: string): Promise<StopReport> {
  if (!await mayRun("ps") || !await mayRun("kill")) return { left: [], limited: ONLY_HERMES };
  const known = new Set<number>();
  const until = performance.now() + LIMIT_MS;
  let live: ProcessRow[] = [];
  for (let empty = 0; empty < 2 && performance.now() < until;) {
    live = familyOf(await look(), { root, mark, known, self: Deno.pid });
    const fresh = live.filter((row) => !known.has(row.pid));
    for (const row of fresh) known.add(row.pid);
    if (fresh.length > 0) await signal("STOP", fresh);
    else if (live.length > 0) await signal("KILL", live);
    empty = live.length > 0 ? 0 : empty + 1;
  }
  return { left: live.map((row) => row.pid) };
}

/** Our own program, as it stands beside this file. */
const PROGRAM = new URL("../main.ts", import.meta.url).href;

async function mayLaunch(): Promise<string | undefined> {
  return await mayRun(Deno.execPath()) ? undefined : `allow --allow-run=${Deno.execPath()}`;
}

async function reap({ cacheDir }: Located, owner: string): Promise<StopReport> {
  if (!/^[a-z0-9]+$/.test(owner)) throw new Error("Not a name of a process of ours");
  if (isLocked(`${cacheDir}/locks/${owner}`)) throw new Error("That process lives");
  return await sweep(undefined, `${owner}.`);
}

async function mayRun(command: string): Promise<boolean> {
  return (await Deno.permissions.query({ name: "run", command })).state === "granted";
}

async function look(): Promise<ProcessRow[]> {
  return parseListing(await run("ps", listingArgs(Deno.build.os)));
}

async function signal(name: string, rows: readonly ProcessRow[]): Promise<void> {
  await run("kill", [`-${name}`, ...rows.map((row) => String(row.pid))]);
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command(program, {
    args: [...args],
    clearEnv: true,
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}
