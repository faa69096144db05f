// Who listens, in the era of 2026-07-28? The SDK keeps `subscriptions/listen` to itself and only drops the notices that
// nobody has asked for; so what it acknowledges is read off the wire, for nothing to be watched in vain.
import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { LIST, type Subscriber, type Topic } from "./notices.ts";
import type { Wire } from "./wire.ts";

/** Who is told of listeners. */
export interface Listening {
  /** A subscriber wants to hear of these topics only; none: it is gone. */
  want(by: Subscriber, topics: Iterable<Topic>): unknown;
  /** The connection has ended. */
  stop(): void;
}

type Fields = Readonly<Record<string, unknown>>;

/** A wire that tells who listens; for the SDK a transport like the wire itself. */
export class ListenedWire {
  readonly #wire: Wire;
  readonly #listening: Listening;
  /** Requests to listen that were neither refused nor cancelled. */
  readonly #asked = new Set<unknown>();

  /** Set by the SDK, as by any transport's user. */
  onmessage?: (message: JSONRPCMessage) => void;
  /** Set by the SDK; called once. */
  onclose?: () => void;
  /** Set by the SDK. */
  onerror?: (error: Error) => void;

  /** Takes the wire over; nothing passes before {@link ListenedWire.start}. */
  constructor(wire: Wire, listening: Listening) {
    this.#wire = wire;
    this.#listening = listening;
  }

  /** Attaches the SDK: hands over what has waited. */
  start(): Promise<void> {
    this.#wire.onmessage = (message) => {
      this.#hear(message);
      this.onmessage?.(message);
    };
    this.#wire.onclose = () => {
      this.#listening.stop();
      this.onclose?.();
    };
    this.#wire.onerror = (error) => this.onerror?.(error);
    return this.#wire.start();
  }

  /** Writes one message of the SDK. */
  send(message: JSONRPCMessage): Promise<void> {
    const sent = this.#wire.send(message);
    this.#notice(message);
    return sent;
  }

  /** Ends the line. */
  close(): Promise<void> {
    return this.#wire.close();
  }

  #hear(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if (message.method === "subscriptions/listen" && "id" in message) this.#asked.add(message.id);
    if (message.method === "notifications/cancelled") this.#drop(message.params?.["requestId"]);
  }

  #notice(message: JSONRPCMessage): void {
    if (!("method" in message)) return this.#drop(message.id);
    if (message.method !== "notifications/subscriptions/acknowledged") return;
    const { _meta, notifications } = message.params as {
      readonly _meta?: Fields;
      readonly notifications?: Fields;
    };
    const id = _meta?.[SUBSCRIPTION_ID_META_KEY];
    if (this.#asked.has(id)) this.#listening.want(id as Subscriber, topicsOf(notifications ?? {}));
  }

  #drop(id: unknown): void {
    if (this.#asked.delete(id)) this.#listening.want(id as Subscriber, []);
  }
}

function topicsOf({ resourcesListChanged, resourceSubscriptions }: Fields): Topic[] {
  const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions as Topic[] : [];
  return resourcesListChanged === true ? [LIST, ...uris] : uris;
}
