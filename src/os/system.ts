// Time and environment of this process.
import type { Clock, Environment } from "../ports.ts";

/** The system's clock. */
export const clock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
    });
  },
};

/** Environment variables, as far as they may be read. */
export const environment: Environment = {
  get(name) {
    try {
      return Deno.env.get(name);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable || error instanceof TypeError) return undefined;
      throw error;
    }
  },
};
