// What does a secret look like: which names announce one, which values are one, which words are one by themselves?
// Data and its exceptions, used by `redact.ts` alone.

/** How surely a name announces a secret. `header`: the whole line is one. */
export type Strength = "sure" | "likely" | "weak" | "header";

/** A value with the name before it. */
export interface NamedValue {
  readonly name: string;
  readonly strength: Strength;
  readonly value: string;
  readonly quoted: boolean;
  /** `"name": …` · `--name …` · `name=…` without spaces · anything else, such as `name: …`. */
  readonly form: "json" | "flag" | "shell" | "line";
  /** Nothing else stands behind it on its line. */
  readonly alone: boolean;
  /** The character right behind it. */
  readonly next: string;
}

const HEADERS = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-amz-security-token",
]);
const SURE_WORDS = new Set(["password", "passwd", "passphrase", "pwd", "secret", "apikey", "authtoken"]);
const KEY_KINDS = new Set([
  ..."api access secret private auth signing encryption account master license client service admin".split(
    " ",
  ),
]);
const TOKEN_KINDS = new Set("access refresh id auth bot api bearer session secret oauth personal".split(" "));
const PLAIN_TOKEN_KINDS = new Set(
  "page next prev previous continuation cursor eos bos pad unk sep cls mask stop end start progress cancellation"
    .split(" "),
);
const PLAIN_KEY_KINDS = new Set(
  "cache primary foreign public sort partition object row map group".split(" "),
);

/** How surely the name announces a secret; undefined for an ordinary one. `before` is the text in front of it. */
export function nameStrength(name: string, before: string): Strength | undefined {
  if (HEADERS.has(name.toLowerCase())) return "header";
  if (name === "_auth" || name === "_password") return "sure";
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase().split(/[-_]+/).filter(Boolean);
  const last = words.at(-1) ?? "";
  const kind = words.at(-2) ?? /([a-z]+) $/i.exec(before)?.[1]?.toLowerCase() ?? "";
  if (SURE_WORDS.has(last)) return "sure";
  if (last === "key") return keyStrength(name, kind, words.length);
  if (last === "token") {
    return TOKEN_KINDS.has(kind) ? "sure" : PLAIN_TOKEN_KINDS.has(kind) ? undefined : "likely";
  }
  if (last === "pass" && words.length > 1) return "likely";
  return last === "credential" || last === "credentials" || last === "sas" ? "likely" : undefined;
}

function keyStrength(name: string, kind: string, words: number): Strength | undefined {
  if (KEY_KINDS.has(kind)) return "sure";
  return words > 1 && !PLAIN_KEY_KINDS.has(kind) && name === name.toUpperCase() ? "weak" : undefined;
}

