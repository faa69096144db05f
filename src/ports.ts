// The whole outside world on one page. Behind it: src/os in earnest, tests/support/fake_world.ts in tests.
import type { TaskRecord } from "./core/record.ts";
import type { RunSums, RunWindow } from "./core/run_sums.ts";
import type { ResolvedSettings } from "./core/settings_layers.ts";
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
  /** Ids of the tasks that this process runs now. */
  readonly running: Set<string>;
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

/** A file that could not be read or written. `full` is a full disk, `readonly` a file system that takes no writes. */
export class FileFault extends Error {
  readonly kind: "missing" | "denied" | "full" | "readonly" | "other";
  readonly path: string;
  /** Names the path and the system's own words. */
  constructor(kind: FileFault["kind"], path: string, words: string) {
    super(`"${path}": ${words}`);
    this.name = "FileFault";
    this.kind = kind;
    this.path = path;
  }
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

/** A child that could not be started. */
export class SpawnFault extends Error {
  readonly kind: "missing" | "not_executable" | "no_cwd" | "too_long" | "refused" | "other";
  /** Keeps the system's own words. */
  constructor(kind: SpawnFault["kind"], words: string) {
    super(words);
    this.name = "SpawnFault";
    this.kind = kind;
  }
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
  /** The record of one task; throws {@link FileFault} when it is there and unreadable. */
  byTask(taskId: string): Promise<TaskRecord | undefined>;
  /** The newest record of a session. */
  bySession(sessionId: string): Promise<TaskRecord | undefined>;
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

/** What a worker asks of the bootstrap. Each is a named request; none names a program to run. */
export type GuardianRequest =
  | { readonly id: number; readonly op: "stop"; readonly pid: number; readonly mark: string }
  | { readonly id: number; readonly op: "prepareProfile" }
  /** Shows the main job on the built-in stand-in, in a throw-away home; answered with the exit status. */
  | { readonly id: number; readonly op: "demo" }
  | { readonly id: number; readonly op: "resolve"; readonly path: string };

/** What a worker tells the bootstrap. */
export type WorkerNotice =
  /** Ready to be told what to do. */
  | { readonly op: "ready" }
  /** A child with this mark is about to be started: unless it is stopped before, it is swept at the end. */
  | { readonly op: "watch"; readonly mark: string }
  /** What carries this mark may live on. */
  | { readonly op: "release"; readonly mark: string }
  /** The order to end was received and is being carried out; done within `limitMs`. */
  | { readonly op: "ending"; readonly limitMs: number }
  /** Everything is done: end the process with this status. */
  | { readonly op: "exit"; readonly status: number };

/** What the bootstrap sends to its worker. */
export type BootstrapMessage =
  | {
    readonly op: "start";
    readonly place: Place;
    readonly argv: readonly string[];
    readonly terminal: TerminalFacts;
    /** Ids of a host's requests that were answered before the worker was there. */
    readonly answered: readonly (string | number)[];
  }
  /** Bytes from the host, as they came. */
  | { readonly op: "input"; readonly bytes: Uint8Array }
  /** End now: a signal arrived, the input ended, or the parent is gone. */
  | { readonly op: "end"; readonly reason: string; readonly status: number }
  | { readonly op: "answer"; readonly id: number; readonly value: unknown }
  | { readonly op: "refused"; readonly id: number; readonly why: string };

/** What only the main thread can tell of the terminal. */
export interface TerminalFacts {
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  readonly columns: number;
}
