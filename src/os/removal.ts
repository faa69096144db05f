// What lies in the folder of the records, and how does it go? The log first, then the record, then the row: wherever a
// crash comes between, what is left is found by the next look.
import { isPlainId } from "../core/id.ts";
import type { RemovalReport, StoredRecords, StoredReport, StoredTask, StrayLog } from "../core/stored.ts";
import { fileFault } from "./files.ts";
import type { RecordIndex } from "./index.ts";
import { removeEntries, type TaskRow, taskRows, unreadableFiles } from "./index_rows.ts";
import { inWrite } from "./sqlite.ts";
import { fileFacts, logPath, recordPath } from "./record_file.ts";

/** So many go between two looks at the signal; the index is locked for others no longer than for these. */
const BATCH = 1000;

/** What lies there, by an index that is up to date. */
export function storedRecords(index: RecordIndex, dir: string): Omit<StoredReport, "warnings"> {
  const { rows, unreadable } = index.use((database) => ({
    rows: taskRows(database),
    unreadable: unreadableFiles(database),
  }));
  const logs = logsIn(dir);
  const tasks = rows.flatMap((row) => storedTask(dir, row, logs) ?? []);
  const strays = [...logs.values()].filter(({ taskId }) => !fileFacts(recordPath(dir, taskId)));
  return { tasks, strays, unreadable };
}

/** Undefined when its file is gone. */
function storedTask(
  dir: string,
  { taskId, state, createdMs, fileMs }: TaskRow,
  logs: ReadonlyMap<string, StrayLog>,
): StoredTask | undefined {
  const file = fileFacts(recordPath(dir, taskId));
  if (!file) return undefined;
  return {
    taskId,
    state: file.ms > fileMs ? "unknown" : state,
    createdMs: createdMs || file.ms,
    fileMs: file.ms,
    recordBytes: file.bytes,
    logBytes: logs.get(taskId)?.logBytes ?? null,
  };
}

/** Every log by its task; none without a folder that may be read. */
function logsIn(dir: string): Map<string, StrayLog> {
  const logs = new Map<string, StrayLog>();
  try {
    for (const { name } of Deno.readDirSync(dir)) {
      const taskId = name.endsWith(".log") ? name.slice(0, -4) : "";
      const file = isPlainId(taskId) ? fileFacts(logPath(dir, taskId)) : undefined;
      if (file) logs.set(taskId, { taskId, fileMs: file.ms, logBytes: file.bytes });
    }
  } catch {
    // What was seen so far counts.
  }
  return logs;
}

/** Removes what is still there as it was. */
export async function removeStored(
  index: RecordIndex,
  dir: string,
  doomed: StoredRecords,
  signal?: AbortSignal,
): Promise<RemovalReport> {
  const files = new FileRemover(dir);
  const tasks: StoredTask[] = [];
  let unindexed: string[] = [];
  for (let at = 0; at < doomed.tasks.length && !signal?.aborted; at += BATCH) {
    const gone = doomed.tasks.slice(at, at + BATCH).filter((task) => files.removeTask(task));
    tasks.push(...gone);
    unindexed = forget(index, [...unindexed, ...gone.map(({ taskId }) => taskId)]);
    // Lets a signal in.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const strays = signal?.aborted ? [] : doomed.strays.filter((log) => files.removeStray(log));
  return { tasks, strays, warnings: [...files.problems(), ...stillIndexed(unindexed)] };
}

/** Takes rows out; gives back the ids of those that stay because the index is locked, full or damaged. */
function forget(index: RecordIndex, taskIds: string[]): string[] {
  try {
    index.use((database) => inWrite(database, () => removeEntries(database, taskIds)));
    return [];
  } catch {
    return taskIds;
  }
}

function stillIndexed({ length }: readonly string[]): string[] {
  return length > 0 ? [`The index still counts ${length} of the removed tasks; run hermes-task reindex`] : [];
}

/** Removes files and keeps count of those that stay. */
class FileRemover {
  readonly #dir: string;
  #failed = 0;
  #first: string | undefined;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** False when the record is not what it was any more, somebody else was faster, or a file stays. */
  removeTask({ taskId, fileMs, logBytes }: StoredTask): boolean {
    const path = recordPath(this.#dir, taskId);
    if (fileFacts(path)?.ms !== fileMs) return false;
    if (logBytes !== null && this.#remove(logPath(this.#dir, taskId)) === "stays") return false;
    return this.#remove(path) === "removed";
  }

  /** False when a record has come to it, it is written to, somebody else was faster, or it stays. */
  removeStray({ taskId, fileMs }: StrayLog): boolean {
    const path = logPath(this.#dir, taskId);
    if (fileFacts(recordPath(this.#dir, taskId)) || fileFacts(path)?.ms !== fileMs) return false;
    return this.#remove(path) === "removed";
  }

  /** What could not be removed. */
  problems(): string[] {
    if (this.#first === undefined) return [];
    const more = this.#failed > 1 ? ` and ${this.#failed - 1} more` : "";
    return [`Cannot remove ${this.#first}${more}; see who may write in "${this.#dir}"`];
  }

  #remove(path: string): "removed" | "missing" | "stays" {
    try {
      Deno.removeSync(path);
      return "removed";
    } catch (error) {
      const fault = fileFault(path, error);
      if (fault.kind === "missing") return "missing";
      this.#failed++;
      this.#first ??= fault.message;
      return "stays";
    }
  }
}
