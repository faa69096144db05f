// How does Claude Code talk to its model? Anthropic's Messages API.
import type { HostMove } from "./host_moves.ts";
import { eventStream, objectsOf, textOf, type WireForm } from "./host_wire.ts";

const USAGE = { input_tokens: 100, output_tokens: 10 };

/** Anthropic Messages. */
export const MESSAGES: WireForm = {
  path: "/v1/messages",
  read: (body) => ({
    model: String(body.model ?? ""),
    stream: body.stream === true,
    tools: objectsOf(body.tools).map(({ name }) => ({ name: String(name ?? "") })),
    results: objectsOf(body.messages).flatMap(({ content }) => objectsOf(content))
      .filter(({ type }) => type === "tool_result").map(({ content }) => textOf(content)),
  }),
  write: (move, { model, stream }, id) => {
    const block = blockOf(move, id);
    const stop_reason = move.kind === "call" ? "tool_use" : "end_turn";
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null };
    if (!stream) return Response.json({ ...message, content: [block.whole], stop_reason, usage: USAGE });
    const start = { ...message, content: [], stop_reason: null, usage: USAGE };
    const events = [
      { type: "message_start", message: start },
      { type: "content_block_start", index: 0, content_block: block.empty },
      { type: "content_block_delta", index: 0, delta: block.delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE },
      { type: "message_stop" },
    ];
    return eventStream(events.map((data) => ({ name: data.type, data })));
  },
};

/** A block at once, and as its start and the one piece that fills it. */
function blockOf(move: HostMove, id: string) {
  if (move.kind === "say") {
    const { text } = move;
    return {
      whole: { type: "text", text },
      empty: { type: "text", text: "" },
      delta: { type: "text_delta", text },
    };
  }
  const head = { type: "tool_use", id: `toolu_${id}`, name: move.tool.name };
  return {
    whole: { ...head, input: move.arguments },
    empty: { ...head, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(move.arguments) },
  };
}
