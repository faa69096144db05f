// Makes docs/settings.md and docs/hermes-task.schema.json out of the settings themselves: deno run -A scripts/settings_page.ts
import { z } from "zod";
import { type SettingName, SETTINGS, variableOf } from "../src/core/settings.ts";

/** The page, whole. */
export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, { about, fallback, legacyName }]) => {
    const variables = [variableOf(name as SettingName), ...legacyName ? [legacyName] : []];
    const shown = fallback === "" ? "found by itself" : `\`${JSON.stringify(fallback)}\``;
    return `| \`${name}\` | ${about} | ${shown} | ${
      variables.map((variable) => `\`${variable}\``).join(", ")
    } |`;
  });
  return `# Settings

An argument beats the embedding program's settings, these beat the environment, that beats \`hermes-task.jsonc\` in the Hermes
home, and that the default. \`hermes-task config\` shows what is in force and where it came from. A bad setting is named in every
reply, and the next layer holds. In the environment a list is JSON or separated by commas (paths: by \`:\`, on Windows \`;\`).

| key | what | default | environment |
| --- | --- | --- | --- |
${rows.join("\n")}

A JSON Schema for the file is in \`docs/hermes-task.schema.json\`: name it in \`$schema\` and an editor knows the keys.

\`HERMES_AUTH_PATH\` moves what hermes-task reads, not what Hermes reads. The Hermes home is found as Hermes finds it
(\`HERMES_HOME\`, profiles).
`;
}

/** The JSON Schema of `hermes-task.jsonc`, for editors. */
export function settingsSchema(): string {
  const properties = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { schema, about, fallback }]) => {
      const { $schema: _schema, ...facts } = z.toJSONSchema(schema, { io: "input" });
      return [name, { description: about, ...facts, default: fallback }];
    }),
  );
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "hermes-task.jsonc",
    type: "object",
    properties: { $schema: { type: "string" }, ...properties },
    additionalProperties: false,
  };
  return JSON.stringify(schema, null, 2) + "\n";
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../docs/hermes-task.schema.json", import.meta.url), settingsSchema());
  await Deno.writeTextFile(new URL("../docs/settings.md", import.meta.url), settingsPage());
}
