import { assertEquals } from "@std/assert";
import {
  canServe,
  fateOf,
  isAbandoned,
  LAUNCH_MS,
  type Look,
  needsLaunch,
  nextFor,
  type QueueRow,
  type Runner,
  shouldLeave,
  takers,
} from "../../../src/core/queue.ts";
import { queueRow } from "../../support/queue_rows.ts";

const NOW = 1_764_537_610_000;
const ME: Runner = { owner: "me", place: "here", offers: {} };
const OTHER: Runner = { owner: "other", place: "here", offers: {} };
const ELSEWHERE: Runner = { owner: "far", place: "elsewhere", offers: {} };

function look(
  rows: readonly QueueRow[],
  more: Partial<Look> & { readonly dead?: readonly string[] } = {},
): Look {
  const { dead = [], ...rest } = more;
  return { rows, runners: [], launches: [], alive: (owner) => !dead.includes(owner), nowMs: NOW, ...rest };
}

const queued = (seq: number, changes: Partial<QueueRow> = {}) => queueRow({ seq, ...changes });
const running = (seq: number, runner: string) => queueRow({ seq, state: "running", runner });

Deno.test("nextFor() takes the oldest task, and none beyond the slots", () => {
  assertEquals(nextFor(look([queued(1), queued(2)]), ME)?.seq, 1);
  assertEquals(nextFor(look([running(1, "other"), queued(2), queued(3)]), ME)?.seq, 2);
  assertEquals(nextFor(look([running(1, "other"), running(2, "third"), queued(3)]), ME), undefined);
});

Deno.test("nextFor() leaves a slot to an older task that somebody else can take", () => {
  const far = queued(2, { place: "elsewhere" });
  assertEquals(nextFor(look([running(1, "other"), far, queued(3)]), ME), undefined);
  assertEquals(nextFor(look([far, queued(3)]), ME)?.seq, 3);
});

Deno.test("nextFor() passes over an older task that nobody can take any more", () => {
  const orphan = queued(2, { place: "elsewhere" });
  assertEquals(nextFor(look([running(1, "other"), orphan, queued(3)], { dead: ["host"] }), ME)?.seq, 3);
  const served = look([running(1, "other"), orphan, queued(3)], { dead: ["host"], runners: [ELSEWHERE] });
  assertEquals(nextFor(served, ME), undefined);
});

const VOID: [what: string, changes: Partial<QueueRow>][] = [
  ["is to be cancelled", { wish: "enough" }],
  ["has had its time", { deadlineMs: NOW }],
  ["was waited for by a process that is gone", { kind: "waiting", waiter: "gone" }],
];
for (const [what, changes] of VOID) {
  Deno.test(`nextFor() passes over a task that ${what}`, () => {
    assertEquals(nextFor(look([queued(1, changes), queued(2)], { dead: ["gone"] }), ME)?.seq, 2);
  });
}

Deno.test("nextFor() never has two tasks continue one session at once", () => {
  const going = queueRow({ seq: 1, state: "running", runner: "other", session: "s1", limit: 3 });
  const [same, next] = [queued(2, { session: "s1", limit: 3 }), queued(3, { session: "s2", limit: 3 })];
  assertEquals(nextFor(look([going, same, next]), ME)?.seq, 3);
  assertEquals(nextFor(look([{ ...going, session: null }, same, next]), ME)?.seq, 2);
  assertEquals(needsLaunch(look([going, same]), ME), undefined);
});

Deno.test("a slot is held until what a dead runner had started is ended", () => {
  const closing = queueRow({ seq: 1, state: "closing", runner: "other", dead: ["gone"], limit: 1 });
  assertEquals(nextFor(look([closing, queued(2, { limit: 1 })]), ME), undefined);
  assertEquals(nextFor(look([{ ...closing, dead: [] }, queued(2, { limit: 1 })]), ME)?.seq, 2);
});

const SERVES: [what: string, row: Partial<QueueRow>, runner: Partial<Runner>, can: boolean][] = [
  ["of the same place", {}, {}, true],
  ["of another place", { place: "elsewhere" }, {}, false],
  ["that has the key", { needs: { A: "1" } }, { offers: { A: "1", B: "2" } }, true],
  ["that has another key", { needs: { A: "1" } }, { offers: { A: "2" } }, false],
  ["that lacks the key", { needs: { A: "1" } }, {}, false],
  ["that waits for its own task", { own: true, waiter: "me", place: "elsewhere" }, {}, true],
  ["that meets another's own task", { own: true, waiter: "other" }, {}, false],
];
for (const [what, row, runner, can] of SERVES) {
  Deno.test(`canServe() tells of a runner ${what}`, () => {
    assertEquals(canServe(queueRow(row), { ...ME, ...runner }), can);
  });
}

