// The published paths as docs/published-tree.md shows them: each row of site/tree.ts.
import { type Row, slots, tree } from "../../site/tree.ts";
import { table } from "./markdown.ts";

/** Data first, in the order in which OpenAPI tells of them. */
export function pathsTable(): string {
  const rows = Object.values<Row>(tree).map(({ path, about, schemas, isListed }) => [
    `\`/${path.replace(/(?<=^|\/)index\.html$/, "")}\``,
    about,
    (schemas ?? []).map((name) => `\`${name}\``).join(", "),
    isListed === true ? "yes" : "",
  ]);
  return table(["path", "contents", "schema", "in sitemaps"], rows);
}

export function slotsTable(): string {
  const rows = Object.entries<RegExp | readonly string[]>(slots).map(([name, values]) => [
    `\`{${name}}\``,
    values instanceof RegExp
      ? `text of the form \`${values.source}\``
      : values.map((value) => `\`${value}\``).join(", "),
  ]);
  return table(["stands for", "takes"], rows);
}
