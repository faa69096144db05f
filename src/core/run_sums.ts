// What does the index know of the runs of a window? Counted in groups, so that nothing has to be read twice.

/** Which runs to sum. Epoch milliseconds, both ends included; undefined means open. */
export interface RunWindow {
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** One group of runs that agree in all its keys; the index counts, we fold. */
export interface RunGroup {
  readonly provider: string | null;
  readonly model: string | null;
  readonly status: string;
  readonly error: string | null;
  readonly capability: string | null;
  readonly exitCode: number | null;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly costBasis: string | null;
  readonly runs: number;
  /** The known durations, in no order. */
  readonly durationsMs: readonly number[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheTokens: number;
  readonly reasoningTokens: number;
  /** Runs whose tokens are known; the sums above are over those. */
  readonly withTokens: number;
  readonly costUsd: number;
  /** Runs whose cost is known. */
  readonly withCost: number;
  readonly toolCalls: number;
  readonly apiCalls: number;
  readonly messages: number;
  /** Runs with a digest; the three sums above are over those. */
  readonly withDigest: number;
  /** Runs that needed more than one attempt. */
  readonly failovers: number;
  /** Milliseconds spent in attempts that failed before another one was made. */
  readonly failoverMs: number;
}

/** Attempts that agree in all its keys. */
export interface AttemptGroup {
  readonly provider: string;
  readonly outcome: string;
  readonly error: string | null;
  readonly attempts: number;
}

/** What the index knows of a window. */
export interface RunSums {
  readonly earliestMs: number | null;
  readonly latestMs: number | null;
  readonly groups: readonly RunGroup[];
  readonly attempts: readonly AttemptGroup[];
  /** Tool name to number of runs that used it. */
  readonly tools: Readonly<Record<string, number>>;
  /** What was not counted, or not from the index, and why. */
  readonly warnings: readonly string[];
}
