import { assertEquals } from "@std/assert";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../../../src/core/task.ts";
import { startReporter } from "../../../src/mcp/progress.ts";
import { FakeClock } from "../../support/fake_clock.ts";

const PROGRESS: Progress = {
  task_id: "1_a",
  provider: "gemini",
  model: "m",
  elapsed_ms: 12_300,
  turns: 2,
  activity: null,
};

function start(progressToken?: string | number) {
  const notes: { progressToken: unknown; progress: number; message: string }[] = [];
  const notify = ({ params }: { params: typeof notes[number] }) => Promise.resolve(void notes.push(params));
  const context = { mcpReq: { _meta: { progressToken }, notify } } as unknown as ServerContext;
  const clock = new FakeClock();
  const host = new AbortController();
  return { notes, clock, host, reporter: startReporter(context, clock, host.signal) };
}

for (const token of [0, "", "t", 7]) {
  Deno.test(`startReporter() reports for the token ${JSON.stringify(token)}`, () => {
    const { notes, reporter } = start(token);
    reporter.report(PROGRESS);
    assertEquals(notes.map((note) => [note.progressToken, note.message]), [[
      token,
      "gemini · m · 12 s · round 2",
    ]]);
    reporter.stop();
  });
}

Deno.test("startReporter() says nothing without a token", async () => {
  const { notes, clock, reporter } = start();
  reporter.report(PROGRESS);
  await clock.advance(60_000);
  assertEquals(notes, []);
});

Deno.test("startReporter() rises even when no time passes or the clock is set back", async () => {
  const { notes, clock, reporter } = start(1);
  reporter.report(PROGRESS);
  reporter.report({ ...PROGRESS, elapsed_ms: 0 });
  await clock.advance(2000);
  reporter.report(PROGRESS);
  const values = notes.map((note) => note.progress);
  assertEquals(values, values.toSorted((a, b) => a - b));
  assertEquals(new Set(values).size, 3);
  reporter.stop();
});

Deno.test("startReporter() breaks a silence of 8 s, and only a silence", async () => {
  const { notes, clock, reporter } = start(1);
  await clock.advance(7_000);
  assertEquals(notes.length, 0);
  await clock.advance(25_000);
  assertEquals(notes.length, 4);
  reporter.stop();
});

for (const end of ["stop", "abort"] as const) {
  Deno.test(`startReporter() says nothing after ${end}`, async () => {
    const { notes, clock, host, reporter } = start(1);
    if (end === "stop") reporter.stop();
    else host.abort();
    reporter.report(PROGRESS);
    await clock.advance(60_000);
    assertEquals(notes, []);
  });
}
