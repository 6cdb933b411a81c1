// Fills a page with its theme: slots, the sources that their content needs, and links to the owner's pages in every footer.
import { Address } from "../address.ts";
import { withoutLanguage } from "../pages/head.ts";
import { directionOf } from "../formats.ts";
import { html, type Markup, ownMarkup } from "../html.ts";
import type { Context } from "../page-context.ts";
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
} from "./theme.ts";

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

/** What the theme lets this page load. */
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
  return context.alternates?.languages.get(withoutLanguage(at))?.includes(at.language) === true;
}

function linkTo(context: Context, { at, title }: OwnPage): Markup {
  const { language } = at;
  const address = Address.own(context.root, pathOf(at));
  if (language === context.language) return html`<a href="${address}">${title}</a>`;
  return html`<a href="${address}" hreflang="${language}" lang="${language}" dir="${directionOf(language)}">${title}</a>`;
}
