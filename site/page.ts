// The type of a page, and pieces that several pages have; document.ts puts head, masthead and footer around a page.
import { firstDayOf, type PeriodKind } from "../readings/periods.ts";
import type { Sign } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { moon, starChart } from "./drawings.ts";
import { type Content, html, type Markup, type Piece } from "./html.ts";
import type { PageScript } from "./page-scripts.ts";
import { signArt } from "./theme/theme-pictures.ts";
import { tree, type TreePath } from "./tree.ts";

/** A step of the way to a page: the page itself where it names no path. */
export interface Step {
  readonly name: string;
  readonly at?: TreePath;
}

export interface Page {
  /** The path under which search engines are to know the page, when it isn't its own. */
  readonly canonical?: TreePath;
  readonly kind: "website" | "article";
  readonly title: string;
  readonly description: string;
  /** The sign whose colour the page has. */
  readonly sign?: Sign;
  /** The period of the text, which also stands in the masthead. */
  readonly dateline?: Content;
  /** In pieces where it is long: of each the letters are made into bytes alone, which is slow for all once one is not Latin. */
  readonly body: Markup | readonly Piece[];
  /** The way from the front page to this one; none for the front page itself. */
  readonly trail?: readonly Step[];
  /** The sign whose picture is shown where the page is shared; without one the site's picture. */
  readonly picture?: Sign;
  /** Whether search engines are to pass the page over. */
  readonly isHidden?: boolean;
  /** The sign whose own feed the page links to. */
  readonly feed?: Sign;
  /** The path of the page's data. */
  readonly data?: TreePath;
  /** The scripts that stand in the page's body. */
  readonly scripts?: readonly PageScript[];
  /** The page whose translations the language menu leads to, where it is another: those of a page with a date are not known. */
  readonly translated?: TreePath;
}

/** A page with its own path, and the published steps of the way to it, of which the page itself is the last. */
export interface PlacedPage extends Page {
  readonly trail: readonly Required<Step>[];
  readonly at: TreePath;
  readonly canonical: TreePath;
  /** See PressedFile. */
  readonly shownFrom: string | undefined;
}

/**
 * Whether the page is of a past date: it is not pressed again when other pages or a language go, so that it leads only to those
 * that always stay.
 */
export function isOfThePast({ at, translated = at }: Pick<PlacedPage, "at" | "translated">): boolean {
  return tree[translated.row].stage === "dated";
}

/** In place of a list that has nothing in it yet, or no longer. */
export function nothingYet({ labels }: Context): Markup {
  return html`<div class="prose"><p>${labels.notFoundText}</p></div>`;
}

/** A day with its moon, or another period. */
export function dateline(context: Context, kind: PeriodKind, key: string): Markup {
  return context.once(
    `dateline ${kind} ${key}`,
    () => html`${kind === "daily" && moon(key)}<time datetime="${firstDayOf(kind, key)}"
      >${context.formats.period(kind, key)}</time
    >`,
  );
}

/** A heading that stands between sections like a printed title. */
export function sectionTitle(text: string): Markup {
  return html`<h2 class="title">${text}</h2>`;
}

export function paragraphs(texts: readonly string[]): Markup[] {
  return texts.map((text) => html`<p>${text}</p>`);
}

/** A text under its heading. */
export function section(heading: string, text: readonly string[]): Markup {
  return html`<section>
    <h2>${heading}</h2>
    ${paragraphs(text)}
  </section>`;
}

/** The head of a page: a picture, the title, a line under it. */
export function hero(picture: Markup, title: string, line: Content): Markup {
  return html`<header class="hero">
    ${picture}
    <h1>${title}</h1>
    <p class="caps">${line}</p>
  </header>`;
}

export function signHero(context: Context, sign: Sign, line: Content): Markup {
  return hero(
    html`<div class="medals">${signArt(context, sign, starChart(sign))}</div>`,
    context.signNames[sign],
    line,
  );
}

/** A link to the page of the time before or after; undefined where it is not published. */
export function turnLink(context: Context, by: -1 | 1, at: TreePath, text: string): Markup | undefined {
  const { labels } = context;
  const address = context.linked(at);
  if (address === undefined) return undefined;
  const [rel, word] = by < 0 ? ["prev", `‹ ${labels.previous}`] : ["next", `${labels.next} ›`];
  return html`<a rel="${rel}" href="${address}"
    ><small>${word}</small>${text}</a
  >`;
}
