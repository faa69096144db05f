// How do secrets get out of any text? Four steps, each one pass over the text: private keys, places in a URL or
// header, values with a telling name (`api_key: …`, `--password …`), and words of a known shape (`ghp_…`).
// Linear in the size of the text, and doing it twice changes nothing more. Names and shapes: `secret_shape.ts`.
import {
  BASIC_WORD,
  BEARER_WORD,
  isSecretParameter,
  isSecretValue,
  type NamedValue,
  nameStrength,
  SHAPES,
} from "./secret_shape.ts";

/** Stands where a secret was. */
export const REDACTED = "[redacted]";

/** Takes all secrets out of a text. Names, hosts and the public prefix of a key's shape stay. */
export function redact(text: string): string {
  if (text.length < 6) return text;
  let clean = redactPrivateKeys(text);
  clean = redactPlaces(clean);
  clean = redactNamed(clean);
  for (const { find, keep } of SHAPES) {
    clean = clean.replace(find, (word: string, ...groups: unknown[]) => keep(word, groups) + REDACTED);
  }
  return clean;
}

/** Longer than any key, in characters: what lies so far behind a cut holds no rest of a key that the cut tore. */
export const LONGEST_KEY = 512;

/** Takes the secrets out of every string in a JSON value, keys of objects included, and out of what has a telling name. */
export function redactValue<T>(value: T): T {
  return clean(value, "", new Map()) as T;
}

/** What is known of a key: the same few come again with every item of a list. */
interface KeyFacts {
  readonly clean: string;
  readonly strength: ReturnType<typeof nameStrength>;
}

type Keys = Map<string, KeyFacts>;

function clean(value: unknown, name: string, keys: Keys): unknown {
  if (typeof value === "string") return cleanString(value, name, keys);
  if (Array.isArray(value)) return value.map((item) => clean(item, name, keys));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [factsOf(key, keys).clean, clean(item, key, keys)]),
  );
}

function factsOf(key: string, keys: Keys): KeyFacts {
  const facts = keys.get(key) ?? { clean: redact(key), strength: nameStrength(key, "") };
  keys.set(key, facts);
  return facts;
}

function cleanString(value: string, name: string, keys: Keys): string {
  const strength = name === "" ? undefined : factsOf(name, keys).strength;
  if (
    strength && isSecretValue({ name, strength, value, quoted: true, form: "json", alone: true, next: "" })
  ) {
    return REDACTED;
  }
  return redact(value);
}

const PEM_MARK = /-----(BEGIN|END) ([A-Z0-9 ]{0,40})-----/g;
const PEM_SECRET = /PRIVATE KEY( BLOCK)?$/;

/** Also takes a key whose end is missing: as far as its lines look like one. */
function redactPrivateKeys(text: string): string {
  if (!text.includes("-----BEGIN ")) return text;
  const marks = [...text.matchAll(PEM_MARK)];
  let out = "";
  let from = 0;
  marks.forEach((mark, i) => {
    if (mark[1] !== "BEGIN" || !PEM_SECRET.test(mark[2]!)) return;
    const bodyAt = mark.index + mark[0].length;
    const keyAt = text.startsWith(REDACTED, bodyAt) ? bodyAt + REDACTED.length : bodyAt;
    const next = marks[i + 1];
    const end = next?.[1] === "END" ? next.index + next[0].length : endOfKeyLines(text, keyAt, next?.index);
    out += text.slice(from, bodyAt) + REDACTED;
    from = Math.max(from, end);
  });
  return out + text.slice(from);
}

