import { assert, assertEquals } from "@std/assert";
import { startModelServer } from "../../../scripts/model_server.ts";

const TOOLS = [{ type: "function", function: { name: "terminal" } }];

function post(url: string, body: unknown): Promise<Response> {
  const headers = { authorization: "Bearer planted-key" };
  return fetch(`${url}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
}

function user(content: string) {
  return [{ role: "user", content }];
}

Deno.test("a plain answer can be ordered by the prompt and is noted with its key", async () => {
  await using server = await startModelServer();
  const reply = await post(`${server.url}/v1`, { model: "mock-plain", messages: user("please SAY: hello") });
  const { choices, usage } = await reply.json();
  assertEquals(choices[0].message.content, "hello");
  assertEquals(choices[0].finish_reason, "stop");
  assertEquals(usage.prompt_tokens_details.cached_tokens, 23);
  const [seen] = server.requests();
  assertEquals([seen?.kind, seen?.behaviour, seen?.key], ["chat", "plain", "planted-key"]);
});

Deno.test("a streamed answer comes in chunks, whole characters in each, and ends with its usage", async () => {
  await using server = await startModelServer();
  const reply = await post(`${server.url}/v1`, { model: "mock-unicode", stream: true, messages: user("x") });
  const events = (await reply.text()).trim().split("\n\n").map((line) => line.slice("data: ".length));
  assertEquals(events.at(-1), "[DONE]");
  const chunks = events.slice(0, -1).map((data) => JSON.parse(data));
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
  assertEquals(text, "Grüße 日本語 🎉 e\u0301 \u2028 end");
  assertEquals(chunks.at(-1).usage.total_tokens, 120);
});

Deno.test("a tool is called as often as asked, then answered, and never where none is offered", async () => {
  await using server = await startModelServer();
  const ask = async (messages: unknown[], tools?: unknown) =>
    (await (await post(`${server.url}/v1`, { model: "mock-steps_1", messages, tools })).json()).choices[0];
  const first = await ask(user("x"), TOOLS);
  assertEquals(first.finish_reason, "tool_calls");
  assertEquals(JSON.parse(first.message.tool_calls[0].function.arguments), { command: "echo step 1" });
  const results = [...user("x"), { role: "tool", content: "step 1" }];
  assertEquals((await ask(results, TOOLS)).message.content, "STEPS-DONE 1");
  assertEquals((await ask(user("x"))).message.content, "STEPS-DONE 0");
});

Deno.test("a look for large files is a tool call, and the answer is what that call printed", async () => {
  await using server = await startModelServer();
  const ask = async (messages: unknown[]) =>
    (await (await post(`${server.url}/v1`, { model: "mock-files", messages, tools: TOOLS })).json())
      .choices[0];
  const call = (await ask(user("x"))).message.tool_calls[0].function;
  assert(JSON.parse(call.arguments).command.startsWith("find . "), call.arguments);
  const printed = { role: "tool", content: JSON.stringify({ output: "./a is over 1 MB", exit_code: 0 }) };
  assertEquals((await ask([...user("x"), printed])).message.content, "./a is over 1 MB");
});

for (
  const [behaviour, status, code, retryAfter] of [
    ["401", 401, "invalid_api_key", null],
    ["402", 402, "insufficient_credits", null],
    ["429_30", 429, "rate_limit_exceeded", "30"],
    ["nonsense", 404, "model_not_found", null],
  ] as const
) {
  Deno.test(`behaviour ${behaviour} fails with ${status}, by path as by model`, async () => {
    await using server = await startModelServer();
    const byModel = await post(`${server.url}/v1`, { model: `acme/mock-${behaviour}`, messages: user("x") });
    const byPath = await post(`${server.url}/b/${behaviour}/v1`, { model: "any", messages: user("x") });
    for (const reply of [byModel, byPath]) {
      assertEquals([reply.status, reply.headers.get("retry-after")], [status, retryAfter]);
      assertEquals((await reply.json()).error.code, code);
    }
  });
}

Deno.test("long_300 is exactly 300 KiB", async () => {
  await using server = await startModelServer();
  const reply = await post(`${server.url}/v1`, { model: "mock-long_300", messages: user("x") });
  assertEquals((await reply.json()).choices[0].message.content.length, 300 * 1024);
});

Deno.test("a hanging request does not keep the server from closing", async () => {
  const server = await startModelServer();
  const hanging = post(`${server.url}/v1`, { model: "mock-hang", messages: user("x") });
  while (!server.requests().length) await new Promise((resolve) => setTimeout(resolve, 10));
  await server.close();
  const cutOff = await hanging;
  assertEquals(cutOff.status, 499);
  await cutOff.body?.cancel();
});

Deno.test("as a proxy it refuses every tunnel and names its host", async () => {
  await using server = await startModelServer();
  await using connection = asDisposable(await Deno.connect({ port: Number(new URL(server.url).port) }));
  const ask = "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n";
  await connection.conn.write(new TextEncoder().encode(ask));
  const buffer = new Uint8Array(200);
  const size = await connection.conn.read(buffer);
  assert(new TextDecoder().decode(buffer.subarray(0, size!)).startsWith("HTTP/1.1 403"));
  assertEquals(server.requests().map(({ kind, path }) => [kind, path]), [["tunnel", "example.org:443"]]);
});

Deno.test("models are listed, and /requests shows what was asked", async () => {
  await using server = await startModelServer();
  const { data } = await (await fetch(`${server.url}/v1/models`)).json();
  assert(data.some((model: { id: string }) => model.id === "mock-plain"));
  assertEquals((await (await fetch(`${server.url}/requests`)).json()).length, 1);
});

function asDisposable(conn: Deno.TcpConn) {
  return { conn, [Symbol.asyncDispose]: () => Promise.resolve(conn.close()) };
}
