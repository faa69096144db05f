// Many tasks, many processes, and everything that can go wrong with them at random, from a seed that is told.
import { assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { join } from "@std/path";
import type { TaskRecord } from "../../src/core/record.ts";
import { clock } from "../../src/os/system.ts";
import { openQueue } from "../../src/os/queue.ts";
import { openRecordStore } from "../../src/os/records.ts";
import { aliveIn, kill, supervisorsOf, waitUntil } from "./processes.ts";
import { runProgram, startServer } from "./program.ts";
import type { ServerUnderTest } from "./server_under_test.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A host that keeps a server, starts another one when that is gone, and never waits for one answer. */
export class Host {
  readonly #home: ThrowAwayHome;
  readonly #env: Readonly<Record<string, string>>;
  #server: ServerUnderTest | undefined;
  #nextId = 1;
  /** Calls without an answer yet. */
  #open: number[] = [];

  /** Nothing is started yet. */
  constructor(home: ThrowAwayHome, env: Readonly<Record<string, string>>) {
    this.#home = home;
    this.#env = env;
  }

  /** Sends a call. Returns its id. */
  async send(name: string, args: unknown): Promise<number> {
    this.#server ??= await this.#start();
    const id = this.#nextId++;
    this.#open.push(id);
    await this.#server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
    return id;
  }

  /** Takes a call back: no answer comes. */
  async cancel(requestId: number): Promise<void> {
    this.#open = this.#open.filter((id) => id !== requestId);
    const notice = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
    await this.#server?.send(notice);
  }

  /** Waits until no more than so many calls are without an answer. */
  async untilOpen(most: number, ms: number): Promise<void> {
    const few = () => {
      const answered = new Set(this.#server?.lines.map((line) => JSON.parse(line).id));
      this.#open = this.#open.filter((id) => !answered.has(id));
      return this.#open.length <= most;
    };
    await waitUntil(few, ms, `the answers to ${this.#open.join(", ")}`);
  }

  /** Ends the server as a host does: by closing its input, or at once. */
  async end(how: "close" | "kill"): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#open = [];
    if (!server) return;
    if (how === "close") {
      await server.closeInput();
      await server.status;
    }
    await server[Symbol.asyncDispose]();
  }

  async #start(): Promise<ServerUnderTest> {
    const server = startServer({ env: this.#env, cwd: this.#home.work });
    await server.handshake();
    return server;
  }
}

/** Kills one supervisor of the home at random. */
export async function killSupervisor(home: ThrowAwayHome, random: () => number): Promise<void> {
  const all = await supervisorsOf(home);
  const one = all[Math.floor(random() * all.length)];
  if (one) kill(one.pid);
}

/** All records of a home. */
export function recordsIn({ root }: ThrowAwayHome): TaskRecord[] {
  const folder = join(root, "hermes-task-cache");
  if (!existsSync(folder)) return [];
  return [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".json"))
    .map(({ name }) => JSON.parse(Deno.readTextFileSync(join(folder, name))));
}

/** Tasks that are queued or run. */
export function openTasks(home: ThrowAwayHome): string[] {
  return recordsIn(home).filter(({ status }) => status === "queued" || status === "running")
    .map(({ task_id }) => task_id);
}

/** Looks after the home as the command line does, until every task has ended. */
export async function untilAllEnded(
  home: ThrowAwayHome,
  env: Record<string, string>,
  ms: number,
): Promise<void> {
  const ended = async () => {
    await runProgram(["tasks", "--state", "open"], { env, cwd: home.work });
    return openTasks(home).length === 0;
  };
  await waitUntil(ended, ms, "the end of every task").catch((error) => {
    throw new Error(`${error.message}: ${openTasks(home).join(" ")}`);
  });
}

/** What must be true of a home in which every task has ended, whatever happened before. */
export async function proveSettled(home: ThrowAwayHome): Promise<void> {
  assertEquals(await aliveIn(home), [], "something lives on");
  const records = recordsIn(home);
  const dir = join(home.root, "hermes-task-cache");
  const queue = openQueue({ dir, owner: "proof", clock });
  assertEquals(queue.rows(), [], "a row without an end");
  proveOnce(home, records);
  await proveIndex(dir, records);
}

/** Each task was started at most once, and is called answered just when it did answer. */
function proveOnce({ bin }: ThrowAwayHome, records: readonly TaskRecord[]): void {
  const notes = Deno.readTextFileSync(join(bin, "starts")).split("\n");
  const times = (what: string, { task_id }: TaskRecord) =>
    notes.filter((line) => line === `${what} hermes-task:${task_id}.1`).length;
  for (const record of records) {
    const starts = times("start", record);
    assertEquals(starts <= 1, true, `${record.task_id} was started ${starts} times`);
    if (record.status === "succeeded") assertEquals(times("answer", record), 1, record.task_id);
    assertEquals(record.ended_at !== null, true, record.task_id);
  }
}

async function proveIndex(dir: string, records: readonly TaskRecord[]): Promise<void> {
  const store = openRecordStore({ dir, now: Date.now });
  const { entries } = await store.list({ limit: 10_000 });
  assertEquals(
    entries.map(({ taskId }) => taskId).toSorted(),
    records.map(({ task_id }) => task_id).toSorted(),
  );
  const { groups } = await store.sums({});
  const counted = Object.fromEntries(
    Object.entries(Object.groupBy(groups, ({ status }) => status)).map(([status, list]) => [
      status,
      list!.reduce((sum, { runs }) => sum + runs, 0),
    ]),
  );
  const real = Object.fromEntries(
    Object.entries(Object.groupBy(records, ({ status }) => status)).map(([status, list]) => [
      status,
      list!.length,
    ]),
  );
  assertEquals(counted, real, "the index does not say what the records say");
  store.close();
}
