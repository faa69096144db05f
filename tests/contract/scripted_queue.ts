// A queue that does what it is told in words, and counts who looks at it: `1_a running 3`, `1_a gone`, `broken`, `mended`,
// `counts`. Its list has a thousand tasks.
import type { QueueRow } from "../../src/core/queue.ts";
import { refusal } from "../../src/core/failure.ts";
import { type Ear, FileFault } from "../../src/ports.ts";
import { queueRow } from "../support/queue_rows.ts";

/** The parts of a queue that a watch needs. */
export class ScriptedQueue {
  readonly #rows = new Map<string, QueueRow>();
  readonly #ears = new Set<() => void>();
  #broken = false;
  #looks = 0;

  /** Does what the words say; answers with the counts of looks and of open ears. */
  does(words: string): string {
    const [subject = "", state, turns] = words.split(" ");
    if (subject === "broken" || subject === "mended") this.#broken = subject === "broken";
    if (state === "gone") this.#rows.delete(subject);
    if (state === "running") this.#rows.set(subject, runningRow(subject, Number(turns ?? 0)));
    for (const ring of this.#ears) ring();
    return JSON.stringify({ looks: this.#looks, ears: this.#ears.size });
  }

  /** What `hermes_tasks` would answer: the newest first. */
  list(limit: number, cursor: string): Record<string, unknown> {
    if (this.#broken) throw refusal("unknown", "The store is broken");
    const start = cursor === "" ? 0 : Number(cursor);
    if (!(start >= 0)) throw refusal("invalid_args", 'Argument "cursor": none');
    const tasks = Array.from({ length: limit }, (_, n) => listed(`${start + n}_a`));
    return { ok: true, tasks, next_cursor: `${start + limit}`, warnings: [] };
  }

  rows(): readonly QueueRow[] {
    this.#looks++;
    if (this.#broken) throw new FileFault("other", "/state.sqlite", "no database");
    return [...this.#rows.values()];
  }

  runners(): readonly [] {
    return [];
  }

  launches(): readonly [] {
    return [];
  }

  alive(): boolean {
    return true;
  }

  /** Wakes as the real one does: when rung since the last time, or when the time is over. */
  listen(): Ear {
    let bell = Promise.withResolvers<void>();
    const ring = () => bell.resolve();
    this.#ears.add(ring);
    const rung = async (ms: number, signal?: AbortSignal) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.race([bell.promise, late]);
      clearTimeout(timer);
      bell = Promise.withResolvers<void>();
    };
    return {
      heard: (ms, signal) => rung(Math.min(ms, 250), signal),
      rung,
      close: () => void this.#ears.delete(ring),
    };
  }
}

function runningRow(taskId: string, turns: number): QueueRow {
  const progress = { task_id: taskId, provider: "p", model: "m", elapsed_ms: turns, turns, activity: null };
  return queueRow({ taskId, state: "running", runner: "somebody", progress });
}

function listed(task_id: string): Record<string, unknown> {
  const times = {
    created_at: "2026-08-02T12:00:00.000Z",
    started_at: null,
    ended_at: null,
    duration_ms: null,
  };
  const prompt = task_id === "1_a"
    ? "OPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    : `Prompt ${task_id}`;
  return {
    task_id,
    status: "running",
    provider: "p",
    model: null,
    ...times,
    error: null,
    prompt,
    batch_id: null,
  };
}
