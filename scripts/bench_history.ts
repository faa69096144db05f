// How quick are the questions about many: all recorded runs, all models?
import { hermesModels, hermesTelemetry } from "../mod.ts";
import { writeMadeUpRuns } from "../tests/support/many_runs.ts";
import { makeHome } from "../tests/support/throw_away_home.ts";
import { homeWithModels, MODELS } from "./bench_home.ts";
import { ownPrograms, withServer } from "./bench_programs.ts";
import { median, type Row, rowOf } from "./bench_table.ts";

const TIMES = 15;
const READS = 3;

/** Rows for telemetry over so many runs, beside reading their files as the first server of this kind did. */
export async function benchTelemetry(runs: number): Promise<Row[]> {
  await using home = await makeHome();
  const folder = `${home.root}/hermes-task-cache`;
  await writeMadeUpRuns(folder, runs);
  const ask = async () => {
    const { runs: counted } = await hermesTelemetry({}, { home: home.root });
    if (counted !== runs) throw new Error(`Telemetry counted ${counted} of ${runs} runs`);
  };
  const firstMs = median(await timesOf(1, ask));
  const askedMs = median(await timesOf(TIMES, ask));
  const readMs = median(await timesOf(READS, () => readAll(folder, runs)));
  const yardstick = { name: `reading ${runs} JSON files`, value: readMs, unit: "ms" } as const;
  const what = `telemetry over ${runs} runs`;
  return [
    rowOf({ what, value: askedMs, unit: "ms", yardstick, limit: { ratio: 0.1 } }),
    rowOf({ what: `${what}, first look: index made`, value: firstMs, unit: "ms", yardstick }),
  ];
}

/** The quickest way to count them one by one. */
function readAll(folder: string, runs: number): Promise<void> {
  let [count, durationMs] = [0, 0];
  for (const { name } of Deno.readDirSync(folder)) {
    if (!name.endsWith(".json")) continue;
    const record = JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)) as { duration_ms: number };
    count++;
    durationMs += record.duration_ms;
  }
  if (count !== runs || durationMs === 0) throw new Error(`${count} of ${runs} files were read`);
  return Promise.resolve();
}

/** Rows for the list of models, in-process and by the server, once its caches are known. */
export async function benchModels(): Promise<Row[]> {
  await using home = await homeWithModels();
  const [program] = await ownPrograms();
  const inProcess = await timesOf(TIMES, () => hermesModels({}, { home: home.root }));
  const overStdio = await withServer(program, home, async (server) => {
    await server.handshake();
    return await timesOf(TIMES, () => server.callTool("hermes_models", {}));
  });
  const row = (what: string, times: readonly number[]) =>
    rowOf({
      what: `hermes_models over ${MODELS} models, ${what}`,
      value: median(times),
      unit: "ms",
      note: `first call ${times[0]!.toFixed(0)} ms`,
      limit: { value: 50 },
    });
  return [row("in-process", inProcess), row(`server ${program.name}`, overStdio)];
}

async function timesOf(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < count; time++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return times;
}
