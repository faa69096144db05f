// Which commands there are, and what help and completions say of each.

/** One command. Its flags come from its operation, or stand here for a command without one. */
export interface Command {
  readonly name: string;
  /** One line for the list of all commands. */
  readonly about: string;
  /** The argument that may stand without its flag. */
  readonly positional?: Positional;
  /** Does it know `--json`? */
  readonly json: boolean;
  /** Does it take its flags from the operation of this name of command? */
  readonly operation: boolean;
  /** Its own flags, when it has no operation. */
  readonly flags?: readonly Flag[];
  /** Lines that help shows beneath the flags. */
  readonly notes?: readonly string[];
  /** Complete command lines, most useful first. */
  readonly examples: readonly string[];
}

/** One flag. */
export interface Flag {
  /** Without the dashes, `timeout-seconds`. */
  readonly name: string;
  /** The argument that it fills, `timeout_seconds`. */
  readonly argument: string;
  readonly kind: "text" | "number" | "integer" | "switch" | "list";
  readonly choices?: readonly string[];
  /** One short line. */
  readonly about: string;
  /** Shown in help as the value that holds without the flag. */
  readonly fallback?: string;
}

/** The argument of a command that stands by itself. */
export interface Positional {
  /** Name of the argument that it fills. */
  readonly argument: string;
  /** How usage shows it. */
  readonly shown: string;
  /** May there be several words? */
  readonly many: boolean;
  /** Each word is a value of its own; else all together are one, joined by spaces. */
  readonly list?: boolean;
  /** The values it may have, where they are few. */
  readonly choices?: readonly string[];
}

/** Shells for which completions are made. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** All commands, in the order of help. */
export const COMMANDS: readonly Command[] = [
  {
    name: "run",
    about: "give Hermes one task and wait for the answer",
    positional: { argument: "prompt", shown: "PROMPT…", many: true },
    json: true,
    operation: true,
    notes: ['PROMPT "-" or none: read from standard input. After "--" all is prompt.'],
    examples: [
      'hermes-task run "Which files here are over 1 MB?"',
      "git diff | hermes-task run --capability coding",
    ],
  },
  {
    name: "detail",
    about: "show the whole record of an earlier task",
    positional: { argument: "task_id", shown: "[TASK_ID]", many: false },
    json: true,
    operation: true,
    examples: ["hermes-task detail 1764537600123_k3x9qd"],
  },
  {
    name: "models",
    about: "list providers and models: alive, resting, free",
    positional: { argument: "provider", shown: "[PROVIDER]", many: false },
    json: true,
    operation: true,
    examples: ["hermes-task models", "hermes-task models gemini --input-type image"],
  },
  {
    name: "telemetry",
    about: "sum up the recorded tasks",
    json: true,
    operation: true,
    examples: ["hermes-task telemetry --since 7d", "hermes-task telemetry --group-by model --json"],
  },
  {
    name: "tasks",
    about: "list tasks, the newest first",
    json: true,
    operation: true,
    examples: ["hermes-task tasks", "hermes-task tasks --state open"],
  },
  {
    name: "wait",
    about: "wait for background tasks and show their answers",
    positional: { argument: "task_ids", shown: "TASK_ID…", many: true, list: true },
    json: true,
    operation: true,
    examples: ["hermes-task wait 1764537600123_k3x9qd"],
  },
  {
    name: "cancel",
    about: "end tasks and everything that they started",
    positional: { argument: "task_ids", shown: "TASK_ID…", many: true, list: true },
    json: true,
    operation: true,
    examples: ["hermes-task cancel 1764537600123_k3x9qd"],
  },
  {
    name: "tail",
    about: "watch a running task: its tool calls and its words",
    positional: { argument: "task_id", shown: "TASK_ID", many: false },
    json: false,
    operation: false,
    notes: ["Ends with the task. Ctrl-C ends the watching only: the task goes on."],
    examples: ["hermes-task tail 1764537600123_k3x9qd"],
  },
  {
    name: "batch",
    about: "give Hermes several tasks, or one to several models",
    positional: { argument: "prompts", shown: "PROMPT…", many: true, list: true },
    json: true,
    operation: true,
    examples: ['hermes-task batch "Summarise a.md" "Summarise b.md"'],
  },
  {
    name: "config",
    about: "show every setting and where it came from",
    json: true,
    operation: false,
    examples: ["hermes-task config", "HERMES_TASK_MAX_CONCURRENT=4 hermes-task config --json"],
  },
  {
    name: "prune",
    about: "remove records and logs of old tasks",
    json: true,
    operation: false,
    flags: [
      {
        name: "older-than",
        argument: "older_than",
        kind: "text",
        about: "Tasks older than 24h, 30d, 2w, or created before 2026-08-01",
      },
      {
        name: "keep",
        argument: "keep",
        kind: "integer",
        about: "Tasks beyond the newest N that have ended",
      },
      {
        name: "max-size",
        argument: "max_size",
        kind: "text",
        about: "The oldest, until all take at most 500MB, 2GB or so many bytes",
      },
      {
        name: "dry-run",
        argument: "dry_run",
        kind: "switch",
        about: "Show what would go; nothing is removed",
      },
    ],
    notes: [
      "At least one of the first three; a task goes when one of them says so.",
      "A task that waits or runs is never removed. 1 KB is 1024 bytes.",
    ],
    examples: [
      "hermes-task prune --older-than 30d --dry-run",
      "hermes-task prune --keep 1000 --max-size 500MB",
    ],
  },
  {
    name: "reindex",
    about: "make the index of the records anew",
    json: true,
    operation: false,
    notes: [
      "The record files are the truth; the index over them mends itself. Run this",
      "when figures look wrong, or after records were copied here by hand.",
    ],
    examples: ["hermes-task reindex"],
  },
  {
    name: "mcp",
    about: "serve the tools to an MCP host over stdio",
    json: false,
    operation: false,
    notes: [
      "Started by a host, not by hand. Its entry names this program and one argument:",
      '  { "command": "hermes-task", "args": ["mcp"] }',
    ],
    examples: ["claude mcp add hermes-task -- hermes-task mcp"],
  },
  {
    name: "demo",
    about: "show the main job end to end",
    json: false,
    operation: false,
    examples: ["hermes-task demo"],
  },
  {
    name: "completions",
    about: "print the completion script of a shell",
    positional: { argument: "shell", shown: SHELLS.join("|"), many: false, choices: SHELLS },
    json: false,
    operation: false,
    notes: [
      "The example's line belongs into ~/.bashrc; for zsh the same in ~/.zshrc.",
      "fish: hermes-task completions fish | source",
    ],
    examples: ['eval "$(hermes-task completions bash)"'],
  },
  {
    name: "version",
    about: "print the version",
    json: true,
    operation: false,
    examples: ["hermes-task version"],
  },
  {
    name: "help",
    about: "explain a command",
    positional: { argument: "command", shown: "[COMMAND]", many: false },
    json: false,
    operation: false,
    examples: ["hermes-task help run"],
  },
];

/** The command of that name. */
export function commandOf(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}
