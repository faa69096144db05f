// What does a prompt need of a model, and which pairs are known to have it? Words and pairs are data, those of the
// original server, corrected: words count only whole, pairs only when the model can chat.
import type { Capability } from "./task.ts";

/** A model of a provider. */
export interface ModelPair {
  /** Canonical id. */
  readonly provider: string;
  readonly model: string;
}

/** Every capability, in the order in which people read them. */
export const CAPABILITIES: readonly Capability[] = [
  "reasoning",
  "coding",
  "vision",
  "multimodal",
  "planning",
  "image-gen",
  "voice",
  "chat",
];

const pairs = (provider: string, ...models: string[]): ModelPair[] =>
  models.map((model) => ({ provider, model }));

/**
 * Pairs by capability, tried in order. What Hermes' own caches know beats it. `image-gen` and `voice` are empty: the
 * models that draw and speak (`imagen-…`, `…-tts`) cannot hold a conversation with tools.
 */
export const CAPABILITY_MAP: Readonly<Record<Capability, readonly ModelPair[]>> = {
  reasoning: [
    ...pairs("gemini", "gemini-3.1-flash-lite", "gemini-3-flash", "gemini-3.5-flash-lite"),
    ...pairs(
      "openrouter",
      "nvidia/nemotron-3-ultra-550b-a55b:free",
      "nvidia/nemotron-3-super-120b-a12b:free",
    ),
    ...pairs("opencode-zen", "deepseek-v4-flash-free"),
  ],
  coding: [
    ...pairs("gemini", "gemini-3.1-flash-lite", "gemini-3-flash"),
    // OpenCode Zen's own id; Hermes strips the vendor of "cohere/north-mini-code:free" and Zen then knows no such model.
    ...pairs("opencode-zen", "mimo-v2.5-free", "north-mini-code-free", "deepseek-v4-flash-free"),
    ...pairs("openrouter", "cohere/north-mini-code:free"),
  ],
  vision: [
    ...pairs("gemini", "gemini-3.5-flash-lite", "gemini-3.1-flash-lite"),
    ...pairs("openrouter", "google/gemma-4-31b-it:free"),
  ],
  multimodal: [
    ...pairs("gemini", "gemini-3.1-flash-lite"),
    ...pairs("openrouter", "nvidia/nemotron-3-nano-omni-30b-a3b-reasoning:free"),
  ],
  planning: pairs("gemini", "gemini-3.1-flash-lite"),
  "image-gen": [],
  voice: [],
  chat: [
    ...pairs("gemini", "gemini-3.1-flash-lite"),
    ...pairs("openrouter", "nvidia/nemotron-nano-9b-v2:free"),
    ...pairs("opencode-zen", "mimo-v2.5-free"),
    ...pairs("openrouter", "poolside/laguna-s-2.1:free", "poolside/laguna-xs-2.1:free"),
    ...pairs("opencode-zen", "deepseek-v4-flash-free"),
  ],
};

/** Why these capabilities cannot be served; undefined for all others. */
export function unservable(capability: Capability): string | undefined {
  if (capability === "image-gen") {
    return "models that make images cannot chat: ask for a task that writes text or code";
  }
  if (capability === "voice") return "models that speak cannot chat: ask for a task that writes text or code";
  return undefined;
}

/** The capability that a caller's word means; undefined for an unknown word. */
export function capabilityNamed(word: string): Capability | undefined {
  const name = word.trim().toLowerCase();
  return name === "reason" ? "reasoning" : CAPABILITIES.find((capability) => capability === name);
}

/**
 * Words that decide, first hit wins. `image-gen` and `voice` have none: a prompt that says "draw" or "audio" is still
 * a prompt for a chat model ("draw up a plan", "compare the audio codecs"). Coding comes before vision: who says
 * "refactor the image loader" shows no image, and a task with a real attachment is told by that, not by words.
 */
const WORDS: readonly (readonly [Capability, readonly string[]])[] = [
  [
    "coding",
    [
      "code",
      "coding",
      "function",
      "bug",
      "refactor",
      "refactoring",
      "implement",
      "typescript",
      "javascript",
      "python",
      "api",
      "script",
      "commit",
      "test",
      "debug",
      "debugging",
      "npm",
      "git",
    ],
  ],
  ["vision", ["image", "picture", "photo", "screenshot", "visual", "xem ảnh", "nhìn ảnh"]],
  ["multimodal", ["multimodal", "video", "diagram", "chart", "mixed"]],
  ["reasoning", ["reason", "logic", "proof", "math", "solve", "explain why", "why does"]],
  [
    "planning",
    ["plan", "planning", "roadmap", "outline", "steps to", "strategy", "schedule", "kế hoạch", "lộ trình"],
  ],
];

/** Whole words in any script; an English plural counts as its word. */
const PATTERNS = WORDS.map(([capability, words]) => {
  const choices = words.map((word) => word.normalize("NFC").replaceAll(" ", "\\s+")).join("|");
  const inWord = "[\\p{L}\\p{N}\\p{M}_]";
  return [capability, new RegExp(`(?<!${inWord})(?:${choices})(?:e?s)?(?!${inWord})`, "iu")] as const;
});

/**
 * Tells what a prompt needs from its words. It is a hint for the order of models, never a reason to refuse.
 * `word` is the one that decided, as written in the prompt; undefined: none did, and `reasoning` is the default.
 */
export function classify(prompt: string): { capability: Capability; word: string | undefined } {
  const text = prompt.normalize("NFC");
  for (const [capability, pattern] of PATTERNS) {
    const word = pattern.exec(text)?.[0];
    if (word !== undefined) return { capability, word: word.replace(/\s+/g, " ") };
  }
  return { capability: "reasoning", word: undefined };
}
