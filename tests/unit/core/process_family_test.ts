import { assertEquals } from "@std/assert";
import { familyOf, listingArgs, parseListing } from "../../../src/core/process_family.ts";

const LISTING = `
    1     0     1 Ss   /sbin/init
  100     1   100 Ss   hermes chat HOME=/root XDG_HERMES_TASK_ID=own.1_a.1 KEY=secret
  101   100   100 S    child of it
  102   101   102 Ss   own session, cleared environment
  200     1   200 Ss   daemon PATH=/bin XDG_HERMES_TASK_ID=own.1_a.1
  201     1   201 Ss   another task XDG_HERMES_TASK_ID=own.1_b.1
  202     1   202 Ss   another owner XDG_HERMES_TASK_ID=owner2.1_a.1
  300   100   100 Z    <defunct>
not a row
`;

const pids = (mark: string, root?: number, known: number[] = []) =>
  familyOf(parseListing(LISTING), { root, mark, known: new Set(known), self: 1 }).map(({ pid }) => pid)
    .sort();

Deno.test("parseListing() keeps four numbers and the mark, and leaves zombies out", () => {
  assertEquals(parseListing(LISTING)[1], { pid: 100, ppid: 1, pgid: 100, mark: "own.1_a.1" });
  assertEquals(parseListing(LISTING).length, 7);
});

Deno.test("familyOf() finds what hangs on the root and what only carries the mark", () => {
  assertEquals(pids("own.1_a.1", 100), [100, 101, 102, 200]);
});

Deno.test("familyOf() finds everything of an owner by the beginning of the mark", () => {
  assertEquals(pids("own."), [100, 101, 102, 200, 201]);
});

Deno.test("familyOf() goes on from what was known when its parent is gone", () => {
  assertEquals(pids("none.x.1", undefined, [101]), [101, 102]);
});

Deno.test("familyOf() never takes ourselves", () => {
  assertEquals(
    familyOf(parseListing(LISTING), { root: 100, mark: "own.1_a.1", known: new Set(), self: 100 }).map((
      { pid },
    ) => pid).sort(),
    [101, 102, 200],
  );
});

Deno.test("listingArgs() asks macOS in its own way", () => {
  assertEquals(listingArgs("darwin")[1], "-E");
  assertEquals(listingArgs("linux")[0], "eww");
});

Deno.test("parseListing() takes the mark of the environment, not one that a prompt names", () => {
  const line =
    "7 1 7 S hermes --query=What does XDG_HERMES_TASK_ID=abc mean? HOME=/root XDG_HERMES_TASK_ID=own.1_a.1 X=1";
  assertEquals(parseListing(line)[0]?.mark, "own.1_a.1");
});
