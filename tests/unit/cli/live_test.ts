import { assert, assertEquals } from "@std/assert";
import { liveText, startLiveLine } from "../../../src/cli/live.ts";
import { widthOf } from "../../../src/cli/text.ts";
import { fakeClock, fakeTerminal } from "../../support/command_line.ts";

const progress = {
  task_id: "t",
  provider: "gemini",
  model: "gemini-3.1-flash-lite",
  elapsed_ms: 12_000,
  turns: 2,
  activity: "terminal: find . -size +1M",
};
const never = new AbortController().signal;

Deno.test("liveText() says who, how long, and what Hermes is doing", () => {
  assertEquals(liveText(undefined, 0, false), "working · 0 s");
  assertEquals(
    liveText(progress, 12_900, false),
    "gemini · gemini-3.1-flash-lite · 12 s · terminal: find . -size +1M",
  );
  assertEquals(
    liveText({ ...progress, activity: null }, 1000, false),
    "gemini · gemini-3.1-flash-lite · 1 s · waiting for the model",
  );
  assertEquals(
    liveText({ ...progress, activity: null, turns: null }, 1000, false),
    "gemini · gemini-3.1-flash-lite · 1 s · starting Hermes",
  );
  assertEquals(liveText(progress, 3000, true), "ending what was started · 3 s");
});

Deno.test("liveText() lets no control character of a tool call through", () => {
  assert(!liveText({ ...progress, activity: "terminal: \x1b]0;x\x07\nrm" }, 0, false).match(/\p{Cc}/u));
});

Deno.test("startLiveLine() draws one line over itself and leaves nothing", async () => {
  const terminal = fakeTerminal({ columns: 40 });
  const clock = fakeClock();
  const live = startLiveLine(terminal, clock, never);
  live.report(progress);
  while (clock.passedMs() < 1000) await new Promise((resolve) => setTimeout(resolve, 1));
  await live.stop();
  const frames = terminal.stdout().split("\r");
  assert(frames.length > 4, terminal.stdout());
  assert(frames.every((frame) => widthOf(frame) < 40));
  assert(frames[1]!.startsWith("⠋ gemini · gemini-3.1-flash-lite · 0 s"), frames[1]);
  assertEquals(frames.slice(-2).map((frame) => frame.trim()), ["", ""]);
  assertEquals(frames.at(-2)!.length, widthOf(frames.at(-3)!));
});

Deno.test("startLiveLine() draws nothing for what is done at once", async () => {
  const terminal = fakeTerminal();
  await startLiveLine(terminal, fakeClock(), never).stop();
  assertEquals(terminal.stdout(), "");
});

Deno.test("startLiveLine() stops by itself when nobody reads any more", async () => {
  const terminal = fakeTerminal({ readsUntil: 2 });
  const clock = fakeClock();
  const live = startLiveLine(terminal, clock, never);
  while (clock.passedMs() < 400) await new Promise((resolve) => setTimeout(resolve, 1));
  await live.stop();
  assertEquals(terminal.stdout().split("\r").length, 3);
});
