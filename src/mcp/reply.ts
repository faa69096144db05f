// What leaves as the reply of a tool? One JSON object, redacted and cut to what the host's model gets to see, twice:
// as structure and as text, since a host shows its model one or the other.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { utf8Size } from "../core/page.ts";
import { redactValue } from "../core/redact.ts";
import { replyBudget } from "../hosts/budget.ts";
import { type Fields, fitReply } from "./fit.ts";

/** Whom a reply goes to, and what was asked. */
export interface ReplyFor {
  /** `clientInfo.name`. */
  readonly client: string | undefined;
  readonly tool: string;
  /** The arguments as the caller wrote them. */
  readonly args: unknown;
}

/** Makes the reply of a tool out of an operation's result. */
export function toolReply(result: unknown, to: ReplyFor): CallToolResult {
  return shape(fitted(result, to));
}

/** An operation's result as it may leave: redacted, in reading order, within the budget. */
export function fitted(result: unknown, to: ReplyFor): Fields {
  const reply = redactValue(asFields(result));
  const budget = replyBudget(to.client);
  const measure = budget.bothCount
    ? (fields: Fields) => utf8Size(JSON.stringify(shape(fields)))
    : (fields: Fields) => utf8Size(JSON.stringify(fields));
  return fitReply(reply, {
    limitBytes: isDigest(to.tool, reply) ? budget.digestBytes : budget.replyBytes,
    measure,
    keepAnswer: asksForBytes(to.args),
  });
}

function shape(reply: Fields): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(reply) }],
    structuredContent: { ...reply },
    ...(reply["ok"] === false ? { isError: true } : {}),
  };
}

/** A finished task in digest mode; a dry run is about its plan, and detail is for reading what was cut. */
function isDigest(tool: string, reply: Fields): boolean {
  return tool === "hermes_task" && reply["output_mode"] === "digest" && reply["dry_run"] !== true;
}

/** `max_bytes` is honoured above the host's budget: whoever names it knows what its host takes. */
function asksForBytes(args: unknown): boolean {
  const asked = (args as { max_bytes?: unknown } | null | undefined)?.max_bytes;
  return typeof asked === "number" && asked > 0;
}

function asFields(result: unknown): Fields {
  return result !== null && typeof result === "object" && !Array.isArray(result)
    ? result as Fields
    : { ok: true, value: result };
}
