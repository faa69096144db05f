// What did a session cost? Hermes' counters of the run and of its side calls, as tokens and money.
import type { Usage } from "../core/record.ts";
import type { Row } from "../ports.ts";

/** A number, or null for what is none. */
export function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Tokens of the run and of its side calls; all null when Hermes has counted no call at all. */
export function usageOf(row: Row, rows: readonly Row[]): Usage {
  const sides = rows.filter((side) => side.task !== "" && side.task !== null && side.task !== undefined);
  const all = [row, ...sides];
  if (!all.some((one) => (count(one.api_call_count) ?? 0) > 0 || (count(one.input_tokens) ?? 0) > 0)) {
    return {
      input_tokens: null,
      output_tokens: null,
      cache_tokens: null,
      reasoning_tokens: null,
      cost_usd: null,
      cost_basis: null,
    };
  }
  const sum = (...columns: string[]) =>
    all.reduce<number | null>(
      (total, one) => columns.reduce((part, name) => add(part, count(one[name])), total),
      null,
    );
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cache_tokens: sum("cache_read_tokens", "cache_write_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    ...costOf(all),
  };
}

function add(a: number | null, b: number | null): number | null {
  return b === null ? a : (a ?? 0) + b;
}

/** Hermes writes a cost of 0 with status `unknown` where it knows no price: that is no cost at all. */
function costOf(rows: readonly Row[]): Pick<Usage, "cost_usd" | "cost_basis"> {
  const status = rows.map((row) => word(row.cost_status)).filter((word) => word !== null);
  if (status.length === 0 || status.includes("unknown")) return { cost_usd: null, cost_basis: null };
  const cost = rows.reduce<number | null>(
    (total, row) =>
      add(total, row.cost_status === "actual" ? count(row.actual_cost_usd) : count(row.estimated_cost_usd)),
    null,
  );
  return { cost_usd: cost, cost_basis: status.includes("estimated") ? "estimated" : status[0]! };
}

/** What was added since; null when it is not known. */
export function difference(now: number | null, before: number | null): number | null {
  return now === null ? null : Math.max(0, now - (before ?? 0));
}

/** Usage of the part after a baseline. */
export function usageSince(now: Usage, before: Usage): Usage {
  return {
    input_tokens: difference(now.input_tokens, before.input_tokens),
    output_tokens: difference(now.output_tokens, before.output_tokens),
    cache_tokens: difference(now.cache_tokens, before.cache_tokens),
    reasoning_tokens: difference(now.reasoning_tokens, before.reasoning_tokens),
    cost_usd: difference(now.cost_usd, before.cost_usd),
    cost_basis: now.cost_basis,
  };
}

function word(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
