import { assertEquals } from "@std/assert";
import {
  parseTimeMs,
  providerHealth,
  type RowHealth,
  rowHealth,
  type RowOptions,
} from "../../../src/core/health.ts";

const NOW_MS = 1785672000_000;
const NOW = NOW_MS / 1000;
const HOUR = 3600;
const present: RowOptions = { forgiveTtlMs: 6 * HOUR * 1000, secret: "present" };

function judge(row: unknown, options: Partial<RowOptions> = {}): RowHealth {
  return rowHealth(row, NOW_MS, { ...present, ...options });
}

/** Status, and seconds until the end of a rest. */
function verdict(row: unknown, options: Partial<RowOptions> = {}): string {
  const { status, untilMs, forgiven } = judge(row, options);
  const left = untilMs === null ? "" : ` ${Math.round((untilMs - NOW_MS) / 1000)}`;
  return status + left + (forgiven ? " forgiven" : "");
}

Deno.test("[F-ORIG-2] rowHealth() judges as Hermes does", () => {
  const marked = (more: Record<string, unknown>) => ({
    last_status: "exhausted",
    last_error_code: 429,
    ...more,
  });
  const table: [string, unknown, string][] = [
    ["no mark", { last_status: null }, "alive"],
    ["ok", { last_status: "ok" }, "alive"],
    ["a word that Hermes never writes", { last_status: "429", last_error_reset_at: NOW + HOUR }, "alive"],
    ["exhausted without times", marked({}), "alive"],
    ["reset in seconds", marked({ last_error_reset_at: NOW + HOUR }), "cooling 3600"],
    ["reset in milliseconds", marked({ last_error_reset_at: NOW_MS + 60_000 }), "cooling 60"],
    ["reset as text of seconds", marked({ last_error_reset_at: String(NOW + 90) }), "cooling 90"],
    ["reset as text of milliseconds", marked({ last_error_reset_at: String(NOW_MS + 90_000) }), "cooling 90"],
    ["reset in ISO with Z", marked({ last_error_reset_at: "2026-08-02T12:10:00Z" }), "cooling 600"],
    [
      "reset in ISO with offset",
      marked({ last_error_reset_at: "2026-08-02T14:10:00.5+02:00" }),
      "cooling 601",
    ],
    ["reset in the past", marked({ last_error_reset_at: NOW - 1, last_status_at: NOW }), "alive"],
    ["reset at this very moment", marked({ last_error_reset_at: NOW }), "alive"],
    ["reset as a relative header", marked({ last_error_reset_at: "60", last_status_at: NOW }), "alive"],
    ["reset 0 is no time", marked({ last_error_reset_at: 0, last_status_at: NOW - 600 }), "cooling 3000"],
    [
      "reset that is garbage",
      marked({ last_error_reset_at: "soon", last_status_at: NOW - 600 }),
      "cooling 3000",
    ],
    ["429 rests an hour", marked({ last_status_at: NOW - HOUR + 1 }), "cooling 1"],
    ["429 after its hour", marked({ last_status_at: NOW - HOUR }), "alive"],
    ["429 marked 2 h ago", marked({ last_status_at: NOW - 2 * HOUR }), "alive"],
    ["401 rests 5 minutes", marked({ last_error_code: 401, last_status_at: NOW - 299 }), "cooling 1"],
    ["401 marked 10 min ago", marked({ last_error_code: 401, last_status_at: NOW - 600 }), "alive"],
    [
      "401 as text rests an hour",
      marked({ last_error_code: "401", last_status_at: NOW - 600 }),
      "cooling 3000",
    ],
    ["no code rests an hour", marked({ last_error_code: null, last_status_at: NOW - 600 }), "cooling 3000"],
    ["mark time in milliseconds", marked({ last_status_at: NOW_MS - 600_000 }), "cooling 3000"],
    ["dead", { last_status: "dead", last_error_code: 401, last_status_at: NOW - 30 * 86400 }, "dead"],
    ["dead with a past reset", { last_status: "dead", last_error_reset_at: NOW - 5 }, "dead"],
    ["a number", 7, "unknown"],
    ["null", null, "unknown"],
    ["an array", [], "unknown"],
  ];
  for (const [name, row, expected] of table) assertEquals(verdict(row), expected, name);
});

Deno.test("rowHealth() forgives a mark older than the limit whose reset is still ahead, and stays cooling", () => {
  const row = (age: number) => ({
    last_status: "exhausted",
    last_status_at: NOW - age,
    last_error_reset_at: NOW + 5 * 86400,
  });
  assertEquals(verdict(row(6 * HOUR)), "cooling 432000");
  assertEquals(verdict(row(6 * HOUR + 1)), "cooling 432000 forgiven");
  assertEquals(verdict({ ...row(9 * HOUR), last_status_at: null }), "cooling 432000");
  assertEquals(verdict({ ...row(9 * HOUR), last_status: "dead" }), "dead");
});

Deno.test("rowHealth() lets a mark fall that hermes auth reset has lifted", () => {
  const row = { last_status: "exhausted", last_status_at: NOW - 60, last_error_reset_at: NOW + HOUR };
  assertEquals(verdict({ ...row, status_cleared_at: NOW - 60 }), "alive");
  assertEquals(verdict({ ...row, status_cleared_at: NOW - 61 }), "cooling 3600");
});

