import { assertEquals } from "@std/assert";
import { refusal } from "../../../src/core/failure.ts";
import { refusedResult } from "../../../src/core/refused.ts";

Deno.test("refusedResult() carries code, detail, retryable and the failure's own fields", () => {
  const error = refusal("prompt_too_long", "Cut it", { extra: { prompt_len: 5000, max_prompt_len: 4000 } });
  assertEquals(refusedResult(error, 0, 500), {
    ok: false,
    error: "prompt_too_long",
    error_detail: "Cut it",
    retryable: false,
    prompt_len: 5000,
    max_prompt_len: 4000,
  });
});

Deno.test("refusedResult() says when trying again can help, never a time that is over", () => {
  const error = refusal("all_exhausted", "All rest", { retryAtMs: 10_500 });
  const { retry_after_seconds, next_available_at } = refusedResult(error, 8_200, 500);
  assertEquals([retry_after_seconds, next_available_at], [3, "1970-01-01T00:00:10.500Z"]);
  assertEquals(refusedResult(error, 99_000, 500).retry_after_seconds, 0);
});

Deno.test("refusedResult() makes anything else unknown, redacted and cut at a character", () => {
  const error = new Error("GEMINI_API_KEY=AIzaSyA1234567890abcdefghijklmnopqrstuv " + "ä".repeat(500));
  const { error: code, error_detail, retryable } = refusedResult(error, 0, 101);
  assertEquals([code, retryable], ["unknown", false]);
  assertEquals(error_detail.includes("AIza"), false);
  assertEquals(
    new TextEncoder().encode(error_detail).length <= 101 && !error_detail.includes("\ufffd"),
    true,
  );
  assertEquals(refusedResult("a string", 0, 500).error, "unknown");
});
