// The outside world in memory, for tests of flows and operations: files in a map, a clock moved by hand, scripted
// children. Every part that was not given is there, empty and harmless.
import type { DatabaseSync } from "node:sqlite";
import type { TaskRecord } from "../../src/core/record.ts";
import type { RunSums } from "../../src/core/run_sums.ts";
import type { Settings } from "../../src/core/settings.ts";
import { resolveSettings } from "../../src/core/settings_layers.ts";
import type { StoredTask, UnreadableFiles } from "../../src/core/stored.ts";
import { createMemory } from "../../src/os/memory.ts";
import { openQueue } from "../../src/os/queue.ts";
import { FileFault } from "../../src/ports.ts";
import type {
  Databases,
  Files,
  Guardian,
  Place,
  ProfileReport,
  Query,
  RecordStore,
  ResolvedPath,
  StopReport,
  World,
} from "../../src/ports.ts";
import { type Director, FakeProcesses } from "./fake_children.ts";
import { FakeClock } from "./fake_clock.ts";

/** What a test wants to differ. */
export interface WorldOptions {
  /** Text by absolute path; a {@link FileFault} is thrown at each touch. */
  readonly files?: Readonly<Record<string, string | FileFault>>;
  /** An open database, a function that answers queries, or a fault, by absolute path. */
  readonly databases?: Readonly<Record<string, FakeDatabase>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly place?: Partial<Place>;
  readonly nowMs?: number;
  /** What each started child does; the most harmless when left out. */
  readonly children?: Director;
  readonly profile?: ProfileReport;
  readonly stop?: StopReport;
  /** What comes of ending what a dead process had started; a throw is a refusal. */
  readonly reap?: (owner: string) => StopReport;
  readonly records?: readonly TaskRecord[];
  /** Why no record can be kept. */
  readonly keepProblem?: string;
  /** Do supervisors run what is waited for? What `launch` says then; a world runs it itself when left out. */
  readonly launch?: () => string | undefined;
  /** What the index would sum up; nothing when left out. */
  readonly sums?: RunSums;
  /** Files that hold no record. */
  readonly unreadable?: UnreadableFiles;
  /** Does another process keep the index locked? */
  readonly indexBusy?: boolean;
}

/** A database of a fake world. */
export type FakeDatabase = DatabaseSync | Query | FileFault;

/** A world whose parts tests can see into. */
export interface FakeWorld extends World {
  readonly clock: FakeClock;
  readonly processes: FakeProcesses;
  readonly fileTexts: Map<string, string | FileFault>;
  readonly kept: Map<string, TaskRecord>;
  /** Every state in which a record was kept, in order. */
  readonly history: readonly TaskRecord[];
  /** Every mark that was announced to the guardian. */
  readonly watched: readonly string[];
  /** Every `stop` that the guardian was asked for. */
  readonly stops: readonly { readonly pid: number; readonly mark: string }[];
}

/** Makes a world. The root Hermes home is `/home/u/.hermes`, Hermes is `/usr/bin/hermes`. */
export function fakeWorld(options: WorldOptions = {}): FakeWorld {
  const clock = new FakeClock(options.nowMs);
  const processes = new FakeProcesses(clock, options.children ?? (() => ({})));
  const fileTexts = new Map(Object.entries(options.files ?? {}));
  const kept = new Map((options.records ?? []).map((record) => [record.task_id, record]));
  const history: TaskRecord[] = [];
  const watched: string[] = [];
  const stops: { pid: number; mark: string }[] = [];
  return {
    place: { ...PLACE, ...options.place },
    settings: resolveSettings({ given: options.settings, env: () => undefined, pathSeparator: ":" }),
    clock,
    environment: { get: (name) => options.environment?.[name] },
    files: fakeFiles(fileTexts, clock),
    databases: fakeDatabases(options.databases ?? {}),
    processes,
    guardian: fakeGuardian(options, { fileTexts, processes, watched, stops }),
    records: fakeRecords(options, { kept, history }),
    memory: createMemory(),
    queue: openQueue({ dir: undefined, owner: PLACE.owner, clock }),
    runsItself: options.launch === undefined,
    fileTexts,
    kept,
    history,
    watched,
    stops,
  };
}

const PLACE: Place = {
  owner: "test0",
  os: "linux",
  userHome: "/home/u",
  cwd: "/home/u/here",
  root: "/home/u/.hermes",
  home: "/home/u/.hermes",
  profile: "default",
  taskProfile: "hermes-task",
  taskHome: "/home/u/.hermes/profiles/hermes-task",
  hermes: { path: "/usr/bin/hermes", from: "PATH", tried: ["/usr/bin/hermes"] },
  cacheDir: "/home/u/.hermes/hermes-task-cache",
  authPath: "/home/u/.hermes/auth.json",
  settingsPath: "/home/u/.hermes/hermes-task.jsonc",
  depth: 0,
};

