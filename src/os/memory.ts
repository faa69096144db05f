// What was worked out before, so that a server does it once: it lives as long as its world.
import type { Memory } from "../ports.ts";

/** An empty memory. */
export function createMemory(): Memory {
  const known = new Map<string, { readonly stamp: string; readonly value: unknown }>();
  return {
    async kept<T>(name: string, stamp: string, make: () => Promise<T>): Promise<T> {
      const there = known.get(name);
      if (there?.stamp === stamp) return there.value as T;
      const value = await make();
      if (value === undefined) known.delete(name);
      else known.set(name, { stamp, value });
      return value;
    },
  };
}
