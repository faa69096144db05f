// What may the worker do? Tried from inside, as it runs from source. The compiled form: tests/real/binary_test.ts.
import { fromFileUrl } from "@std/path";
import { trespass } from "../support/trespass.ts";

const PROGRAM = fromFileUrl(new URL("../fixtures/rights/main.ts", import.meta.url));
const RIGHTS = [
  "--no-prompt",
  "--unstable-worker-options",
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-env",
];

Deno.test("a worker may do what its role needs and nothing else, under deno run", async () => {
  await trespass(Deno.execPath(), ["run", "--no-config", "--no-lock", "--quiet", ...RIGHTS, PROGRAM]);
});
