// What does a Hermes leave behind that callers rely on? Runs one, real or stand-in, and notes it in a form in which
// two of them can be compared: ids, times and the providers' own words blurred.
import { DatabaseSync } from "node:sqlite";
import { join } from "@std/path";
import type { ThrowAwayHome } from "./throw_away_home.ts";

/** One run, as its caller sees it. */
export interface Impression {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined when no session was stored. */
  readonly session: SessionImpression | undefined;
}

/** The stored session, as far as it is relied on. */
export interface SessionImpression {
  readonly source: string;
  readonly roles: readonly string[];
  readonly finishReasons: readonly (string | null)[];
  /** Keys of each stored tool call and of its function. */
  readonly toolCallKeys: readonly string[];
  readonly counted: { readonly messages: number; readonly toolCalls: number; readonly apiCalls: number };
  readonly hasTokens: boolean;
  readonly billed: boolean;
  readonly ended: boolean;
  readonly modelRows: number;
}

/** How to run it. */
export interface RunOptions {
  /** Asks it to end once its session shows this many messages. */
  readonly askAfterMessages?: number;
}

/** Runs one to its end. */
export async function runHermes(
  hermes: string,
  home: ThrowAwayHome,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Impression> {
  const child = new Deno.Command(hermes, {
    args: [...args],
    cwd: home.work,
    clearEnv: true,
    env: { ...home.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  if (options.askAfterMessages !== undefined) await askWhen(child, home, options.askAfterMessages);
  const { code, stdout, stderr } = await output;
  const text = new TextDecoder();
  return {
    code,
    stdout: blur(text.decode(stdout)),
    stderr: blur(text.decode(stderr)),
    session: lastSession(home),
  };
}

async function askWhen(child: Deno.ChildProcess, home: ThrowAwayHome, messages: number) {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    if ((lastSession(home)?.roles.length ?? 0) >= messages) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000)); // past the set-up between the row and the model call
  child.kill("SIGTERM");
}

/** Takes out what differs between any two runs. */
export function blur(text: string): string {
  return text
    .replace(/\b\d{8}_\d{6}_[0-9a-f]{6}\b/g, "<session>")
    .replace(/(HTTP \d{3}: ).*/g, "$1<words>");
}

/** Columns of a table in the store of this home. */
export function columnsOf(home: ThrowAwayHome, table: string): string[] {
  return ask(home, (db) => db.prepare(`PRAGMA table_info(${table})`).all().map((row) => String(row.name))) ??
    [];
}

/** The newest session of this home. */
export function lastSession(home: ThrowAwayHome): SessionImpression | undefined {
  return ask(home, (db) => {
    const session = db.prepare("SELECT * FROM sessions ORDER BY started_at DESC LIMIT 1").get();
    if (!session) return undefined;
    const id = String(session.id);
    const messages = db.prepare("SELECT * FROM messages WHERE session_id = ? ORDER BY id").all(id);
    const models = db.prepare("SELECT * FROM session_model_usage WHERE session_id = ?").all(id);
    return {
      source: String(session.source),
      roles: messages.map((message) => String(message.role)),
      finishReasons: messages.map((message) => message.finish_reason as string | null),
      toolCallKeys: messages.flatMap((message) => keysOf(message.tool_calls)),
      counted: {
        messages: Number(session.message_count),
        toolCalls: Number(session.tool_call_count),
        apiCalls: Number(session.api_call_count),
      },
      hasTokens: Number(session.input_tokens) > 0,
      billed: session.billing_provider !== null,
      ended: session.ended_at !== null,
      modelRows: models.length,
    };
  });
}

function keysOf(toolCalls: unknown): string[] {
  if (typeof toolCalls !== "string") return [];
  const calls: { function: object }[] = JSON.parse(toolCalls);
  return calls.map((call) => [...Object.keys(call), ...Object.keys(call.function)].join(" "));
}

/** Undefined when there is no store yet, or none with tables. */
function ask<T>(home: ThrowAwayHome, look: (db: DatabaseSync) => T): T | undefined {
  const path = join(home.root, "state.db");
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    return look(db);
  } catch (error) {
    if (error instanceof Error && /unable to open|no such table/.test(error.message)) return undefined;
    throw error;
  } finally {
    db?.close();
  }
}