Deno.test("rowHealth() keeps the rest of single models apart from the key's own", () => {
  const row = judge({ last_status: null, model_cooldowns: { over: NOW - 1, resting: NOW + 60, odd: "x" } });
  assertEquals(row.status, "alive");
  assertEquals(row.modelRests, [{ model: "resting", untilMs: NOW_MS + 60_000 }]);
});

Deno.test("rowHealth() needs a secret, and says what is uncertain about one", () => {
  assertEquals(
    judge({ last_status: "dead" }, { secret: { absent: "no key: set X" } }).status,
    "unconfigured",
  );
  const probable = judge({}, { secret: { probably: "its key comes from bitwarden" } });
  assertEquals([probable.status, probable.reason], ["alive", "its key comes from bitwarden"]);
});

Deno.test("rowHealth() holds back a provider as long as Hermes' breaker does", () => {
  assertEquals(verdict({}, { breakerUntilMs: NOW_MS + 9000 }), "cooling 9");
  assertEquals(verdict({}, { breakerUntilMs: NOW_MS - 1 }), "alive");
});

Deno.test("rowHealth() tells the provider's own word from Hermes' guess", () => {
  const marked = { last_status: "exhausted", last_error_code: 429, last_status_at: NOW };
  assertEquals(judge(marked).ownWord, false);
  assertEquals(judge({ ...marked, last_error_reset_at: NOW + 60 }).ownWord, true);
  assertEquals(judge({}, { breakerUntilMs: NOW_MS + 1 }).ownWord, true);
  assertEquals(judge({ last_status: "ok" }).ownWord, false);
  assertEquals(
    providerHealth("x", [judge({ ...marked, last_error_reset_at: NOW + 60 }), judge(marked)]).ownWord,
    true,
  );
});

Deno.test("rowHealth() gives no token, label or message away", () => {
  const secret = "sk-or-v1-topsecret";
  const row = judge({
    id: "a1",
    label: "me@example.invalid",
    access_token: secret,
    refresh_token: secret,
    last_status: "exhausted",
    last_error_message: `bad key ${secret}`,
    last_error_reason: secret,
    last_status_at: NOW,
  });
  const text = JSON.stringify(row);
  assertEquals([text.includes("topsecret"), text.includes("example.invalid")], [false, false]);
});

Deno.test("providerHealth() is as well as its best row", () => {
  const alive = judge({ id: "alive", last_status: "ok" });
  const probable = judge({ id: "probable" }, { secret: { probably: "who knows" } });
  const soon = judge({
    id: "soon",
    last_status: "exhausted",
    last_error_code: 429,
    last_error_reset_at: NOW + 5,
  });
  const late = judge({
    id: "late",
    last_status: "exhausted",
    last_status_at: NOW - 9 * HOUR,
    last_error_code: 402,
    last_error_reset_at: NOW + 500,
  });
  const dead = judge({ id: "dead", last_status: "dead" });
  const ghost = judge({ id: "ghost" }, { secret: { absent: "no key: set X" } });
  const table: [readonly RowHealth[], string, string | null, number | null, boolean][] = [
    [[ghost, dead, late, soon, probable, alive], "alive", null, null, false],
    [[soon, probable], "alive", "who knows", null, false],
    [[late, soon, dead], "cooling", "rate limited", NOW_MS + 5000, true],
    [[soon, dead], "cooling", "rate limited", NOW_MS + 5000, false],
    [[ghost, dead], "dead", dead.reason, null, false],
    [[ghost], "unconfigured", "no key: set X", null, false],
    [[], "unconfigured", null, null, false],
  ];
  for (const [rows, status, reason, untilMs, forgiven] of table) {
    const health = providerHealth("x", rows);
    assertEquals([health.status, health.reason, health.untilMs, health.forgiven], [
      status,
      reason,
      untilMs,
      forgiven,
    ]);
  }
});

Deno.test("providerHealth() lets a model rest only when it rests on every usable row", () => {
  const rests = (cooldowns: Record<string, number>) => judge({ model_cooldowns: cooldowns });
  const health = providerHealth("x", [rests({ a: NOW + 9, b: NOW + 9 }), rests({ a: NOW + 5 })]);
  assertEquals(health.modelRests, [{ model: "a", untilMs: NOW_MS + 5000 }]);
});

Deno.test("parseTimeMs() takes a time without zone as local, and refuses what is none", () => {
  assertEquals(parseTimeMs("2026-08-15T00:00:00"), new Date(2026, 7, 15).getTime());
  assertEquals(parseTimeMs("2026-08-15"), new Date(2026, 7, 15).getTime());
  assertEquals(parseTimeMs("0"), 0);
  for (
    const value of [
      0,
      -5,
      NaN,
      Infinity,
      "",
      " ",
      "nan",
      "Infinity",
      "Monday",
      true,
      {},
      null,
      undefined,
      1e300,
    ]
  ) {
    assertEquals(parseTimeMs(value), undefined, String(value));
  }
});
