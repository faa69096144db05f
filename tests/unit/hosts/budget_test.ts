import { assert, assertEquals } from "@std/assert";
import { replyBudget, waitBudget } from "../../../src/hosts/budget.ts";

const HOSTS = [
  ["claude-code", 30_000],
  ["codex-mcp-client", 11_000],
  ["qwen-cli-mcp-client-hermes-task", 15_000],
  ["@cline/core", 7_600],
  ["someone", 30_000],
  [undefined, 30_000],
] as const;

for (const [client, replyBytes] of HOSTS) {
  Deno.test(`replyBudget() knows ${client ?? "a client without a name"}`, () => {
    const budget = replyBudget(client);
    assertEquals(budget.replyBytes, replyBytes);
    assert(budget.replyBytes < 60_000 && (budget.bothCount || budget.digestBytes < 7 * 1024));
  });
}

Deno.test("replyBudget() does not take a longer name for a known one", () => {
  assertEquals(replyBudget("codex-mcp-client-2"), replyBudget("someone"));
});

/** A host's own limit in seconds, measured or reported; none when it has not been seen to give up. */
const LIMITS = [
  ["claude-code", 60],
  ["claude-ai", 60],
  ["codex-mcp-client", 60],
  ["opencode", 60],
  ["gemini-cli-mcp-client", 60],
  ["qwen-cli-mcp-client-hermes-task", 300],
  ["copilot-cli", 180],
  ["@cline/core", 60],
  ["mcp", 60],
  ["Zed", 60],
  ["someone", 60],
  [undefined, 60],
] as const;

for (const [client, limit] of LIMITS) {
  Deno.test(`[FAULT-2] waitBudget() of ${client ?? "a client without a name"} is shorter than its limit`, () => {
    assert(waitBudget(client) >= 50 && waitBudget(client) <= limit - 10);
  });
}
