// How much memory does a server take, idle and while Hermes prints 500 MB?
import type { ServerUnderTest } from "../tests/support/server_under_test.ts";
import { homeWithModels, installScript } from "./bench_home.ts";
import { ownPrograms, type Program, withServer } from "./bench_programs.ts";
import { type Row, rowOf } from "./bench_table.ts";

const FLOOD_BYTES = 500_000_000;
const SAMPLE_MS = 50;
/** Until the worker is loaded and has nothing to do any more. */
const SETTLE_MS = 1500;

/** Rows for each program of ours: resident memory as the system counts it, in units of 1024 KiB. */
export async function benchMemory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const program of await ownPrograms()) rows.push(...await memoryOf(program));
  return rows;
}

async function memoryOf(program: Program): Promise<Row[]> {
  await using home = await homeWithModels();
  await installScript(home, `yes 'A line that says again what it said before.' | head -c ${FLOOD_BYTES}`);
  return await withServer(program, home, async (server) => {
    await server.handshake();
    await server.request("tools/list");
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const idleMb = await residentMb(server.pid);
    const floodMb = await highestDuring(server, () => flood(server));
    return [
      rowOf({ what: `memory, idle server ${program.name}`, value: idleMb, unit: "MB", limit: { value: 80 } }),
      rowOf({
        what: `memory while Hermes prints 500 MB, server ${program.name}`,
        value: floodMb,
        unit: "MB",
        limit: { value: 115 },
      }),
    ];
  });
}

async function flood(server: ServerUnderTest): Promise<void> {
  const task = { prompt: "Print", provider: "gemini", model: "gemini-3.1-flash-lite" };
  const { structuredContent } = await server.callTool("hermes_task", task, 300_000);
  const { ok, error_detail } = structuredContent as { ok: boolean; error_detail?: string };
  if (!ok) throw new Error(`The flood did not end well: ${error_detail}`);
}

/** The highest of many samples, or what the system itself noted as the highest. */
async function highestDuring(server: ServerUnderTest, run: () => Promise<void>): Promise<number> {
  let highestMb = 0;
  let over = false;
  const sampling = (async () => {
    while (!over) {
      highestMb = Math.max(highestMb, await residentMb(server.pid));
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  await run();
  over = true;
  await sampling;
  return await peakMb(server.pid) ?? highestMb;
}

async function residentMb(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(pid)], stdin: "null" })
    .output();
  return Number(new TextDecoder().decode(stdout).trim()) / 1024;
}

/** Only Linux notes it. */
async function peakMb(pid: number): Promise<number | undefined> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
