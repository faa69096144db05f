// Does it all hold on the command line, with the real Hermes and a model server behind it? And the rarer ends, which no
// surface sees differently.
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { REAL_CASES, USERS_OWN } from "../support/real_cases.ts";
import { playThrough, type RealCase } from "../support/real_flow.ts";
import { commandLine } from "../support/surfaces.ts";

const ask = { provider: "gemini", prompt: "hello" };

const RARER: readonly RealCase[] = [
  {
    name: "500 is hermes_failed",
    options: { failing: { gemini: "500" } },
    play: async ({ ask: { task } }) => {
      const reply = await task({ ...ask, model: "some-model" });
      assertEquals([reply.error, reply.retryable], ["hermes_failed", true]);
    },
  },
  {
    name: "a tool that hangs ends with its task, and what was saved before is read",
    play: async ({ ask: { task } }) => {
      const args = { ...ask, model: "mock-tool", prompt: "RUN: sleep 3600", timeout_seconds: 10 };
      const reply = await task(args);
      assertEquals([reply.error, reply.digest?.tool_call_count], ["timeout", 1]);
    },
  },
  {
    name: "control characters take nothing of the answer away",
    play: async ({ ask: { task } }) => {
      assertStringIncludes((await task({ ...ask, model: "mock-ansi" })).result!, "esrever");
    },
  },
  {
    name: "[F-ORIG-7] a false session line in the answer deceives nobody",
    play: async ({ ask: { task } }) => {
      const reply = await task({ ...ask, model: "mock-fakeid" });
      assertEquals(reply.result, "session_id: 20990101_000000_ffffff\nreal answer");
      assert(reply.session_id !== "20990101_000000_ffffff");
    },
  },
  {
    name: "[FAULT-47] an empty reply is no success",
    play: async ({ ask: { task } }) => {
      assertEquals((await task({ ...ask, model: "mock-empty" })).error, "empty_response");
    },
  },
  {
    name: "[P6] a reply that was cut by the model's limit says so and is kept",
    play: async ({ ask: { task } }) => {
      const reply = await task({ ...ask, model: "mock-length" });
      assertEquals(reply.error, "truncated_answer");
      assertStringIncludes(reply.result!, "MOCK-TRUNC");
    },
  },
];

playThrough(commandLine(), [...REAL_CASES, USERS_OWN, ...RARER]);
