// The task profile's folder and its links to the user's credentials. Only the bootstrap may make links; a worker
// that could write here would write through them into the user's own files.
import type { Place, ProfileReport } from "../ports.ts";

const LINKED = [".env", "auth.json", "auth.lock"];

/** Makes what is missing, mends a link that leads elsewhere, and leaves a user's file alone. */
export function prepareProfile(place: Place): ProfileReport {
  if (Deno.build.os === "windows") return { ok: false, problem: "links need a privilege on Windows" };
  try {
    Deno.mkdirSync(place.taskHome, { recursive: true, mode: 0o700 });
    // Hermes locks the file next to the unresolved auth.json: without this link it would lock another file than
    // the user's own Hermes does, and both would write one auth.json.
    createIfMissing(`${place.home}/auth.lock`);
    for (const name of LINKED) {
      const problem = link(`${place.taskHome}/${name}`, target(place, name));
      if (problem) return { ok: false, problem };
    }
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: wordsFor(error) };
  }
}

function wordsFor(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "making its links needs --allow-read and --allow-write without a path; hermes-task run makes them for good";
  }
  return error instanceof Error ? error.message : String(error);
}

/** Relative, so that a home can be moved; absolute where a linked `profiles` folder would lead a relative one astray. */
function target(place: Place, name: string): string {
  const inside = `${Deno.realPathSync(place.root)}/profiles/${place.taskProfile}`;
  if (Deno.realPathSync(place.taskHome) !== inside) return `${Deno.realPathSync(place.home)}/${name}`;
  return place.profile === "default" ? `../../${name}` : `../${place.profile}/${name}`;
}

function createIfMissing(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

function link(path: string, to: string): string | undefined {
  const there = linkAt(path);
  if (there === to) return undefined;
  if (there === false) return `"${path}" is a file where a link to "${to}" belongs; move it away`;
  if (there !== undefined) Deno.removeSync(path);
  try {
    Deno.symlinkSync(to, path);
  } catch (error) {
    // Another process may have made it in between.
    if (!(error instanceof Deno.errors.AlreadyExists) || linkAt(path) !== to) throw error;
  }
  return undefined;
}

/** Where a link leads; false for anything that is no link; undefined for nothing. */
function linkAt(path: string): string | false | undefined {
  try {
    return Deno.lstatSync(path).isSymlink ? Deno.readLinkSync(path) : false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
