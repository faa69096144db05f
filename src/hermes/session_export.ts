// The second way to a session: ask Hermes itself, when its store cannot be read.
import type { Row, World } from "../ports.ts";
import type { Patience } from "./ended_within.ts";
import { readingOf, type SessionReading } from "./session.ts";
import { runShort } from "./short_run.ts";

/** Runs `hermes sessions export`; undefined when it knows no such session or takes too long. */
export async function exportSession(
  world: World,
  sessionId: string,
  at: { readonly home: string; readonly env: Readonly<Record<string, string>> } & Patience,
): Promise<SessionReading | undefined> {
  const program = world.place.hermes.path;
  if (!program) return undefined;
  const args = ["sessions", "export", "--session-id", sessionId, "--format", "jsonl", "-"];
  const env = { ...at.env, HERMES_HOME: at.home };
  const ran = await runShort(world, { program, args, env, purpose: `export-${sessionId}` }, at);
  return ran && parseExport(ran.stdout, sessionId, at.home);
}

/** Reads one exported line. Hermes 0.19 exits with 0 and a sentence for an unknown id: only JSON with the id counts. */
export function parseExport(text: string, sessionId: string, home: string): SessionReading | undefined {
  for (const line of text.split("\n")) {
    const session = parseObject(line);
    if (session?.id !== sessionId) continue;
    const messages = Array.isArray(session.messages) ? session.messages : [];
    return readingOf(session, messages.map(asStored), [], home, undefined);
  }
  return undefined;
}

function parseObject(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value as Row : undefined;
  } catch {
    return undefined;
  }
}

/** An export has lists where the store has text. */
function asStored(message: Row): Row {
  const { content, tool_calls: calls } = message;
  return {
    ...message,
    content: Array.isArray(content) ? `\0json:${JSON.stringify(content)}` : content,
    tool_calls: Array.isArray(calls) ? JSON.stringify(calls) : calls,
  };
}
