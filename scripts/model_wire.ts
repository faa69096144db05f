// How does a reply look on the wire? OpenAI's chat completions, streamed or whole.
import type { ModelError, ModelMessage, ModelReply, ModelRequest } from "./model_replies.ts";

/** A parsed request body. */
export interface ParsedRequest extends ModelRequest {
  readonly stream: boolean;
}

interface WireMessage {
  readonly role?: string;
  readonly content?: unknown;
}

/** Reads a request body; anything missing is empty. */
export function parseRequest(body: unknown): ParsedRequest {
  const fields = (body ?? {}) as Record<string, unknown>;
  const messages = (Array.isArray(fields.messages) ? fields.messages : []) as WireMessage[];
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const after = messages.slice(lastUser + 1).filter((message) => message.role === "tool");
  return {
    model: String(fields.model ?? ""),
    stream: fields.stream === true,
    prompt: textOf(messages[lastUser]?.content),
    toolResults: after.map((message) => textOf(message.content)),
    offersTools: Array.isArray(fields.tools) && fields.tools.length > 0,
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => typeof part?.text === "string" ? part.text : "").join("\n");
}

/** Makes the response; `ending` cuts all waiting short once the server closes. */
export async function respond(reply: ModelReply, request: ParsedRequest, id: string, ending: AbortSignal) {
  if (reply.kind === "error") return errorResponse(reply.error);
  if (reply.kind === "silence") {
    await pause(2 ** 30, ending);
    return new Response(null, { status: 499 });
  }
  const { message } = reply;
  await pause(message.waitMs, ending);
  const head = { id, created: Math.floor(Date.now() / 1000), model: request.model };
  if (request.stream) return streamed(message, head, ending);
  await pause(message.delayMs * message.pieces.length, ending);
  return whole(message, head);
}

interface Head {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

function errorResponse({ status, type, code, message, retryAfterSeconds }: ModelError): Response {
  const headers = retryAfterSeconds === undefined ? undefined : { "retry-after": String(retryAfterSeconds) };
  return Response.json({ error: { message, type, code } }, { status, headers });
}

function whole(message: ModelMessage, head: Head): Response {
  const content = message.tool ? null : message.pieces.join("");
  const calls = message.tool ? { tool_calls: [toolCall(message.tool, head.id)] } : {};
  const choice = {
    index: 0,
    finish_reason: message.finish,
    message: { role: "assistant", content, ...calls },
  };
  return Response.json({ ...head, object: "chat.completion", choices: [choice], usage: usageOf(message) });
}

function streamed(message: ModelMessage, head: Head, ending: AbortSignal): Response {
  const body = ReadableStream.from(events(message, head, ending)).pipeThrough(new TextEncoderStream());
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

async function* events(message: ModelMessage, head: Head, ending: AbortSignal): AsyncGenerator<string> {
  const chunk = (delta: unknown, finish: string | null = null) =>
    event({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  yield chunk({ role: "assistant", content: "" });
  for (const content of message.pieces) {
    await pause(message.delayMs, ending);
    if (ending.aborted) return;
    yield chunk({ content });
  }
  if (message.tool) yield chunk({ tool_calls: [{ index: 0, ...toolCall(message.tool, head.id) }] });
  yield chunk({}, message.finish);
  yield event({ ...head, object: "chat.completion.chunk", choices: [], usage: usageOf(message) });
  yield "data: [DONE]\n\n";
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function toolCall(tool: { name: string; arguments: unknown }, id: string) {
  const called = { name: tool.name, arguments: JSON.stringify(tool.arguments) };
  return { id: `call_${id}`, type: "function", function: called };
}

function usageOf({ usage }: ModelMessage) {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

function pause(ms: number, ending: AbortSignal): Promise<void> {
  if (ms <= 0 || ending.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      ending.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    ending.addEventListener("abort", end);
  });
}
