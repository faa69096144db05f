// What do the wire forms of the hosts' models have in common? Each reads a request into a turn and writes a move back.
import type { HostMove, HostTurn } from "./host_moves.ts";

/** One API that a host speaks to its model. */
export interface WireForm {
  /** How the path of its requests ends. */
  readonly path: string;
  /** Reads a request; anything missing is empty. */
  read(body: Fields): HostTurn;
  /** Writes the move as a whole answer, or as events where the host wants a stream. */
  write(move: HostMove, turn: HostTurn, id: string): Response;
}

/** A JSON object that nobody has looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The objects of a list; none when it is no list. */
export function objectsOf(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
}

/** The text of a string or of a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content).map(({ text }) => typeof text === "string" ? text : "").join("\n");
}

/** A stream of events, each with its name where the form has names. */
export function eventStream(events: readonly { readonly name?: string; readonly data: unknown }[]): Response {
  const text = events.map(({ name, data }) => {
    const line = `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
    return name === undefined ? line : `event: ${name}\n${line}`;
  });
  return new Response(text.join(""), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}
