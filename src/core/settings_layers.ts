// Which value of a setting is in force? Layers from the embedding program down to the default, each checked.
import { z } from "zod";
import { nearest } from "./near.ts";
import { type SettingFacts, type SettingName, SETTINGS, type Settings, variableOf } from "./settings.ts";

/** Where a value came from. */
export type SettingSource = "embedding program" | "environment" | "file" | "default";

/** Settings with their origin, and what was wrong on the way. */
export interface ResolvedSettings {
  readonly values: Settings;
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
  /** One line for each bad setting: what, where, what holds instead. */
  readonly problems: readonly string[];
}

/** The layers from which settings come, strongest first. */
export interface SettingLayers {
  /** Given by an embedding program. */
  readonly given?: Partial<Settings>;
  readonly env: (name: string) => string | undefined;
  /** Parsed `hermes-task.jsonc`; undefined when there is none. */
  readonly file?: unknown;
  /** Why the file could not be parsed. */
  readonly fileProblem?: string;
  /** Separates paths in one variable: `:`, on Windows `;`. */
  readonly pathSeparator: string;
}

/** Resolves all settings. Never throws: a bad value is named in `problems` and the next layer holds. */
export function resolveSettings(layers: SettingLayers): ResolvedSettings {
  const problems: string[] = [];
  const file = fileValues(layers, problems);
  for (const key of Object.keys(layers.given ?? {})) {
    if (!Object.hasOwn(SETTINGS, key)) problems.push(`settings: unknown setting "${key}"${andNear(key)}`);
  }
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const [value, source] = firstGood(name, candidates(name, layers, file), problems);
    values[name] = value;
    sources[name] = source;
  }
  return {
    values: values as unknown as Settings,
    sources: sources as Record<SettingName, SettingSource>,
    problems,
  };
}

interface Candidate {
  readonly source: SettingSource;
  readonly where: string;
  readonly value: unknown;
}

function fileValues(layers: SettingLayers, problems: string[]): Record<string, unknown> {
  if (layers.fileProblem) {
    problems.push(`hermes-task.jsonc: ${layers.fileProblem}; its settings are not in force`);
  }
  if (layers.file === undefined) return {};
  if (layers.file === null || typeof layers.file !== "object" || Array.isArray(layers.file)) {
    problems.push("hermes-task.jsonc: not an object; its settings are not in force");
    return {};
  }
  for (const key of Object.keys(layers.file)) {
    if (Object.hasOwn(SETTINGS, key) || key === "$schema") continue;
    problems.push(`hermes-task.jsonc: unknown setting "${key}"${andNear(key)}`);
  }
  return layers.file as Record<string, unknown>;
}

function andNear(key: string): string {
  const near = nearest(key, Object.keys(SETTINGS));
  return near ? `; ${near}` : "; run hermes-task config for the list";
}

function candidates(name: SettingName, layers: SettingLayers, file: Record<string, unknown>): Candidate[] {
  const facts = SETTINGS[name];
  const found: Candidate[] = [];
  if (layers.given?.[name] !== undefined) {
    found.push({ source: "embedding program", where: name, value: layers.given[name] });
  }
  for (const variable of [variableOf(name), facts.legacyName]) {
    const raw = variable && layers.env(variable);
    if (raw) {
      found.push({
        source: "environment",
        where: variable,
        value: fromText(raw, facts, layers.pathSeparator),
      });
    }
  }
  if (Object.hasOwn(file, name)) {
    found.push({ source: "file", where: `hermes-task.jsonc: ${name}`, value: file[name] });
  }
  return found;
}

function fromText(raw: string, facts: SettingFacts, pathSeparator: string): unknown {
  if (facts.schema instanceof z.ZodString || facts.schema instanceof z.ZodEnum) return raw;
  try {
    return JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!facts.list) return raw;
  return raw.split(facts.list === "paths" ? pathSeparator : ",").map((word) => word.trim()).filter(Boolean);
}

function firstGood(name: SettingName, found: Candidate[], problems: string[]): [unknown, SettingSource] {
  for (const { source, where, value } of found) {
    const parsed = SETTINGS[name].schema.safeParse(value);
    if (parsed.success) return [parsed.data, source];
    problems.push(`${where}: ${parsed.error.issues[0]?.message ?? "not usable"}; it is not in force`);
  }
  return [SETTINGS[name].fallback, "default"];
}
