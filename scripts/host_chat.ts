// How does opencode talk to its model? OpenAI's chat completions.
import type { HostMove } from "./host_moves.ts";
import { eventStream, type Fields, objectsOf, textOf, type WireForm } from "./host_wire.ts";

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** OpenAI chat completions. */
export const CHAT: WireForm = {
  path: "/chat/completions",
  read: (body) => ({
    model: String(body.model ?? ""),
    stream: body.stream === true,
    tools: objectsOf(body.tools).map((tool) => ({ name: String((tool.function as Fields)?.name ?? "") })),
    results: objectsOf(body.messages).filter(({ role }) => role === "tool").map(({ content }) =>
      textOf(content)
    ),
  }),
  write: (move, { model, stream }, id) => {
    const head = { id, created: 0, model };
    const finish_reason = move.kind === "call" ? "tool_calls" : "stop";
    if (!stream) {
      const choices = [{ index: 0, finish_reason, message: messageOf(move, id) }];
      return Response.json({ ...head, object: "chat.completion", choices, usage: USAGE });
    }
    const chunk = (choices: unknown[], more = {}) => ({
      data: { ...head, object: "chat.completion.chunk", choices, ...more },
    });
    return eventStream([
      chunk([{ index: 0, delta: messageOf(move, id), finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage: USAGE }),
      { data: "[DONE]" },
    ]);
  },
};

/** The same for a message and for the one piece in which it is streamed. */
function messageOf(move: HostMove, id: string) {
  if (move.kind === "say") return { role: "assistant", content: move.text };
  const called = { name: move.tool.name, arguments: JSON.stringify(move.arguments) };
  const call = { index: 0, id: `call_${id}`, type: "function", function: called };
  return { role: "assistant", content: null, tool_calls: [call] };
}
