// The files of records: `<folder>/<task id>.json`, one a task, replaced in one step, readable by their owner only.
import { isPlainId } from "../core/id.ts";
import { type ParsedRecord, parseRecord } from "../core/record_text.ts";
import { FileFault } from "../ports.ts";
import { fileFault } from "./files.ts";

/** A record file as it was read; undefined when there is none. */
export interface ReadRecord {
  readonly parsed: ParsedRecord;
  /** When the file was changed last, by the file system's clock. */
  readonly fileMs: number;
}

const STALE_TEMPORARY_MS = 3_600_000;

/** The path of a task's record. */
export function recordPath(dir: string, taskId: string): string {
  return `${dir}/${taskId}.json`;
}

/** The path of what a task printed beyond the memory's bound. */
export function logPath(dir: string, taskId: string): string {
  return `${dir}/${taskId}.log`;
}

/** Reads and parses one record file; undefined when there is none. Throws {@link FileFault}. */
export async function readRecordFile(dir: string, taskId: string): Promise<ReadRecord | undefined> {
  const path = recordPath(dir, taskId);
  try {
    const { mtime } = await Deno.stat(path);
    const parsed = parseRecord(taskId, await Deno.readTextFile(path));
    return { parsed, fileMs: mtime?.getTime() ?? 0 };
  } catch (error) {
    const fault = fileFault(path, error);
    if (fault.kind === "missing") return undefined;
    throw fault;
  }
}

/**
 * Replaces a record file in one step and returns its time of change: a temporary file beside it, forced to the disk,
 * then renamed. A crash leaves the old record or the new one, never a part. Throws {@link FileFault}.
 */
export async function writeRecordFile(dir: string, taskId: string, text: string): Promise<number> {
  const path = recordPath(dir, taskId);
  const temporary = `${dir}/.${taskId}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeDurably(temporary, text);
    await Deno.rename(temporary, path);
    return fileTime(path) ?? 0;
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw fileFault(path, error);
  }
}

/** Takes a record file away; one that is not there is no fault. */
export async function removeRecordFile(dir: string, taskId: string): Promise<void> {
  await Deno.remove(recordPath(dir, taskId)).catch(() => {});
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  try {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    await file.sync();
  } finally {
    file.close();
  }
}

/** Makes the folder, and takes it away from others when it was open to them. Throws {@link FileFault}. */
export function preparePrivateFolder(dir: string): void {
  try {
    Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const { mode } = Deno.statSync(dir);
    if (mode !== null && (mode & 0o077) !== 0) closeToOthers(dir);
  } catch (error) {
    throw fileFault(dir, error);
  }
}

function closeToOthers(dir: string): void {
  try {
    Deno.chmodSync(dir, 0o700);
  } catch {
    // Not ours to change: the files themselves are closed.
  }
}

/** When a file was changed last, and its size; undefined when it is not there or may not be seen. */
export function fileFacts(path: string): { readonly ms: number; readonly bytes: number } | undefined {
  try {
    const { mtime, size } = Deno.statSync(path);
    return { ms: mtime?.getTime() ?? 0, bytes: size };
  } catch {
    return undefined;
  }
}

/** When a file was changed last; undefined when it is not there or may not be seen. */
export function fileTime(path: string): number | undefined {
  return fileFacts(path)?.ms;
}

/**
 * The ids of all record files; empty without a folder. Removes what a process that was killed while it wrote has left.
 * Throws {@link FileFault}.
 */
export async function listRecordIds(dir: string, nowMs: number): Promise<Set<string>> {
  const ids = new Set<string>();
  try {
    for await (const { name } of Deno.readDir(dir)) {
      if (name.endsWith(".json") && isPlainId(name.slice(0, -5))) ids.add(name.slice(0, -5));
      else if (/^\.[\w-]+\.[0-9a-f]{8}\.tmp$/.test(name)) removeStale(`${dir}/${name}`, nowMs);
    }
  } catch (error) {
    const fault = fileFault(dir, error);
    if (fault.kind !== "missing") throw fault;
  }
  return ids;
}

function removeStale(path: string, nowMs: number): void {
  const changedMs = fileTime(path);
  if (changedMs === undefined || nowMs - changedMs < STALE_TEMPORARY_MS) return;
  Deno.remove(path).catch(() => {});
}

/** The fault of a file that is there and holds no record. */
export function brokenRecord(dir: string, taskId: string, why: string): FileFault {
  return new FileFault("other", recordPath(dir, taskId), `cannot be read as a record: ${why}`);
}
