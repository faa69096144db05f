// Which requests does the server have ready for people? Two, both put to the model of the host.
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { refusal } from "../core/failure.ts";

/** The prompts that hosts list. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: "delegate",
    title: "Delegate to Hermes",
    description: "Hand a task to Hermes and report what it answers",
    arguments: [
      { name: "task", description: "What is to be done", required: true },
      { name: "provider", description: "Provider id; auto when left out", required: false },
    ],
  },
  {
    name: "second-opinion",
    title: "Second opinion",
    description: "Ask another model about a question and compare",
    arguments: [{
      name: "question",
      description: "The question, with all that is needed to answer it",
      required: true,
    }],
  },
];

/** The messages of a prompt. Throws `invalid_args` when an argument is missing. */
export function promptMessages(name: string, args: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt) {
    const known = PROMPTS.map((each) => each.name).join(", ");
    throw refusal("invalid_args", `Unknown prompt "${name}": known are ${known}`);
  }
  const missing = prompt.arguments?.find((each) => each.required && !args[each.name]?.trim());
  if (missing) throw refusal("invalid_args", `Argument "${missing.name}": a value is needed`);
  const text = name === "delegate" ? delegate(args) : secondOpinion(args);
  return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
}

function delegate({ task, provider }: Readonly<Record<string, string>>): string {
  const chosen = provider?.trim()
    ? `provider ${JSON.stringify(provider.trim())}`
    : "the provider left to auto";
  return `Call the tool hermes_task with the task below as prompt and ${chosen}. ` +
    `When the reply is cut, read the rest with hermes_task_detail. Report the answer, and the provider and model ` +
    `that gave it.\n\nTask: ${task}`;
}

function secondOpinion({ question }: Readonly<Record<string, string>>): string {
  return `First answer the question below by yourself. Then call the tool hermes_task with the same question as ` +
    `prompt. Compare both answers, say where they differ, and which is better founded.\n\nQuestion: ${question}`;
}
