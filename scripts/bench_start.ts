// How soon does a host have its first answers?
import { makeHome, type ThrowAwayHome } from "../tests/support/throw_away_home.ts";
import { bareNodeServer, ownPrograms, type Program, withServer } from "./bench_programs.ts";
import { median, type Row, rowOf, skippedRow, type Yardstick } from "./bench_table.ts";

const TIMES = 15;

interface Opening {
  readonly initializeMs: number;
  readonly toolsMs: number;
}

/** Rows for `initialize` and `tools/list`, each program in turn so that all have the same noise. */
export async function benchStart(): Promise<Row[]> {
  await using home = await makeHome();
  const [bare, own] = [await bareNodeServer(home.work), await ownPrograms()];
  const openings = await measureAll([...bare ? [bare] : [], ...own], home);
  const rows = own.flatMap((program) =>
    rowsFor(program, openings.get(program)!, bare && openings.get(bare)!)
  );
  return bare
    ? rows
    : [skippedRow("bare node server, the yardstick of start", "node is not on PATH"), ...rows];
}

async function measureAll(
  programs: readonly Program[],
  home: ThrowAwayHome,
): Promise<Map<Program, Opening[]>> {
  const openings = new Map<Program, Opening[]>(programs.map((program) => [program, []]));
  for (const program of programs) await openOnce(program, home); // caches of the system and of Deno
  for (let time = 0; time < TIMES; time++) {
    for (const program of programs) openings.get(program)!.push(await openOnce(program, home));
  }
  return openings;
}

/** As a host does it: the second request goes out when the first answer is there. */
async function openOnce(program: Program, home: ThrowAwayHome): Promise<Opening> {
  const began = performance.now();
  return await withServer(program, home, async (server) => {
    await server.handshake();
    const initializeMs = performance.now() - began;
    await server.request("tools/list");
    return { initializeMs, toolsMs: performance.now() - began };
  });
}

function rowsFor(program: Program, own: readonly Opening[], bare: readonly Opening[] | undefined): Row[] {
  const row = (what: string, of: (opening: Opening) => number) => {
    const yardstick: Yardstick | undefined = bare &&
      { name: "bare node server", value: median(bare.map(of)), unit: "ms" };
    return rowOf({
      what: `start → ${what}, ${program.name}`,
      value: median(own.map(of)),
      unit: "ms",
      ...(yardstick ? { yardstick } : {}),
      // The promise is about what users have.
      ...(yardstick && program.args.length === 0 ? { limit: { ratio: 1.2 } } : {}),
    });
  };
  return [row("initialize", (one) => one.initializeMs), row("tools/list", (one) => one.toolsMs)];
}
