// A data table, made by scripts/opening.ts: the opening of a connection, word for word as the SDK would give it.
import type { OpeningConstants } from "./opening.ts";

/** Answers to `initialize` and the lists. */
export const OPENING: OpeningConstants = {
  "versions": [
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
    "2024-10-07",
  ],
  "initialize": {
    "capabilities": {
      "tools": {
        "listChanged": false,
      },
      "resources": {
        "subscribe": true,
        "listChanged": true,
      },
      "prompts": {
        "listChanged": false,
      },
    },
    "serverInfo": {
      "name": "hermes-task",
      "title": "Hermes task",
      "version": "0.1.0",
    },
    "instructions":
      "Hands tasks to the Hermes Agent of this machine, on providers known to be free. Call hermes_task with a prompt; read what was cut with hermes_task_detail; see providers with hermes_models.",
  },
  "lists": {
    "tools/list": {
      "tools": [
        {
          "name": "hermes_task",
          "title": "Run a task with Hermes Agent",
          "description":
            'Hands one self-contained task to the locally installed Hermes Agent (it has tools: files, terminal, web) on a free model, and waits for the answer. Say everything that Hermes needs in the prompt; it does not see this conversation. A wish such as "timeout 10 minutes" (in any language) becomes timeout_seconds: 600; without one leave the default of 300. For heavy work keep output_mode "digest" and read the rest with hermes_task_detail. On ok: false, error and error_detail say what to do next.',
          "inputSchema": {
            "type": "object",
            "required": [
              "prompt",
            ],
            "properties": {
              "prompt": {
                "type": "string",
                "description":
                  "The task, in plain words. At most 4000 characters unless configured otherwise.",
              },
              "provider": {
                "default": "auto",
                "description":
                  '"auto" picks one that is alive and free; or a provider id or alias, which is never replaced by another.',
                "type": "string",
              },
              "model": {
                "description": "A model id; empty: chosen.",
                "type": "string",
              },
              "capability": {
                "description":
                  "What the task needs: reasoning, coding, vision, multimodal, planning, chat. Empty: told from the prompt.",
                "type": "string",
                "enum": [
                  "reason",
                  "reasoning",
                  "coding",
                  "vision",
                  "multimodal",
                  "planning",
                  "image-gen",
                  "voice",
                  "chat",
                ],
              },
              "timeout_seconds": {
                "description":
                  'Seconds for the whole task, 10 to 1800. A wish such as "timeout 10 minutes" means 600.',
                "default": 300,
                "type": "number",
              },
              "wait_seconds": {
                "description":
                  "Seconds that this call may wait; then it answers status running, the task goes on, and hermes_wait gives its answer. Omitted: as long as your host can wait.",
                "type": "number",
              },
              "background": {
                "default": false,
                "description": "Answer at once with the task_id; the task goes on in the background.",
                "type": "boolean",
              },
              "cwd": {
                "description":
                  "Working directory, inside a folder of the allowlist. Empty: the caller's own.",
                "type": "string",
              },
              "toolsets": {
                "description":
                  "Hermes toolsets, such as file,terminal. Comma separated; empty: Hermes' own choice.",
                "type": "string",
              },
              "max_turns": {
                "default": 500,
                "description": "Hermes' own limit of model turns.",
                "type": "integer",
                "minimum": 1,
                "maximum": 100000,
              },
              "output_mode": {
                "description":
                  '"digest" cuts the answer at 8 KB (read on with hermes_task_detail); "full" cuts at 200 KB and adds tool_calls.',
                "type": "string",
                "enum": [
                  "digest",
                  "full",
                ],
              },
              "session_id": {
                "description": "Continue this Hermes session.",
                "type": "string",
              },
              "dry_run": {
                "default": false,
                "description": "Show what would be chosen and started, and why; start nothing.",
                "type": "boolean",
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
                "description": "True only when Hermes answered.",
              },
              "status": {
                "description": "State of the task: succeeded, failed, cancelled, timed_out.",
                "type": [
                  "string",
                  "null",
                ],
              },
              "task_id": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "error": {
                "type": "string",
              },
              "error_detail": {
                "description": "What went wrong and what to do next.",
                "type": "string",
              },
              "result": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "truncated": {
                "type": "boolean",
              },
              "next_offset": {
                "description": "Read on from here with hermes_task_detail.",
                "type": "number",
              },
              "provider": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "model": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "duration_ms": {
                "type": [
                  "number",
                  "null",
                ],
              },
              "session_id": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": false,
            "openWorldHint": true,
          },
        },
        {
          "name": "hermes_task_detail",
          "title": "Read an earlier Hermes task",
          "description":
            "Gives the full record of an earlier hermes_task: the whole answer, the tool calls, usage, how it ended. Also answers for a running task (section log: what it does now). Where an answer was cut, call this with the task_id and offset = next_offset of that reply, until no next_offset comes. Tool calls in pages: section tool_calls with max_bytes. ok: true means that the record was found; status and error say how the task ended.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "task_id": {
                "description": "The task_id that hermes_task gave. This or session_id is needed.",
                "type": "string",
              },
              "session_id": {
                "description":
                  "A Hermes session id, when the task_id is not known; the newest task in it is shown.",
                "type": "string",
              },
              "max_bytes": {
                "default": 0,
                "description": "Most bytes of text to show; 0: all that fits.",
                "type": "integer",
                "minimum": 0,
                "maximum": 1000000000,
              },
              "offset": {
                "default": 0,
                "description": "Byte at which to begin: the next_offset of the reply before.",
                "type": "integer",
                "minimum": 0,
                "maximum": 1000000000,
              },
              "section": {
                "description":
                  "Which part: result (the answer alone), tool_calls (what Hermes did), log (what it printed), all. Empty: answer, tool calls and figures.",
                "type": "string",
                "enum": [
                  "result",
                  "tool_calls",
                  "log",
                  "all",
                ],
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
                "description": "Was the record found? How the task ended say status and error.",
              },
              "status": {
                "description": "queued, running, succeeded, failed, cancelled, timed_out or lost.",
                "type": [
                  "string",
                  "null",
                ],
              },
              "task_id": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "session_id": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "cached": {
                "description": "false: read from Hermes' session store just now.",
                "type": "boolean",
              },
              "error": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "error_detail": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "result": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "truncated": {
                "type": "boolean",
              },
              "result_bytes": {
                "description": "Size of the whole text of which result is a part.",
                "type": "number",
              },
              "next_offset": {
                "description": "Where to read on.",
                "type": "number",
              },
              "tool_calls": {
                "anyOf": [
                  {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "name": {
                          "type": "string",
                        },
                      },
                      "required": [
                        "name",
                      ],
                    },
                  },
                  {
                    "type": "null",
                  },
                ],
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
          },
        },
        {
          "name": "hermes_models",
          "title": "List Hermes providers and models",
          "description":
            "Lists the providers and models that Hermes Agent can use here: whether each works now (alive, cooling until a time, dead, unconfigured), what each model reads and can do, its price, whether it is free, and the default. Unknown is null. Use it before hermes_task when a certain model or input (image, pdf, audio, video) matters. Reads files only.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "provider": {
                "description": "A provider id or alias, such as gemini. Empty: all.",
                "type": "string",
                "maxLength": 200,
              },
              "input_type": {
                "description": "Only models that read this kind of input: text, image, pdf, audio, video.",
                "type": "string",
                "enum": [
                  "text",
                  "image",
                  "pdf",
                  "audio",
                  "video",
                ],
              },
              "capability": {
                "description":
                  "Only models with this ability: reasoning, coding, vision, multimodal, planning, image-gen, voice, chat.",
                "type": "string",
                "enum": [
                  "reason",
                  "reasoning",
                  "coding",
                  "vision",
                  "multimodal",
                  "planning",
                  "image-gen",
                  "voice",
                  "chat",
                ],
              },
              "free_only": {
                "default": false,
                "description": "Only models known to cost nothing.",
                "type": "boolean",
              },
              "limit": {
                "default": 10,
                "description": "Most models shown per provider.",
                "type": "integer",
                "minimum": 1,
                "maximum": 100000,
              },
              "models_cache_path": {
                "description":
                  "Read Hermes' provider list from this file; inside the Hermes home or an allowed folder.",
                "type": "string",
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
              },
              "error": {
                "type": "string",
              },
              "error_detail": {
                "type": "string",
              },
              "source": {
                "type": [
                  "string",
                  "null",
                ],
              },
              "fetched_at": {
                "description": "When the newest list was fetched, epoch seconds.",
                "type": [
                  "number",
                  "null",
                ],
              },
              "count": {
                "description": "Number of providers listed.",
                "type": "number",
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
              "providers": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "provider": {
                      "type": "string",
                    },
                    "status": {
                      "type": "string",
                      "description": "alive, cooling, dead, unconfigured or unknown.",
                    },
                    "until": {
                      "description": "Rests until then, ISO 8601 UTC.",
                      "type": [
                        "string",
                        "null",
                      ],
                    },
                    "default_model": {
                      "type": [
                        "string",
                        "null",
                      ],
                    },
                    "models": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "properties": {
                          "id": {
                            "type": "string",
                          },
                          "input_types": {
                            "anyOf": [
                              {
                                "type": "array",
                                "items": {
                                  "type": "string",
                                },
                              },
                              {
                                "type": "null",
                              },
                            ],
                          },
                          "is_default": {
                            "type": "boolean",
                          },
                          "free": {
                            "description": "Why it costs nothing; null: not known to be free.",
                            "type": [
                              "string",
                              "null",
                            ],
                          },
                        },
                        "required": [
                          "id",
                          "input_types",
                          "is_default",
                          "free",
                        ],
                      },
                    },
                  },
                  "required": [
                    "provider",
                    "status",
                    "until",
                    "default_model",
                    "models",
                  ],
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
          },
        },
        {
          "name": "hermes_telemetry",
          "title": "Sum up recorded Hermes tasks",
          "description":
            "Sums up the recorded hermes_task runs, failures included: how many, how many were answered, by provider, model, exit status and error, tools used, durations (median, p95), tokens, cost and where it comes from, attempts and time lost to failover. Narrow it with since and until; group_by gives the same per provider, model, day, error or capability.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "since": {
                "description":
                  "Only tasks from then on: 2026-08-01, 2026-08-01T12:00:00Z, or back from now: 30m, 24h, 7d, 2w.",
                "type": "string",
              },
              "until": {
                "description": "Only tasks up to then, in the same forms; a day alone counts as a whole.",
                "type": "string",
              },
              "group_by": {
                "description": "Also sum up by provider, model, day, error or capability.",
                "type": "string",
                "enum": [
                  "provider",
                  "model",
                  "day",
                  "error",
                  "capability",
                ],
              },
              "limit": {
                "default": 20,
                "description": "Most groups shown.",
                "type": "integer",
                "minimum": 1,
                "maximum": 10000,
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
              },
              "error": {
                "type": "string",
              },
              "error_detail": {
                "type": "string",
              },
              "runs": {
                "description": "Tasks that have ended, failures included.",
                "type": "number",
              },
              "success_rate": {
                "description": "Share of the runs that were answered; null without runs.",
                "type": [
                  "number",
                  "null",
                ],
              },
              "provider_breakdown": {
                "type": "object",
                "propertyNames": {
                  "type": "string",
                },
                "additionalProperties": {
                  "type": "number",
                },
              },
              "model_breakdown": {
                "type": "object",
                "propertyNames": {
                  "type": "string",
                },
                "additionalProperties": {
                  "type": "number",
                },
              },
              "exit_code_breakdown": {
                "type": "object",
                "propertyNames": {
                  "type": "string",
                },
                "additionalProperties": {
                  "type": "number",
                },
              },
              "error_breakdown": {
                "type": "object",
                "propertyNames": {
                  "type": "string",
                },
                "additionalProperties": {
                  "type": "number",
                },
              },
              "estimated_cost_usd": {
                "description": "null: no run's cost is known.",
                "type": [
                  "number",
                  "null",
                ],
              },
              "estimate": {
                "description": "Is any part of the cost an estimate?",
                "type": "boolean",
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
          },
        },
        {
          "name": "hermes_wait",
          "title": "Wait for Hermes tasks",
          "description":
            "Waits for hermes_task or hermes_batch tasks that go on in the background (status running or queued) and gives their answers. A wait that ends early is no error: tasks that have not ended are in pending, call again for them. Read what was cut of an answer with hermes_task_detail.",
          "inputSchema": {
            "type": "object",
            "required": [
              "task_ids",
            ],
            "properties": {
              "task_ids": {
                "description": "The task_ids, as hermes_task or hermes_batch gave them.",
                "minItems": 1,
                "maxItems": 200,
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
              "mode": {
                "default": "all",
                "description": '"all" waits until every task has ended, "any" until one has.',
                "type": "string",
                "enum": [
                  "any",
                  "all",
                ],
              },
              "wait_seconds": {
                "description": "Seconds that this call may wait. Omitted: as long as your host can wait.",
                "type": "number",
              },
              "output_mode": {
                "description":
                  '"digest" shows the beginning of each answer, "full" the whole; omitted: as each task was asked.',
                "type": "string",
                "enum": [
                  "digest",
                  "full",
                ],
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
              },
              "error": {
                "type": "string",
              },
              "error_detail": {
                "type": "string",
              },
              "pending": {
                "description": "Tasks that have not ended: call again for them.",
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
              "next": {
                "type": "string",
              },
              "winner": {
                "description": "Of a race: the task whose answer came first.",
                "type": [
                  "string",
                  "null",
                ],
              },
              "tasks": {
                "description": "Each task as hermes_task would answer it now.",
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "task_id": {
                      "type": [
                        "string",
                        "null",
                      ],
                    },
                    "status": {
                      "type": [
                        "string",
                        "null",
                      ],
                    },
                  },
                  "required": [
                    "task_id",
                    "status",
                  ],
                },
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
          },
        },
        {
          "name": "hermes_cancel",
          "title": "Cancel Hermes tasks",
          "description":
            "Ends hermes_task tasks that are queued or running, and every process that they started; answers once nothing of theirs runs any more. It does not undo what was done: files written, commands run and messages sent stay. A task that has ended already stays as it is.",
          "inputSchema": {
            "type": "object",
            "required": [
              "task_ids",
            ],
            "properties": {
              "task_ids": {
                "description": "The task_ids, as hermes_task or hermes_batch gave them.",
                "minItems": 1,
                "maxItems": 200,
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
              "reason": {
                "description": "Why; it stands in the task's record.",
                "type": "string",
                "maxLength": 500,
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
              },
              "error": {
                "type": "string",
              },
              "error_detail": {
                "type": "string",
              },
              "tasks": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "task_id": {
                      "type": "string",
                    },
                    "status": {
                      "type": [
                        "string",
                        "null",
                      ],
                    },
                  },
                  "required": [
                    "task_id",
                    "status",
                  ],
                },
              },
              "not_undone": {
                "description": "What a cancel cannot undo.",
                "type": "string",
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": true,
            "openWorldHint": false,
          },
        },
        {
          "name": "hermes_tasks",
          "title": "List Hermes tasks",
          "description":
            "Lists tasks of every process of this user, the newest first: id, state, provider, model, times, first words of the prompt. state open shows what is queued or running. Go on with cursor = next_cursor.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "state": {
                "description": "Only tasks in this state; open: queued or running. Empty: all.",
                "type": "string",
                "enum": [
                  "open",
                  "queued",
                  "running",
                  "succeeded",
                  "failed",
                  "cancelled",
                  "timed_out",
                  "lost",
                ],
              },
              "since": {
                "description": "Only tasks from then on: 2026-08-01, or back from now: 30m, 24h, 7d.",
                "type": "string",
              },
              "limit": {
                "default": 20,
                "description": "Most tasks of one page.",
                "type": "integer",
                "minimum": 1,
                "maximum": 200,
              },
              "cursor": {
                "description": "The next_cursor of the page before.",
                "type": "string",
                "maxLength": 200,
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
              },
              "error": {
                "type": "string",
              },
              "error_detail": {
                "type": "string",
              },
              "next_cursor": {
                "description": "Give this as cursor for the next page.",
                "type": "string",
              },
              "tasks": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "task_id": {
                      "type": "string",
                    },
                    "status": {
                      "type": "string",
                    },
                  },
                  "required": [
                    "task_id",
                    "status",
                  ],
                },
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
          },
        },
        {
          "name": "hermes_batch",
          "title": "Run several tasks with Hermes Agent",
          "description":
            "Runs several prompts, or one prompt on several models, each as a hermes_task of its own; a few at once, the rest in order. strategy race gives the first answer and ends the others; vote counts equal answers. timeout_seconds is the time of each task. When not all have ended in time, pending lists the rest: call hermes_wait for them.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "prompts": {
                "default": [],
                "description": "Several tasks; each is run by itself.",
                "maxItems": 100,
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
              "prompt": {
                "description": "One task, to be given to each of models.",
                "type": "string",
              },
              "models": {
                "default": [],
                "description": 'Whom to ask the one prompt: "provider/model", a provider, or a model id.',
                "maxItems": 32,
                "type": "array",
                "items": {
                  "type": "string",
                  "maxLength": 300,
                },
              },
              "strategy": {
                "default": "all",
                "description":
                  "all: every answer. race: the first answer ends the others. vote: counts equal answers.",
                "type": "string",
                "enum": [
                  "all",
                  "race",
                  "vote",
                ],
              },
              "provider": {
                "default": "auto",
                "description":
                  '"auto" picks one that is alive and free; or a provider id or alias, which is never replaced by another.',
                "type": "string",
              },
              "model": {
                "description": "A model id; empty: chosen.",
                "type": "string",
              },
              "capability": {
                "description":
                  "What the task needs: reasoning, coding, vision, multimodal, planning, chat. Empty: told from the prompt.",
                "type": "string",
                "enum": [
                  "reason",
                  "reasoning",
                  "coding",
                  "vision",
                  "multimodal",
                  "planning",
                  "image-gen",
                  "voice",
                  "chat",
                ],
              },
              "timeout_seconds": {
                "description":
                  'Seconds for the whole task, 10 to 1800. A wish such as "timeout 10 minutes" means 600.',
                "default": 300,
                "type": "number",
              },
              "wait_seconds": {
                "description":
                  "Seconds that this call may wait; then it answers status running, the task goes on, and hermes_wait gives its answer. Omitted: as long as your host can wait.",
                "type": "number",
              },
              "background": {
                "default": false,
                "description": "Answer at once with the task_id; the task goes on in the background.",
                "type": "boolean",
              },
              "cwd": {
                "description":
                  "Working directory, inside a folder of the allowlist. Empty: the caller's own.",
                "type": "string",
              },
              "toolsets": {
                "description":
                  "Hermes toolsets, such as file,terminal. Comma separated; empty: Hermes' own choice.",
                "type": "string",
              },
              "max_turns": {
                "default": 500,
                "description": "Hermes' own limit of model turns.",
                "type": "integer",
                "minimum": 1,
                "maximum": 100000,
              },
              "output_mode": {
                "description":
                  '"digest" cuts the answer at 8 KB (read on with hermes_task_detail); "full" cuts at 200 KB and adds tool_calls.',
                "type": "string",
                "enum": [
                  "digest",
                  "full",
                ],
              },
            },
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean",
              },
              "error": {
                "type": "string",
              },
              "error_detail": {
                "type": "string",
              },
              "batch_id": {
                "type": "string",
              },
              "pending": {
                "description": "Tasks that have not ended: call hermes_wait for them.",
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
              "next": {
                "type": "string",
              },
              "winner": {
                "description": "Of a race: the task whose answer came first.",
                "type": [
                  "string",
                  "null",
                ],
              },
              "groups": {
                "description": "Of a vote: equal answers, the most frequent first.",
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "answer": {
                      "type": "string",
                    },
                    "count": {
                      "type": "number",
                    },
                  },
                  "required": [
                    "answer",
                    "count",
                  ],
                },
              },
              "tasks": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "task_id": {
                      "type": [
                        "string",
                        "null",
                      ],
                    },
                    "status": {
                      "type": [
                        "string",
                        "null",
                      ],
                    },
                  },
                  "required": [
                    "task_id",
                    "status",
                  ],
                },
              },
              "warnings": {
                "type": "array",
                "items": {
                  "type": "string",
                },
              },
            },
            "required": [
              "ok",
            ],
          },
          "annotations": {
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": false,
            "openWorldHint": true,
          },
        },
      ],
    },
    "resources/templates/list": {
      "resourceTemplates": [
        {
          "uriTemplate": "hermes-task://tasks/{id}",
          "name": "task",
          "title": "Record of a task",
          "description": "What hermes_task_detail answers for this task",
          "mimeType": "application/json",
        },
        {
          "uriTemplate": "hermes-task://tasks/{id}/result",
          "name": "task_result",
          "title": "Answer of a task",
          "description": "The answer as text; a long one from its beginning",
          "mimeType": "text/plain",
        },
        {
          "uriTemplate": "hermes-task://tasks/{id}/log",
          "name": "task_log",
          "title": "Log of a task",
          "description": "What Hermes printed; a long one from its beginning",
          "mimeType": "text/plain",
        },
      ],
    },
    "prompts/list": {
      "prompts": [
        {
          "name": "delegate",
          "title": "Delegate to Hermes",
          "description": "Hand a task to Hermes and report what it answers",
          "arguments": [
            {
              "name": "task",
              "description": "What is to be done",
              "required": true,
            },
            {
              "name": "provider",
              "description": "Provider id; auto when left out",
              "required": false,
            },
          ],
        },
        {
          "name": "second-opinion",
          "title": "Second opinion",
          "description": "Ask another model about a question and compare",
          "arguments": [
            {
              "name": "question",
              "description": "The question, with all that is needed to answer it",
              "required": true,
            },
          ],
        },
      ],
    },
  },
};
