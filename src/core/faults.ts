// What the outside world can throw, and nothing else.

/** A file that could not be read or written. `full` is a full disk, `readonly` a file system that takes no writes. */
export class FileFault extends Error {
  readonly kind: "missing" | "denied" | "full" | "readonly" | "other";
  readonly path: string;
  /** Names the path and the system's own words. */
  constructor(kind: FileFault["kind"], path: string, words: string) {
    super(`"${path}": ${words}`);
    this.name = "FileFault";
    this.kind = kind;
    this.path = path;
  }
}

/** A child that could not be started. */
export class SpawnFault extends Error {
  readonly kind: "missing" | "not_executable" | "no_cwd" | "too_long" | "refused" | "other";
  /** Keeps the system's own words. */
  constructor(kind: SpawnFault["kind"], words: string) {
    super(words);
    this.name = "SpawnFault";
    this.kind = kind;
  }
}
