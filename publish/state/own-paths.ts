// Which stable paths are ours: those of the published tree, whatever of it this version writes. Whatever else lies in the
// store, such as a favicon or a page of somebody's own, is none of our business and is never touched.
import { languageNames } from "../../readings/languages.ts";
import { operationNames } from "../../readings/operations.ts";
import { periodKinds } from "../../readings/periods.ts";
import { signs } from "../../readings/signs.ts";
import { pictureEndings } from "../../site/paths.ts";

const language = oneOf(languageNames);
const period = oneOf(periodKinds);
const operation = oneOf(operationNames);
const sign = oneOf(signs);
const key = String.raw`\d{4}(?:-\d{2}){0,2}`;
const date = String.raw`\d{4}-\d{2}-\d{2}`;
const id = "[a-z0-9][a-z0-9-]{0,63}";
const page = String.raw`index\.html`;
const feed = String.raw`feed\.(?:json|xml)`;

const shapes = [
  String.raw`(?:status/)?index\.html|404\.html|robots\.txt|sitemap(?:-site)?\.xml|assets/(?:icon\.svg|almanac\.(?:js|d\.ts))`,
  String.raw`assets/pictures/(?:site|${sign})\.png`,
  String.raw`assets/pictures/[0-9a-f]{64}\.(?:${pictureEndings.join("|")})`,
  String.raw`v1/(?:index|status|openapi)\.json|v1/schemas/[a-z-]+\.json`,
  `${language}/(?:about/)?${page}`,
  String.raw`${language}/sitemap(?:-\d{4}-\d{2})?\.xml`,
  `${language}/(?:${period}/${sign}/)?${feed}`,
  `${language}/${period}/${sign}/(?:${key}/)?${page}`,
  `${language}/(?:decks/)?${operation}/${page}`,
  `${language}/love-compatibility/${sign}-${sign}/${page}`,
  `${language}/people/${id}/${page}`,
  String.raw`${language}/archive/${sign}/\d{4}-\d{2}/${page}`,
  `${language}/embed/${sign}/${page}`,
  String.raw`${language}/newsletter/${date}(?:/${sign})?\.(?:html|txt|json)`,
  String.raw`v1/${language}/index\.json`,
  String.raw`v1/${language}/${period}/(?:${key}(?:/${sign})?|latest)\.json`,
  String.raw`v1/${language}/${operation}/(?:${date}|latest|${sign}-${sign})\.json`,
  String.raw`v1/${language}/decks/${operation}\.json`,
];
const ours = new RegExp(`^(?:${shapes.join("|")})$`);

export function isOwnPath(path: string): boolean {
  return ours.test(path);
}

function oneOf(names: readonly string[]): string {
  return `(?:${names.join("|")})`;
}
