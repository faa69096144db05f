// What has a task left on the disk?
import { assertEquals } from "@std/assert";
import type { TaskRecord } from "../../src/core/record.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

/** The record of a task; of the only one when no id is given. */
export async function recordIn(home: ThrowAwayHome, taskId?: string | null): Promise<TaskRecord> {
  const folder = `${home.root}/hermes-task-cache`;
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.endsWith(".json")
  );
  if (!taskId) assertEquals(files.length, 1, files.join(" "));
  return JSON.parse(await Deno.readTextFile(`${folder}/${taskId ? `${taskId}.json` : files[0]}`));
}
