// The published paths as docs/published-tree.md shows them: each row of site/tree.ts.
import { type Row, type Shows, slots, tree } from "../../site/tree.ts";
import { table } from "./markdown.ts";

const shown: Readonly<Record<Shows, string>> = {
  text: "One text",
  twelve: "The texts of all twelve signs",
  "current text": "The current text",
  "current twelve": "The current texts of all twelve signs",
  pair: "The text of two signs",
  edition: "What is newest in a language",
  pairs: "A language's pairs of signs",
  deck: "Every card of an operation so far",
  month: "A sign's month, day by day",
  list: "A list of a language's pages or files",
  site: "What there is in all languages",
  picture: "A copy of a card's picture",
  own: "Almanac's own words, code or pictures, or the owner's",
  record: "The bytes of a state, or which state this is",
};

/** Data first, in the order in which OpenAPI tells of them. */
export function pathsTable(): string {
  const rows = Object.values<Row>(tree).map(({ path, shows, about, schemas, isListed }) => [
    `\`/${path.replace(/(?<=^|\/)index\.html$/, "")}\``,
    about ?? shown[shows],
    (schemas ?? []).map((name) => `\`${name}\``).join(", "),
    isListed === true ? "yes" : "",
  ]);
  return table(["path", "shows", "schema", "in sitemaps"], rows);
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
