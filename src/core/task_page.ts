// Which tasks does a list show, and where does its next page begin?
import type { TaskState } from "./record.ts";

/** A task's place in the list of all. */
export interface ListPlace {
  readonly createdMs: number;
  readonly taskId: string;
}

/** Which tasks are listed. */
export interface ListQuery {
  /** Undefined: all. */
  readonly states?: readonly TaskState[];
  readonly sinceMs?: number;
  /** Only those behind this place. */
  readonly before?: ListPlace;
  readonly limit: number;
}
