// Is one credential row usable at a given time, and a provider with several rows? Rules as Hermes 0.19.1 has them,
// with the fields that newer versions add honoured when present.

/** What can be said of a credential or a provider. `alive` with a reason means: probably. */
export type HealthStatus = "alive" | "cooling" | "dead" | "unconfigured" | "unknown";

/** A model that rests although its key does not (written by Hermes after 0.20). */
export interface ModelRest {
  readonly model: string;
  readonly untilMs: number;
}

/** The verdict on one row. Never a token, nor a label (it may be a mail address). */
export interface RowHealth {
  readonly id: string | null;
  /** Where the secret lives, in Hermes' words: `manual`, `env:NAME`, `device_code`, … */
  readonly source: string | null;
  readonly status: HealthStatus;
  readonly reason: string | null;
  /** When it is usable again, if it rests. */
  readonly untilMs: number | null;
  /** Rests until a time that the provider itself named; else by a guess from the kind of failure. */
  readonly ownWord: boolean;
  /** Rests, but for so long that one try is allowed. */
  readonly forgiven: boolean;
  readonly lastStatus: string | null;
  readonly lastErrorCode: number | null;
  readonly modelRests: readonly ModelRest[];
}

/** The verdict on a provider: that of its best row. */
export interface ProviderHealth {
  readonly provider: string;
  readonly status: HealthStatus;
  readonly reason: string | null;
  /** When the first of its rows is usable again; null unless all of them rest. */
  readonly untilMs: number | null;
  /** Rests until a time that the provider itself named. */
  readonly ownWord: boolean;
  readonly forgiven: boolean;
  /** Hermes' own word on the row that decided. */
  readonly lastStatus: string | null;
  readonly lastErrorCode: number | null;
  readonly rows: readonly RowHealth[];
  /** Models that rest on every usable row. */
  readonly modelRests: readonly ModelRest[];
}

/** Whether a row's secret can be had: seen here, kept where it cannot be seen, or gone (then why). */
export type SecretState = "present" | { readonly probably: string } | { readonly absent: string };

/** What a row alone does not tell. */
export interface RowOptions {
  /** A mark older than this may be tried once although its reset is still ahead. */
  readonly forgiveTtlMs: number;
  readonly secret: SecretState;
  /** The whole provider rests until then, whatever its rows say (Hermes' breaker for Nous). */
  readonly breakerUntilMs?: number;
}

/** How long Hermes lets a key rest that got this status and no reset time. */
const REST_AFTER_401_MS = 300_000;
const REST_MS = 3_600_000;
/** Numbers above this are milliseconds, below it seconds. */
const SECONDS_END = 1e12;
/** The last moment that a Date can show; a mark beyond it is garbage. */
const TIME_END_MS = 8.64e15;

/** Judges one row of `credential_pool.<provider>`. Any value is taken; what is no object is `unknown`. */
export function rowHealth(row: unknown, nowMs: number, options: RowOptions): RowHealth {
  const fields = fieldsOf(row);
  const lastStatus = textOf(fields.last_status);
  const facts = {
    id: textOf(fields.id),
    source: textOf(fields.source),
    lastStatus,
    lastErrorCode: typeof fields.last_error_code === "number" ? fields.last_error_code : null,
    modelRests: modelRestsOf(fields.model_cooldowns, nowMs),
  };
  const verdict = (status: HealthStatus, reason: string | null, untilMs: number | null = null) => ({
    ...facts,
    status,
    reason,
    untilMs,
    // While Hermes' breaker is open it makes no call at all: as good as the provider's word.
    ownWord: untilMs !== null &&
      [parseTimeMs(fields.last_error_reset_at), options.breakerUntilMs].includes(untilMs),
    forgiven: untilMs !== null && isForgiven(fields, nowMs, options.forgiveTtlMs),
  });
  if (row !== fields) return verdict("unknown", "its row in the credential store is not readable");
  const { secret } = options;
  if (typeof secret === "object" && "absent" in secret) return verdict("unconfigured", secret.absent);
  const marked = !wasCleared(fields);
  if (marked && lastStatus === "dead") {
    return verdict("dead", `${whyMarked(fields)}: sign in again or replace the key`);
  }
  const restsUntilMs = marked && lastStatus === "exhausted" ? restEndMs(fields) : undefined;
  const untilMs = Math.max(restsUntilMs ?? 0, options.breakerUntilMs ?? 0);
  if (untilMs > nowMs) {
    const byMark = untilMs === restsUntilMs;
    return verdict("cooling", byMark ? whyMarked(fields) : "Hermes holds back calls to it", untilMs);
  }
  if (typeof secret === "object") return verdict("alive", secret.probably);
  return verdict("alive", null);
}

