// `npm run reference`: rewrites the generated parts of the pages in docs/, between their markers, and the generated files in deploy/.
// test/scripts/reference.test.ts checks that they are up to date.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { kindsTable, rulesTable, runbooksTable, writePrometheusRule } from "./alerts-part.ts";
import { commandsText } from "./commands-part.ts";
import { renewedConfiguration } from "./configuration-page.ts";
import { withPart } from "./markdown.ts";
import { languagesTable, operationsTable } from "./operations-part.ts";
import { pathsTables, slotsTable } from "./tree-part.ts";

type Part = () => string | Promise<string>;
const parts: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  "command-line.md": { commands: commandsText },
  "monitoring.md": { kinds: kindsTable, rules: rulesTable },
  "operations.md": { operations: operationsTable, languages: languagesTable },
  "published-tree.md": { paths: pathsTables, slots: slotsTable },
  "troubleshooting.md": { runbooks: runbooksTable },
};

/** The pages in docs/ with generated parts. */
export const madePages: readonly string[] = [...Object.keys(parts), "configuration.md"];

export const pageFile = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** The page's text with every generated part replaced. */
export async function renewed(name: string, text: string): Promise<string> {
  if (name === "configuration.md") return renewedConfiguration(text);
  let page = text;
  for (const [part, make] of Object.entries(parts[name] ?? {})) {
    page = withPart(`docs/${name}`, page, part, await make());
  }
  return page;
}

if (import.meta.main) {
  for (const name of madePages) {
    await writeFile(pageFile(name), await renewed(name, await readFile(pageFile(name), "utf8")));
  }
  await writePrometheusRule();
}
