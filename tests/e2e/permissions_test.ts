// What may the worker do? Tried from inside, as it runs from source. The compiled form: tests/real/binary_test.ts.
import { assert } from "@std/assert";
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

Deno.test("a worker may do what its role needs and nothing else, installed by deno install", async () => {
  const root = await Deno.makeTempDir();
  const args = [
    "install",
    "--global",
    "--quiet",
    "--no-config",
    "--no-lock",
    "--root",
    root,
    "--name",
    "rights",
    ...RIGHTS,
    PROGRAM,
  ];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).output();
  assert(success, new TextDecoder().decode(stderr));
  // The shim calls deno by its name.
  await Deno.symlink(Deno.execPath(), `${root}/bin/deno`);
  await trespass(`${root}/bin/rights`, [], `${root}/bin`);
  await Deno.remove(root, { recursive: true });
});
