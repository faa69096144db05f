// Arguments that several operations about tasks share.
import { z } from "zod";
import { refusal } from "../core/failure.ts";
import { isPlainId } from "../core/id.ts";

/** Bytes of all answers together that a host's model gets to see whole, beside the rest of a digest. */
const HOST_BYTES = 4_500;

/** Ids of tasks. */
export const taskIds: z.ZodType<string[], readonly string[]> = z.array(z.string()).min(1).max(200)
  .transform((ids) => [...new Set(ids)]).describe("The task_ids, as hermes_task or hermes_batch gave them.");

/** How much of each answer a reply about several tasks shows. */
export const outputMode: z.ZodType<"digest" | "full" | undefined, "digest" | "full" | undefined> = z
  .enum(["digest", "full"]).optional()
  .describe(
    '"digest" shows the beginning of each answer, "full" the whole; omitted: as each task was asked.',
  );

/** Refuses what is no id; an id is data and never a path. */
export function admitTaskIds(ids: readonly string[]): void {
  for (const id of ids) {
    if (isPlainId(id)) continue;
    throw refusal(
      "invalid_args",
      `Argument "task_ids": ${JSON.stringify(id.slice(0, 60))} is no id; ` +
        'an id has up to 128 letters, digits, "_" and "-"',
    );
  }
}

/** Refuses a list of which nothing is known. */
export function refuseUnknown(ids: readonly string[], found: readonly unknown[]): void {
  if (found.some((one) => one !== undefined)) return;
  throw refusal(
    "not_found",
    `No task ${
      ids.map((id) => `"${id}"`).slice(0, 5).join(", ")
    } is known here: check the id, see hermes_tasks`,
  );
}

/** Bytes that the answers in one reply may have together. */
export function bytesFor(surface: "mcp" | "cli" | "module"): number {
  return surface === "mcp" ? HOST_BYTES : Infinity;
}
