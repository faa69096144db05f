// Which environment variables matter: those that Hermes gets, and those that a worker may read. A data table.
import { PROVIDERS } from "./provider.ts";
import { DEPTH_VARIABLE, MARK_VARIABLE } from "./process_family.ts";

/** Handed on to Hermes when set: who and where the user is, language, proxies, certificates. `*` stands for any ending. */
export const PASSED_ON: readonly string[] = [
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "PATH",
  "TMPDIR",
  "TMP",
  "TEMP",
  "TZ",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "LC_MESSAGES",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "XDG_STATE_HOME",
  "XDG_RUNTIME_DIR",
  "SystemRoot",
  "USERPROFILE",
  "LOCALAPPDATA",
  "APPDATA",
  "ComSpec",
  "PATHEXT",
];

/** Hermes' own variables that a user may set for it; others of `HERMES_*` would change what a run is. */
export const HERMES_OWN: readonly string[] = [
  "HERMES_API_TIMEOUT",
  "HERMES_SIGTERM_GRACE",
  "HERMES_EXIT_WATCHDOG_S",
  "HERMES_API_CALL_STALE_TIMEOUT",
  "HERMES_STREAM_READ_TIMEOUT",
  "HERMES_STREAM_STALE_TIMEOUT",
  "HERMES_LOCAL_STREAM_STALE_TIMEOUT",
  "HERMES_STREAM_STALE_GIVEUP",
  "HERMES_STREAM_RETRIES",
  "HERMES_MAX_TOKENS",
  "HERMES_REDACT_SECRETS",
  "HERMES_WRITE_SAFE_ROOT",
  "HERMES_TIMEZONE",
];

/** Read by the program itself; the last two by the YAML library, for its own debugging. */
const READ_HERE: readonly string[] = [
  "NO_COLOR",
  "TERM",
  "HERMES_*",
  MARK_VARIABLE,
  DEPTH_VARIABLE,
  "LOG_TOKENS",
  "LOG_STREAM",
];

/** Every name that a worker may read, `named` being those that the user's configuration mentions. */
export function readableNames(named: readonly string[]): string[] {
  return [...new Set([...PASSED_ON, ...READ_HERE, ...registryKeyNames(), ...named])];
}

/** Every variable that holds a key or an address of a provider of the registry. */
export function registryKeyNames(): string[] {
  return PROVIDERS.flatMap(({ keyVariables, addressVariables }) => [...keyVariables, ...addressVariables]);
}
