// How does the server present itself?
import { VERSION } from "../core/version.ts";

/** Name and version, as every host sees them. */
export const SERVER_INFO = { name: "hermes-task", title: "Hermes task", version: VERSION } as const;

/** Tools and prompts stay the same for the life of a process; tasks come and go. */
export const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: false },
} as const;

/** A hint for hosts that show it; all of it stands in the tools' descriptions too. */
export const INSTRUCTIONS =
  "Hands tasks to the Hermes Agent of this machine, on providers known to be free. Call hermes_task with a prompt; " +
  "read what was cut with hermes_task_detail; see providers with hermes_models.";
