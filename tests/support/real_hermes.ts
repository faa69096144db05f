// The real Hermes for tests: where it is, and a throw-away home whose every provider leads to the model server.
import { ensureHermes } from "../../scripts/install_hermes.ts";
import type { ModelServer } from "../../scripts/model_server.ts";
import { makeHome, poolRow, type ThrowAwayHome } from "./throw_away_home.ts";

/** Path of the real Hermes: what HERMES_TASK_REAL_HERMES names, else the project's own, installed when it is not there. */
export async function realHermes(): Promise<string> {
  const given = Deno.env.get("HERMES_TASK_REAL_HERMES");
  if (given) return given;
  const said: string[] = [];
  const path = await ensureHermes((line) => said.push(line));
  if (path === undefined) throw new Error(`No real Hermes to test with: ${said.join("; ")}`);
  return path;
}

/** What a real home differs in. */
export interface RealHomeOptions {
  /** A behaviour for all of one provider, by provider id, such as `{ gemini: "429_30" }`. */
  readonly failing?: Readonly<Record<string, string>>;
}

/** A home with keys for a few providers, all of them made up, and an environment in which no other host can be reached. */
export async function makeRealHome(
  hermes: string,
  server: ModelServer,
  options: RealHomeOptions = {},
): Promise<ThrowAwayHome> {
  const home = await makeHome({
    config: configFor(server.url),
    auth: authFor(server.url, options.failing ?? {}),
    dotenv: "MOCK_API_KEY=planted-mock-key-0123456789\n",
  });
  const env = {
    ...home.env,
    HERMES_BIN: hermes,
    NO_COLOR: "1",
    TERM: "dumb",
    HTTPS_PROXY: server.url,
    NO_PROXY: "127.0.0.1,localhost",
  };
  return { ...home, env };
}

/** What a careful user has: quiet output, nothing installed at run time, one attempt per model call. */
function configFor(url: string): string {
  return `model:
  default: mock-plain
  provider: mock
  context_length: 200000
providers:
  mock:
    base_url: "${url}/v1"
    key_env: MOCK_API_KEY
agent:
  api_max_retries: 1
display:
  show_reasoning: false
  streaming: false
  inline_diffs: false
security:
  tirith_enabled: false
  allow_lazy_installs: false
terminal:
  oneshot_completion_wait_seconds: 0
auxiliary:
  title_generation:
    enabled: false
`;
}

function authFor(url: string, failing: Readonly<Record<string, string>>): Record<string, unknown> {
  const pool = ["gemini", "nvidia", "huggingface", "openrouter", "kimi-coding"].map((id) => {
    const base_url = failing[id] ? `${url}/b/${failing[id]}/v1` : `${url}/v1`;
    return [id, [poolRow(id, { base_url })]];
  });
  return { version: 1, providers: {}, active_provider: null, credential_pool: Object.fromEntries(pool) };
}

/** Hosts that something tried to reach through the server, all in vain. */
export function escapes(server: ModelServer): string[] {
  const tunnels = server.requests().filter((request) => request.kind === "tunnel");
  return tunnels.map((request) => request.path).filter((host) => host !== UPDATE_CHECK);
}

/** `hermes --version` of 0.19.0 asks here for a newer one when it has not done so lately. */
const UPDATE_CHECK = "pypi.org:443";
