import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { installOnce, type KeptTool, problemOf } from "../../../scripts/tool_folder.ts";

/** Runs `body` with an empty cache folder. */
async function withTools(body: () => Promise<void>): Promise<void> {
  const before = Deno.env.get("HERMES_TASK_TOOLS");
  const folder = await Deno.makeTempDir();
  try {
    Deno.env.set("HERMES_TASK_TOOLS", folder);
    await body();
  } finally {
    if (before === undefined) Deno.env.delete("HERMES_TASK_TOOLS");
    else Deno.env.set("HERMES_TASK_TOOLS", before);
    await Deno.remove(folder, { recursive: true });
  }
}

function toolOf(installed: string[], stamp: string): KeptTool {
  const install = async (folder: string) => {
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, "program"), stamp);
    installed.push(folder);
    return undefined;
  };
  return { name: "tool-1", stamp, proof: "program", install };
}

Deno.test("installOnce() installs once, however many ask, and anew for another stamp or a lost file", async () => {
  await withTools(async () => {
    const installed: string[] = [];
    await Promise.all([1, 2, 3].map(() => installOnce(toolOf(installed, "a"))));
    assertEquals(installed.length, 1);
    await installOnce(toolOf(installed, "b"));
    assertEquals([installed.length, await Deno.readTextFile(join(installed[0]!, "program"))], [2, "b"]);
    await Deno.remove(join(installed[0]!, "program"));
    await installOnce(toolOf(installed, "b"));
    assertEquals(installed.length, 3);
  });
});

Deno.test("installOnce() hands the reason on, and tries again next time", async () => {
  await withTools(async () => {
    const tool = { ...toolOf([], "a"), install: () => Promise.resolve("no network") };
    assertEquals([await installOnce(tool), await installOnce(tool)], ["no network", "no network"]);
  });
});

Deno.test("problemOf() names a program that is not there, and the last line of one that failed", async () => {
  assertEquals(await problemOf("no-such-program-of-ours", []), "no-such-program-of-ours is not there");
  assertEquals(await problemOf("sh", ["-c", "echo one >&2; echo two >&2; exit 3"]), "two");
  assertEquals(await problemOf("sh", ["-c", "exit 3"]), "sh ended with 3");
  assertEquals(await problemOf("sh", ["-c", "exit 0"]), undefined);
});
