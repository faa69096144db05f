// What would a task do? Everything up to the start, and nothing is started.
import type { Failure } from "../core/failure.ts";
import type { Route } from "../core/route.ts";
import type { TaskPlan } from "../core/task.ts";
import { markOf, sourceOf } from "../hermes/mark.ts";
import type { World } from "../ports.ts";
import type { Task } from "./admit.ts";
import { gatherFacts } from "./facts.ts";
import { callOf, homeOf, planRoutes } from "./run_task.ts";

/** What a dry run found. */
export interface Preview {
  readonly kind: "plan";
  readonly plan: TaskPlan;
  readonly route: Route | undefined;
  readonly failure: Failure | undefined;
  readonly warnings: readonly string[];
}

/** Looks ahead. */
export async function preview(world: World, task: Task): Promise<Preview> {
  const facts = await gatherFacts(world, world.clock.now() + task.request.timeout_seconds * 1000);
  const plan = planRoutes(world, task, facts);
  const [route] = plan.routes;
  const call = route &&
    callOf(world, task, facts, {
      route,
      mark: markOf(world.place.owner, "dry-run", 1),
      source: sourceOf("dry-run", 1),
    });
  const home = homeOf(task, facts);
  return {
    kind: "plan",
    route,
    failure: facts.failure ?? plan.failure,
    warnings: [...world.settings.problems, ...facts.warnings, ...route?.warnings ?? [], ...home.warnings],
    plan: {
      candidates: plan.routes.map(({ provider, model, reason }) => ({ provider, model, reason })),
      passed_over: plan.passedOver,
      capability: task.capability,
      argv: call ? [world.place.hermes.path ?? "hermes", ...call.args] : [],
      env_names: call ? Object.keys(call.env).sort() : [],
      cwd: task.cwd,
      profile: home.ignoreUserConfig ? null : home.path,
    },
  };
}
