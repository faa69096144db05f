// Which answers of a batch say the same? A plain comparison, and it says so: no model judges.
import type { TaskRecord } from "./record.ts";

/** Tasks with the same answer. */
export interface VoteGroup {
  /** The answer as the first of them gave it. */
  readonly answer: string;
  /** How many gave it. */
  readonly count: number;
  /** Who gave it. */
  readonly task_ids: readonly string[];
}

/** Said in every reply that has groups. */
export const COMPARED =
  "equal are answers that differ only in case, spacing, Markdown emphasis and closing punctuation; JSON is compared by value";

/** Groups of equal answers, the largest first; of equal size the one that was asked first. Tasks without one are left out. */
export function groupAnswers(records: readonly TaskRecord[]): VoteGroup[] {
  const groups = new Map<string, { answer: string; task_ids: string[] }>();
  for (const { task_id, status, result } of records) {
    if (status !== "succeeded" || result === null) continue;
    const key = comparable(result);
    const group = groups.get(key) ?? { answer: result, task_ids: [] };
    group.task_ids.push(task_id);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ answer, task_ids }) => ({ answer, count: task_ids.length, task_ids }))
    .toSorted((a, b) => b.count - a.count);
}

function comparable(answer: string): string {
  const text = answer.trim().replace(/^```\w*\n([\s\S]*)\n```$/, "$1").trim();
  const json = parsed(text);
  if (json !== undefined && typeof json === "object") return JSON.stringify(sorted(json));
  return text.normalize("NFKC").toLowerCase().replace(/[*_`]/g, "").replace(/\s+/g, " ")
    .replace(/[\s.!?。！？]+$/u, "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same value with the keys of its objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([name, each]) => [name, sorted(each)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => a < b ? -1 : a > b ? 1 : 0));
}