const DONE = /^[A-Za-z0-9_ .-]{0,24}\[redacted\]\W*$/;
const EMPTY = /^(?:null|none|nil|true|false|undefined|n\/a|yes|no|on|off|""|'')$/i;
const PLACEHOLDER =
  /^(?:\$|%[A-Za-z_]|<|\{\{|\*+$|x{3,}$|\.{2,}|…|your[-_ ]|my[-_ ]|(?:env|file|op|vault|keyring):)|^(?:change[-_]?me|example|placeholder|dummy|todo)$|(?:\.\.\.|…)$/i;
const CODE = /^(?:[A-Za-z_$][\w$]*(?:\.|\(|\[|\?\.|::|->)|new |await |[!&*@]|\d+$|\/\w|\.\.?\/)/;
const VARIABLE = /^[A-Za-z_]{2,60}$/;
const VARIABLE_END = /(?:_(?:key|token|secret|password)|[a-z](?:Key|Token|Secret|Password))$/;
/** A word without a space that is longer than this needs no further look. */
const LONG = 256;
const TYPE_WORDS = new Set(
  ("string str number int boolean bool any unknown text bytes buffer hidden field input object array required " +
    "optional changed incorrect invalid expired missing wrong empty unset set disabled enabled forgotten protected " +
    "in to for or with on from by as at if be value flag option accepted rejected refused denied ok failed must should is are not the see and or")
    .split(" "),
);

/** `self.key`, `get_token(…)`, `api_key=existing_key`: what a program says. In an environment file nothing is code. */
function isCode({ name, value, quoted, form, next }: NamedValue): boolean {
  if (quoted) return form === "line" && value.startsWith(")");
  if (form === "shell" && name === name.toUpperCase()) {
    return /^(?:process\.env|os\.(?:environ|getenv)|import\.meta)\b/.test(value);
  }
  if (/^\d+$/.test(value)) return false;
  return CODE.test(value + next) || VARIABLE.test(value) && VARIABLE_END.test(value);
}

/** Is the value behind such a name a secret, and not a placeholder, a type, a piece of code or prose? */
export function isSecretValue(whole: NamedValue): boolean {
  const named = whole.strength === "header" ? { ...whole, value: whole.value.slice(0, 2 * LONG) } : whole;
  const { value, strength, name } = named;
  if (!named.quoted && strength !== "header" && value.length > LONG) return true;
  if (value === "" || DONE.test(value) || EMPTY.test(value) || PLACEHOLDER.test(value)) return false;
  if (strength === "header") return isSecretHeader(named);
  if (isCode(named)) return false;
  if (sameWord(name, value) || TYPE_WORDS.has(value.toLowerCase())) return false;
  if (strength === "weak") return isRandom(value, 16);
  if (strength === "likely") return !/\s/.test(value) && (isRandom(value, 8) || value.length >= 24);
  return isSureSecret(named);
}

function isSureSecret({ name, value, quoted, form, alone }: NamedValue): boolean {
  const spoken = /pass|pwd/i.test(name);
  if (quoted) return spoken ? !/^(?:enter|type|your|the|please|confirm)\b/i.test(value) : !/\s/.test(value);
  if (form === "shell") return !/^\d{1,3}$/.test(value);
  if (form === "flag") return true;
  if (isRandom(value, 6)) return true;
  return spoken && alone && value.length >= 4 && /^\S*[^\s.:]$/.test(value);
}

const SCHEMES = /^(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256) +\S/i;

function isSecretHeader({ value, form, quoted }: NamedValue): boolean {
  if (quoted && SCHEMES.test(value)) return true;
  if (form === "shell" && CODE.test(value)) return false;
  const [first = "", second, third] = value.trim().split(/\s+/, 3);
  if (second === undefined) return first.length >= 8 && !TYPE_WORDS.has(first.toLowerCase());
  if (/(?:^|[\s;])[\w-]{1,64}=[^;\s]{8}/.test(value)) return true;
  if (!/^[A-Za-z0-9-]{2,12}$/.test(first) || second.length < 6) return false;
  if (PLACEHOLDER.test(second) || DONE.test(second)) return false;
  return third === undefined || isRandom(second, 8);
}

function sameWord(name: string, value: string): boolean {
  const plain = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, "");
  return plain(value) === "" || plain(name).endsWith(plain(value)) || plain(value).endsWith(plain(name)) ||
    plain(value).startsWith(plain(name)) && !/\d/.test(value);
}

/** Letters and digits mixed, and at least `least` of them. */
function isRandom(value: string, least: number): boolean {
  if (value.length < least) return false;
  return /[A-Za-z]/.test(value) && /\d/.test(value);
}

/** A word behind `Bearer`: never a plain word, such as in "Bearer authentication". */
export const BEARER_WORD = (word: string): boolean => isRandom(word, 8) && !/^v?\d+(?:\.\d+)*$/.test(word);

/** A word behind `Basic`: only what really is `user:password` in base64. */
export function BASIC_WORD(word: string): boolean {
  if (word.length > 4096 || !/^[A-Za-z0-9+/]+={0,2}$/.test(word)) return false;
  try {
    return atob(word).includes(":");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return false;
  }
}

const SECRET_PARAMETERS =
  /^(?:api[-_]?key|access[-_]?token|auth[-_]?token|refresh[-_]?token|id[-_]?token|client[-_]?secret|password|passwd|pwd|secret|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|signature|sig)$/i;
const MAYBE_PARAMETERS = /^(?:key|token|auth|code|subscription-key)$/i;

/** Is this a query parameter that carries a secret? `key` and the like only with a value that looks like one. */
export function isSecretParameter(name: string, value: string): boolean {
  if (DONE.test(value) || PLACEHOLDER.test(value)) return false;
  if (SECRET_PARAMETERS.test(name)) return !EMPTY.test(value);
  return MAYBE_PARAMETERS.test(name) && isRandom(value, 12);
}

/** A word that is a secret by its shape. `keep` gives its public prefix. */
export interface Shape {
  readonly find: RegExp;
  readonly keep: (word: string, groups: readonly unknown[]) => string;
}

/** Behind `\n`, `\u0022` or `%3D` a word begins, though a letter stands before it. */
const AFTER_ESCAPE = String.raw`(?<=\\(?:[nrtbf]|u00[0-9a-f]{2})|%[0-9A-F]{2})`;

/**
 * A public prefix and what follows it. Base64 has no "-" and no "_", so a prefix with one of them is safe behind
 * "/" and "+"; one without must not stand inside a longer run, else a picture would lose a part by chance.
 */
function shape(prefix: string, body: string): Shape {
  const before = /[-_]/.test(prefix.replace(/\\.|\[.*?\]/g, ""))
    ? "(?<![A-Za-z0-9_-])"
    : "(?<![A-Za-z0-9_+/-])";
  return {
    find: new RegExp(`(?:${before}|${AFTER_ESCAPE})(${prefix})(?:${body})`, "g"),
    keep: (_word, groups) => String(groups[0]),
  };
}

const digitAhead = String.raw`(?=[A-Za-z_-]{0,64}\d)`;

/** Key shapes of providers and services, the longer prefix first. */
export const SHAPES: readonly Shape[] = [
  shape(
    "sk-(?:or-v1-|ant-(?:api|admin|oat|sid)\\d\\d-|ant-|proj-|svcacct-|admin-|lf-|cp-|kimi-)",
    `${digitAhead}[A-Za-z0-9_-]{16,4096}`,
  ),
  shape("sk-", `(?=[A-Za-z]{0,48}\\d)[A-Za-z0-9]{20,4096}[A-Za-z0-9_-]{0,512}`),
  shape("(?:sk|rk|pk)_(?:live|test)_", "[A-Za-z0-9]{10,512}"),
  shape("AIza", "[A-Za-z0-9_-]{30,60}(?![A-Za-z0-9+/=])"),
  shape("ya29\\.", "[A-Za-z0-9_-]{20,4096}"),
  shape("GOCSPX-", "[A-Za-z0-9_-]{20,64}"),
  shape("nvapi-", "[A-Za-z0-9_-]{20,512}"),
  shape("hf_", "[A-Za-z0-9]{24,128}"),
  shape(
    "(?:gsk|fw|csk|r8|npm|tvly|pplx|dop_v1|lin_api|shpat|dckr_pat|whsec)[_-](?:dev-)?",
    `${digitAhead}[A-Za-z0-9]{16,512}`,
  ),
  shape("xai-", `${digitAhead}[A-Za-z0-9]{20,512}`),
  shape("github_pat_", "\\w{20,512}"),
  shape("gh[pousr]_", "[A-Za-z0-9]{20,512}"),
  shape("glpat-", "[A-Za-z0-9_-]{16,512}(?:\\.[A-Za-z0-9_-]{1,64}){0,3}"),
  shape("xox[abeprs]-", `${digitAhead}[A-Za-z0-9-]{10,512}`),
  shape("xapp-", `${digitAhead}[A-Za-z0-9-]{16,512}`),
  shape("pypi-", "AgE[A-Za-z0-9_-]{40,4096}"),
  shape("AGE-SECRET-KEY-1", "[A-Z0-9]{40,80}"),
  shape("(?:AKIA|ASIA)", "[A-Z0-9]{16}(?![A-Za-z0-9+/=_-])"),
  shape("SG\\.", "[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}"),
  shape("eyJ", "[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{4,65536}(?:\\.[A-Za-z0-9_-]{0,8192})?"),
  shape("bot(?=\\d{8,10}:)", "\\d{8,10}:[A-Za-z0-9_-]{35}"),
];
