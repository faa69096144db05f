// How quick is it, and beside what? Measures everything in one run and on the same work, in a throw-away home and on
// loopback only, as ratios to yardsticks that the bench itself carries. Shows, does not gate:
//
//   scripts/dev bench [--runs N]      N recorded runs for the telemetry rows, 100,000 when left out
import { fromFileUrl, join } from "@std/path";
import { aliveTasksIn } from "../tests/support/processes.ts";
import { benchModels, benchTelemetry } from "./bench_history.ts";
import { benchMemory } from "./bench_memory.ts";
import { aboutCompiled } from "./bench_programs.ts";
import { benchQueue } from "./bench_queue.ts";
import { benchReal } from "./bench_real.ts";
import { benchStart } from "./bench_start.ts";
import { type Row, showTable } from "./bench_table.ts";
import { benchCancel, benchTaskCost } from "./bench_task.ts";
import { runGuarded } from "./guarded.ts";

const RUNS = 100_000;
/** Set by ourselves: we are in the throw-away home. */
const INSIDE = "--inside";

const BENCHES: readonly (readonly [name: string, measure: (runs: number) => Promise<Row[]>])[] = [
  ["start", benchStart],
  ["a task's own cost", benchTaskCost],
  ["cancel", benchCancel],
  ["queue", benchQueue],
  ["models", benchModels],
  ["memory", benchMemory],
  ["the real Hermes", benchReal],
  ["telemetry", benchTelemetry],
];

/** Starts ourselves again in a throw-away home, under the guard of the real one. */
async function outside(args: readonly string[]): Promise<number> {
  const self = fromFileUrl(import.meta.url);
  return await runGuarded(Deno.execPath(), ["run", "--frozen", "--quiet", "-A", self, INSIDE, ...args]);
}

async function inside(runs: number): Promise<number> {
  const home = Deno.env.get("HOME")!;
  // All homes of the bench lie in this one, so what is left of them is found.
  await Deno.mkdir(join(home, "tmp"));
  Deno.env.set("TMPDIR", join(home, "tmp"));
  const began = performance.now();
  const [loadBefore] = Deno.loadavg();
  const rows: Row[] = [];
  for (const [name, measure] of BENCHES) {
    console.error(`bench: ${name} …`);
    rows.push(...await measure(runs));
  }
  console.log(showTable(rows));
  console.log(`\n${await aboutCompiled()}`);
  console.log(`Took ${((performance.now() - began) / 1000).toFixed(0)} s. ${aboutLoad(loadBefore!)}`);
  const left = await aliveTasksIn({ home });
  if (left.length === 0) return 0;
  console.error(`bench: left running: ${left.map(({ pid }) => pid).join(", ")}`);
  return 1;
}

/** Figures in milliseconds mean little on a machine that is busy with something else. */
function aboutLoad(before: number): string {
  const after = Deno.loadavg()[0]!;
  const load = `${before.toFixed(1)} before, ${after.toFixed(1)} after`;
  return `Load on ${navigator.hardwareConcurrency} cores: ${load}.`;
}

function runsIn(args: readonly string[]): number | undefined {
  if (args.length === 0) return RUNS;
  const runs = args[0] === "--runs" && args.length === 2 ? Number(args[1]) : NaN;
  return Number.isInteger(runs) && runs > 0 ? runs : undefined;
}

const args = Deno.args.filter((arg) => arg !== INSIDE);
const runs = runsIn(args);
if (runs === undefined) {
  console.error("usage: scripts/dev bench [--runs N]");
  Deno.exit(2);
}
Deno.exit(Deno.args[0] === INSIDE ? await inside(runs) : await outside(args));
