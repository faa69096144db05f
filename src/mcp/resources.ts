// What can a host read without a call? The same operations, as documents.
import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";

/** Resources with an address of their own. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: "hermes-task://providers",
    name: "providers",
    title: "Providers and models",
    description: "What hermes_models answers without arguments",
    mimeType: "application/json",
  },
  {
    uri: "hermes-task://telemetry",
    name: "telemetry",
    title: "Recorded runs",
    description: "What hermes_telemetry answers without arguments",
    mimeType: "application/json",
  },
];

/** Resources of a task. */
export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: "hermes-task://tasks/{id}",
    name: "task",
    title: "Record of a task",
    description: "What hermes_task_detail answers for this task",
    mimeType: "application/json",
  },
  {
    uriTemplate: "hermes-task://tasks/{id}/result",
    name: "task_result",
    title: "Answer of a task",
    description: "The answer as text; a long one from its beginning",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "hermes-task://tasks/{id}/log",
    name: "task_log",
    title: "Log of a task",
    description: "What Hermes printed; a long one from its beginning",
    mimeType: "text/plain",
  },
];

/** Which tool reads a resource, with which arguments, and which field of its reply is the document. */
export interface ResourceRead {
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
  /** The whole reply when undefined. */
  readonly field?: string;
}

const TASK_ADDRESS = /^hermes-task:\/\/tasks\/([A-Za-z0-9_-]+)(?:\/(result|log))?$/;

/** The task that an address is of; undefined for any other address. */
export function taskOf(uri: string): string | undefined {
  return TASK_ADDRESS.exec(uri)?.[1];
}

/** How to read an address; undefined when it is none of ours. */
export function resourceRead(uri: string): ResourceRead | undefined {
  if (uri === "hermes-task://providers") return { tool: "hermes_models", args: {} };
  if (uri === "hermes-task://telemetry") return { tool: "hermes_telemetry", args: {} };
  const [, id, part] = TASK_ADDRESS.exec(uri) ?? [];
  if (id === undefined) return undefined;
  const args = { task_id: id };
  if (part === undefined) return { tool: "hermes_task_detail", args };
  return { tool: "hermes_task_detail", args: { ...args, section: part }, field: "result" };
}

/** The document out of a tool's reply. */
export function resourceContents(
  uri: string,
  read: ResourceRead,
  reply: Readonly<Record<string, unknown>>,
): ReadResourceResult {
  const text = read.field === undefined ? undefined : reply[read.field];
  return typeof text === "string"
    ? { contents: [{ uri, mimeType: "text/plain", text }] }
    : { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(reply) }] };
}
