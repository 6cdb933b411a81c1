// A page's contents by a template of the theme, in place of ours. It is called twice, because the same readings have to give the
// same bytes, and it may put nothing into a page that the page's policy would keep from working.
import type { Deck } from "../edition.ts";
import type { CardReading } from "../data.schema.ts";
import { knownPictureHosts } from "../../readings/picture-hosts.ts";
import { inOnePiece, isMarkup, type Markup, type Piece } from "../html.ts";
import type { Context } from "../page-context.ts";
import type { PlacedPage } from "../pages/page.ts";
import { pathOf } from "../paths.ts";
import type { TreePathOf } from "../tree.ts";
import type { HoroscopeReading, Reading, ReadingOf } from "../../readings/reading.schema.ts";
import { isDeclared, type PageKind, type ThemeTemplate } from "./theme.ts";

/** What of the service stands on a kind of page. */
type TextOn<Kind extends PageKind> = Kind extends "signPage" | "datedPage"
  ? HoroscopeReading
  : Kind extends "cardPage"
    ? CardReading
    : Kind extends "pairPage" | "pairsPage"
      ? ReadingOf<"pair">
      : Kind extends "personPage"
        ? ReadingOf<"animal">
        : Kind extends "deckPage"
          ? Deck
          : Kind extends "frontPage" | "cardsPage"
            ? Reading
            : never;

/** What a template is given. */
export interface TemplatePage<Kind extends PageKind = PageKind> {
  /** The page's path, with its language, sign, date and so on. */
  readonly at: TreePathOf<Kind>;
  readonly title: string;
  readonly description: string;
  /** The readings; of a sign's page none where its text was withdrawn. */
  readonly texts: readonly TextOn<Kind>[];
  /** Our own contents of the page. */
  readonly ours: Markup;
  /** The language's words, formats and addresses, which the parts take. */
  readonly context: Context;
}

/** Thrown for a template that fails on a page; nothing is published then. */
export class TemplateFault extends Error {
  override readonly name = "TemplateFault";
}

export type PageTexts = readonly (Reading | Deck)[];

/** The contents of the page: the theme's, where it has a template for such pages, or ours. */
export function contentsOf(context: Context, page: PlacedPage, texts: PageTexts): Markup | readonly Piece[] {
  const template = context.settings.theme?.templates[page.at.row];
  if (template === undefined) return page.body;
  const { at, title, description, body } = page;
  const given = { at, title, description, texts, ours: inOnePiece([body].flat()), context };
  const rendered = called(template, given, page);
  if (String(called(template, given, page)) !== String(rendered)) {
    fail(template, page, "its output differs on a second call. Use only its parameters");
  }
  // Our own contents may have a small script, which the policy knows of.
  const problem = problemIn(String(rendered).replaceAll(String(given.ours), ""), context);
  if (problem !== undefined) fail(template, page, problem);
  return rendered;
}

function called(template: ThemeTemplate, given: object, page: PlacedPage): Markup {
  let rendered: unknown;
  try {
    rendered = template.render(given);
  } catch (cause) {
    fail(template, page, `it threw ${String(cause)}`, cause);
  }
  if (isMarkup(rendered)) return rendered;
  return fail(template, page, "it returned no markup. Return the result of `html`");
}

function fail(template: ThemeTemplate, { at }: PlacedPage, why: string, cause?: unknown): never {
  const { file, folder } = template;
  const found = placeIn(cause, folder);
  const place = found === undefined ? `${folder}/${file}` : `${found.file}:${found.line}`;
  const next = "fix the template. Until then, nothing is published, and the published pages stay";
  throw new TemplateFault(`${place}: the template failed on ${pathOf(at)}: ${why}; ${next}`, { cause });
}

/** The first file of the theme, with its line, that an error's stack names. */
export function placeIn(error: unknown, folder: string): { file: string; line: number } | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const start = stack.indexOf(`${folder}/`);
  const [, file = "", line = ""] = /^([^\s)?]+?)(?:\?edition=\d+)?:(\d+)/.exec(stack.slice(start)) ?? [];
  return start < 0 || file === "" ? undefined : { file, line: Number(line) };
}

/** Text is escaped, so that what looks like a tag is one. */
function problemIn(rendered: string, { settings }: Context): string | undefined {
  const [, element] = /<(script|style|iframe|object|embed|form|link|meta|base|main)\b/i.exec(rendered) ?? [];
  if (element !== undefined)
    return `it contains a <${element}>. Put it into a slot, so that the policy allows it`;
  const [, attribute] = /<[^>]*\s(on[a-z]+|style)="/i.exec(rendered) ?? [];
  if (attribute !== undefined)
    return `${attribute}="" has no effect. Style by a class, and add listeners in a script in a slot`;
  const { pictureHosts = knownPictureHosts, theme } = settings;
  const known = [...pictureHosts, ...(theme?.hosts.image ?? []), ...(theme?.hosts.media ?? [])];
  for (const [, host = ""] of rendered.matchAll(/\s(?:src|srcset|poster)="(?:https?:)?\/\/([^/"]+)/gi)) {
    if (!isDeclared(host, known))
      return `${host} is not declared. Add \`hosts: { image: ["${host}"] }\` to theme.ts`;
  }
  return undefined;
}
