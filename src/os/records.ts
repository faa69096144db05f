// The records of tasks: one file each, which is the truth, and an index over them for questions about many.
import { isPlainId } from "../core/id.ts";
import type { TaskRecord } from "../core/record.ts";
import { recordText } from "../core/record_text.ts";
import { redactValue } from "../core/redact.ts";
import type { RunSums, RunWindow } from "../core/run_sums.ts";
import {
  namesOf,
  type ReindexReport,
  type RemovalReport,
  type StoredRecords,
  type StoredReport,
} from "../core/stored.ts";
import type { FileFault, RecordStore } from "../ports.ts";
import type { ListPlace, ListQuery } from "../core/task_page.ts";
import { fileFault } from "./files.ts";
import { LISTED_FACT, RecordIndex } from "./index.ts";
import {
  countFiles,
  factOf,
  type IndexEntry,
  listedTasks,
  putEntries,
  putFact,
  tasksOfSession,
  unreadableFiles,
} from "./index_rows.ts";
import { inWrite, isBusy } from "./sqlite.ts";
import { sumsOf } from "./index_sums.ts";
import { rebuildIndex, syncIndex, type SyncOptions } from "./index_sync.ts";
import {
  brokenRecord,
  preparePrivateFolder,
  readRecordFile,
  removeRecordFile,
  writeRecordFile,
} from "./record_file.ts";
import { removeStored, storedRecords } from "./removal.ts";

const NO_FILES = { count: 0, first: [] };

/** A store that was opened, with what only its owner does. */
export interface OpenRecordStore extends RecordStore {
  /** Why the index is in memory only; undefined when all is well. */
  problem(): string | undefined;
  /** Gives the index file back. */
  close(): void;
}

/** Opens the records of a folder, which is made with the first record. Nothing is read or written yet. */
export function openRecordStore(
  { dir, now }: { readonly dir: string; readonly now: () => number },
): OpenRecordStore {
  return new FolderRecords(dir, now);
}

class FolderRecords implements OpenRecordStore {
  readonly #dir: string;
  readonly #now: () => number;
  readonly #index: RecordIndex;
  /** Kept records that the index could not take yet. */
  readonly #pending = new Map<string, IndexEntry>();
  /** The end of the last write: records are written one after the other, in the order in which they came. */
  #lastKeep: Promise<unknown> = Promise.resolve();
  #folderReady = false;
  #sync: Promise<string[]> | undefined;

  constructor(dir: string, now: () => number) {
    this.#dir = dir;
    this.#now = now;
    this.#index = new RecordIndex(dir, now);
  }

  keep(record: TaskRecord): Promise<string | undefined> {
    const kept = this.#lastKeep.then(() => this.#keepNow(record));
    this.#lastKeep = kept;
    return kept;
  }

