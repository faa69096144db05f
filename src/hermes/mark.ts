// Marks and names by which what we started is found again.

/** The mark in the environment of everything an attempt starts. */
export function markOf(owner: string, taskId: string, attempt: number | string): string {
  return `${owner}.${taskId}.${attempt}`;
}

/** What `--source` gets, so that the session of a running attempt is found: Hermes prints its id only at the end. */
export function sourceOf(taskId: string, attempt: number): string {
  return `hermes-task:${taskId}.${attempt}`;
}
