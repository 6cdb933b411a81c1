// Self-contained HTML page for the operator, such as a rehearsal's results. Works in light and dark mode, on phones and desktops.
import { writeFile } from "node:fs/promises";
import { type Content, html, type Markup, ownMarkup } from "../../site/html.ts";
import { WrongUsage } from "./errors.ts";

/** Writes the page to the file named with `--page`. */
export async function savePage(path: string, page: string): Promise<void> {
  try {
    await writeFile(path, page);
  } catch (error) {
    throw new WrongUsage(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function operatorPage(title: string, main: Content, moreStyle = ""): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${ownMarkup(`<style>${style}${moreStyle}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html> `;
  return `${page.toString()}\n`;
}

/** Table with a row heading and cells per row. Cells beyond the headings are omitted. A column without a name has no heading. */
export function pageTable(
  headings: readonly string[],
  rows: readonly (readonly [name: string, ...cells: Content[]])[],
  caption?: string,
): Markup {
  return html`<table>
    ${caption !== undefined && html`<caption>${caption}</caption>`}
    <thead>
      <tr>
        ${headings.map((name) => (name === "" ? html`<td></td>` : html`<th scope="col">${name}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, ...cells]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${cells.slice(0, headings.length - 1).map((cell) => html`<td>${cell}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table> `;
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#241f18, #e8e4da); --soft: light-dark(#5d5548, #b3ac9d);
  --line: light-dark(#d9d2c3, #3b3f55); --paper: light-dark(#faf7ef, #171a2b); --poor: light-dark(#9a3412, #fdba74); }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); text-align: right; }
th { font-weight: inherit; }
td { white-space: nowrap; }
thead th, .before { color: var(--soft); }
tbody th { text-align: left; padding-left: 0; }
b, .poor { color: var(--poor); }
ul { padding-left: 1.2rem; }
li { margin: .3rem 0; overflow-wrap: anywhere; }
code { font-size: .92em; overflow-wrap: anywhere; }
@media (max-width: 34rem) {
  th, td { padding: .25rem .35rem; }
}
`;
