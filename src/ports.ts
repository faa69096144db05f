// The whole outside world on one page. Behind it: src/os in earnest, tests/support/fake_world.ts in tests.
export { FileFault, SpawnFault } from "./core/faults.ts";
import type { Job, Launch, Needs, QueueRow, Runner } from "./core/queue.ts";
import type { TaskRecord } from "./core/record.ts";
import type { RunSums, RunWindow } from "./core/run_sums.ts";
import type { ResolvedSettings } from "./core/settings_layers.ts";
import type { ListPlace, ListQuery } from "./core/task_page.ts";
import type { ReindexReport, RemovalReport, StoredRecords, StoredReport } from "./core/stored.ts";

/** Everything that a flow may touch. */
export interface World {
  readonly place: Place;
  readonly settings: ResolvedSettings;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly files: Files;
  readonly databases: Databases;
  readonly processes: Processes;
  readonly guardian: Guardian;
  readonly records: RecordStore;
  readonly memory: Memory;
  readonly queue: TaskQueue;
  /** Does this process run by itself what it waits for? Else supervisors do. */
  readonly runsItself: boolean;
}

/** Where things are. Found once, at start; all paths are absolute. */
export interface Place {
  /** Names this process; the first part of the mark of everything it starts. `[a-z0-9]+`. */
  readonly owner: string;
  readonly os: "linux" | "darwin" | "windows" | "other";
  readonly userHome: string;
  /** Folder of the caller (command line, module) or of the server at its start. */
  readonly cwd: string;
  /** Root Hermes home, such as `~/.hermes`. */
  readonly root: string;
  /** Home of the active profile; equal to `root` for the default profile. */
  readonly home: string;
  /** Name of the active profile; `default` for the root's own. */
  readonly profile: string;
  /** `hermes-task` or `hermes-task-NAME`, or another name when a user's own profile has that one. */
  readonly taskProfile: string;
  /** `<root>/profiles/<taskProfile>`. */
  readonly taskHome: string;
  readonly hermes: HermesPlace;
  readonly cacheDir: string;
  readonly authPath: string;
  readonly settingsPath: string;
  /** How deep in tasks that start tasks this process is; 0 outside of any. */
  readonly depth: number;
}

/** Which program is Hermes, and how it was found. */
export interface HermesPlace {
  /** Absolute path; undefined when nothing was found. */
  readonly path?: string;
  readonly from: "HERMES_BIN" | "hermesBin" | "PATH" | "known place" | "nowhere";
  /** Every path looked at, in order. */
  readonly tried: readonly string[];
  /** What is wrong with a program that was found and cannot be used. */
  readonly problem?: string;
}

/** Time. Epoch milliseconds. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`, or at once when the signal is or gets aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What was worked out before, in this process. */
export interface Memory {
  /** The value made under this name for the same stamp; else a new one, which replaces it. `undefined` is not kept. */
  kept<T>(name: string, stamp: string, make: () => Promise<T>): Promise<T>;
}

/** Environment variables that this process may read; undefined for any other. */
export interface Environment {
  get(name: string): string | undefined;
}

/** Text files. Every fault is a {@link FileFault}. */
export interface Files {
  readText(path: string): Promise<string>;
  /** Undefined when nothing is there, or it may not be seen. */
  stat(path: string): Promise<FileFacts | undefined>;
  /** Replaces the file in one step, mode 0600. */
  writeText(path: string, text: string): Promise<void>;
}

