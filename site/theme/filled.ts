// Fills a page with its theme: slots, the sources that their content needs, and links to the owner's pages in every footer.
import { Address } from "../address.ts";
import { withoutLanguage } from "../pages/head.ts";
import { directionOf } from "../formats.ts";
import { html, type Markup, ownMarkup, inOnePiece, isMarkup, type Piece } from "../html.ts";
import type { Context } from "../context.ts";
import type { PlacedPage } from "../pages/page.ts";
import { pathOf } from "../paths.ts";
import type { PolicySources } from "../style.ts";
import {
  type FilledSlot,
  hostUses,
  type OwnPage,
  type PageValue,
  type TextPiece,
  type Theme,
  type ThemeSlot,
  isDeclared,
  type PageKind,
  type ThemeTemplate,
} from "./theme.ts";
import type { Deck } from "../edition.ts";
import type { CardReading } from "../data.schema.ts";
import { knownPictureHosts } from "../../readings/picture-hosts.ts";
import type { TreePathOf } from "../tree.ts";
import type { HoroscopeReading, Reading, ReadingOf } from "../../readings/reading.schema.ts";

/** The slot's content on this page, or the content without a theme. */
export function slotOn(
  context: Context,
  page: PlacedPage,
  slot: ThemeSlot,
  ours?: Markup,
): Markup | undefined {
  const filled = slotsOn(context, page).filter((one) => one.slot === slot);
  if (filled.length === 0) return ours;
  const texts = filled.flatMap(({ pieces }) => pieces.map((piece) => written(context, page, piece, ours)));
  return ownMarkup(texts.join(""));
}

/** Sources that the theme lets this page load. */
export function themeSources(context: Context, page: PlacedPage): PolicySources {
  const { theme } = context.settings;
  if (theme === undefined) return {};
  const scripts = slotsOn(context, page).flatMap((one) => one.scripts);
  return { ...hostSources(theme), "script-src": [...(hostSources(theme)["script-src"] ?? []), ...scripts] };
}

function hostSources({ hosts }: Theme): PolicySources {
  const sources: Partial<Record<keyof PolicySources, readonly string[]>> = {};
  for (const [use, names] of Object.entries(hosts)) {
    if (isHostUse(use)) sources[hostUses[use]] = names.map((host) => `https://${host}`);
  }
  return sources;
}

function isHostUse(text: string): text is keyof typeof hostUses {
  return Object.hasOwn(hostUses, text);
}

function slotsOn({ settings, language }: Context, { at }: PlacedPage): FilledSlot[] {
  const all = settings.theme?.slots ?? [];
  return all.filter(
    ({ pages, languages }) =>
      (pages?.some((row) => row === at.row) ?? true) && (languages?.includes(language) ?? true),
  );
}

function written(context: Context, page: PlacedPage, piece: TextPiece, ours: Markup | undefined): string {
  if (typeof piece === "string") return piece;
  if ("file" in piece) return context.address(piece.file).href;
  return piece.value === "ours" ? String(ours ?? "") : String(html`${valueOn(context, page, piece.value)}`);
}

function valueOn(context: Context, page: PlacedPage, value: Exclude<PageValue, "ours">): string {
  switch (value) {
    case "name":
      return context.settings.name;
    case "language":
      return context.language;
    case "direction":
      return directionOf(context.language);
    case "root":
      return context.root;
    case "title":
      return page.title;
    case "address":
      return context.url(page.canonical);
  }
}

export function ownLinks(context: Context): Markup[] {
  const { theme } = context.settings;
  if (theme === undefined) return [];
  const names = theme.menu ?? [...new Set(theme.pages.map(({ at }) => at.page))];
  return names.flatMap((name) => {
    const inOrder = [context.language, ...theme.fallback];
    const there = theme.pages.filter(({ at }) => at.page === name && isThere(context, at));
    const [page] = inOrder.flatMap((language) => there.filter(({ at }) => at.language === language));
    return page === undefined ? [] : [linkTo(context, page)];
  });
}

function isThere(context: Context, at: OwnPage["at"]): boolean {
  if (at.language === context.language) return context.has(at);
  return context.alternates?.get(withoutLanguage(at))?.has(at.language) === true;
}

function linkTo(context: Context, { at, title }: OwnPage): Markup {
  const { language } = at;
  const address = Address.own(context.root, pathOf(at));
  if (language === context.language) return html`<a href="${address}">${title}</a>`;
  return html`<a href="${address}" hreflang="${language}" lang="${language}" dir="${directionOf(language)}">${title}</a>`;
}

// A page's contents from a template of the theme, in place of ours. It is called twice to check that the same readings give the
// same bytes. It may not use anything that the page's policy blocks.
/** The service's texts on a kind of page. */
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

/** Values that a template receives. */
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
  // Our own contents may have a small script, which the policy allows.
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

/** Checks for real tags: text is escaped, so anything that looks like a tag is one. */
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
