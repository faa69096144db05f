// A model provider on loopback, for driving a real Hermes where there is no network: OpenAI chat completions.
//
//   deno run --allow-net=127.0.0.1 scripts/model_server.ts [PORT]       (0, a free port, when left out)
//
// A request's behaviour is named by its path (`/b/402/v1/…` makes a whole provider fail) or, without one, by its model
// (`mock-plain`, `acme/mock-steps_2_500`); any other model is `plain`. The names:
//   plain echo tool steps_N_MS loop bg            answers and terminal calls (`SAY: …`, `RUN: …` in the prompt order them)
//   files                                         looks for large files by a terminal call and says what that printed
//   400 … 503, 429_SECONDS                        errors, with Retry-After
//   hang slow_N_MS long_KIB empty length unicode ansi fakeid
// GET …/v1/models lists models, GET /requests everything that was asked. Set as HTTPS_PROXY it refuses each tunnel and
// notes its host: proof that nothing left the machine.
import { BEHAVIOUR_NAMES, replyOf } from "./model_replies.ts";
import { parseRequest, respond } from "./model_wire.ts";

/** One request as it was seen. Keys are kept as sent: they are made up. */
export interface SeenRequest {
  readonly kind: "chat" | "models" | "tunnel" | "other";
  readonly path: string;
  readonly key: string;
  readonly model?: string;
  readonly behaviour?: string;
  readonly prompt?: string;
}

/** A running model server. */
export interface ModelServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711`; append `/v1` for a base URL. */
  readonly url: string;
  /** Everything asked so far, oldest first. */
  requests(): readonly SeenRequest[];
  /** Ends it; whoever still waits for an answer is cut off. */
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1; port 0 is a free one. */
export function startModelServer(options: { readonly port?: number } = {}): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  const ending = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: options.port ?? 0, onListen: () => {} },
    (request) => answer(request, seen, ending.signal),
  );
  const close = async () => {
    ending.abort();
    await server.shutdown();
  };
  return Promise.resolve({
    url: `http://127.0.0.1:${server.addr.port}`,
    requests: () => [...seen],
    close,
    [Symbol.asyncDispose]: close,
  });
}

async function answer(request: Request, seen: SeenRequest[], ending: AbortSignal): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === "/requests") return Response.json(seen);
  const key = (request.headers.get("authorization") ?? "").replace(/^Bearer\s+/i, "");
  if (request.method === "CONNECT") return refuseTunnel(url.host, seen);
  if (/^(\/b\/[^/]+)?(\/v1)?\/models$/.test(url.pathname) && request.method === "GET") {
    seen.push({ kind: "models", path: url.pathname, key });
    return modelList();
  }
  if (request.method === "POST" && url.pathname.endsWith("/chat/completions")) {
    return await chat(request, url.pathname, key, { seen, ending });
  }
  seen.push({ kind: "other", path: url.pathname, key });
  return Response.json({ error: { message: "No such route", code: "not_found" } }, { status: 404 });
}

function refuseTunnel(host: string, seen: SeenRequest[]): Response {
  seen.push({ kind: "tunnel", path: host, key: "" });
  return new Response(null, { status: 403 });
}

function modelList(): Response {
  const data = BEHAVIOUR_NAMES.map((name) => ({
    id: `mock-${name}`,
    object: "model",
    created: 0,
    owned_by: "mock",
    context_length: 200_000,
  }));
  return Response.json({ object: "list", data });
}

async function chat(
  request: Request,
  path: string,
  key: string,
  server: { seen: SeenRequest[]; ending: AbortSignal },
): Promise<Response> {
  const asked = parseRequest(await request.json().catch(() => undefined));
  const behaviour = behaviourOf(path, asked.model);
  const { model, prompt } = asked;
  server.seen.push({ kind: "chat", path, key, model, behaviour, prompt: prompt.slice(0, 200) });
  return await respond(replyOf(behaviour, asked), asked, `mock${server.seen.length}`, server.ending);
}

function behaviourOf(path: string, model: string): string {
  return /^\/b\/([^/]+)\//.exec(path)?.[1] ?? /mock-([a-z0-9]+(?:_[0-9]+)*)/.exec(model)?.[1] ?? "plain";
}

if (import.meta.main) {
  const server = await startModelServer({ port: Number(Deno.args[0] ?? 0) });
  console.log(JSON.stringify({ listening: server.url }));
}
