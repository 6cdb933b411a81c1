// `npm run reference`: rewrites the generated parts of the pages in docs/, between their markers, and the generated files in deploy/.
// test/scripts/reference.test.ts checks that they are up to date.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startSandbox } from "../../sandbox/server.ts";
import { environmentOf, usualPort } from "../sandbox.ts";
import { kindsTable, rulesTable, runbooksTable, writePrometheusRule } from "./alerts-part.ts";
import { commandsText } from "./commands-part.ts";
import { renewedConfiguration } from "./configuration-page.ts";
import { withPart } from "./markdown.ts";
import { languagesTable, operationsTable } from "./operations-part.ts";
import { pathsTables, slotsTable } from "./tree-part.ts";

const entry = fileURLToPath(new URL("../almanac.js", import.meta.url));

type Part = () => string | Promise<string>;
const parts: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  "command-line.md": { commands: commandsText },
  "first-night.md": { reading: tried },
  "monitoring.md": { kinds: kindsTable, rules: rulesTable },
  "operating.md": { runbooks: runbooksTable },
  "operations.md": { operations: operationsTable, languages: languagesTable },
  "published-tree.md": { paths: pathsTables, slots: slotsTable },
};

/** The pages in docs/ with generated parts. */
export const madePages: readonly string[] = [...Object.keys(parts), "configuration.md"];

export const pageFile = (name: string): string =>
  fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));

/** The page's text with every generated part replaced. */
export async function renewed(name: string, text: string): Promise<string> {
  if (name === "configuration.md") return renewedConfiguration(text);
  let page = text;
  for (const [part, make] of Object.entries(parts[name] ?? {})) {
    page = withPart(`docs/${name}`, page, part, await make());
  }
  return page;
}

/** A command with its real output, from a sandbox that always draws the same cards. */
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

if (import.meta.main) {
  for (const name of madePages) {
    await writeFile(pageFile(name), await renewed(name, await readFile(pageFile(name), "utf8")));
  }
  await writePrometheusRule();
}