  async #keepNow(record: TaskRecord): Promise<string | undefined> {
    if (!isPlainId(record.task_id)) {
      return `Cannot record task ${JSON.stringify(record.task_id)}: not a plain id`;
    }
    try {
      const clean = redactValue(record);
      if (!this.#folderReady) preparePrivateFolder(this.#dir);
      this.#folderReady = true;
      const fileMs = await writeRecordFile(this.#dir, record.task_id, recordText(clean));
      this.#pending.set(record.task_id, { taskId: record.task_id, fileMs, record: withoutText(clean) });
    } catch (error) {
      this.#folderReady = false;
      return whyNotKept(record.task_id, fileFault(this.#dir, error));
    }
    this.#indexPending();
    return undefined;
  }

  /** Indexes what was kept. What cannot be indexed now is tried again at the next look; the file is there anyway. */
  #indexPending(): void {
    if (this.#pending.size === 0) return;
    try {
      this.#index.use((database) => inWrite(database, () => putEntries(database, this.#pending.values())));
      this.#pending.clear();
    } catch {
      // A full disk or an index that stays locked: neither may cost the caller its answer.
    }
  }

  async drop(taskId: string): Promise<void> {
    await this.#lastKeep;
    this.#pending.delete(taskId);
    // The index notices at its next look that the file is gone.
    await removeRecordFile(this.#dir, taskId);
  }

  async byTask(taskId: string): Promise<TaskRecord | undefined> {
    if (!isPlainId(taskId)) return undefined;
    const read = await readRecordFile(this.#dir, taskId);
    if (!read) return undefined;
    if (!read.parsed.ok) throw brokenRecord(this.#dir, taskId, read.parsed.why);
    return redactValue(read.parsed.record);
  }

  async bySession(sessionId: string): Promise<TaskRecord | undefined> {
    await this.#upToDate();
    return await this.#newestOf(sessionId) ?? await this.#newestAfterListing(sessionId);
  }

  async #newestOf(sessionId: string): Promise<TaskRecord | undefined> {
    for (const taskId of this.#index.use((database) => tasksOfSession(database, sessionId))) {
      const read = await readRecordFile(this.#dir, taskId);
      if (!read?.parsed.ok || read.parsed.record.session_id !== sessionId) continue;
      return redactValue(read.parsed.record);
    }
    return undefined;
  }

  /** Nothing is called missing before the whole folder was looked at, and the index for damage that no query meets. */
  async #newestAfterListing(sessionId: string): Promise<TaskRecord | undefined> {
    this.#index.reopenSound();
    await this.#upToDate({ force: true });
    return await this.#newestOf(sessionId);
  }

  async list(query: ListQuery): Promise<{ entries: readonly ListPlace[]; warnings: readonly string[] }> {
    const warnings = await this.#upToDate();
    return { entries: this.#index.use((database) => listedTasks(database, query)), warnings };
  }

  async sums(window: RunWindow): Promise<RunSums> {
    const warnings = await this.#upToDate();
    let { sums, unreadable, complete } = this.#count(window);
    if (!complete) {
      warnings.push(...await this.#upToDate());
      ({ sums, unreadable, complete } = this.#count(window));
    }
    warnings.push(...this.#indexProblem());
    if (unreadable.count > 0) {
      const names = namesOf(unreadable);
      warnings.push(`Not counted: ${unreadable.count} files in "${this.#dir}" hold no record: ${names}`);
    }
    return { ...sums, warnings };
  }

  /** `complete` is false when the index was emptied or replaced since the folder was looked at. */
  #count(window: RunWindow) {
    return this.#index.use((database) => ({
      sums: sumsOf(database, window),
      unreadable: unreadableFiles(database),
      complete: factOf(database, LISTED_FACT) !== undefined,
    }));
  }

  recall(key: string): string | undefined {
    try {
      return this.#index.use((database) => factOf(database, key));
    } catch {
      // A locked index: the fact is found out again.
      return undefined;
    }
  }

  remember(key: string, value: string): void {
    try {
      this.#index.use((database) => putFact(database, key, value));
    } catch {
      // A full disk or a locked index: the fact is found out again next time.
    }
  }

  async stored(): Promise<StoredReport> {
    const warnings = await this.#upToDate({ exact: true });
    try {
      return { ...storedRecords(this.#index, this.#dir), warnings };
    } catch (error) {
      warnings.push(`Cannot ask the index: ${fileFault(`${this.#dir}/index.sqlite`, error).message}`);
      return { tasks: [], strays: [], unreadable: NO_FILES, warnings };
    }
  }

  async remove(doomed: StoredRecords, signal?: AbortSignal): Promise<RemovalReport> {
    await this.#lastKeep;
    return await removeStored(this.#index, this.#dir, doomed, signal);
  }

  async reindex(): Promise<ReindexReport> {
    await this.#lastKeep;
    try {
      await rebuildIndex(this.#index, this.#dir, this.#now());
      return { ...this.#index.use(countFiles), busy: false, warnings: this.#indexProblem() };
    } catch (error) {
      const busy = isBusy(error);
      const warnings = busy ? [] : [`Cannot make the index anew: ${fileFault(this.#dir, error).message}`];
      return { records: 0, unreadable: NO_FILES, busy, warnings };
    }
  }

  #indexProblem(): string[] {
    const { problem } = this.#index;
    return problem ? [`${problem}; the record files themselves were counted, which takes longer`] : [];
  }

  problem(): string | undefined {
    this.recall("");
    return this.#index.problem;
  }

  close(): void {
    this.#indexPending();
    this.#index.close();
  }

  /** One look at the folder at a time; a second caller waits for the first one's. Gives what went wrong in words. */
  async #upToDate(options?: SyncOptions): Promise<string[]> {
    await this.#lastKeep;
    if (options) return await this.#syncNow(options);
    this.#sync ??= this.#syncNow({}).finally(() => this.#sync = undefined);
    return [...await this.#sync];
  }

  async #syncNow(options: SyncOptions): Promise<string[]> {
    this.#indexPending();
    try {
      await syncIndex(this.#index, this.#dir, this.#now(), options);
      return [];
    } catch (error) {
      return [`The newest records may be missing: ${fileFault(this.#dir, error).message}`];
    }
  }
}

function withoutText(record: TaskRecord): TaskRecord {
  return { ...record, prompt: null, result: null, tool_calls: null };
}

const NEXT: Readonly<Record<FileFault["kind"], string>> = {
  full: "free some space",
  readonly: "set cacheDir to a folder that can be written",
  denied: "give yourself the right to write there, or set cacheDir to another folder",
  missing: "set cacheDir to a folder that can be made",
  other: "set cacheDir to another folder",
};

function whyNotKept(taskId: string, fault: FileFault): string {
  return `Cannot record task "${taskId}": ${fault.message}; ${NEXT[fault.kind]}`;
}
