// What is known of a host: how much of a reply its model gets to see, and how long a call may take. What is over it the
// host cuts, at a place of its choice, or gives up on; so we cut and hand over first. Measured with the versions named,
// November 2026. A user may have set less, and the server is not told: then the settings say so too.

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
  /** How long a call may wait, below the host's own limit. */
  readonly waitSeconds: number;
}

/** Under the 7 KiB that reach every model but Cline's whole. */
const DIGEST_BYTES = 7_000;

/** Below the 60 s after which the SDKs' clients give up when nothing else is set. */
const WAIT_SECONDS = 50;

/** For a client that is not in the table; under the 60,000 characters that no reply may pass. */
const UNKNOWN: Omit<HostBudget, "client"> = {
  digestBytes: DIGEST_BYTES,
  replyBytes: 30_000,
  bothCount: false,
  waitSeconds: WAIT_SECONDS,
};

const HOSTS: readonly (Partial<HostBudget> & Pick<HostBudget, "client">)[] = [
  // Claude Code 2.1.332: 30 KiB whole, of 300 KiB a file and 2 KB. No limit within 1,500 s in one-shot runs; interactive
  // ones go to the background after 120 s, and its desktop form is reported to give up after 60 s.
  { client: "claude-code" },
  // Codex CLI 0.171.0: keeps about 11,900 characters, head and tail; 8 KiB whole, 16 KiB not. Gives up after 300 s; its
  // documentation has long said 60 s.
  { client: "codex-mcp-client", replyBytes: 11_000 },
  // opencode 1.18.33: 30 KiB whole; of a longer single line nothing at all. Gives up after 60 s without progress.
  { client: "opencode" },
  // Gemini CLI 0.61.0: 30 KiB whole, then the first 8,000 and the last 32,000 characters. Gives up after 600 s; older
  // versions of the same name are reported to give up after 60 s.
  { client: "gemini-cli-mcp-client" },
  // Qwen Code 0.24.4 puts the server's name behind; shows structure and text: 16 KiB whole, 30 KiB not. Gives up after
  // 300 s without progress, 600 s in all.
  { client: "qwen-cli-mcp-client-*", replyBytes: 15_000, waitSeconds: 240 },
  // GitHub Copilot CLI 1.0.102: text and structure: 16 KiB whole, 30 KiB not. Gives up after 180 s without progress.
  { client: "copilot-cli", replyBytes: 15_000, waitSeconds: 150 },
  // Cline CLI 3.0.65: the whole result object as JSON, about 7,900 characters of it. Gives up after 60 s, without a word.
  { client: "@cline/core", digestBytes: 7_600, replyBytes: 7_600, bothCount: true },
  // Hermes Agent 0.19.0: 30 KiB whole, then about 1.5 KB. Gives up after 300 s, without a word; but its name is the one
  // that every client of the Python SDK has by default.
  { client: "mcp" },
  // VS Code has no limit of its own (read in its source).
  { client: "Visual Studio Code", waitSeconds: 240 },
];

/** The reply budget of a host by the name that its client gives itself. */
export function replyBudget(clientName: string | undefined): ReplyBudget {
  return budgetOf(clientName);
}

/** How many seconds a call of this host may wait. */
export function waitBudget(clientName: string | undefined): number {
  return budgetOf(clientName).waitSeconds;
}

function budgetOf(clientName: string | undefined): Omit<HostBudget, "client"> {
  return { ...UNKNOWN, ...HOSTS.find(({ client }) => matches(client, clientName ?? "")) };
}

function matches(client: string, name: string): boolean {
  return client.endsWith("*") ? name.startsWith(client.slice(0, -1)) : client === name;
}
