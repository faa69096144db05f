// Does the one file do what the source does: speak, start from nothing, end trees, keep its worker narrow? Needs
// dist/hermes-task; scripts/dev test:real builds it.
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { type Behaviour, installFake } from "../support/fake_hermes.ts";
import { OPERATIONS } from "../../src/operations/all.ts";
import { aliveIn, aliveTasksIn, waitUntil } from "../support/processes.ts";
import { type ProgramOptions, runProgram, startProgram, startServer } from "../support/program.ts";
import { REAL_CASES } from "../support/real_cases.ts";
import { recordIn } from "../support/kept_record.ts";
import { playThrough } from "../support/real_flow.ts";
import { realHermes } from "../support/real_hermes.ts";
import { commandLine, mcp } from "../support/surfaces.ts";
import { makeHome, type ThrowAwayHome } from "../support/throw_away_home.ts";
import { trespass } from "../support/trespass.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const BINARY = join(ROOT, "dist", "hermes-task");
const { version } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));

/** Generous: the grace is 1.5 s, at the deadline 5 s, and a test machine may be busy. */
const GONE_MS = 15_000;
const LARGEST_BYTES = 110_000_000;

Deno.test("[FAULT-83] the binary is no larger than its budget and says its version from an empty folder without an environment", async () => {
  assertLess((await Deno.stat(BINARY)).size, LARGEST_BYTES);
  await using home = await makeHome();
  const { code, stdout, stderr } = await runProgram(["--version"], empty(home));
  assertEquals([code, stdout, stderr], [0, `hermes-task ${version}\n`, ""]);
  assertEquals([...Deno.readDirSync(home.work)], []);
});

/** Nothing to find Hermes, a home or a cache by. */
function empty(home: ThrowAwayHome): ProgramOptions {
  return { env: {}, cwd: home.work, program: BINARY };
}

for (const era of ["2025-11-25", "2026-07-28"]) {
  Deno.test(`[FAULT-82][FAULT-83] the binary shakes hands in ${era} from an empty folder without an environment`, async () => {
    await using home = await makeHome();
    await using server = startServer(empty(home));
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": era,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "test-host", version: "1.0.0" },
    };
    if (era === "2025-11-25") {
      assertEquals((await server.handshake(era)).result?.["protocolVersion"], era);
      assertEquals(namesOf((await server.request("tools/list")).result), TOOLS);
    } else {
      assertEquals((await server.request("server/discover", { _meta })).result?.["supportedVersions"], [era]);
      assertEquals(namesOf((await server.request("tools/list", { _meta })).result), TOOLS);
    }
    await server.closeInput();
    assertEquals([(await server.status).code, await server.stderr], [0, ""]);
  });
}

const TOOLS = OPERATIONS.map(({ name }) => name);

function namesOf(result: Readonly<Record<string, unknown>> | undefined): string[] {
  return (result?.["tools"] as { readonly name: string }[]).map(({ name }) => name);
}

async function homeWith(behaviour: Behaviour): Promise<ThrowAwayHome> {
  const home = await makeHome();
  await installFake(home.bin, behaviour);
  return home;
}

const TASK = ["run", "--provider", "gemini", "--json"];

for (
  const [behaviour, code, error] of [
    ["answers", 0, undefined],
    ["answers_with_tools", 0, undefined],
    ["rate_limited", 4, "rate_limited"],
    ["exits_0_no_reply", 7, "empty_response"],
  ] as const
) {
  Deno.test(`the binary runs a task on a Hermes that ${behaviour}`, async () => {
    await using home = await homeWith(behaviour);
    const ran = await runProgram([...TASK, "hello"], { env: home.env, cwd: home.work, program: BINARY });
    assertEquals([ran.code, JSON.parse(ran.stdout).error, ran.stderr], [code, error, ""]);
    assertEquals((await recordIn(home)).error, error ?? null);
    assertEquals(await aliveIn(home), []);
  });
}

// Deno 2.1 and 2.2 lost signals to a group on some systems. Of Deno and the runtime of the binary each is tried.
const PROGRAMS = [["[FAULT-29] the binary", BINARY], ["[FAULT-84] the pinned Deno", undefined]] as const;

