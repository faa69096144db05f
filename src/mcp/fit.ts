// How does a reply fit a budget? The answer goes first and is cut at a character, with the offset at which
// `hermes_task_detail` reads on; lists give way to it; what was cut is said near the top.
import { cutUtf8, utf8Size } from "../core/page.ts";

/** A reply's fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a fitted reply may be like. */
export interface Fit {
  readonly limitBytes: number;
  /** Size of a reply as its model gets it. */
  readonly measure: (reply: Fields) => number;
  /** The caller named the size of the answer: only lists give way. */
  readonly keepAnswer: boolean;
}

/** Fields that come before the answer: within the first 1,500 characters, which the shortest-sighted host shows. */
const FIRST = [
  "ok",
  "status",
  "error",
  "error_detail",
  "retryable",
  "retry_after_seconds",
  "next_available_at",
  "task_id",
  "truncated",
  "result_bytes",
  "next_offset",
  "next",
  "omitted",
  "section",
  "session_id",
  "provider",
  "model",
  "output_mode",
  "exit_code",
  "duration_ms",
  "result",
];

/** Steps by which lists give way: entries of outer and inner lists, bytes of a text in them. */
const STEPS = [
  { outer: 256, inner: 32, text: 8192 },
  { outer: 128, inner: 16, text: 4096 },
  { outer: 64, inner: 8, text: 2048 },
  { outer: 64, inner: 4, text: 1024 },
  { outer: 64, inner: 2, text: 512 },
  { outer: 64, inner: 1, text: 512 },
  { outer: 32, inner: 1, text: 256 },
  { outer: 16, inner: 1, text: 256 },
  { outer: 8, inner: 1, text: 256 },
  { outer: 4, inner: 1, text: 128 },
  { outer: 2, inner: 1, text: 128 },
  { outer: 0, inner: 0, text: 128 },
];

/** Share of the budget that the answer keeps beside long lists. */
const ANSWER_SHARE = 0.7;

/** Puts the fields in reading order and cuts what does not fit. */
export function fitReply(reply: Fields, fit: Fit): Fields {
  const whole = inOrder({ ...reply, ...nextStep(reply) });
  if (fit.measure(whole) <= fit.limitBytes) return whole;
  const answer = typeof whole["result"] === "string" ? whole["result"] : undefined;
  const answerBytes = answer === undefined ? 0 : fit.measure({ result: answer });
  const room = fit.keepAnswer
    ? fit.limitBytes + answerBytes
    : fit.limitBytes - Math.min(answerBytes, ANSWER_SHARE * fit.limitBytes);
  const lean = shrinkLists(whole, (candidate) => {
    const measured = fit.measure(fit.keepAnswer ? candidate : { ...candidate, result: "" });
    return measured <= room;
  });
  return answer === undefined || fit.keepAnswer ? lean : cutAnswer(lean, answer, fit);
}

/** First what says how it went, then the answer, then the rest as it came. */
function inOrder(reply: Fields): Fields {
  const first = FIRST.filter((name) => reply[name] !== undefined).map((name) => [name, reply[name]]);
  return { ...Object.fromEntries(first), ...reply };
}

/** The longest beginning of the answer that fits, found by halving. */
function cutAnswer(reply: Fields, answer: string, fit: Fit): Fields {
  if (fit.measure(reply) <= fit.limitBytes) return reply;
  let fits = 0;
  let tooLong = Math.min(utf8Size(answer), fit.limitBytes) + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (fit.measure(withBeginning(reply, answer, middle)) <= fit.limitBytes) fits = middle;
    else tooLong = middle;
  }
  return withBeginning(reply, answer, fits);
}

/** The offset counts from where this answer, itself perhaps a page of a longer one, began. */
function withBeginning(reply: Fields, answer: string, bytes: number): Fields {
  const beginning = cutUtf8(answer, bytes).text;
  const answerEnd = numberOr(reply["next_offset"], numberOr(reply["result_bytes"], utf8Size(answer)));
  const offset = answerEnd - utf8Size(answer) + utf8Size(beginning);
  return inOrder({
    ...reply,
    result: beginning,
    truncated: true,
    result_bytes: reply["result_bytes"] ?? utf8Size(answer),
    next_offset: offset,
    ...nextStep({ ...reply, next_offset: offset }),
  });
}

/** Says how to read what was cut. */
function nextStep(reply: Fields): Fields {
  const { task_id, next_offset, section } = reply;
  if (typeof task_id !== "string" || typeof next_offset !== "number") return {};
  const part = typeof section === "string" && section !== "all" ? `, section "${section}"` : "";
  return {
    next: `hermes_task_detail with task_id "${task_id}"${part} and offset ${next_offset} gives the rest`,
  };
}

function shrinkLists(reply: Fields, fits: (candidate: Fields) => boolean): Fields {
  let candidate = reply;
  for (const step of STEPS) {
    if (fits(candidate)) return candidate;
    const lost = { entries: 0, texts: 0 };
    const lean = Object.fromEntries(
      Object.entries(reply).map(([name, value]) => [
        name,
        FIRST.includes(name) ? value : shrink(value, step, step.outer, lost),
      ]),
    );
    candidate = lost.entries + lost.texts === 0 ? reply : inOrder({ ...lean, omitted: omission(lost) });
  }
  return candidate;
}

function omission(lost: { entries: number; texts: number }): Fields {
  return {
    entries: lost.entries,
    shortened_texts: lost.texts,
    hint: "ask for less at once: narrower arguments, or one section of hermes_task_detail",
  };
}

type Step = typeof STEPS[number];

function shrink(value: unknown, step: Step, most: number, lost: { entries: number; texts: number }): unknown {
  if (typeof value === "string") return shortened(value, step.text, lost);
  if (value === null || typeof value !== "object") return value;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  // A map with many keys (such as counts by name) is a list too; a record with a few dozen fields is not.
  const kept = isList || entries.length > 32 ? entries.slice(0, most) : entries;
  lost.entries += entries.length - kept.length;
  const inside = isList ? step.inner : most;
  const lean = kept.map(([name, each]) => [name, shrink(each, step, inside, lost)] as const);
  return isList ? lean.map(([, each]) => each) : Object.fromEntries(lean);
}

function shortened(text: string, bytes: number, lost: { texts: number }): string {
  // No character takes more than three bytes a unit: most texts need no counting.
  if (text.length * 3 <= bytes) return text;
  const page = cutUtf8(text, bytes);
  if (page.nextOffset === undefined) return text;
  lost.texts++;
  return `${page.text}…`;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