/** What a look at a file tells. */
export interface FileFacts {
  readonly kind: "file" | "directory" | "other";
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** One row of a query. */
export type Row = Readonly<Record<string, unknown>>;

/** Asks one question of an open database. */
export type Query = (sql: string, ...values: (string | number | null)[]) => readonly Row[];

/** SQLite files of other programs, read-only. */
export interface Databases {
  /**
   * Opens the file, lets `look` ask, closes it. Undefined when there is no such file.
   * Throws {@link FileFault} when it is no database, or locked.
   */
  read<T>(path: string, look: (query: Query) => T): Promise<T | undefined>;
}

/** Child processes. */
export interface Processes {
  /** Starts a program in a session and group of its own, stdin empty. Throws {@link SpawnFault}. */
  start(command: ChildCommand): Promise<Child>;
}

/** One child to start. The environment is complete: nothing is inherited. */
export interface ChildCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Stands in the child's environment too; finds what it started. `<owner>.<task id>.<attempt>`. */
  readonly mark: string;
  /** Where output beyond the memory bound goes; omitted: it is dropped and counted. */
  readonly spillPath?: string;
  /** Takes known secrets out of what goes there. */
  readonly hide?: (text: string) => string;
}

/** A running child. Its output is read while it comes, in bounded memory. */
export interface Child {
  readonly pid: number;
  readonly exit: Promise<ChildExit>;
  /** Asks it once to end (SIGTERM); later calls do nothing. */
  ask(): void;
  /** What it has printed so far. */
  output(): { readonly stdout: Captured; readonly stderr: Captured };
}

/** How a child ended: its status, or the signal that ended it. */
export interface ChildExit {
  readonly code: number;
  readonly signal: string | null;
}

/** What a stream has carried. `text` is its head (up to 1 MiB), `tail` its last 8 KiB when it went past that. */
export interface Captured {
  readonly text: string;
  readonly tail: string;
  readonly sizeBytes: number;
  readonly cut: boolean;
}

/** The few wide rights, as named requests: what the bootstrap does for its worker. */
export interface Guardian {
  /** Announces a child, before it is started: whatever happens, it will not outlive this process. */
  watch(mark: string): void;
  /** Takes an announcement back: what carries the mark may live on. */
  release(mark: string): void;
  /** Ends everything that carries the mark, or is in the group or below `pid`. Says what could not be ended. */
  stop(pid: number, mark: string): Promise<StopReport>;
  /** Makes or mends the task profile's folder and links. */
  prepareProfile(): Promise<ProfileReport>;
  /** Follows links to the real path and tells what is there. */
  resolve(path: string): Promise<ResolvedPath>;
  /**
   * Starts a supervisor with these variables of our environment besides its usual ones. It takes what is next in the
   * queue. Undefined when it was started, else why none can be.
   */
  launch(variables: readonly string[]): Promise<string | undefined>;
  /** Undefined when supervisors can be started, else why not. */
  mayLaunch(): Promise<string | undefined>;
  /** Ends everything that a process of ours which died had started. Throws while that process lives. */
  reap(owner: string): Promise<StopReport>;
}

/** What is left after a stop: process ids that live on, and how complete the look was. */
export interface StopReport {
  readonly left: readonly number[];
  /** Set when only Hermes itself could be ended, with the reason. */
  readonly limited?: string;
}

/** State of the task profile. `problem` says why Hermes must be started without it. */
export interface ProfileReport {
  readonly ok: boolean;
  readonly problem?: string;
}

/** A path with all links followed; `missing` when nothing is there. */
export interface ResolvedPath {
  readonly path: string;
  readonly kind: "file" | "directory" | "other" | "missing";
}

