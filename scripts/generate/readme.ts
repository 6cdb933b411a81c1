// `npm run readme`: rewrites the parts of README.md that are made from the code, between their markers.
// test/scripts/readme.test.ts holds the file against them.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Language, languageNames, languages, wireOf } from "../../readings/languages.ts";
import { languagesOf, operationNames, rowOf } from "../../readings/operations.ts";
import { startSandbox } from "../../sandbox/server.ts";
import { flagsOf } from "../reading/flags.ts";
import { englishName } from "../reading/request.ts";
import { environmentOf, usualPort } from "../sandbox.ts";

export const readmePath = fileURLToPath(new URL("../../README.md", import.meta.url));
const entry = fileURLToPath(new URL("../almanac.js", import.meta.url));

/** The text with every part made anew. */
export async function renewed(readme: string): Promise<string> {
  const parts = { operations: operationsTable(), languages: languagesTable(), reading: await tried() };
  return Object.entries(parts).reduce(
    (text, [name, part]) => withPart("README.md", text, name, part),
    readme,
  );
}

/** A page with the part between the markers of this name made anew. */
export function withPart(page: string, text: string, name: string, part: string): string {
  const between = new RegExp(`(?<=<!-- ${name} -->\\n).*?(?=<!-- /${name} -->)`, "s");
  if (!between.test(text)) throw new Error(`${page} has no markers for "${name}"`);
  return text.replace(between, () => `\n${part}\n\n`);
}

function operationsTable() {
  const rows = operationNames.map((operation) => {
    const { about, due } = rowOf(operation);
    const flags = flagsOf(operation).map(({ flag, required }) =>
      required ? `\`${flag}\`` : `[\`${flag}\`]`,
    );
    return [`\`${operation}\``, about, due, flags.join(" "), languagesInWords(languagesOf(operation))];
  });
  return table(["operation", "gives", "due", "takes", "languages"], rows);
}

/** `24: all but hu, gu`, unless it is easier to say which there are. */
function languagesInWords(has: readonly Language[]) {
  if (has.length === languageNames.length) return `all ${has.length}`;
  const lacks = languageNames.filter((language) => !has.includes(language));
  return has.length < lacks.length ? has.join(", ") : `${has.length}: all but ${lacks.join(", ")}`;
}

function languagesTable() {
  const rows = languageNames.map((language) => {
    const { zone } = languages[language];
    const operations = operationNames.filter((operation) => languagesOf(operation).includes(language));
    return [
      `\`${language}\``,
      englishName(language),
      `\`${wireOf(language)}\``,
      zone,
      String(operations.length),
    ];
  });
  return table(["code", "language", "the service's code", "home time zone", "operations"], rows);
}

/** A Markdown table with its columns aligned, as the formatter writes it. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((_head, column) =>
    Math.max(...[heads, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** One command with what it really prints, on a sandbox whose cards fall alike each time. */
async function tried() {
  const sandbox = await startSandbox({ seed: 7 });
  try {
    const env = environmentOf(sandbox);
    const words = ["reading", "daily-tarot"];
    const { stdout } = await promisify(execFile)(process.execPath, [entry, ...words], { env });
    const settings = Object.entries(env).map(([name, value]) => `export ${name}=${value}`);
    const lines = [
      "$ npx almanac sandbox --seed 7",
      ...settings,
      "",
      "$ npx almanac reading daily-tarot",
      stdout.trim(),
    ];
    const usual = `http://127.0.0.1:${usualPort}`;
    return ["```console", ...lines.map((line) => line.replace(sandbox.origin, usual)), "```"].join("\n");
  } finally {
    await sandbox.close();
  }
}

if (import.meta.main) await writeFile(readmePath, await renewed(await readFile(readmePath, "utf8")));
