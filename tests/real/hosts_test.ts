// Does it all hold in real MCP hosts, each with a scripted model and none with an account? Needs dist/hermes-task;
// scripts/dev test:real builds it. A host that npm cannot give is left out, and said so.
import { HOST_NAMES } from "../../scripts/install_hosts.ts";
import { GIVING_UP, HANDED_OVER, type HostCase, LONG_TASK, playWith } from "../support/host_cases.ts";
import { realHost } from "../support/host_runs.ts";

const HOSTS = await Promise.all(HOST_NAMES.map(async (name) => ({ name, program: await realHost(name) })));

// Steps of one test, as those may run at the same time: a long task is mostly waited for.
Deno.test({
  name: "real hosts",
  ignore: HOSTS.every(({ program }) => program === undefined),
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const step = (host: typeof HOSTS[number], one: HostCase) =>
      t.step({
        name: `${host.name}: ${one.name}`,
        ignore: host.program === undefined || one.hosts?.includes(host.name) === false,
        sanitizeOps: false,
        sanitizeResources: false,
        sanitizeExit: false,
        fn: () => playWith(host.name, host.program!, one),
      });
    const waiting = HOSTS.map((host) => step(host, LONG_TASK));
    for (const host of HOSTS) {
      waiting.push(step(host, HANDED_OVER));
      for (const one of GIVING_UP) await step(host, one);
    }
    await Promise.all(waiting);
  },
});
