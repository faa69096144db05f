// Does the index know every record file? Compares the folder with the rows, and reads what is new or has changed:
// files of the original server, of a process that died between file and row, of a damaged index.
import { type ReadRecord, readRecordFile } from "./record_file.ts";
import { fileTime, listRecordIds, recordPath } from "./record_file.ts";
import { LISTED_FACT, type RecordIndex } from "./index.ts";
import {
  allRows,
  factOf,
  type IndexEntry,
  knownIds,
  putEntries,
  putFact,
  removeEntries,
  unsettledRows,
} from "./index_rows.ts";
import { MADE_FACT, makeTables } from "./index_schema.ts";
import { inWrite, isBusy } from "./sqlite.ts";
import { fileFault } from "./files.ts";

/** Up to so many records the folder is listed at every look; it takes milliseconds. */
const SMALL = 5000;
/** How long a larger folder is taken to be as it was: listing 100,000 files takes a fifth of a second. */
const LISTED_FOR_MS = 600_000;
const READ_AT_ONCE = 32;
const BETWEEN_TRIES_MS = 20;
const TRIES = 3;
const BUSY_TRIES = 30;

/** How closely the folder is looked at. */
export interface SyncOptions {
  /** List a large folder too, however short ago it was listed. */
  readonly force?: boolean;
  /** Compare every file's time of change with its row; implies `force`. */
  readonly exact?: boolean;
}

/** Brings the index up to date. */
export async function syncIndex(
  index: RecordIndex,
  dir: string,
  nowMs: number,
  options: SyncOptions = {},
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await compareOnce(index, dir, nowMs, options)) return;
  }
}

/**
 * Reads every record file into an emptied index, in one transaction: nobody ever sees a part of it. A damaged file is
 * replaced. Throws when another process keeps the index locked.
 */
export async function rebuildIndex(index: RecordIndex, dir: string, nowMs: number): Promise<void> {
  index.reopenSound();
  const entries = await readEntries(dir, await listRecordIds(dir, nowMs));
  await patiently(() => index.use((database) => inWrite(database, () => refill(database, entries))));
  // What others have written while the files were read.
  await patiently(() => syncIndex(index, dir, nowMs, { exact: true }));
}

function refill(database: Database, entries: readonly IndexEntry[]): void {
  makeTables(database);
  putEntries(database, entries);
}

/** Each try waits for a lock as long as SQLite is told to; in between others of this process have their turn. */
async function patiently(work: () => void | Promise<void>): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || tries === BUSY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

/** False when the index was emptied or replaced on the way: the comparison is worth nothing then. */
async function compareOnce(
  index: RecordIndex,
  dir: string,
  nowMs: number,
  { exact = false, force = exact }: SyncOptions,
): Promise<boolean> {
  const listing = index.use((database) => force || isDue(database, nowMs));
  const files = listing ? await listRecordIds(dir, nowMs) : undefined;
  const { changed, gone, made } = index.use((database) => compare(database, dir, { files, exact }));
  if (changed.length === 0 && gone.length === 0 && !files) return true;
  const entries = await readEntries(dir, changed);
  return index.use((database) =>
    inWrite(database, () => {
      if (factOf(database, MADE_FACT) !== made) return false;
      putEntries(database, entries);
      removeEntries(database, gone.filter((taskId) => fileTime(recordPath(dir, taskId)) === undefined));
      if (files) putFact(database, LISTED_FACT, String(nowMs));
      return true;
    })
  );
}

type Database = Parameters<Parameters<RecordIndex["use"]>[0]>[0];

function isDue(database: Database, nowMs: number): boolean {
  const listedMs = Number(factOf(database, LISTED_FACT) ?? NaN);
  if (!(Math.abs(nowMs - listedMs) < LISTED_FOR_MS)) return true;
  return Number(database.prepare("SELECT count(*) AS n FROM tasks").get()!.n) <= SMALL;
}

function compare(
  database: Database,
  dir: string,
  { files, exact }: { readonly files: ReadonlySet<string> | undefined; readonly exact: boolean },
) {
  const made = factOf(database, MADE_FACT);
  const changed = (exact ? allRows(database) : unsettledRows(database))
    .filter(({ taskId, fileMs }) => fileTime(recordPath(dir, taskId)) !== fileMs)
    .map(({ taskId }) => taskId);
  if (!files) return { changed, gone: changed, made };
  const known = knownIds(database);
  return {
    changed: [...changed, ...[...files].filter((taskId) => !known.has(taskId))],
    gone: [...known].filter((taskId) => !files.has(taskId)),
    made,
  };
}

/** In the order of the ids, which is that of time: what is asked for and removed together then lies together. */
async function readEntries(dir: string, taskIds: Iterable<string>): Promise<IndexEntry[]> {
  const sorted = [...taskIds].sort();
  const entries: IndexEntry[] = [];
  for (let at = 0; at < sorted.length; at += READ_AT_ONCE) {
    const batch = await Promise.all(sorted.slice(at, at + READ_AT_ONCE).map((id) => readEntry(dir, id)));
    for (const entry of batch) if (entry) entries.push(entry);
  }
  return entries;
}

async function readEntry(dir: string, taskId: string): Promise<IndexEntry | undefined> {
  let read: ReadRecord | undefined;
  try {
    read = await readRecordFile(dir, taskId);
  } catch (error) {
    const path = recordPath(dir, taskId);
    return { taskId, fileMs: fileTime(path) ?? 0, why: fileFault(path, error).kind };
  }
  if (!read) return undefined;
  const { parsed, fileMs } = read;
  // The answer and the tool calls are not indexed: they would fill the memory when a large folder is read.
  return parsed.ok
    ? { taskId, fileMs, record: { ...parsed.record, prompt: null, result: null, tool_calls: null } }
    : { taskId, fileMs, why: parsed.why };
}
