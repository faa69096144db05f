// Rows of the queue for tests: a background task that waits, with changes.
import type { Job, QueueRow } from "../../src/core/queue.ts";
import { type SettingName, SETTINGS, type Settings } from "../../src/core/settings.ts";
import type { TaskQueue } from "../../src/ports.ts";

/** A row that waits, given by a process that lives. */
export function queueRow(changes: Partial<QueueRow> = {}): QueueRow {
  const seq = changes.seq ?? 1;
  return {
    seq,
    taskId: `1764537600000_task${String(seq).padStart(2, "0")}`,
    state: "queued",
    kind: "background",
    place: "here",
    needs: {},
    limit: 2,
    createdMs: 1_764_537_600_000,
    deadlineMs: 1_764_537_900_000,
    admittedBy: "host",
    waiter: null,
    runner: null,
    own: false,
    wish: null,
    session: null,
    batch: null,
    progress: null,
    since: null,
    dead: [],
    outcome: null,
    ...changes,
  };
}

/** Settings as they are when nothing is set. */
export function plainSettings(changes: Partial<Settings> = {}): Settings {
  const plain = Object.fromEntries(
    (Object.keys(SETTINGS) as SettingName[]).map((name) => [name, SETTINGS[name].fallback]),
  );
  return { ...plain, ...changes } as unknown as Settings;
}

/** A job that says hello. */
export function plainJob(changes: Partial<Job["request"]> = {}): Job {
  return {
    request: {
      prompt: "hello",
      provider: "gemini",
      model: "",
      capability: "",
      timeout_seconds: 300,
      wait_seconds: undefined,
      background: true,
      cwd: "",
      toolsets: "",
      max_turns: 500,
      output_mode: undefined,
      session_id: "",
      dry_run: false,
      ...changes,
    },
    cwd: "/tmp",
    settings: plainSettings(),
  };
}

/** Puts a row into a queue. */
export async function addRow(queue: TaskQueue, row: QueueRow, job: Job = plainJob()): Promise<void> {
  const { seq: _seq, ...rest } = row;
  await queue.turn((turn) => turn.add(rest, job));
}
