// Does it all hold in real MCP hosts, each with a scripted model and none with an account? Needs dist/hermes-task;
// scripts/dev test:real builds it. A host that npm cannot give is left out, and said so.
import { HOST_NAMES } from "../../scripts/install_hosts.ts";
import { HOST_CASES, type OneByOne, playWith } from "../support/host_cases.ts";
import { realHost } from "../support/host_runs.ts";

const HOSTS = await Promise.all(HOST_NAMES.map(async (name) => ({ name, program: await realHost(name) })));

const oneByOne = queue();

// Steps of one test, as only those may run at the same time.
Deno.test({
  name: "real hosts",
  ignore: HOSTS.every(({ program }) => program === undefined),
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const steps = HOST_CASES.flatMap((one) =>
      HOSTS.filter(({ name }) => one.hosts?.includes(name) ?? true).map(({ name, program = "" }) =>
        t.step({
          name: `${name}: ${one.name}`,
          ignore: program === "",
          sanitizeOps: false,
          sanitizeResources: false,
          sanitizeExit: false,
          fn: () => playWith({ name, program }, one, oneByOne),
        })
      )
    );
    await Promise.all(steps);
  },
});

function queue(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
