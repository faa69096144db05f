// A second process that has the same records open: asked by a line, it answers with what its store says.
import { openRecordStore } from "../../src/os/records.ts";
import { STORE_NOW } from "./record_folder.ts";
import { taskRecord } from "./records.ts";

/** What the other process may be told to do with an argument. */
export type StoreOrder = "count" | "keep" | "session" | "prune" | "reindex";

/** A running process with a store of its own. `await using` ends it. */
export interface StoreProcess extends AsyncDisposable {
  /** The answer, or what was thrown. */
  ask(order: StoreOrder, argument?: string): Promise<unknown>;
}

/** Starts one on a folder. */
export function startStoreProcess(dir: string): StoreProcess {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--no-check", "--config", CONFIG, import.meta.filename!, dir],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return {
    async ask(order, argument = "") {
      await writer.write(new TextEncoder().encode(`${order} ${argument}\n`));
      let line = "";
      while (!line.endsWith("\n")) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The other process ended at "${order}"`);
        line += value;
      }
      return JSON.parse(line);
    },
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {});
      await reader.cancel();
      await child.status;
    },
  };
}

const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

async function serve(dir: string): Promise<void> {
  const store = openRecordStore({ dir, now: () => STORE_NOW });
  const orders: Record<StoreOrder, (argument: string) => Promise<unknown>> = {
    count: async () => (await store.sums({})).groups.reduce((sum, group) => sum + group.runs, 0),
    keep: (task_id) => store.keep(taskRecord({ task_id, session_id: `s${task_id}` })),
    session: async (sessionId) => (await store.bySession(sessionId))?.task_id,
    prune: async () => (await store.remove(await store.stored())).tasks.length,
    reindex: async () => (await store.reindex()).records,
  };
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const [order, argument = ""] = text.trim().split(" ");
    const answer = await orders[order as StoreOrder](argument).catch((error) => `threw ${error}`);
    console.log(JSON.stringify(answer ?? null));
  }
  store.close();
}

if (import.meta.main) await serve(Deno.args[0]!);
