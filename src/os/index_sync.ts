// Does the index know every record file? Compares the folder with the rows, and reads what is new or has changed:
// files of the original server, of a process that died between file and row, of a damaged index.
import { type ReadRecord, readRecordFile } from "./record_file.ts";
import { fileTime, listRecordIds, recordPath } from "./record_file.ts";
import { LISTED_FACT, type RecordIndex } from "./index.ts";
import {
  factOf,
  type IndexEntry,
  knownIds,
  putEntries,
  putFact,
  removeEntries,
  unsettledRows,
} from "./index_rows.ts";
import { emptyIndex } from "./index_schema.ts";
import { inWrite } from "./sqlite.ts";
import { fileFault } from "./files.ts";

/** Up to so many records the folder is listed at every look; it takes milliseconds. */
const SMALL = 5000;
/** How long a larger folder is taken to be as it was: listing 100,000 files takes a fifth of a second. */
const LISTED_FOR_MS = 600_000;
const READ_AT_ONCE = 32;
const TRIES = 3;

/** Brings the index up to date. `force` lists a large folder too; `anew` empties the index first. */
export async function syncIndex(
  index: RecordIndex,
  dir: string,
  nowMs: number,
  { force = false, anew = false }: { readonly force?: boolean; readonly anew?: boolean } = {},
): Promise<void> {
  if (anew) index.use(emptyIndex);
  for (let tries = 0; tries < TRIES; tries++) {
    if (await compareOnce(index, dir, nowMs, force || anew)) return;
  }
}

/** False when the index was emptied or replaced on the way: the comparison is worth nothing then. */
async function compareOnce(index: RecordIndex, dir: string, nowMs: number, force: boolean): Promise<boolean> {
  const listing = index.use((database) => force || isDue(database, nowMs));
  const files = listing ? await listRecordIds(dir, nowMs) : undefined;
  const { changed, gone } = index.use((database) => compare(database, dir, files));
  const { generation } = index;
  if (changed.length === 0 && gone.length === 0 && !files) return true;
  const entries = await readEntries(dir, changed);
  return index.use((database) => {
    if (index.generation !== generation) return false;
    return inWrite(database, () => {
      putEntries(database, entries);
      removeEntries(database, gone.filter((taskId) => fileTime(recordPath(dir, taskId)) === undefined));
      if (files) putFact(database, LISTED_FACT, String(nowMs));
      return true;
    });
  });
}

type Database = Parameters<Parameters<RecordIndex["use"]>[0]>[0];

function isDue(database: Database, nowMs: number): boolean {
  const listedMs = Number(factOf(database, LISTED_FACT) ?? NaN);
  if (!(Math.abs(nowMs - listedMs) < LISTED_FOR_MS)) return true;
  return Number(database.prepare("SELECT count(*) AS n FROM tasks").get()!.n) <= SMALL;
}

function compare(database: Database, dir: string, files: Set<string> | undefined) {
  const changed = unsettledRows(database)
    .filter(({ taskId, fileMs }) => fileTime(recordPath(dir, taskId)) !== fileMs)
    .map(({ taskId }) => taskId);
  if (!files) return { changed, gone: changed };
  const known = knownIds(database);
  return {
    changed: [...changed, ...[...files].filter((taskId) => !known.has(taskId))],
    gone: [...known].filter((taskId) => !files.has(taskId)),
  };
}

async function readEntries(dir: string, taskIds: readonly string[]): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  for (let at = 0; at < taskIds.length; at += READ_AT_ONCE) {
    const batch = await Promise.all(taskIds.slice(at, at + READ_AT_ONCE).map((id) => readEntry(dir, id)));
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
