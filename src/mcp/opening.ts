// What does a host hear before the SDK is loaded? `initialize`, `ping` and the lists that never change are answered
// from constants, since loading the SDK takes longer than some hosts wait (Codex 0.171: one second from its start),
// and takes memory that a server which is never called does not need. The SDK gets the same messages later and its own
// answers to them are dropped.

/** An answer from constants. */
export interface OpeningAnswer {
  readonly id: string | number;
  readonly result: unknown;
  /** Will the host ask for something more that is a constant? */
  readonly goesOn: boolean;
}

/** What the SDK would answer, found out beforehand. */
export interface OpeningConstants {
  /** Protocol versions of the handshake era, newest first. */
  readonly versions: readonly string[];
  /** Result of `initialize` without its version. */
  readonly initialize: Fields;
  /** Results of the requests that always get the same: the lists of tools, templates and prompts, by method. */
  readonly lists: Readonly<Record<string, Fields>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** The opening of one connection. */
export class Opening {
  readonly #constants: OpeningConstants;
  #opened = false;

  /** Answers from these constants. */
  constructor(constants: OpeningConstants) {
    this.#constants = constants;
  }

  /** The answer to a message, or undefined when the SDK must give it. */
  answer(message: unknown): OpeningAnswer | undefined {
    if (!isObject(message) || message["jsonrpc"] !== "2.0") return undefined;
    const { id, method, params } = message;
    if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
    const asked = id as string | number;
    if (method === "initialize" && !this.#opened && isHandshake(params)) {
      this.#opened = true;
      return {
        id: asked,
        result: initializeResult(this.#constants, params["protocolVersion"]),
        goesOn: true,
      };
    }
    if (!this.#opened || typeof method !== "string" || !isPlain(params)) return undefined;
    if (method === "ping") return { id: asked, result: {}, goesOn: false };
    const { lists } = this.#constants;
    return Object.hasOwn(lists, method) ? { id: asked, result: lists[method], goesOn: false } : undefined;
  }
}

/** The reply to `initialize` for a version asked for; an unknown one gets the newest of its era. */
export function initializeResult({ versions, initialize }: OpeningConstants, asked: string): Fields {
  return { protocolVersion: versions.includes(asked) ? asked : versions[0], ...initialize };
}

/** Just what the SDK takes for a handshake; anything odd is left to it. */
function isHandshake(params: unknown): params is Fields & { readonly protocolVersion: string } {
  if (!isObject(params) || typeof params["protocolVersion"] !== "string") return false;
  const client = params["clientInfo"];
  return isObject(params["capabilities"]) && isObject(client) && params["_meta"] === undefined &&
    typeof client["name"] === "string" && typeof client["version"] === "string";
}

function isPlain(params: unknown): boolean {
  return params === undefined || (isObject(params) && Object.keys(params).every((key) => key === "_meta"));
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