for (const [name, program] of PROGRAMS) {
  Deno.test(`${name} ends the whole tree at SIGTERM`, async () => {
    await using home = await homeWith("hangs_with_grandchild");
    const task = startProgram([...TASK, "hello"], { env: home.env, cwd: home.work, program });
    await untilTreeStands(home);
    task.kill("SIGTERM");
    const { code, stderr } = await task.output;
    assertEquals([code, stderr], [143, ""]);
    await untilGone(home);
    assertEquals((await recordIn(home)).status, "cancelled");
  });

  Deno.test(`${name} ends the whole tree at the deadline`, async () => {
    await using home = await homeWith("hangs_with_grandchild");
    const args = [...TASK, "--timeout-seconds", "10", "hello"];
    const { code, stdout } = await runProgram(args, { env: home.env, cwd: home.work, program });
    assertEquals([code, JSON.parse(stdout).error], [124, "timeout"]);
    assertEquals(await aliveIn(home), []);
  });

  Deno.test(`${name} ends server and tree at the end of input`, async () => {
    await using home = await homeWith("hangs_with_grandchild");
    await using server = startServer({ env: home.env, cwd: home.work, program });
    await server.handshake();
    const call = { name: "hermes_task", arguments: { prompt: "hello", provider: "gemini" } };
    await server.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: call });
    await untilTreeStands(home);
    await server.closeInput();
    assertEquals([(await server.status).code, await server.stderr], [0, ""]);
    await untilGone(home);
    assertEquals((await recordIn(home)).status, "cancelled");
  });
}

/** Hermes, a grandchild in a session of its own, and a daemon. */
async function untilTreeStands(home: ThrowAwayHome): Promise<void> {
  const stands = async () => {
    const marked = await aliveTasksIn(home);
    return marked.length >= 3 && marked.some(({ command }) => command.includes("--query="));
  };
  await waitUntil(stands, 30_000, "Hermes and what it started");
}

async function untilGone(home: ThrowAwayHome): Promise<void> {
  await waitUntil(async () => (await aliveIn(home)).length === 0, GONE_MS, "the end of the tree");
}

Deno.test("the Deno that tests run on is the pinned one", async () => {
  const pinned = /^PINNED=(\d+\.\d+)/m.exec(await Deno.readTextFile(join(ROOT, "scripts", "dev")))![1]!;
  assert(Deno.version.deno.startsWith(`${pinned}.`), `${Deno.version.deno} is not of ${pinned}`);
});

Deno.test("a worker may do what its role needs and nothing else, compiled", async () => {
  const folder = await Deno.makeTempDir({ prefix: "hermes-task-rights-" });
  try {
    const program = join(folder, "trespasser");
    await compile(join(ROOT, "tests", "fixtures", "rights", "main.ts"), program);
    await trespass(program, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function compile(entry: string, output: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--frozen", "-A", join(ROOT, "scripts", "build.ts"), entry, output],
    cwd: ROOT,
    stdin: "null",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

Deno.test("on a terminal the binary shows what it does, the answer and one dim line, and Deno asks nothing", async () => {
  await using home = await homeWith("answers");
  const shown = await onTerminal(home, ["run", "--provider", "gemini", "hello"]);
  assertEquals(shown.code, 0);
  const lines = shown.text.split(/\r*\n/).map((line) => line.replace(/^[^]*\r/, ""));
  const answer = lines.findIndex((line) => plain(line) === "FAKE-ANSWER ok");
  assert(answer >= 0, JSON.stringify(shown.text));
  // deno-lint-ignore no-control-regex
  assertMatch(lines.at(-2)!, /^\x1b\[2mgemini · .+ · \d+.* · \d+_\w+\x1b\[\d*m$/);
  assert(!/permission|Allow\?|deno/i.test(shown.text), JSON.stringify(shown.text));
});

// deno-lint-ignore no-control-regex
const plain = (text: string): string => text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").trim();

/** A terminal of 80 columns around the program; all that a person would see. */
async function onTerminal(home: ThrowAwayHome, args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(await python(), {
    args: ["-c", AROUND, BINARY, ...args],
    clearEnv: true,
    env: { ...home.env, TERM: "xterm" },
    cwd: home.work,
    stdin: "null",
  }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return { code, text: new TextDecoder().decode(stdout) };
}

/** The Python of the real Hermes: it is there wherever these tests run. */
async function python(): Promise<string> {
  const own = join(dirname(await realHermes()), "python");
  return await Deno.stat(own).then(() => own, () => "python3");
}

const AROUND = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        seen = os.read(terminal, 65536)
    except OSError:
        break
    if not seen:
        break
    os.write(1, seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

// An answer on the command line and a cancel by a host, with the real Hermes.
const named = (words: RegExp) => REAL_CASES.filter(({ name }) => words.test(name));
playThrough(commandLine(BINARY), named(/an answer, its usage/));
playThrough(mcp(BINARY), named(/a cancel ends Hermes/));
