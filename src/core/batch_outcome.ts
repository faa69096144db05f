// What did the tasks of one batch come to together?
import type { ErrorCode } from "./failure.ts";
import { type Batch, isOpen, type TaskRecord } from "./record.ts";
import { COMPARED, groupAnswers, type VoteGroup } from "./vote.ts";

/** The outcome of a batch, as far as it is known. */
export interface BatchOutcome {
  /** Names the batch. */
  readonly batch_id: string;
  /** How it was to be decided. */
  readonly strategy: Batch["strategy"];
  /** The task whose answer came first; null while there is none. With `race`. */
  readonly winner?: string | null;
  /** Equal answers, the most frequent first. With `vote`. */
  readonly groups?: readonly VoteGroup[];
  /** How answers were compared. With `vote`. */
  readonly compared?: string;
}

/** The batch that all of these tasks belong to; undefined when they do not belong to one. */
export function commonBatch(records: readonly TaskRecord[]): Batch | undefined {
  const [first] = records;
  return first?.batch && records.every(({ batch }) => batch?.id === first.batch!.id)
    ? first.batch
    : undefined;
}

/** Decides the batch. */
export function outcomeOf({ id, strategy }: Batch, records: readonly TaskRecord[]): BatchOutcome {
  const outcome = { batch_id: id, strategy };
  if (strategy === "race") return { ...outcome, winner: winnerOf(records)?.task_id ?? null };
  if (strategy === "vote") return { ...outcome, groups: groupAnswers(records), compared: COMPARED };
  return outcome;
}

function winnerOf(records: readonly TaskRecord[]): TaskRecord | undefined {
  return records.filter(({ status }) => status === "succeeded")
    .toSorted((a, b) => (a.ended_at ?? "").localeCompare(b.ended_at ?? ""))[0];
}

/** Why a batch failed; undefined while it may succeed, and when it has. */
export function batchFailure(
  { strategy }: Batch,
  records: readonly TaskRecord[],
): { readonly code: ErrorCode; readonly detail: string } | undefined {
  if (records.some(isOpen)) return undefined;
  const failed = records.filter(({ status }) => status !== "succeeded");
  const fails = strategy === "all" ? failed.length > 0 : failed.length === records.length;
  const [first] = failed;
  if (!fails || !first) return undefined;
  return {
    code: first.error ?? "unknown",
    detail: `${failed.length} of ${records.length} tasks failed, the first one so: ${
      first.error_detail ?? first.error
    }`,
  };
}
