// The settings as a table: what is in force, and where it came from.
import type { SettingName } from "../core/settings.ts";
import type { SettingSource } from "../core/settings_layers.ts";
import { type Look, paint } from "./paint.ts";
import { showTable } from "./table.ts";
import { safeLine } from "./text.ts";

/** What `config --json` prints. */
export interface ConfigResult {
  readonly ok: true;
  /** The settings file, whether it is there or not. */
  readonly file: string;
  readonly settings: readonly SettingReport[];
  /** One line for each bad setting. */
  readonly problems: readonly string[];
}

/** One setting. */
export interface SettingReport {
  readonly name: SettingName;
  readonly value: unknown;
  /** What an empty path stands for here. */
  readonly found?: string;
  readonly source: SettingSource;
  readonly variable: string;
  /** The variable's older name, which still holds. */
  readonly legacy_variable?: string;
  readonly about: string;
}

const COLUMNS = [{ title: "SETTING" }, { title: "VALUE", flexible: true }, { title: "FROM" }];
/** From here on the names of the variables find room; before, the rule that makes them is told. */
const WIDE_COLUMNS = 120;

/** The screen of `config`. */
export function showConfig(result: ConfigResult, look: Look): string[] {
  const wide = look.columns >= WIDE_COLUMNS;
  const rows = result.settings.map((setting) => [
    setting.name,
    { text: showValue(setting), tone: setting.source === "default" ? "dim" as const : "plain" as const },
    setting.source,
    ...(wide ? [{ text: setting.variable, tone: "dim" as const }] : []),
  ]);
  const rule = "variable of a setting: as maxConcurrent has HERMES_TASK_MAX_CONCURRENT";
  return [
    ...showTable(wide ? [...COLUMNS, { title: "VARIABLE" }] : COLUMNS, rows, look),
    ...(wide ? [] : [paint(rule, "dim", look.colour)]),
    paint(`file: ${safeLine(result.file)}`, "dim", look.colour),
    ...result.problems.map((problem) => paint(`! ${safeLine(problem)}`, "yellow", look.colour)),
  ];
}

function showValue({ value, found }: SettingReport): string {
  if (found !== undefined) return found;
  if (value === "") return "found by itself";
  if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : "none";
  if (typeof value !== "object" || value === null) return String(value);
  return Object.values(value).flat().length > 0 ? JSON.stringify(value) : "none";
}
