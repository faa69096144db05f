import { assert, assertEquals } from "@std/assert";
import { replyBudget } from "../../../src/hosts/budget.ts";

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
