// Which variables does a `.env` file set to something usable as a key, and to what?

/** Whether a variable holds a key, or a reference that Hermes resolves through a secret manager. */
export type KeyPresence = "key" | "reference";

/** What Hermes 0.19.1 refuses as a key, besides anything under four characters. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "*",
  "**",
  "***",
  "changeme",
  "your_api_key",
  "your_api_key_here",
  "your-api-key",
  "placeholder",
  "example",
  "dummy",
  "null",
  "none",
]);

/** The names that a `.env` text sets to a usable value. The last line for a name holds. */
export function keyNames(text: string): ReadonlyMap<string, KeyPresence> {
  const found = new Map<string, KeyPresence>();
  for (const [name, value] of assignments(text)) {
    const presence = presenceOf(value);
    if (presence) found.set(name, presence);
    else found.delete(name);
  }
  return found;
}

/** The values that a `.env` text sets these names to, earlier ones for a name included. */
export function keyValues(text: string, names: readonly string[]): string[] {
  return [...assignments(text)].flatMap(([name, value]) => names.includes(name) ? [value] : []);
}

function* assignments(text: string): Iterable<[name: string, value: string]> {
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const [, name, raw] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line) ?? [];
    if (name !== undefined && raw !== undefined) yield [name, unquoted(raw)];
  }
}

/** Tells whether a value is usable as a key; undefined for none, a placeholder or one that is too short. */
export function presenceOf(value: unknown): KeyPresence | undefined {
  if (typeof value !== "string") return undefined;
  const key = value.trim();
  if (key.length < 4 || PLACEHOLDERS.has(key.toLowerCase())) return undefined;
  return key.startsWith("op://") ? "reference" : "key";
}

function unquoted(raw: string): string {
  const text = raw.trim();
  const quoted = /^(["'])(.*?)\1/.exec(text);
  return quoted ? quoted[2]! : text.replace(/\s+#.*$/, "");
}
