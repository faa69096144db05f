import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { parseArgs } from "../../../src/core/operation.ts";
import { TaskError } from "../../../src/core/failure.ts";
import { type HermesTelemetryArgs, telemetryOperation } from "../../../src/operations/telemetry.ts";
import type { OpenRecordStore } from "../../../src/os/records.ts";
import type { World } from "../../../src/ports.ts";
import { fakeWorld } from "../../support/fake_world.ts";
import { STORE_NOW, withStore } from "../../support/record_folder.ts";
import { originalRecordText, taskRecord } from "../../support/records.ts";

const worldWith = (records: OpenRecordStore): World => ({ ...fakeWorld({ nowMs: STORE_NOW }), records });

function ask(world: World, args: HermesTelemetryArgs = {}) {
  return telemetryOperation.run(world, parseArgs(telemetryOperation.input, args), {
    caller: { surface: "cli" },
  });
}

Deno.test("hermes_telemetry [F-ORIG-9] sums up successes, failures and the original's records", () =>
  withStore(async (store, dir) => {
    await store.keep(taskRecord({ task_id: "1_a" }));
    await store.keep(taskRecord({
      task_id: "2_b",
      status: "failed",
      error: "rate_limited",
      exit_code: 1,
      digest: null,
      usage: null,
      duration_ms: 3000,
      attempts: [1, 2].map(() => ({
        provider: "gemini",
        model: "m",
        outcome: "failed",
        error: "rate_limited",
        error_detail: null,
        duration_ms: 1500,
        reason: "",
        started_at: "2026-08-01T10:00:00.000Z",
        exit_code: 1,
        signal: null,
        session_id: null,
        output_tail: null,
      })),
    }));
    await Deno.writeTextFile(`${dir}/1723380000000_abc123.json`, originalRecordText());
    const reply = await ask(worldWith(store), { group_by: "provider" });
    assertEquals(reply.runs, 3);
    assertEquals(reply.success_rate, 0.667);
    assertEquals(reply.error_breakdown, { rate_limited: 1 });
    assertEquals(reply.exit_code_breakdown, { "0": 2, "1": 1 });
    assertEquals(reply.model_breakdown, { "gemini-3.1-flash-lite": 2, "gemini-2.5-pro": 1 });
    assertEquals(reply.tool_usage, {
      tool_calls: 3,
      api_calls: 6,
      messages: 13,
      with_digest: 2,
      tools: { bash: 1, search_files: 1, terminal: 1 },
    });
    assertEquals(reply.duration_ms, { total: 8213, avg: 2738, p50: 3000, p95: 4213 });
    assertEquals(reply.tokens.input, 1000);
    assertEquals([reply.estimated_cost_usd, reply.estimate], [0.0018, true]);
    assertEquals(reply.attempts, { total: 2, failed: 2, error_breakdown: { rate_limited: 2 } });
    assertEquals(reply.failover, { tasks: 1, saved: 0, lost_ms: 1500 });
    assertEquals(reply.window.earliest, "2026-08-01T10:00:00.000Z");
    assertEquals(reply.window.latest, "2026-08-11T11:52:47.000Z");
    assertEquals(reply.groups?.map(({ key, runs }) => [key, runs]), [["gemini", 3]]);
    assert(telemetryOperation.output.safeParse(reply).success);
  }));

Deno.test("hermes_telemetry keeps to since and until, a day alone being whole", () =>
  withStore(async (store) => {
    for (const day of ["01", "15", "19"]) {
      await store.keep(taskRecord({ task_id: `${day}_a`, created_at: `2026-08-${day}T18:00:00.000Z` }));
    }
    const runs = async (args: HermesTelemetryArgs) => (await ask(worldWith(store), args)).runs;
    assertEquals(await runs({}), 3);
    assertEquals(await runs({ since: "2026-08-15" }), 2);
    assertEquals(await runs({ until: "2026-08-15" }), 2);
    assertEquals(await runs({ since: "2026-08-15", until: "2026-08-15" }), 1);
    assertEquals(await runs({ until: "2026-08-15T00:00:00Z" }), 1);
    assertEquals(await runs({ since: "24h" }), 1);
    assertEquals(await runs({ since: "7d" }), 2);
  }));

Deno.test("hermes_telemetry limits groups and says how many were left out", () =>
  withStore(async (store) => {
    for (let n = 0; n < 25; n++) await store.keep(taskRecord({ task_id: `${n}_a`, model: `m${n}` }));
    const reply = await ask(worldWith(store), { group_by: "model" });
    assertEquals([reply.groups?.length, reply.groups_left_out], [20, 5]);
    const fewer = await ask(worldWith(store), { group_by: "model", limit: 2 });
    assertEquals([fewer.groups?.length, fewer.groups_left_out], [2, 23]);
    assertEquals("groups" in await ask(worldWith(store)), false);
  }));

Deno.test("hermes_telemetry refuses a bad date with an example", async (t) => {
  const bad: HermesTelemetryArgs[] = [
    { since: "yesterday" },
    { until: "2026-02-30" },
    { since: "2026-08-02", until: "2026-08-01" },
  ];
  for (const args of bad) {
    await t.step(JSON.stringify(args), async () => {
      const error = await assertRejects(() => ask(fakeWorld(), args), TaskError);
      assertEquals(error.failure.code, "invalid_args");
      assertStringIncludes(error.failure.detail, "2026-0");
    });
  }
});

Deno.test("hermes_telemetry describes every argument", () => {
  const { shape } = telemetryOperation.input as unknown as {
    shape: Record<string, { description?: string }>;
  };
  for (const [name, schema] of Object.entries(shape)) assert(schema.description, name);
});
