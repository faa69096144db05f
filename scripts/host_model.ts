// The model behind a real MCP host (Codex, Claude Code, opencode) on loopback, where there is neither a network nor an
// account. It hands one task to Hermes, waits for it and says what came of it; scripts/host_moves.ts has the script.
//
//   deno run --allow-net=127.0.0.1 scripts/host_model.ts '{"prompt":"hello"}' [PORT]        (arguments of hermes_task)
//
// GET /requests shows everything that was asked. Set as HTTPS_PROXY it refuses each tunnel and notes its host.
import { CHAT } from "./host_chat.ts";
import { MESSAGES } from "./host_messages.ts";
import { type HostMove, type HostScript, type HostTurn, nextMove } from "./host_moves.ts";
import { RESPONSES } from "./host_responses.ts";
import type { WireForm } from "./host_wire.ts";

const FORMS: readonly WireForm[] = [RESPONSES, MESSAGES, CHAT];

/** One request that a host sent to its model. */
export interface SeenTurn extends HostTurn {
  readonly path: string;
  /** What the model answered. */
  readonly move: HostMove;
}

/** A running model. */
export interface HostModel extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711`; append `/v1` for a base URL, but not for Claude Code. */
  readonly url: string;
  /** Every turn so far, oldest first. */
  turns(): readonly SeenTurn[];
  /** Hosts that somebody tried to reach through this server as a proxy, all in vain. */
  tunnels(): readonly string[];
}

interface Seen {
  readonly turns: SeenTurn[];
  readonly tunnels: string[];
  readonly others: string[];
}

/** Starts a model on 127.0.0.1 which plays the script with everyone who asks; port 0 is a free one. */
export function startHostModel(script: HostScript, options: { readonly port?: number } = {}): HostModel {
  const seen: Seen = { turns: [], tunnels: [], others: [] };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: options.port ?? 0, onListen: () => {} },
    (request) => answer(request, script, seen),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    turns: () => [...seen.turns],
    tunnels: () => [...seen.tunnels],
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function answer(request: Request, script: HostScript, seen: Seen): Promise<Response> {
  const { pathname, host } = new URL(request.url);
  if (request.method === "CONNECT") {
    seen.tunnels.push(host);
    return new Response(null, { status: 403 });
  }
  if (pathname === "/requests") return Response.json(seen);
  const form = FORMS.find(({ path }) => request.method === "POST" && pathname.endsWith(path));
  if (form === undefined) {
    seen.others.push(`${request.method} ${pathname}`);
    return Response.json({ error: { type: "not_found_error", message: "No such route" } }, { status: 404 });
  }
  const turn = form.read(await request.json().catch(() => ({})));
  const move = nextMove(turn, script);
  seen.turns.push({ ...turn, path: pathname, move });
  return form.write(move, turn, `mock${seen.turns.length}`);
}

if (import.meta.main) {
  const [task = '{"prompt":"hello"}', port = "0"] = Deno.args;
  console.log(startHostModel({ task: JSON.parse(task) }, { port: Number(port) }).url);
}
