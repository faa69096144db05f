// A stand-in for Hermes, for a machine that has none: it takes the arguments, writes the session and prints what Hermes
// 0.19.0 does, and answers without a model. Only the demo starts it.
import { DatabaseSync } from "node:sqlite";

const VERSION = "Hermes Agent v0.19.0 (stand-in of hermes-task)\n";
const HELP =
  "--query --quiet --source --max-turns --provider --model --toolsets --resume --no-restore-cwd --yolo\n";

/** Waits between the steps, so that the demo's progress can be seen. */
const STEP_MS = 900;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, billing_provider TEXT, started_at REAL,
    api_call_count INTEGER, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER,
    cache_write_tokens INTEGER, reasoning_tokens INTEGER, estimated_cost_usd REAL, cost_status TEXT);
  CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT,
    tool_calls TEXT, tool_name TEXT, finish_reason TEXT, active INTEGER DEFAULT 1);`;

/** Plays Hermes once. Returns its exit status. */
export async function playHermes(args: readonly string[], home: string): Promise<number> {
  if (args[0] === "--version") return await print(VERSION);
  if (args.includes("--help")) return await print(HELP);
  const option = (name: string) =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
  const session = sessionId(new Date());
  const answer = answerTo(option("query"));
  const database = new DatabaseSync(`${home}/state.db`);
  try {
    database.exec(SCHEMA);
    await live(database, {
      session,
      source: option("source"),
      model: option("model"),
      prompt: option("query"),
      answer,
    });
  } finally {
    database.close();
  }
  await print(`${answer}\n`);
  await Deno.stderr.write(new TextEncoder().encode(`\nsession_id: ${session}\n`));
  return 0;
}

async function print(text: string): Promise<number> {
  await Deno.stdout.write(new TextEncoder().encode(text));
  return 0;
}

function answerTo(prompt: string): string {
  return [
    `Hermes would now have done this: "${prompt.slice(0, 120)}".`,
    "This is the stand-in speaking: no model was asked and no file was read. What you see around it is real: the provider was",
    "chosen, the program was started in a profile of its own, watched, recorded, and everything it started was ended.",
  ].join("\n");
}

/** Hermes' form: local time and six digits. */
function sessionId(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = two(now.getHours()) + two(now.getMinutes()) + two(now.getSeconds());
  return `${day}_${time}_${crypto.randomUUID().slice(0, 6)}`;
}

interface Scene {
  readonly session: string;
  readonly source: string;
  readonly model: string;
  readonly prompt: string;
  readonly answer: string;
}

async function live(database: DatabaseSync, scene: Scene): Promise<void> {
  const say = (role: string, content: string, more: { calls?: string; id?: string; finish?: string } = {}) =>
    database.prepare(
      "INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, finish_reason) VALUES (?, ?, ?, ?, ?, ?)",
    ).run(scene.session, role, content, more.calls ?? null, more.id ?? null, more.finish ?? null);
  database.prepare("INSERT INTO sessions (id, source, model, started_at) VALUES (?, ?, ?, ?)")
    .run(scene.session, scene.source, scene.model, Date.now() / 1000);
  say("user", scene.prompt);
  await pause();
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "terminal", arguments: '{"command":"find . -size +1M"}' },
  };
  say("assistant", "", { calls: JSON.stringify([call]), finish: "tool_calls" });
  await pause();
  say("tool", '{"output": "", "exit_code": 0, "error": null}', { id: "call_1" });
  await pause();
  say("assistant", scene.answer, { finish: "stop" });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, STEP_MS));
}
