// A real MCP host for tests: what it must find in a throw-away home to use our server, a model on loopback and nothing
// else, and how it is started for one prompt.
import { dirname, join } from "@std/path";
import { ensureHost, type HostName } from "../../scripts/install_hosts.ts";
import type { ProgramResult } from "./program.ts";
import { text } from "./server_under_test.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

/** How a host is to be set up. */
export interface HostSetup {
  readonly home: ThrowAwayHome;
  /** Address of the host's model. */
  readonly modelUrl: string;
  /** The program behind `hermes-task mcp`. */
  readonly server: string;
  /** After this long the host gives up on a call; its own default when left out. */
  readonly toolLimitSeconds?: number;
}

/** A host at work. `await using` ends it for good. */
export interface HostRun extends AsyncDisposable {
  /** Sends a signal to the host, or to all of its process group as a terminal does. */
  kill(signal: Deno.Signal, whom: "host" | "group"): void;
  /** How it ended and what it said. */
  readonly output: Promise<ProgramResult>;
}

/** Returns the path of a real host; undefined when it cannot be had here, and then says why in one line. */
export async function realHost(host: HostName): Promise<string | undefined> {
  return await ensureHost(host, (line) => console.error(`hosts: ${line}`));
}

/** Writes the host's configuration and starts it with a prompt, which it plays to the end without asking anybody. */
export async function startHost(host: HostName, program: string, setup: HostSetup): Promise<HostRun> {
  const { home, modelUrl } = setup;
  const { file, configuration, args, env } = MANNERS[host];
  const path = join(home.home, file);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, configuration(setup));
  const child = new Deno.Command(program, {
    args: [...args, "Please hand this over to Hermes"],
    cwd: home.work,
    clearEnv: true,
    env: { ...surroundings(home, modelUrl), ...env(modelUrl) },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // A process group of its own, as a shell gives it.
    detached: true,
  }).spawn();
  const output = (async () => {
    const [status, stdout, stderr] = await Promise.all([
      child.status,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code: status.code, stdout, stderr };
  })();
  const kill: HostRun["kill"] = (signal, whom) => {
    try {
      Deno.kill(whom === "host" ? child.pid : -child.pid, signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // it has ended
    }
  };
  return {
    kill,
    output,
    [Symbol.asyncDispose]: async () => {
      kill("SIGKILL", "group");
      await output;
    },
  };
}

/** What any program needs; a way out of the machine is refused and noted by the model. */
function surroundings({ env }: ThrowAwayHome, modelUrl: string): Record<string, string> {
  const { HOME, PATH, LANG } = env;
  const none = { HTTPS_PROXY: modelUrl, HTTP_PROXY: modelUrl, NO_PROXY: "127.0.0.1,localhost" };
  return { HOME: HOME!, PATH: PATH!, LANG: LANG!, TERM: "dumb", NO_COLOR: "1", ...none };
}

/** What is peculiar to a host. */
interface Manners {
  /** Its configuration file, below HOME. */
  readonly file: string;
  configuration(setup: HostSetup): string;
  /** The words before the prompt. */
  readonly args: readonly string[];
  env(modelUrl: string): Record<string, string>;
}

const KEY = "planted-host-key-0123456789";

const MANNERS: Readonly<Record<HostName, Manners>> = {
  "codex": {
    file: ".codex/config.toml",
    configuration: codexConfiguration,
    args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    env: () => ({ HOST_MODEL_KEY: KEY }),
  },
  "claude-code": {
    file: ".claude.json",
    configuration: claudeConfiguration,
    args: ["--allowedTools=mcp__hermes-task__*", "-p"],
    env: (modelUrl) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Otherwise the model gets the tools' names only, and must look each of them up first.
      ENABLE_TOOL_SEARCH: "false",
      // Otherwise it starts without a server that has not answered after a second, as a busy machine's may.
      MCP_CONNECTION_NONBLOCKING: "0",
    }),
  },
  "opencode": {
    file: ".config/opencode/opencode.json",
    configuration: opencodeConfiguration,
    args: ["run"],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
  },
};

/** What the server is told in the entry, as not every host hands its own environment on. */
function entryEnv({ home }: HostSetup): Record<string, string> {
  const { HERMES_BIN, HTTPS_PROXY, NO_PROXY } = home.env;
  return { HERMES_HOME: home.root, HERMES_BIN: HERMES_BIN!, HTTPS_PROXY: HTTPS_PROXY!, NO_PROXY: NO_PROXY! };
}

/**
 * JSON's strings are TOML's too. Plugins and apps would be looked for on the network; for a server that is not required
 * Codex (0.171.0) waits less than a second, whatever the timeout.
 */
function codexConfiguration(setup: HostSetup): string {
  const { server, modelUrl, toolLimitSeconds } = setup;
  const env = Object.entries(entryEnv(setup)).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `model = "mock"
model_provider = "loopback"
check_for_update_on_startup = false
[features]
plugins = false
apps = false
[analytics]
enabled = false
[model_providers.loopback]
name = "Loopback"
base_url = "${modelUrl}/v1"
env_key = "HOST_MODEL_KEY"
wire_api = "responses"
[mcp_servers.hermes-task]
command = ${JSON.stringify(server)}
args = ["mcp"]
startup_timeout_sec = 60
required = true
${toolLimitSeconds === undefined ? "" : `tool_timeout_sec = ${toolLimitSeconds}`}
[mcp_servers.hermes-task.env]
${env.join("\n")}
`;
}

function claudeConfiguration(setup: HostSetup): string {
  const entry = {
    type: "stdio",
    command: setup.server,
    args: ["mcp"],
    env: entryEnv(setup),
    ...limitOf(setup),
  };
  return JSON.stringify({ hasCompletedOnboarding: true, mcpServers: { "hermes-task": entry } });
}

function opencodeConfiguration(setup: HostSetup): string {
  const entry = {
    type: "local",
    command: [setup.server, "mcp"],
    environment: entryEnv(setup),
    enabled: true,
    ...limitOf(setup),
  };
  const options = { baseURL: `${setup.modelUrl}/v1`, apiKey: KEY };
  const loopback = { npm: "@ai-sdk/openai-compatible", name: "Loopback", options, models: { mock: {} } };
  return JSON.stringify({
    model: "loopback/mock",
    small_model: "loopback/mock",
    provider: { loopback },
    permission: "allow",
    autoupdate: false,
    share: "disabled",
    mcp: { "hermes-task": entry },
  });
}

function limitOf({ toolLimitSeconds }: HostSetup): { readonly timeout?: number } {
  return toolLimitSeconds === undefined ? {} : { timeout: toolLimitSeconds * 1000 };
}