const KEY_LINE = /(?:\s|\\{1,8}[nrt]){0,16}(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info):[^\n\\]{0,200})/y;
const LAST_KEY_LINE = /(?:\s|\\{1,8}[nrt]){1,16}[A-Za-z0-9+/=]{1,15}(?=["'\s]*(?:$|…))/y;

function endOfKeyLines(text: string, from: number, limit = text.length): number {
  let end = from;
  for (;;) {
    KEY_LINE.lastIndex = LAST_KEY_LINE.lastIndex = end;
    const line = KEY_LINE.exec(text) ?? (end > from ? LAST_KEY_LINE.exec(text) : null);
    if (!line) return end;
    end = Math.min(end + line[0].length, limit);
    if (end === limit) return end;
  }
}

// A name, then what separates it from its value: `--name `, or `NAME=`, `name: `, `"name": "`, `\"name\": \"`.
const NAME =
  /(?<![A-Za-z0-9_]|[A-Za-z0-9_]-)(?:(?<=--)([A-Za-z][\w-]{0,63})[ \t]{1,4}(?=[^\s-])|([A-Za-z_][\w-]{0,127})(\\{0,8}["'])?([ \t]{0,16}(?::=|=>|[:=])[ \t]{0,16}))/g;

function redactNamed(text: string): string {
  let out = "";
  let from = 0;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found; found = NAME.exec(text)) {
    const name = nameIn(text, found);
    const strength = nameStrength(name, text.slice(Math.max(0, found.index - 8), found.index));
    if (!strength) continue;
    const form = formOf(found);
    const word = strength === "header"
      ? HEADER
      : form === "shell" && name === name.toUpperCase()
      ? ENV
      : BARE;
    const { start, end, ...value } = readValue(text, NAME.lastIndex, word);
    if (!isSecretValue({ name, strength, form, ...value })) continue;
    const scheme = strength === "header" ? /^(?:[A-Za-z]{2,12} +)?/.exec(value.value)![0] : "";
    out += text.slice(from, start) + scheme + REDACTED;
    from = NAME.lastIndex = end;
  }
  return out + text.slice(from);
}

/** In escaped text, `\npassword=` begins with a line feed and not with an "n". */
function nameIn(text: string, found: RegExpExecArray): string {
  const name = found[1] ?? found[2]!;
  return text[found.index - 1] === "\\" && /^[nrt]./.test(name) ? name.slice(1) : name;
}

function formOf(found: RegExpExecArray): NamedValue["form"] {
  if (found[1]) return "flag";
  if (found[3]) return "json";
  return found[4] === "=" ? "shell" : "line";
}

interface ReadValue {
  readonly value: string;
  readonly quoted: boolean;
  /** Nothing else stands behind it on its line. */
  readonly alone: boolean;
  /** What comes right behind: `(` or `[` after a word is a piece of code. */
  readonly next: string;
  readonly start: number;
  readonly end: number;
}

const OPEN_QUOTE = /(\\{0,8})(["'])/y;
const BARE = /[^\s"'`,;&|<>()[\]{}\\]{1,8192}/y;
const ENV = /[^\s"'`\\]{1,8192}/y;
const HEADER = /[^\r\n"'`\\]{1,2048}/y;
const REST_OF_LINE = /[ \t]*(?:[#;,}\])"'\\]|\/\/|\r?\n|$)/y;

/** Reads the value at `at`: quoted up to its own quote, else as far as `word` goes. */
function readValue(text: string, at: number, word: RegExp): ReadValue {
  OPEN_QUOTE.lastIndex = at;
  const quote = OPEN_QUOTE.exec(text);
  if (quote) {
    const start = at + quote[0].length;
    const end = closingQuote(text, start, quote[1]!.length, quote[2]!);
    return { value: text.slice(start, end), quoted: true, alone: true, next: "", start, end };
  }
  word.lastIndex = at;
  const value = word.exec(text)?.[0] ?? "";
  const end = at + value.length;
  REST_OF_LINE.lastIndex = end;
  return { value, quoted: false, alone: REST_OF_LINE.test(text), next: text[end] ?? "", start: at, end };
}

/** Where the value ends: before the quote with as many backslashes as the opening one, or with the line. */
function closingQuote(text: string, start: number, backslashes: number, quote: string): number {
  let run = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "\\") run++;
    else if (sign === "\n") return at;
    else if (sign === quote && (backslashes > 0 ? run <= backslashes : run % 2 === 0)) {
      return Math.max(start, at - (backslashes > 0 ? run : 0));
    } else run = 0;
  }
  return text.length;
}

// `scheme://user:password@host`: the password may hold an "@", the user name alone may be a token.
const USER_INFO =
  /(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/)([^\s/?#@:"'<>]{0,256})(:[^\s/?#"'<>]{1,512})?@/g;
const PARAMETER = /([?&;]|\\u0026)([A-Za-z][\w.-]{0,63})=([^\s&"'<>#;,)\\]{1,8192})/g;
const SCHEME_WORD =
  /\b(Bearer|Basic|Token|ApiKey)([ \t]{1,4}|%20|\+)([A-Za-z0-9._~+/=-]{7,8191}[A-Za-z0-9_~+/=-])/gi;
const CURL_USER = /(?<=\s)(-u|--user)([ =]["']?)([^\s:"']{1,256}):([^\s"']{1,512})/g;

function redactPlaces(text: string): string {
  return text
    .replace(USER_INFO, (all, scheme: string, user: string, password?: string) => {
      if (password === undefined) return user.length >= 16 ? `${scheme}${REDACTED}@` : all;
      return `${scheme}${REDACTED}@`;
    })
    .replace(
      PARAMETER,
      (all, sign: string, name: string, value: string) =>
        isSecretParameter(name, value) ? `${sign}${name}=${REDACTED}` : all,
    )
    .replace(SCHEME_WORD, (all, scheme: string, gap: string, word: string) => {
      const secret = scheme.toLowerCase() === "basic" ? BASIC_WORD(word) : BEARER_WORD(word);
      return secret ? `${scheme}${gap}${REDACTED}` : all;
    })
    .replace(
      CURL_USER,
      (_all, flag: string, gap: string, user: string) => `${flag}${gap}${user}:${REDACTED}`,
    );
}
