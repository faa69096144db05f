// Do hosts see and hear of tasks that other processes give and run? The real program, its supervisors, a stand-in Hermes.
import { assert, assertEquals, assertLess } from "@std/assert";
import { join } from "@std/path";
import { type Behaviour, installFake } from "../support/fake_hermes.ts";
import { kill, supervisorsOf, waitUntil } from "../support/processes.ts";
import { writeMadeUpRuns } from "../support/many_runs.ts";
import { runProgram, startServer } from "../support/program.ts";
import type { Message, ServerUnderTest } from "../support/server_under_test.ts";
import { META } from "./resource_host.ts";
import { type HomeOptions, makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";

async function homeWith(behaviour: Behaviour | "soak", options: HomeOptions = {}): Promise<ThrowAwayHome> {
  const home = await makeHome(options);
  await installFake(home.bin, behaviour);
  return home;
}

async function open(home: ThrowAwayHome): Promise<ServerUnderTest> {
  const server = startServer({ env: home.env, cwd: home.work });
  await server.handshake();
  return server;
}

async function give(home: ThrowAwayHome, prompt: string): Promise<string> {
  const ran = await runProgram(["run", "--background", "--json", "--provider", "gemini", prompt], {
    env: home.env,
    cwd: home.work,
  });
  return JSON.parse(ran.stdout).task_id;
}

type Listed = { readonly uri: string; readonly title: string };

async function list(server: ServerUnderTest, params: unknown = {}) {
  const { result } = await server.request("resources/list", params);
  return result as { readonly resources: readonly Listed[]; readonly nextCursor?: string };
}

/** Notices until one is wanted, with those before it. */
async function hear(server: ServerUnderTest, wanted: (notice: Message) => boolean): Promise<Message[]> {
  const heard: Message[] = [];
  do heard.push(await server.next(30_000)); while (!wanted(heard.at(-1)!));
  return heard;
}

function isUpdated({ method, params }: Message, uri: string): boolean {
  return method === "notifications/resources/updated" && params?.["uri"] === uri;
}

async function statusOf(server: ServerUnderTest, uri: string, heard: Message[] = []): Promise<string> {
  const { result } = await server.request("resources/read", { uri }, { onOther: (note) => heard.push(note) });
  const [{ text }] = result!["contents"] as [{ readonly text: string }];
  return JSON.parse(text).status;
}

async function endWithinASecond(server: ServerUnderTest): Promise<void> {
  const began = performance.now();
  await server.closeInput();
  assertEquals((await server.status).code, 0);
  assertLess(performance.now() - began, 1_000);
  assertEquals(await server.stderr, "");
}

Deno.test("a task that another process gives appears in the list, is heard of while it runs, and at its end", async () => {
  await using home = await homeWith("answers_later");
  await using server = await open(home);
  assertEquals((await list(server)).resources.length, 2);
  const id = await give(home, "WAIT: 4 a long word");
  const uri = `hermes-task://tasks/${id}`;
  await hear(server, ({ method }) => method === "notifications/resources/list_changed");
  const found = (await list(server)).resources.find((resource) => resource.uri === uri)!;
  assert(/^(queued|running): WAIT: 4 a long word$/.test(found.title), found.title);
  assertEquals((await server.request("resources/subscribe", { uri })).result, {});
  for (;;) {
    await hear(server, (notice) => isUpdated(notice, uri));
    if (await statusOf(server, uri) === "succeeded") break;
  }
  const listChanges = () => server.lines.filter((line) => line.includes("resources/list_changed")).length;
  await waitUntil(
    () => Promise.resolve(listChanges() === 2),
    5_000,
    "a notice that the task is open no more",
  );
  const [, , first] = (await list(server)).resources;
  assertEquals(first?.title, "succeeded: WAIT: 4 a long word");
  await endWithinASecond(server);
});

Deno.test("[FAULT-73] a host of 2026-07-28 hears of another process' task too", async () => {
  await using home = await homeWith("answers_later");
  const id = await give(home, "WAIT: 3");
  const uri = `hermes-task://tasks/${id}`;
  await using server = startServer({ env: home.env, cwd: home.work });
  const notifications = { resourcesListChanged: true, resourceSubscriptions: [uri] };
  await server.send({
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { notifications, _meta: META },
  });
  const [acknowledged] = await hear(server, () => true);
  assertEquals(acknowledged!.params?.["notifications"], notifications);
  await hear(server, ({ method }) => method === "notifications/resources/list_changed");
  const updated = (line: string) => isUpdated(JSON.parse(line), uri);
  await waitUntil(() => Promise.resolve(server.lines.some(updated)), 5_000, "a notice of the task");
  await endWithinASecond(server);
});

Deno.test("a task whose supervisor is killed is heard of as lost", async () => {
  await using home = await homeWith("hangs");
  await using server = await open(home);
  const uri = `hermes-task://tasks/${await give(home, "hello")}`;
  await server.request("resources/subscribe", { uri });
  while (await statusOf(server, uri) !== "running") await new Promise((resolve) => setTimeout(resolve, 100));
  for (const { pid } of await supervisorsOf(home)) kill(pid);
  for (;;) {
    await hear(server, (notice) => isUpdated(notice, uri));
    if (await statusOf(server, uri) === "lost") break;
  }
  await endWithinASecond(server);
});

Deno.test("resources/list goes back through earlier tasks, page by page", async () => {
  await using home = await homeWith("soak");
  await writeMadeUpRuns(join(home.root, "hermes-task-cache"), 50);
  await using server = await open(home);
  const pages = [await list(server)];
  while (pages.at(-1)!.nextCursor) pages.push(await list(server, { cursor: pages.at(-1)!.nextCursor }));
  assertEquals(pages.map(({ resources }) => resources.length), [22, 20, 10]);
  const uris = pages.flatMap(({ resources }) => resources.map(({ uri }) => uri)).slice(2);
  assertEquals(uris, uris.toSorted().toReversed(), "the newest first, each once");
  const { error } = await server.request("resources/list", { cursor: "20@nonsense" });
  assertEquals(error?.code, -32602);
  await endWithinASecond(server);
});

for (
  const [what, files] of [
    ["store", { "hermes-task-cache": "a file where a folder belongs" }],
    ["queue", { "hermes-task-cache/state.sqlite": "no database" }],
    ["index", { "hermes-task-cache/index.sqlite": "no database" }],
  ] as const
) {
  Deno.test(`a broken ${what} leaves resources/list its two documents, and the server its end`, async () => {
    await using home = await homeWith("soak", { files });
    await using server = await open(home);
    assertEquals((await list(server)).resources.map(({ uri }) => uri), [
      "hermes-task://providers",
      "hermes-task://telemetry",
    ]);
    await endWithinASecond(server);
  });
}
