// How does Codex talk to its model? OpenAI's Responses API.
import type { HostMove, OfferedTool } from "./host_moves.ts";
import { eventStream, type Fields, objectsOf, textOf, type WireForm } from "./host_wire.ts";

const USAGE = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };

/** OpenAI Responses. */
export const RESPONSES: WireForm = {
  path: "/responses",
  read: (body) => ({
    model: String(body.model ?? ""),
    stream: body.stream === true,
    tools: objectsOf(body.tools).flatMap(toolsOf),
    results: objectsOf(body.input).filter(({ type }) => type === "function_call_output")
      .map(({ output }) => textOf(output)),
  }),
  write: (move, { model, stream }, id) => {
    const item = itemOf(move, id);
    const response = { id: `resp_${id}`, object: "response", created_at: 0, model };
    const completed = { ...response, status: "completed", output: [item], usage: USAGE };
    if (!stream) return Response.json(completed);
    const events = [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: completed },
    ];
    return eventStream(events.map((data) => ({ name: data.type, data })));
  },
};

/** A tool, or those of a namespace. */
function toolsOf(tool: Fields): OfferedTool[] {
  const name = String(tool.name ?? "");
  if (tool.type !== "namespace") return [{ name }];
  return objectsOf(tool.tools).map((inner) => ({ name: String(inner.name ?? ""), namespace: name }));
}

function itemOf(move: HostMove, id: string) {
  if (move.kind === "say") {
    const content = [{ type: "output_text", text: move.text, annotations: [] }];
    return { type: "message", id: `item_${id}`, role: "assistant", status: "completed", content };
  }
  const { tool } = move;
  return {
    type: "function_call",
    id: `item_${id}`,
    call_id: `call_${id}`,
    status: "completed",
    name: tool.name,
    ...tool.namespace === undefined ? {} : { namespace: tool.namespace },
    arguments: JSON.stringify(move.arguments),
  };
}