/** Records of tasks, and the index over them. */
export interface RecordStore {
  /** Writes the record atomically and indexes it. Undefined when kept; else why it was not (never throws). */
  keep(record: TaskRecord): Promise<string | undefined>;
  /** Takes the record of a task back that was refused after all. Never throws. */
  drop(taskId: string): Promise<void>;
  /** The record of one task; throws {@link FileFault} when it is there and unreadable. */
  byTask(taskId: string): Promise<TaskRecord | undefined>;
  /** The newest record of a session. */
  bySession(sessionId: string): Promise<TaskRecord | undefined>;
  /** Tasks, the newest first, from the index. */
  list(
    query: ListQuery,
  ): Promise<{ readonly entries: readonly ListPlace[]; readonly warnings: readonly string[] }>;
  /** Sums over all records of a window, from the index. */
  sums(window: RunWindow): Promise<RunSums>;
  /** A small fact kept beside the index (such as a Hermes probe); lost with it. */
  recall(key: string): string | undefined;
  remember(key: string, value: string): void;
  /** What lies on the disk, by the index brought up to date, with the sizes of the files. Never throws. */
  stored(): Promise<StoredReport>;
  /**
   * Removes log, record and row of each task, in the order given, until the signal is aborted. Passes over what is
   * gone or has changed since {@link stored} looked. Never throws.
   */
  remove(doomed: StoredRecords, signal?: AbortSignal): Promise<RemovalReport>;
  /** Reads every record file into an emptied index. Never throws. */
  reindex(): Promise<ReindexReport>;
}

/**
 * The tasks of this user that have not ended, over all processes (`state.sqlite`), and who lives. A row is there from
 * the task's admission until its record is closed.
 */
export interface TaskQueue {
  /** Why there is no queue over processes, only one of this process; undefined when all is well. */
  problem(): string | undefined;
  /** Does all of `work`, or nothing, while nobody else writes. Throws {@link FileFault}. */
  turn<T>(work: (turn: QueueTurn) => T): Promise<T>;
  /** All rows, in the order of admission, as they are now. */
  rows(): readonly QueueRow[];
  row(taskId: string): QueueRow | undefined;
  /** Runners that have registered, dead ones too. */
  runners(): readonly Runner[];
  launches(): readonly Launch[];
  /** What is to be done; undefined once the task has ended. */
  job(taskId: string): Job | undefined;
  /** Changes when another queue has come in the place of this one. */
  stamp(): string;
  /** Keyed hashes of these values; the key is the queue's own. */
  hashes(values: Readonly<Record<string, string>>): Promise<Needs>;
  /** From now on others see that this process lives. Comes before any row that names it. Throws {@link FileFault}. */
  prove(): void;
  alive(owner: string): boolean;
  /** Takes away what dead processes have left, and what ended tasks have. Throws {@link FileFault}. */
  tidy(): void;
  /** Wakes whoever waits for a task, or for {@link QUEUE_TOPIC}; for the last time when nothing can follow. */
  wake(topic: string, last?: boolean): void;
  /** From now on no waking is missed, until the ear is closed. */
  listen(topic: string): Ear;
}

/** Hears that something has changed. */
export interface Ear {
  /** Resolves when woken since the last time, after `ms` or a quarter of a second, or when the signal aborts. */
  heard(ms: number, signal?: AbortSignal): Promise<void>;
  /** The same without the quarter of a second: for whom a waking that is missed costs no more than `ms`. */
  rung(ms: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** Woken whenever a task comes or goes: for those who want to know. */
export const QUEUE_TOPIC = "queue";

/** What may be done in one turn. Nothing here waits. */
export interface QueueTurn extends Pick<TaskQueue, "rows" | "row" | "runners" | "launches"> {
  /** Puts a task at the end of the queue. */
  add(row: Omit<QueueRow, "seq">, job: Job): void;
  /** False when the task is not there any more. */
  change(taskId: string, changes: Partial<Omit<QueueRow, "seq" | "taskId">>): boolean;
  remove(taskId: string): void;
  /** A supervisor is about to be started; what was entered long ago is forgotten. */
  launch(launch: Launch): void;
  /** Enters a runner; the oldest launch of its place has come to its end. */
  register(runner: Runner): void;
  unregister(owner: string): void;
}

/** The terminal of the command line: the only way to standard output and error. */
export interface Terminal {
  /** Writes to standard output; false once the reader is gone (broken pipe). */
  out(text: string): Promise<boolean>;
  /** Writes to standard error. */
  err(text: string): Promise<boolean>;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** May colour be used? False with NO_COLOR, TERM=dumb or without a terminal. */
  readonly colour: boolean;
  readonly columns: number;
}
