// Text files of the system, and other programs' SQLite files.
import { DatabaseSync } from "node:sqlite";
import { type Databases, FileFault, type Files, type Row } from "../ports.ts";

/** Short, because the wait blocks this thread; who reads tries again. */
const BUSY_MS = 200;

/** Files; `temporaryFor` names the one temporary file that this process may write beside a target. */
export function systemFiles(temporaryFor: (path: string) => string): Files {
  return {
    async readText(path) {
      try {
        return await Deno.readTextFile(path);
      } catch (error) {
        throw fileFault(path, error);
      }
    },
    async stat(path) {
      try {
        const facts = await Deno.stat(path);
        return {
          kind: facts.isFile ? "file" : facts.isDirectory ? "directory" : "other",
          sizeBytes: facts.size,
          modifiedMs: facts.mtime?.getTime() ?? 0,
        };
      } catch {
        return undefined;
      }
    },
    async writeText(path, text) {
      const temporary = temporaryFor(path);
      try {
        await Deno.writeTextFile(temporary, text, { mode: 0o600 });
        await Deno.rename(temporary, path);
      } catch (error) {
        await Deno.remove(temporary).catch(() => {});
        throw fileFault(path, error);
      }
    },
  };
}

/** Names the fault in our words. */
export function fileFault(path: string, error: unknown): FileFault {
  if (error instanceof FileFault) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof Deno.errors.NotFound) return new FileFault("missing", path, "no such file");
  if (/ENOSPC|No space left|os error 28\b|disk is full/i.test(words)) {
    return new FileFault("full", path, "the disk is full");
  }
  if (/EROFS|Read-only file system|os error 30\b|readonly database/i.test(words)) {
    return new FileFault("readonly", path, "it is on a file system that takes no writes");
  }
  if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) {
    return new FileFault("denied", path, "access is denied");
  }
  return new FileFault("other", path, words);
}

/** Other programs' databases, read-only, also while they write. */
export const databases: Databases = {
  async read(path, look) {
    const there = await Deno.stat(path).catch(() => undefined);
    if (!there?.isFile) return undefined;
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
      const open = database;
      return look((sql, ...values) => open.prepare(sql).all(...values) as Row[]);
    } catch (error) {
      throw fileFault(path, error);
    } finally {
      database?.close();
    }
  },
};
