import { assert, assertEquals } from "@std/assert";
import { buildArgs, buildEnvironment, type CallPlan, safePrompt } from "../../../src/core/invocation.ts";

const PLAN: CallPlan = {
  prompt: "hi",
  provider: "gemini",
  model: "m",
  source: "hermes-task:1_a.1",
  toolsets: "",
  maxTurns: 500,
  sessionId: "",
  yolo: false,
  ignoreUserConfig: false,
};

Deno.test("buildArgs() always names provider and model", () => {
  assertEquals(buildArgs(PLAN), [
    "chat",
    "--query=hi",
    "--quiet",
    "--model=m",
    "--provider=gemini",
    "--source=hermes-task:1_a.1",
    "--max-turns=500",
  ]);
});

Deno.test("buildArgs() adds what was asked for", () => {
  const args = buildArgs({ ...PLAN, toolsets: "file", sessionId: "s", yolo: true, ignoreUserConfig: true });
  assertEquals(args.slice(7), [
    "--toolsets=file",
    "--resume=s",
    "--no-restore-cwd",
    "--yolo",
    "--ignore-user-config",
  ]);
});

Deno.test("[FAULT-36] buildArgs() glues any prompt to its flag", () => {
  for (const prompt of ["--help", "- item", "---", "-q", "@file", "a;touch X", "$(touch X)"]) {
    const args = buildArgs({ ...PLAN, prompt });
    assert(args.includes(`--query=${prompt}`));
    assertEquals(args.length, 7);
  }
});

Deno.test("safePrompt() keeps Hermes from taking a prompt for something else", () => {
  assertEquals(safePrompt("--"), "Text: --");
  assertEquals(safePrompt("/tmp/x.png what is it"), "Text: /tmp/x.png what is it");
  assertEquals(safePrompt("~/a b/x.JPG"), "Text: ~/a b/x.JPG");
  assertEquals(safePrompt("/tmp/x.txt"), "/tmp/x.txt");
  assertEquals(safePrompt("-- and more"), "-- and more");
});

Deno.test("[FAULT-79] buildEnvironment() hands on what is chosen, and only the keys of one provider", () => {
  const have: Record<string, string> = {
    HOME: "/home/u",
    PATH: "/bin",
    LANG: "C.UTF-8",
    GEMINI_API_KEY: "g",
    NVIDIA_API_KEY: "n",
    AWS_SECRET_ACCESS_KEY: "a",
    HERMES_KANBAN_TASK: "k",
    LD_PRELOAD: "x",
    SUDO_PASSWORD: "s",
  };
  const env = buildEnvironment(
    { home: "/h", mark: "o.t.1", depth: 0, variables: ["GEMINI_API_KEY"] },
    (name) => have[name],
  );
  assertEquals(env, {
    HERMES_SIGTERM_GRACE: "0.2",
    HOME: "/home/u",
    PATH: "/bin",
    LANG: "C.UTF-8",
    GEMINI_API_KEY: "g",
    HERMES_HOME: "/h",
    NO_COLOR: "1",
    TERM: "dumb",
    PYTHONUTF8: "1",
    PYTHONIOENCODING: "utf-8",
    SUDO_PASSWORD: "",
    XDG_HERMES_TASK_ID: "o.t.1",
    XDG_HERMES_TASK_DEPTH: "1",
  });
});

Deno.test("buildEnvironment() gives a UTF-8 locale where there is none", () => {
  assertEquals(
    buildEnvironment({ home: "/h", mark: "m", depth: 2, variables: [] }, () => undefined).LC_ALL,
    "C.UTF-8",
  );
});
