// A host that asks for resources in raw lines, in either era, and tells the scripted queue what to do.
import { assertEquals, assertLess } from "@std/assert";
import { type Message, RawHost, SCRIPTED_SERVER } from "./raw_host.ts";

/** A task that the scripted server knows. */
export const TASK = "hermes-task://tasks/1_a";
/** What every request of the newer era carries. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
};

/** A host with a way to ask, and to tell the queue what to do. */
export class ResourceHost extends RawHost {
  readonly meta: Message | undefined;
  #id = 100;

  /** Starts the scripted server; `modern` is the era of 2026-07-28. */
  constructor(era: "handshake" | "modern") {
    super(SCRIPTED_SERVER);
    this.meta = era === "modern" ? META : undefined;
  }

  /** A host after its handshake. */
  static async open(version = "2025-11-25"): Promise<ResourceHost> {
    const host = new ResourceHost("handshake");
    await host.handshake(version);
    return host;
  }

  /** Sends a request; gives its answer, error or not. */
  async ask(method: string, params: Message = {}): Promise<Message> {
    const id = this.#id++;
    await this.send({ id, method, params: { ...params, ...(this.meta ? { _meta: this.meta } : {}) } });
    return await this.answer(id);
  }

  /** Changes the queue; gives the counts of looks and ears. */
  async queue(words: string): Promise<{ readonly looks: number; readonly ears: number }> {
    const reply = await this.call(this.#id++, "hermes_task", { prompt: `queue:${words}` }, this.meta);
    return JSON.parse(String((reply["structuredContent"] as Message)["result"]));
  }

  /** Notices of resources so far. */
  notices(method: string): Message[] {
    return this.messages.filter((message) => message["method"] === `notifications/resources/${method}`);
  }

  /** The notice of that number, once it is there. */
  async untilNotices(method: string, count: number): Promise<Message> {
    await this.until(() => this.notices(method).length >= count);
    return this.notices(method)[count - 1]!;
  }

  /** The server ends within a second of its input, with 0 and nothing odd. */
  async endCleanly(): Promise<void> {
    const began = performance.now();
    const { code, stderr, stray } = await this.end();
    assertLess(performance.now() - began, 1000);
    assertEquals([code, stderr, ...stray], [0, ""]);
  }
}

/** The code of an error; undefined for a result. */
export function errorCode(answer: Message): unknown {
  return (answer["error"] as Message | undefined)?.["code"];
}

/** The addresses of a page of resources. */
export function urisOf(answer: Message): string[] {
  return ((answer["result"] as Message)["resources"] as { readonly uri: string }[]).map(({ uri }) => uri);
}
