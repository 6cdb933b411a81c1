// The published paths as docs/published-tree.md shows them: each row of site/tree.ts.
import { type Row, slots, tree } from "../../site/tree.ts";
import { table } from "./markdown.ts";

const isData = ({ path, schemas }: Row) => schemas !== undefined || path.startsWith("v1/");
const isPage = ({ path }: Row) => /(?:^|\/)index\.html$/.test(path);
const shownPath = ({ path }: Row) => `\`/${path.replace(/(?<=^|\/)index\.html$/, "")}\``;

/** JSON files with their schemas, in the order of OpenAPI; then pages, and all other files. */
export function pathsTables(): string {
  const rows = Object.values<Row>(tree);
  const others = rows.filter((row) => !isData(row));
  return [
    "### JSON files",
    dataTable(rows.filter(isData)),
    "### Pages",
    contentsTable(others.filter(isPage)),
    "### Feeds, newsletters, sitemaps and assets",
    contentsTable(others.filter((row) => !isPage(row))),
  ].join("\n\n");
}

function dataTable(rows: readonly Row[]): string {
  const schemasOf = ({ schemas = [] }: Row) => schemas.map((name) => `\`${name}\``).join(", ");
  return table(
    ["Path", "Contents", "Schema"],
    rows.map((row) => [shownPath(row), row.about, schemasOf(row)]),
  );
}

function contentsTable(rows: readonly Row[]): string {
  return table(
    ["Path", "Contents"],
    rows.map((row) => [shownPath(row), row.about]),
  );
}

/** Placeholders with equal values share a row. */
export function slotsTable(): string {
  const all = Object.entries<RegExp | readonly string[]>(slots);
  const groups = Map.groupBy(all, ([, values]) =>
    values instanceof RegExp
      ? `text that matches \`${values.source}\``
      : values.map((value) => `\`${value}\``).join(", "),
  );
  const rows = [...groups].map(([values, names]) => [
    names.map(([name]) => `\`{${name}}\``).join(", "),
    values,
  ]);
  return table(["Placeholder", "Values"], rows);
}
