// How is deno.lock made anew after a change of dependencies? Where JSR answers: by Deno as usual. Where jsr: imports are
// bridged, Deno would write the bridge's hashes; there the npm part is made anew and the jsr part stays as it was, so
// a new jsr: package or version can only be locked where JSR answers. Run by scripts/dev lock.

const ROOT = new URL("../", import.meta.url);
const LOCK = new URL("deno.lock", ROOT);

interface Lock {
  readonly specifiers: Readonly<Record<string, string>>;
  readonly jsr?: Readonly<Record<string, unknown>>;
  readonly workspace?: { readonly dependencies?: readonly string[] };
}

/** The jsr: versions that a lock file names, as text to compare. */
function jsrVersions(lock: Lock): string {
  const asked = Object.entries(lock.specifiers).filter(([name]) => name.startsWith("jsr:"));
  return JSON.stringify([asked.sort(), Object.keys(lock.jsr ?? {}).sort()]);
}

/** Is each jsr: package that deno.json asks for in the lock? `deno install` passes over one that it cannot find. */
function complete(lock: Lock): boolean {
  const wanted = lock.workspace?.dependencies ?? [];
  return wanted.every((name) => !name.startsWith("jsr:") || name in lock.specifiers);
}

async function relock(bridged: boolean): Promise<number> {
  const before = await Deno.readTextFile(LOCK);
  // `install` looks at whole packages and so finds all they need, whatever our files import of them.
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", "--frozen=false"],
    cwd: ROOT,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (success && !bridged) return 0;
  const [old, made] = [JSON.parse(before) as Lock, JSON.parse(await Deno.readTextFile(LOCK)) as Lock];
  const keeps = success && complete(made) && jsrVersions(old) === jsrVersions(made);
  await Deno.writeTextFile(
    LOCK,
    keeps ? JSON.stringify({ ...made, jsr: old.jsr }, null, 2) + "\n" : before,
  );
  if (keeps) return 0;
  console.error(
    success
      ? "Cannot lock new jsr: packages while JSR is bridged: run scripts/dev lock where JSR answers"
      : "Cannot resolve the dependencies, see above; deno.lock is as it was",
  );
  return 1;
}

Deno.exit(await relock(Deno.env.get("JSR_URL")?.startsWith("file:") ?? false));
