// A record store in a folder of its own that is removed afterwards.
import { type OpenRecordStore, openRecordStore } from "../../src/os/records.ts";

/** The time by a test store's clock. */
export const STORE_NOW = Date.parse("2026-08-20T00:00:00Z");

/** Runs `work` with a store, its folder (not made yet), and a way to open more stores on it. */
export async function withStore(
  work: (store: OpenRecordStore, dir: string, more: () => OpenRecordStore) => Promise<void>,
): Promise<void> {
  const base = await Deno.makeTempDir({ prefix: "records_" });
  const dir = `${base}/hermes-task-cache`;
  const opened: OpenRecordStore[] = [];
  const more = () => {
    const store = openRecordStore({ dir, now: () => STORE_NOW });
    opened.push(store);
    return store;
  };
  try {
    await work(more(), dir, more);
  } finally {
    for (const store of opened) store.close();
    await Deno.chmod(dir, 0o700).catch(() => {});
    await Deno.remove(base, { recursive: true });
  }
}

/** How many runs a store counts. */
export const runsOf = async (store: OpenRecordStore) =>
  (await store.sums({})).groups.reduce((sum, group) => sum + group.runs, 0);
