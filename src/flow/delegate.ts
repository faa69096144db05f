// A task, from the request to its end or its hand-over: the table of contents of this program.
import type { CallOptions } from "../core/operation.ts";
import type { Batch, TaskRecord } from "../core/record.ts";
import type { TaskRequest } from "../core/task_request.ts";
import type { World } from "../ports.ts";
import { admitTask } from "./admit.ts";
import { enqueue, type EnqueueOptions } from "./enqueue.ts";
import { type Preview, preview } from "./preview.ts";
import { type Patience, patienceOf, watchOwn } from "./watch.ts";

/** A task that ended or goes on without its caller, or what a dry run would have done. */
export type Delegated = { readonly kind: "record"; readonly record: TaskRecord } | Preview;

/** Hands a task over and waits for it as long as the caller may. Throws only what refuses it before a record exists. */
export async function delegate(world: World, request: TaskRequest, options: CallOptions): Promise<Delegated> {
  const patience = patienceOf(world, request, options);
  const task = await admitTask(world, request);
  if (request.dry_run) return await preview(world, task);
  const opened = await enqueue(world, [task], entryOf(patience, options));
  const [record] = await watchOwn(world, opened, { ...options, ...patience });
  return { kind: "record", record: record! };
}

/** The same for several tasks of one batch. */
export async function delegateAll(
  world: World,
  requests: readonly TaskRequest[],
  strategy: Batch["strategy"],
  options: CallOptions,
): Promise<TaskRecord[]> {
  const patience = patienceOf(world, requests[0]!, options);
  const tasks = await Promise.all(requests.map((request) => admitTask(world, request)));
  const records = await enqueue(world, tasks, { ...entryOf(patience, options), strategy });
  return await watchOwn(world, records, { ...options, ...patience });
}

function entryOf({ waitMs }: Patience, { caller }: CallOptions): EnqueueOptions {
  return { caller, kind: waitMs === 0 ? "background" : "waiting", outlives: waitMs !== Infinity };
}