Deno.test("needsLaunch() asks for a supervisor where none is idle, once in a while", () => {
  assertEquals(needsLaunch(look([queued(1)]), ME)?.seq, 1);
  assertEquals(needsLaunch(look([queued(1)], { runners: [OTHER] }), ME), undefined);
  assertEquals(needsLaunch(look([running(1, "other"), queued(2)], { runners: [OTHER] }), ME)?.seq, 2);
  assertEquals(needsLaunch(look([queued(1), queued(2)], { runners: [OTHER] }), ME)?.seq, 2);
  const launch = { id: "l", place: "here", offers: {}, atMs: NOW - LAUNCH_MS + 1 };
  assertEquals(needsLaunch(look([queued(1)], { launches: [launch] }), ME), undefined);
  assertEquals(needsLaunch(look([queued(1), queued(2)], { launches: [launch] }), ME)?.seq, 2);
  assertEquals(
    needsLaunch(look([queued(1)], { launches: [{ ...launch, atMs: NOW - LAUNCH_MS }] }), ME)?.seq,
    1,
  );
  assertEquals(needsLaunch(look([queued(1)], { launches: [{ ...launch, place: "elsewhere" }] }), ME)?.seq, 1);
});

Deno.test("needsLaunch() starts nothing for a task without a slot, with other keys, or that runs in its own process", () => {
  assertEquals(needsLaunch(look([running(1, "a"), running(2, "b"), queued(3)]), ME), undefined);
  assertEquals(needsLaunch(look([queued(1, { needs: { A: "1" } })]), ME), undefined);
  assertEquals(needsLaunch(look([queued(1, { own: true, waiter: "other" })]), ME), undefined);
});

Deno.test("takers() are the idle runners that can take a task now, each once", () => {
  const runners = [OTHER, ELSEWHERE, ME];
  assertEquals(takers(look([queued(1)], { runners })), ["other"]);
  assertEquals(takers(look([queued(1), queued(2)], { runners })), ["other", "me"]);
  assertEquals(takers(look([running(1, "other"), queued(2), queued(3)], { runners })), ["me"]);
  assertEquals(takers(look([queued(1, { place: "elsewhere" })], { runners })), ["far"]);
  assertEquals(takers(look([queued(1, { own: true, waiter: "host" })], { runners })), ["host"]);
  assertEquals(takers(look([queued(1, { needs: { K: "1" } })], { runners })), []);
});

Deno.test("shouldLeave() makes room for a task of another place, when there is none", () => {
  const far = queued(1, { place: "elsewhere" });
  assertEquals(shouldLeave(look([far], { runners: [ME, OTHER] }), ME), true);
  assertEquals(shouldLeave(look([far], { runners: [ME] }), ME), false);
  assertEquals(shouldLeave(look([queued(1)], { runners: [ME, OTHER] }), ME), false);
});

const FATES: [
  what: string,
  row: Partial<QueueRow>,
  dead: string[],
  runners: Runner[],
  end: string | undefined,
][] = [
  ["waits", {}, [], [], undefined],
  ["waits although its caller is gone", {}, ["host"], [], undefined],
  ["runs", { state: "running", runner: "other" }, [], [], undefined],
  ["ran in a process that died", { state: "running", runner: "gone" }, ["gone"], [], "lost"],
  ["was being closed by a process that died", { state: "closing", runner: "gone" }, ["gone"], [], "lost"],
  ["is to be cancelled before its start", { wish: "enough" }, [], [], "cancelled"],
  ["is waited for by nobody", { kind: "waiting", waiter: "gone" }, ["gone"], [], "cancelled"],
  ["found no slot in its time", { deadlineMs: NOW }, [], [], "timeout"],
  ["found nobody with its key", { deadlineMs: NOW, needs: { K: "1" } }, ["host"], [OTHER], "no_credential"],
  ["has one with its key", { deadlineMs: NOW, needs: { K: "1" } }, ["host"], [
    { ...OTHER, offers: { K: "1" } },
  ], "timeout"],
];
for (const [what, row, dead, runners, end] of FATES) {
  Deno.test(`fateOf() a task that ${what}: ${end ?? "goes on"}`, () => {
    const seen = look([], { dead, runners });
    assertEquals(fateOf(queueRow(row), seen)?.end, end);
  });
}

Deno.test("fateOf() a task whose time is over tells whether somebody was there to take it", () => {
  const served = (runners: Runner[]) => fateOf(queueRow({ deadlineMs: NOW }), look([], { runners }));
  assertEquals(served([OTHER]), { end: "timeout", served: true });
  assertEquals(served([ELSEWHERE]), { end: "timeout", served: false });
});

Deno.test("isAbandoned() means waiting tasks only", () => {
  const gone = (owner: string) => owner !== "gone";
  assertEquals(isAbandoned(queueRow({ kind: "waiting", waiter: "gone" }), gone), true);
  assertEquals(isAbandoned(queueRow({ kind: "waiting", waiter: "host" }), gone), false);
  assertEquals(isAbandoned(queueRow({ kind: "background", admittedBy: "gone" }), gone), false);
});
