// The three ways to ask, in one form: what holds for one of them is tried on all.
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ERRORS } from "../../src/core/failure.ts";
import type { HermesTaskArgs, HermesTaskResult } from "../../src/core/task.ts";
import type { HermesDetailArgs, HermesDetailResult } from "../../src/operations/detail.ts";
import { programLine, runProgram, startProgram } from "./program.ts";
import { scriptLine } from "./module_script.ts";
import { ServerUnderTest } from "./server_under_test.ts";
import type { ThrowAwayHome } from "./throw_away_home.ts";

/** One of the three. */
export interface Surface {
  /** What the user starts or calls. */
  readonly name: "hermes-task run" | "hermes-task mcp" | "hermesTask()";
  /** Gets ready in a home. */
  open(home: ThrowAwayHome): Promise<OpenSurface>;
}

/** A surface that is ready. `await using` ends it and proves that it was quiet on standard error. */
export interface OpenSurface extends AsyncDisposable {
  task(args: HermesTaskArgs): Promise<HermesTaskResult>;
  detail(args: HermesDetailArgs): Promise<HermesDetailResult>;
  /** Starts a task, waits for `moment`, cancels as callers of this surface do; done when the caller is free again. */
  cancelAt(moment: () => Promise<void>, args: HermesTaskArgs): Promise<void>;
}

const LONGEST_MS = 120_000;

/** `hermes-task run` and `detail`, a process each; from source, or a built program. */
export const commandLine = (program?: string): Surface => ({
  name: "hermes-task run",
  open: (home) => {
    const options = { env: home.env, cwd: home.work, timeoutMs: LONGEST_MS, program };
    const run = async <T>(words: string[]): Promise<T> => {
      const { code, stdout, stderr } = await runProgram(words, options);
      assertEquals(stderr, "");
      const reply = JSON.parse(stdout);
      // `detail` answers well for a task that failed.
      assertEquals(code, reply.ok ? 0 : ERRORS[reply.error as keyof typeof ERRORS].exit);
      return reply;
    };
    return Promise.resolve({
      task: (args) => run(["run", ...flagsOf(args)]),
      detail: (args) => run(["detail", ...flagsOf(args)]),
      cancelAt: async (moment, args) => {
        const program = startProgram(["run", ...flagsOf(args)], options);
        await moment();
        program.kill("SIGINT");
        assertEquals((await program.output).code, ERRORS.cancelled.exit);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
});

/** Each argument as its flag; the prompt comes last, behind `--`, so that it may begin like a flag. */
function flagsOf({ prompt, ...args }: Partial<HermesTaskArgs> & HermesDetailArgs): string[] {
  const flags = Object.entries(args).map(([name, value]) => `--${name.replaceAll("_", "-")}=${value}`);
  return [...flags, "--json", ...prompt === undefined ? [] : ["--", prompt]];
}

/** `hermes-task mcp`, asked by the protocol's own client; from source, or a built program. */
export const mcp = (built?: string): Surface => ({
  name: "hermes-task mcp",
  open: async (home) => {
    const { program: command, args, env } = programLine(["mcp"], { env: home.env, program: built });
    const transport = new StdioClientTransport({ command, args, env, cwd: home.work, stderr: "pipe" });
    let complaints = "";
    transport.stderr?.on("data", (chunk) => complaints += chunk);
    const client = new Client({ name: "test-host", version: "1.0.0" });
    await client.connect(transport);
    const call = async <T>(name: string, args: object, signal?: AbortSignal): Promise<T> => {
      const reply = await client.callTool({ name, arguments: { ...args } }, { signal, timeout: LONGEST_MS });
      const structure = reply.structuredContent as { readonly ok: boolean };
      assertEquals(reply.isError === true, !structure.ok);
      const [text] = reply.content as { readonly text: string }[];
      assertEquals(JSON.parse(text!.text), structure);
      return structure as T;
    };
    return {
      task: (args) => call("hermes_task", args),
      detail: (args) => call("hermes_task_detail", args),
      cancelAt: async (moment, args) => {
        const cancel = new AbortController();
        const ended = call("hermes_task", args, cancel.signal).then(() => "answered", () => "given up");
        await moment();
        cancel.abort();
        assertEquals(await ended, "given up");
      },
      [Symbol.asyncDispose]: async () => {
        await client.close();
        assertEquals(complaints, "");
      },
    };
  },
});

const HOST = fromFileUrl(new URL("../fixtures/module/host.ts", import.meta.url));

/** A script that imports the module, under the documented permissions. */
export const MODULE: Surface = {
  name: "hermesTask()",
  open: async (home) => {
    // Only the program may make the task profile's links; docs/permissions.md says so.
    await runProgram(["run", "--dry-run", "--json", "hello"], { env: home.env, cwd: home.work });
    const host = new ServerUnderTest(scriptLine(home, HOST).spawn());
    const ask = async <T>(order: object): Promise<T> => {
      await host.send(order);
      return await host.next(LONGEST_MS) as T;
    };
    return {
      task: (args) => ask({ call: "task", args }),
      detail: (args) => ask({ call: "detail", args }),
      cancelAt: async (moment, args) => {
        const ended = ask<HermesTaskResult>({ call: "task", args });
        await moment();
        await host.send({ cancel: true });
        assertEquals((await ended).error, "cancelled");
      },
      [Symbol.asyncDispose]: async () => {
        await host.closeInput();
        assert((await host.status).success);
        assertEquals(await host.stderr, "");
        await host[Symbol.asyncDispose]();
      },
    };
  },
};
