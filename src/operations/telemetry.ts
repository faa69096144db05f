// `hermes_telemetry`: what the recorded runs add up to, failures included.
import { z } from "zod";
import { refusal } from "../core/failure.ts";
import { parseMoment } from "../core/moment.ts";
import type { Operation } from "../core/operation.ts";
import {
  type GroupBy,
  type RunSummary,
  type RunSums,
  type RunWindow,
  type Statistics,
  summarize,
  summarizeBy,
} from "../core/statistics.ts";
import type { World } from "../ports.ts";

/** Arguments of `hermes_telemetry`. All may be left out. */
export interface HermesTelemetryArgs {
  /** Only tasks created from then on: ISO 8601, or a span back from now such as `7d` or `24h`. */
  readonly since?: string;
  /** Only tasks created up to then; a day alone counts as a whole. */
  readonly until?: string;
  /** Also sum up by this; empty: not. */
  readonly group_by?: "" | GroupBy;
  /** Most groups. Default 20. */
  readonly limit?: number;
}

/** {@link HermesTelemetryArgs} with every default filled in. */
export type TelemetryRequest = Readonly<Required<HermesTelemetryArgs>>;

/** What `hermes_telemetry` answers. Unknown numbers are null. */
export interface HermesTelemetryResult extends Statistics {
  /** Always true: what cannot be answered is an error. */
  readonly ok: true;
  /** By what the groups are; absent without groups. */
  readonly group_by?: GroupBy;
  /** Days from the latest on, everything else by the number of runs. */
  readonly groups?: readonly (RunSummary & { readonly key: string })[];
  /** Groups beyond `limit`. */
  readonly groups_left_out?: number;
  /** What was not counted, or not from the index, and why. */
  readonly warnings: readonly string[];
  /** Later versions may add fields. */
  readonly [extra: string]: unknown;
}

const input: z.ZodType<TelemetryRequest, HermesTelemetryArgs> = z.strictObject({
  since: z.string().default("")
    .describe(
      "Only tasks from then on: 2026-08-01, 2026-08-01T12:00:00Z, or back from now: 30m, 24h, 7d, 2w.",
    ),
  until: z.string().default("").describe(
    "Only tasks up to then, in the same forms; a day alone counts as a whole.",
  ),
  group_by: z.enum(["", "provider", "model", "day", "error", "capability"]).default("")
    .describe("Also sum up by provider, model, day, error or capability."),
  limit: z.int().min(1).max(10_000).default(20).describe("Most groups shown."),
});

const count = z.number().nullable();
const counts = z.record(z.string(), z.number());

const output = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  error_detail: z.string().optional(),
  runs: z.number().optional().describe("Tasks that have ended, failures included."),
  success_rate: count.optional().describe("Share of the runs that were answered; null without runs."),
  provider_breakdown: counts.optional(),
  model_breakdown: counts.optional(),
  exit_code_breakdown: counts.optional(),
  error_breakdown: counts.optional(),
  estimated_cost_usd: count.optional().describe("null: no run's cost is known."),
  estimate: z.boolean().optional().describe("Is any part of the cost an estimate?"),
  warnings: z.array(z.string()).optional(),
});

/** The operation behind `hermes_telemetry`, `hermes-task telemetry` and `hermesTelemetry`. */
export const telemetryOperation: Operation<
  World,
  HermesTelemetryArgs,
  TelemetryRequest,
  HermesTelemetryResult
> = {
  name: "hermes_telemetry",
  command: "telemetry",
  title: "Sum up recorded Hermes tasks",
  description:
    "Sums up the recorded hermes_task runs, failures included: how many, how many were answered, by provider, model, " +
    "exit status and error, tools used, durations (median, p95), tokens, cost and where it comes from, attempts and " +
    "time lost to failover. Narrow it with since and until; group_by gives the same per provider, model, day, error " +
    "or capability.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  async run(world, request) {
    const window = admitWindow(request, world.clock.now());
    const sums = await world.records.sums(window);
    return {
      ok: true,
      ...summarize(sums, window),
      ...groupsOf(request, sums),
      warnings: sums.warnings,
    };
  },
};

function admitWindow({ since, until }: TelemetryRequest, nowMs: number): RunWindow {
  const sinceMs = admitMoment("since", since, nowMs, false);
  const untilMs = admitMoment("until", until, nowMs, true);
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs > untilMs) {
    throw refusal("invalid_args", `Argument "since": "${since}" is later than until "${until}"; swap them`);
  }
  return { ...(sinceMs === undefined ? {} : { sinceMs }), ...(untilMs === undefined ? {} : { untilMs }) };
}

function admitMoment(name: string, text: string, nowMs: number, endOfDay: boolean): number | undefined {
  if (text.trim() === "") return undefined;
  const ms = parseMoment(text, nowMs, { endOfDay });
  if (ms !== undefined) return ms;
  throw refusal(
    "invalid_args",
    `Argument "${name}": ${
      JSON.stringify(text.slice(0, 60))
    } is no date; write 2026-08-01, 2026-08-01T12:00:00Z or 7d`,
  );
}

function groupsOf(
  { group_by, limit }: TelemetryRequest,
  sums: RunSums,
): Partial<HermesTelemetryResult> {
  if (group_by === "") return {};
  const groups = summarizeBy(group_by, sums);
  return {
    group_by,
    groups: groups.slice(0, limit),
    groups_left_out: Math.max(0, groups.length - limit),
  };
}
