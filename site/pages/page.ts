// The type of a page, and pieces that several pages have; document.ts puts head, masthead and footer around a page.
import { type Language, languages, type Script, type Sign } from "../../readings/tables.ts";
import { firstDayOf, type PeriodKind } from "../../readings/calendar.ts";
import { type HoroscopeReading, sectionNames } from "../../readings/reading.schema.ts";
import { type Content, html, type Markup, type Piece } from "../html.ts";
import type { Context } from "../context.ts";
import type { IndexDecision } from "../index-policy.ts";
import type { PageScript } from "../style.ts";
import { signArt, moon, starChart } from "./drawings.ts";
import { tree, type TreePath } from "../tree.ts";

/** A step of the way to a page: the page itself where it names no path. */
export interface Step {
  readonly name: string;
  readonly at?: TreePath;
}

/** A link at the end of a page, with a word above its name. */
export interface NextStep extends Required<Step> {
  readonly about?: string;
}

export interface Page {
  readonly kind: "website" | "article";
  readonly title: string;
  readonly description: string;
  /** The sign whose color the page has. */
  readonly sign?: Sign;
  /** The period of the text, which is also in the masthead. */
  readonly dateline?: Content;
  /** Whether the page's own head shows the dateline, instead of the line above it. */
  readonly isDateInHead?: boolean;
  /** In pieces if it is long, because each piece is encoded separately, and a non-Latin letter slows down its whole piece. */
  readonly body: Markup | readonly Piece[];
  /** The pages that a reader is offered next, of which the published ones are shown. */
  readonly next: readonly NextStep[];
  /** The way from the front page to this one; none for the front page itself. */
  readonly trail?: readonly Step[];
  /** The sign whose picture is shown where the page is shared; without one the site's picture. */
  readonly picture?: Sign;
  /** The sign whose own feed the page links to. */
  readonly feed?: Sign;
  /** The path of the page's data. */
  readonly data?: TreePath;
  /** The scripts in the page's body. */
  readonly scripts?: readonly PageScript[];
  /** The page whose translations the language menu leads to, where it is another: those of a page with a date are not known. */
  readonly translated?: TreePath;
}

/** A page with its own path, and the published steps of the way to it, of which the page itself is the last. */
export interface PlacedPage extends Page {
  readonly trail: readonly Required<Step>[];
  readonly at: TreePath;
  /** The path under which search engines are to know the page. */
  readonly canonical: TreePath;
  readonly indexing: IndexDecision;
  /** See PressedFile. */
  readonly shownFrom: string | undefined;
  readonly reviewed: true | undefined;
}

/**
 * Whether the page is of a past date: it is not rendered again when other pages or a language are removed, so it links only to
 * pages that always stay.
 */
export function isOfThePast({ at, translated = at }: Pick<PlacedPage, "at" | "translated">): boolean {
  return tree[translated.row].stage === "dated";
}

/** Replaces a list that has no entries yet, or no longer. */
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

/** A heading between sections, like a printed title. */
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

/** A link to the previous or next page; undefined if that is not published. */
export function turnLink(
  context: Context,
  by: -1 | 1,
  at: TreePath,
  text: string,
  following = context.labels.next,
): Markup | undefined {
  const { labels } = context;
  const address = context.linked(at);
  if (address === undefined) return undefined;
  const [rel, word] = by < 0 ? ["prev", `‹ ${labels.previous}`] : ["next", `${following} ›`];
  return html`<a rel="${rel}" href="${address}"
    ><small>${word}</small>${text}</a
  >`;
}

/** The day or other period in which the page's next edition appears. */
export function nextEdition({ labels }: Context, text: string): Markup {
  return html`<p class="later"><small>${labels.status.next}</small>${text}</p>`;
}

/** A score as a word, a bar and a figure; a screen reader gets the bar's name and value. */
export interface Score {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

/** The scores of a horoscope that has any, in words. */
export function scoresOf({ labels, formats }: Context, { scores }: HoroscopeReading): Score[] {
  return scoreNames.flatMap((name) => {
    const value = scores[name];
    const label = name === "luck" ? labels.luck : labels.sections[name];
    return value === undefined ? [] : [{ label, value, text: formats.percent(value) }];
  });
}

const scoreNames = [...sectionNames, "luck" as const];

/** A heading over bars; nothing if there is no score. */
export function scoreBoard(heading: string, bars: readonly (Markup | false)[]): Markup | undefined {
  if (bars.every((bar) => bar === false)) return undefined;
  return html`<section>
    <h2>${heading}</h2>
    <div class="scores">${bars}</div>
  </section>`;
}

export function scoreBar(label: string, value: number, most: number, text: string): Markup {
  return html`<div class="score">
    <span aria-hidden="true">${label}</span>
    <meter aria-label="${label}" max="${most}" value="${value}">${text}</meter>
    <b aria-hidden="true">${text}</b>
  </div>`;
}

// The beginning of a longer text, for lists and descriptions.

const sentenceEnd = /[.!?。！？।؟…]["'”’»」』)]*(?=\s|$|[\u3000-\u9fff])/gu;

/** Scripts in which a letter says about as much as two or three of others. */
const dense = new Set<Script>(["Han", "Japanese"]);

/** Joins paragraphs into one line. */
export function inOneLine(language: Language, texts: readonly string[]): string {
  return texts.join(dense.has(languages[language].script) ? "" : " ");
}

/** The beginning of a horoscope. */
export function openingOf({ language, sections }: HoroscopeReading, letters: number): string {
  return opening(language, sections.personal.join(" "), letters);
}

/** The whole sentences that fit into this number of characters, else the words that do, with an ellipsis. */
export function opening(language: Language, whole: string, letters: number): string {
  const text = whole.trim();
  const most = dense.has(languages[language].script) ? Math.floor(letters / 2) : letters;
  if (text.length <= most) return text;
  const part = text.slice(0, most + 1);
  let end = 0;
  for (const found of part.matchAll(sentenceEnd)) {
    const after = found.index + found[0].length;
    if (after <= most) end = after;
  }
  if (end >= most / 3) return text.slice(0, end);
  const blank = part.lastIndexOf(" ");
  const cut = blank >= most / 2 ? part.slice(0, blank) : part.slice(0, most);
  return `${cut.toWellFormed().replace(/[\s,;:،、，；：\uFFFD]+$/u, "")}…`;
}
