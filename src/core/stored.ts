// What lies in the folder of the records, and what came of tending it.
import type { TaskState } from "./record.ts";

/** What a record on the disk is, as far as removing it asks. */
export interface StoredTask {
  readonly taskId: string;
  /** `unknown` for a record that has changed since it was read. */
  readonly state: TaskState | "unknown";
  /** When the task was created; where that is not known, when its file was changed last. */
  readonly createdMs: number;
  /** When its file was changed last: tells later whether it still is the same. */
  readonly fileMs: number;
  readonly recordBytes: number;
  /** Null without a log. */
  readonly logBytes: number | null;
}

/** A log whose record is not there. */
export interface StrayLog {
  readonly taskId: string;
  readonly fileMs: number;
  readonly logBytes: number;
}

/** Records with their logs, and logs without records. */
export interface StoredRecords {
  readonly tasks: readonly StoredTask[];
  readonly strays: readonly StrayLog[];
}

/** All that is there. */
export interface StoredReport extends StoredRecords {
  readonly unreadable: UnreadableFiles;
  /** Why something may be missing here. */
  readonly warnings: readonly string[];
}

/** Files in the place of records that hold none. */
export interface UnreadableFiles {
  readonly count: number;
  /** The first few, each as `"x.json" (why)`. */
  readonly first: readonly string[];
}

/** What was removed. */
export interface RemovalReport extends StoredRecords {
  /** What could not be removed, and why. */
  readonly warnings: readonly string[];
}

/** How the index was made anew. */
export interface ReindexReport {
  readonly records: number;
  readonly unreadable: UnreadableFiles;
  /** Another process kept the index locked: it is as it was. */
  readonly busy: boolean;
  /** Why the index was not read whole, or stands in memory only. */
  readonly warnings: readonly string[];
}

/** Bytes of a task's record and log, or of a stray log. */
export function bytesOf(stored: StoredTask | StrayLog): number {
  return (stored.logBytes ?? 0) + ("recordBytes" in stored ? stored.recordBytes : 0);
}

/** Bytes of all of them together. */
export function sizeOf({ tasks, strays }: StoredRecords): number {
  return [...tasks, ...strays].reduce((sum, one) => sum + bytesOf(one), 0);
}

/** The first few names, and a sign when there are more. */
export function namesOf({ count, first }: UnreadableFiles): string {
  return first.join(", ") + (count > first.length ? ", …" : "");
}