function fakeFiles(texts: Map<string, string | FileFault>, clock: FakeClock): Files {
  const read = (path: string) => {
    const text = texts.get(path);
    if (text === undefined) throw new FileFault("missing", path, "no such file");
    if (text instanceof FileFault) throw text;
    return text;
  };
  return {
    readText: (path) => attempt(() => read(path)),
    stat: (path) => attempt(() => statOf(texts, path, clock.now())),
    writeText: (path, text) =>
      attempt(() => {
        const there = texts.get(path);
        if (there instanceof FileFault) throw there;
        texts.set(path, text);
      }),
  };
}

function statOf(texts: ReadonlyMap<string, string | FileFault>, path: string, modifiedMs: number) {
  const text = texts.get(path);
  if (typeof text === "string") return { kind: "file" as const, sizeBytes: text.length, modifiedMs };
  const isFolder = [...texts.keys()].some((other) => other.startsWith(path + "/"));
  return isFolder ? { kind: "directory" as const, sizeBytes: 0, modifiedMs } : undefined;
}

function fakeDatabases(databases: Readonly<Record<string, FakeDatabase>>): Databases {
  return {
    read: (path, look) =>
      attempt(() => {
        const database = databases[path];
        if (database === undefined) return undefined;
        if (database instanceof FileFault) throw database;
        if (typeof database === "function") return look(database);
        return look((sql, ...values) => database.prepare(sql).all(...values));
      }),
  };
}

function fakeGuardian(
  options: WorldOptions,
  parts: {
    fileTexts: ReadonlyMap<string, string | FileFault>;
    processes: FakeProcesses;
    watched: string[];
    stops: { pid: number; mark: string }[];
  },
): Guardian {
  return {
    watch: (mark) => void parts.watched.push(mark),
    release: () => {},
    stop: (pid, mark) => {
      parts.stops.push({ pid, mark });
      parts.processes.kill(pid);
      return Promise.resolve(options.stop ?? { left: [] });
    },
    prepareProfile: () => Promise.resolve(options.profile ?? { ok: true }),
    mayLaunch: () => Promise.resolve(options.launch ? undefined : "there is no other process in a test"),
    launch: () => Promise.resolve(options.launch ? options.launch() : "there is no other process in a test"),
    reap: (owner) => attempt(() => options.reap?.(owner) ?? { left: [] }),
    resolve: (path): Promise<ResolvedPath> =>
      Promise.resolve({ path, kind: statOf(parts.fileTexts, path, 0)?.kind ?? "missing" }),
  };
}

function fakeRecords(
  options: WorldOptions,
  parts: { kept: Map<string, TaskRecord>; history: TaskRecord[] },
): RecordStore {
  const facts = new Map<string, string>();
  return {
    keep: (record) => {
      if (options.keepProblem !== undefined) return Promise.resolve(options.keepProblem);
      parts.kept.set(record.task_id, record);
      parts.history.push(record);
      return Promise.resolve(undefined);
    },
    drop: (taskId) => Promise.resolve(void parts.kept.delete(taskId)),
    byTask: (taskId) => Promise.resolve(parts.kept.get(taskId)),
    bySession: (sessionId) => {
      const found = [...parts.kept.values()].filter((record) => record.session_id === sessionId);
      return Promise.resolve(found.toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]);
    },
    list: ({ states, limit }) => {
      const found = [...parts.kept.values()].filter(({ status }) => !states || states.includes(status));
      const entries = found.toSorted((a, b) => b.created_at.localeCompare(a.created_at)).slice(0, limit)
        .map(({ task_id, created_at }) => ({ taskId: task_id, createdMs: Date.parse(created_at) }));
      return Promise.resolve({ entries, warnings: [] });
    },
    sums: () => Promise.resolve(options.sums ?? NO_SUMS),
    recall: (key) => facts.get(key),
    remember: (key, value) => void facts.set(key, value),
    ...fakeUpkeep(options, parts.kept),
  };
}

function fakeUpkeep(
  options: WorldOptions,
  kept: Map<string, TaskRecord>,
): Pick<RecordStore, "stored" | "remove" | "reindex"> {
  const unreadable = options.unreadable ?? { count: 0, first: [] };
  return {
    stored: () => {
      const tasks = [...kept.values()].map((record): StoredTask => ({
        taskId: record.task_id,
        state: record.status,
        createdMs: Date.parse(record.created_at),
        fileMs: 0,
        recordBytes: 1000,
        logBytes: null,
      }));
      return Promise.resolve({ tasks, strays: [], unreadable, warnings: [] });
    },
    remove: ({ tasks, strays }) => {
      const gone = tasks.filter(({ taskId }) => kept.delete(taskId));
      return Promise.resolve({ tasks: gone, strays, warnings: [] });
    },
    reindex: () =>
      Promise.resolve({ records: kept.size, unreadable, busy: options.indexBusy ?? false, warnings: [] }),
  };
}

const NO_SUMS: RunSums = {
  earliestMs: null,
  latestMs: null,
  groups: [],
  attempts: [],
  tools: {},
  warnings: [],
};

/** Turns a throw into a rejection, as the real ports have it. */
function attempt<T>(make: () => T): Promise<T> {
  return new Promise((resolve) => resolve(make()));
}