/** Judges a provider by its rows: it is as well as the best of them. Without rows it is `unconfigured`. */
export function providerHealth(provider: string, rows: readonly RowHealth[]): ProviderHealth {
  const best = rows.toSorted(byHealth)[0];
  const { status, reason, untilMs, ownWord, lastStatus, lastErrorCode } = best ??
    nothing("unconfigured", null);
  return {
    provider,
    status,
    reason,
    untilMs,
    ownWord,
    forgiven: status === "cooling" && rows.some((row) => row.forgiven),
    lastStatus,
    lastErrorCode,
    rows,
    modelRests: sharedRests(rows.filter((row) => row.status === "alive")),
  };
}

/** The health of a provider about which nothing but a status and its reason is known. */
export function plainHealth(provider: string, status: HealthStatus, reason: string | null): ProviderHealth {
  return { provider, ...nothing(status, reason), rows: [], modelRests: [] };
}

/**
 * Reads a time as Hermes writes and reads it: epoch seconds, epoch milliseconds, either as text, or ISO 8601 (without
 * a zone: local time). Undefined for what is no time. Text such as "60" is 1970, so long past, as in Hermes.
 */
export function parseTimeMs(value: unknown): number | undefined {
  if (typeof value === "number") return value > 0 ? epochMs(value) : undefined;
  if (typeof value !== "string" || !value.trim()) return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? isoMs(value.trim()) : epochMs(number);
}

function epochMs(number: number): number | undefined {
  const ms = number > SECONDS_END ? number : number * 1000;
  return Math.abs(ms) <= TIME_END_MS ? ms : undefined;
}

function isoMs(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  // A date alone is local midnight to Python and UTC midnight to JavaScript.
  const ms = Date.parse(text.length === 10 ? `${text}T00:00:00` : text.replace(" ", "T"));
  return Number.isNaN(ms) ? undefined : ms;
}

function restEndMs(fields: Fields): number | undefined {
  const resetMs = parseTimeMs(fields.last_error_reset_at);
  if (resetMs !== undefined) return resetMs;
  const markedMs = parseTimeMs(fields.last_status_at);
  // Hermes compares the code as a number: the text "401" rests the long time.
  return markedMs === undefined
    ? undefined
    : markedMs + (fields.last_error_code === 401 ? REST_AFTER_401_MS : REST_MS);
}

function isForgiven(fields: Fields, nowMs: number, forgiveTtlMs: number): boolean {
  const markedMs = parseTimeMs(fields.last_status_at);
  return markedMs !== undefined && nowMs - markedMs > forgiveTtlMs;
}

/** `hermes auth reset` leaves the time at which it lifted all earlier marks. */
function wasCleared(fields: Fields): boolean {
  const clearedMs = parseTimeMs(fields.status_cleared_at);
  return clearedMs !== undefined && (parseTimeMs(fields.last_status_at) ?? 0) <= clearedMs;
}

function whyMarked(fields: Fields): string {
  const reason = textOf(fields.failure_reason) ?? textOf(fields.last_error_reason);
  const code = fields.last_error_code;
  if (code === 429) return "rate limited";
  if (code === 402 || reason?.startsWith("billing")) return "out of credit";
  if (code === 401 || code === 403) return "key refused";
  return typeof code === "number" ? `answered with status ${code}` : "its login could not be renewed";
}

function modelRestsOf(value: unknown, nowMs: number): ModelRest[] {
  return Object.entries(fieldsOf(value)).flatMap(([model, until]) => {
    const untilMs = parseTimeMs(until);
    return untilMs !== undefined && untilMs > nowMs ? [{ model, untilMs }] : [];
  });
}

/** A model rests for the provider when it rests on each usable row, until the first of them has it back. */
function sharedRests(rows: readonly RowHealth[]): ModelRest[] {
  const [first, ...others] = rows.map((row) =>
    new Map(row.modelRests.map((rest) => [rest.model, rest.untilMs]))
  );
  return [...first ?? []].flatMap(([model, untilMs]) => {
    const untils = [untilMs, ...others.map((rests) => rests.get(model) ?? 0)];
    return untils.includes(0) ? [] : [{ model, untilMs: Math.min(...untils) }];
  });
}

const RANK: Readonly<Record<HealthStatus, number>> = {
  alive: 0,
  cooling: 2,
  unknown: 3,
  dead: 4,
  unconfigured: 5,
};

function byHealth(a: RowHealth, b: RowHealth): number {
  const rank = (row: RowHealth) => RANK[row.status] + (row.status === "alive" && row.reason ? 1 : 0);
  return rank(a) - rank(b) || (a.untilMs ?? 0) - (b.untilMs ?? 0);
}

function nothing(status: HealthStatus, reason: string | null) {
  return {
    status,
    reason,
    untilMs: null,
    ownWord: false,
    forgiven: false,
    lastStatus: null,
    lastErrorCode: null,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value as Fields : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}
