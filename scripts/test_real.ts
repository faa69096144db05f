// Does everything hold with the real Hermes? Puts it into the cache folder and runs tests/real in a throw-away home.
import { ensureHermes } from "./install_hermes.ts";
import { runGuarded } from "./guarded.ts";

const hermes = await ensureHermes((line) => console.error(`test:real: ${line}`));
if (hermes === undefined) {
  console.error("test:real: failed, as there is no real Hermes to test with");
  Deno.exit(1);
}
Deno.exit(
  await runGuarded(Deno.execPath(), [
    "test",
    "--frozen",
    "--no-prompt",
    "--allow-read",
    "--allow-write",
    "--allow-run",
    "--allow-env",
    "--allow-sys",
    "--allow-net=127.0.0.1",
    ...Deno.args,
    "tests/real",
  ]),
);
