// Reads `hermes-task.jsonc`.
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { FileFault, type Files } from "../ports.ts";

/** The parsed file, or why there is none. Both undefined when it does not exist. */
export async function readSettingsFile(
  files: Files,
  path: string,
): Promise<{ file?: unknown; fileProblem?: string }> {
  try {
    const text = (await files.readText(path)).replace(/^\uFEFF/, "");
    const errors: ParseError[] = [];
    const file: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (!first) return { file };
    const line = text.slice(0, first.offset).split("\n").length;
    return { fileProblem: `line ${line}: ${printParseErrorCode(first.error)}` };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return error.kind === "missing" ? {} : { fileProblem: error.message };
  }
}
