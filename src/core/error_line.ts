// Which failure does the output of a run name? Lines of 0.19.0 and of a repackaged 0.22.2, each anchored at its start.
import type { ErrorCode, Failure } from "./failure.ts";

/** What was printed, and by whom. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly provider: string;
  readonly model: string;
  readonly nowMs: number;
  /** No rest is taken to be longer. */
  readonly longestRestMs: number;
}

/** How far into the output an error line may stand. */
const HEAD = 2048;

interface Signature {
  readonly code: ErrorCode;
  readonly line: RegExp;
  readonly next: (run: Printed) => string;
}

const addKey = (run: Printed) =>
  run.provider.startsWith("custom:")
    ? "set the key that its block in config.yaml names"
    : `set its key, or run: hermes auth add ${run.provider}`;

/** Lines by which Hermes says why it could not even ask the model. */
const SIGNATURES: readonly Signature[] = [
  { code: "provider_not_found", line: /^Unknown provider '/, next: () => "see hermes-task models" },
  { code: "no_credential", line: /^⚠️ {1,2}No API key found for provider/, next: addKey },
  { code: "no_credential", line: /^No usable credentials found for provider/, next: addKey },
  { code: "no_credential", line: /^⚠️ {1,2}Provider resolver returned an empty base URL/, next: addKey },
  {
    code: "no_credential",
    line: /^It looks like Hermes isn't configured yet/,
    next: () => "run hermes setup",
  },
  { code: "no_credential", line: /^No inference provider configured/, next: () => "run hermes setup" },
  {
    code: "session_not_found",
    line: /^(?:Session not found: |No session found matching )/,
    next: () => "see hermes sessions list",
  },
  { code: "rate_limited", line: /^⏳ .*rate limit active/, next: () => "wait, or name another provider" },
  {
    code: "hermes_too_old",
    line: /^hermes(?: chat)?: error: unrecognized arguments: /,
    next: () => "update Hermes",
  },
];

/** The failure that a run names at the start of what it printed; undefined when it names none. */
export function failureNamed(run: Printed): Failure | undefined {
  const lines = [plain(run.stdout).slice(0, HEAD), edges(withoutSessionLine(plain(run.stderr)))]
    .flatMap((text) => text.split("\n"));
  for (const line of lines) {
    const status =
      /^(?:Provider said: |API call failed after \d+ (?:retries|attempts): |Billing or credits exhausted: |Error: )*HTTP (\d{3})\b(.*)/
        .exec(line);
    if (status) return byStatus(Number(status[1]), line, lines, run);
    const found = SIGNATURES.find((signature) => signature.line.test(line.trimStart()));
    if (found) {
      return {
        code: found.code,
        detail: `${short(paragraph(lines, line))}; ${found.next(run)}`,
        ...retryAt(lines, run, found.code),
      };
    }
  }
  return undefined;
}

/** On standard error a warning may come first, of any length. */
function edges(text: string): string {
  return text.length <= 2 * HEAD ? text : `${text.slice(0, HEAD)}\n${text.slice(-HEAD)}`;
}

/** A message may be wrapped at 80 columns (0.19.0). */
function paragraph(lines: readonly string[], first: string): string {
  const rest = lines.slice(lines.indexOf(first));
  const end = rest.findIndex((line) => line.trim() === "");
  return rest.slice(0, end < 0 ? 3 : Math.min(end, 3)).join(" ");
}

/** The body beats the status: an empty purse is often told with 401 or 403. */
function byStatus(status: number, line: string, lines: readonly string[], run: Printed): Failure {
  const code = codeOf(status, line);
  const next: Partial<Record<ErrorCode, string>> = {
    rate_limited: "wait, or name another provider",
    no_credit: "top it up, or name another provider",
    auth_failed: addKey(run),
    model_not_found: `see hermes-task models ${run.provider}`,
  };
  return {
    code,
    detail: `${run.provider}: ${short(line)}; ${next[code] ?? "try again, or another provider"}`,
    ...retryAt(lines, run, code),
  };
}

const NO_CREDIT =
  /insufficient (?:balance|credit|fund)|CreditsError|payment required|out of credits|billing (?:hard )?limit/i;
const LIMIT = /rate.?limit|quota|usage limit|too many requests|resource.?exhausted/i;

function codeOf(status: number, line: string): ErrorCode {
  if (status === 402 || NO_CREDIT.test(line)) return "no_credit";
  if (status === 429 || (status === 403 && LIMIT.test(line))) return "rate_limited";
  if (status === 401 || status === 403) return "auth_failed";
  return status === 404 ? "model_not_found" : "hermes_failed";
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `retry in 34.6s`, `try again in 2 minutes`, `Retry-After: 30`. */
function retryAt(lines: readonly string[], run: Printed, code: ErrorCode): { retryAtMs?: number } {
  if (code !== "rate_limited" && code !== "no_credit") return {};
  const found = /(?:retry(?:ing)?[ -](?:in|after)|try again in):? *(\d+(?:\.\d+)?) *(s|m|h)?/i.exec(
    lines.join("\n"),
  );
  if (!found) return {};
  const afterMs = Number(found[1]) * UNIT_MS[(found[2] ?? "s").toLowerCase()]!;
  return { retryAtMs: run.nowMs + Math.min(afterMs, run.longestRestMs) };
}

/** Text without colours, carriage returns and other controls. */
export function plain(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f]/g,
    "",
  );
}

/** Standard error without the line that names the session. */
export function withoutSessionLine(text: string): string {
  return text.replace(/^session_id: .*$/gm, "");
}

/** The first line that says something, cut for a sentence. */
export function firstLine(text: string): string {
  return short(text.split("\n").find((line) => line.trim() !== "") ?? "");
}

function short(line: string): string {
  const text = line.trim().replace(/[\s.;,]+$/, "");
  return text.length > 240 ? `${text.slice(0, 240)}…` : text;
}
