// How much of a reply does a host's model get to see? What is over it is cut by the host, at a place of its choice;
// so we cut first and say how to read on. Measured with the versions named, November 2026.

/** Sizes of a reply's JSON, in UTF-8 bytes. */
export interface ReplyBudget {
  /** A digest: small enough to reach the model whole. */
  readonly digestBytes: number;
  /** Any other reply. */
  readonly replyBytes: number;
  /** The model sees text and structure in one piece: both count. */
  readonly bothCount: boolean;
}

interface HostBudget extends ReplyBudget {
  /** `clientInfo.name`; with `*` at its end, how it begins. */
  readonly client: string;
}

/** Under the 7 KiB that reach every model but Cline's whole. */
const DIGEST_BYTES = 7_000;

/** For a client that is not in the table; under the 60,000 characters that no reply may pass. */
const UNKNOWN: ReplyBudget = { digestBytes: DIGEST_BYTES, replyBytes: 30_000, bothCount: false };

const HOSTS: readonly HostBudget[] = [
  // Claude Code 2.1.332: 30 KiB whole, of 300 KiB a file and 2 KB.
  { client: "claude-code", digestBytes: DIGEST_BYTES, replyBytes: 30_000, bothCount: false },
  // Codex CLI 0.171.0: keeps about 11,900 characters, head and tail; 8 KiB whole, 16 KiB not.
  { client: "codex-mcp-client", digestBytes: DIGEST_BYTES, replyBytes: 11_000, bothCount: false },
  // opencode 1.18.33: 30 KiB whole; of a longer single line nothing at all.
  { client: "opencode", digestBytes: DIGEST_BYTES, replyBytes: 30_000, bothCount: false },
  // Gemini CLI 0.61.0: 30 KiB whole, then the first 8,000 and the last 32,000 characters.
  { client: "gemini-cli-mcp-client", digestBytes: DIGEST_BYTES, replyBytes: 30_000, bothCount: false },
  // Qwen Code 0.24.4 puts the server's name behind; shows structure and text: 16 KiB whole, 30 KiB not.
  { client: "qwen-cli-mcp-client-*", digestBytes: DIGEST_BYTES, replyBytes: 15_000, bothCount: false },
  // GitHub Copilot CLI 1.0.102: text and structure: 16 KiB whole, 30 KiB not.
  { client: "copilot-cli", digestBytes: DIGEST_BYTES, replyBytes: 15_000, bothCount: false },
  // Cline CLI 3.0.65: the whole result object as JSON, about 7,900 characters of it.
  { client: "@cline/core", digestBytes: 7_600, replyBytes: 7_600, bothCount: true },
  // Hermes Agent 0.19.0: 30 KiB whole, then about 1.5 KB.
  { client: "mcp", digestBytes: DIGEST_BYTES, replyBytes: 30_000, bothCount: false },
];

/** The budget of a host by the name that its client gives itself. */
export function replyBudget(clientName: string | undefined): ReplyBudget {
  return HOSTS.find(({ client }) => matches(client, clientName ?? "")) ?? UNKNOWN;
}

function matches(client: string, name: string): boolean {
  return client.endsWith("*") ? name.startsWith(client.slice(0, -1)) : client === name;
}
