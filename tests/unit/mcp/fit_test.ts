import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { type Fields, fitReply } from "../../../src/mcp/fit.ts";

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function fit(reply: Fields, limitBytes: number, keepAnswer = false): Fields {
  return fitReply(reply, { limitBytes, measure: sizeOf, keepAnswer });
}

Deno.test("fitReply() puts status and id before the answer and loses nothing that fits", () => {
  const reply = { usage: { a: 1 }, result: "text", task_id: "1_a", ok: true, status: "succeeded" };
  const fitted = fit(reply, 1000);
  assertEquals(Object.keys(fitted), ["ok", "status", "task_id", "result", "usage"]);
  assertEquals(fitted, reply);
});

Deno.test("fitReply() cuts the answer at a character and names the offset", () => {
  const answer = "ä👩".repeat(500);
  const reply = { ok: true, task_id: "1_a", result: answer, truncated: false, result_bytes: 3000 };
  for (let limit = 400; limit < 420; limit++) {
    const fitted = fit(reply, limit);
    assertLessOrEqual(sizeOf(fitted), limit);
    const bytes = new TextEncoder().encode(String(fitted["result"]));
    assertEquals(fitted["next_offset"], bytes.length);
    assertEquals(answer.startsWith(String(fitted["result"])), true);
    assertEquals([fitted["truncated"], fitted["result_bytes"]], [true, 3000]);
    assert(bytes.length > limit - 300, "uses the room that there is");
  }
});

Deno.test("fitReply() counts the offset from where the page began", () => {
  const page = { ok: true, task_id: "1_a", result: "b".repeat(1000), result_bytes: 9000, next_offset: 6000 };
  const fitted = fit(page, 600);
  assertEquals(fitted["next_offset"], 5000 + String(fitted["result"]).length);
  const last = { ok: true, task_id: "1_a", result: "b".repeat(1000), result_bytes: 9000 };
  const fittedLast = fit(last, 600);
  assertEquals(fittedLast["next_offset"], 8000 + String(fittedLast["result"]).length);
});

Deno.test("fitReply() lets lists give way before the answer", () => {
  const calls = Array.from({ length: 50 }, (_, n) => ({ name: "terminal", result: `${n}`.repeat(500) }));
  const fitted = fit({ ok: true, task_id: "1_a", result: "c".repeat(2000), tool_calls: calls }, 5000);
  assertEquals(String(fitted["result"]).length, 2000);
  assertLessOrEqual(sizeOf(fitted), 5000);
  assert((fitted["tool_calls"] as unknown[]).length > 0);
  assert((fitted["omitted"] as { entries: number }).entries > 0);
});

Deno.test("fitReply() shortens inner lists before outer ones", () => {
  const models = Array.from({ length: 10 }, (_, n) => ({ id: `model-${n}` }));
  const providers = Array.from({ length: 20 }, (_, n) => ({ id: `p${n}`, models }));
  const fitted = fit({ ok: true, providers }, 2500);
  const left = fitted["providers"] as { models: unknown[] }[];
  assertEquals(left.length, 20);
  assert(left.every((provider) => provider.models.length < 10 && provider.models.length > 0));
});

Deno.test("fitReply() treats a map with many keys as a list", () => {
  const tools = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`tool_${n}`, n]));
  const fitted = fit({ ok: true, tool_usage: { tools } }, 3000);
  assertLessOrEqual(sizeOf(fitted), 3000);
  assert(Object.keys((fitted["tool_usage"] as { tools: object }).tools).length > 32);
});

Deno.test("fitReply() keeps an answer whose size the caller named, and shortens lists beside it", () => {
  const calls = Array.from({ length: 50 }, () => ({ result: "d".repeat(500) }));
  const fitted = fit({ ok: true, result: "c".repeat(8000), tool_calls: calls }, 5000, true);
  assertEquals(String(fitted["result"]).length, 8000);
  assertEquals(fitted["next_offset"], undefined);
  assertLessOrEqual(sizeOf(fitted), 13_100);
});

Deno.test("fitReply() fits a reply of one huge text that is no answer", () => {
  assertLessOrEqual(sizeOf(fit({ ok: true, log: "e".repeat(100_000) }, 5000)), 5000);
});

Deno.test("fitReply() says how to read on, of a part that part", () => {
  const log = { ok: true, task_id: "1_a", section: "log", result: "x", next_offset: 7 };
  const rest = 'hermes_task_detail with task_id "1_a", section "log" and offset 7 gives the rest';
  assertEquals(fit(log, 1000)["next"], rest);
  const answer = fit({ ok: true, task_id: "1_a", result: "x".repeat(1000) }, 500);
  assertEquals(
    answer["next"],
    `hermes_task_detail with task_id "1_a" and offset ${answer["next_offset"]} gives the rest`,
  );
});
