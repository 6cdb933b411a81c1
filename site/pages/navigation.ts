// The head of every page: the site's name, the ways to horoscopes, cards, pairs and archive, and the languages. It is the same on
// all pages of a language but for where the languages lead, so it is made into bytes once and copied from then on.
import {
  type Language,
  languageNames,
  isOfCards,
  operationNames,
  type Sign,
  signs,
} from "../../readings/tables.ts";
import { periodKinds } from "../../readings/calendar.ts";
import { Address, addressOf, siteRootOf } from "../address.ts";
import { Formats } from "../formats.ts";
import { html, inOnePiece, type Markup, type Piece } from "../html.ts";
import type { Context } from "../context.ts";
import { pathOf } from "../paths.ts";
import { siteMark, glyph } from "./drawings.ts";
import type { TreePath } from "../tree.ts";
import { withoutLanguage } from "./head.ts";
import { isOfThePast, type Page, type PlacedPage, type Step } from "./page.ts";

export function masthead(context: Context, page: PlacedPage): readonly Piece[] {
  const isPast = isOfThePast(page);
  const start = context.onceAsBytes(`masthead ${isPast}`, () => [mastheadStart(context, isPast)]);
  return [...start, ...languageMenu(context, page), mastheadEnd];
}

const mastheadEnd = html`</header> `;

function mastheadStart(context: Context, isPast: boolean) {
  const { labels, language } = context;
  const mark = siteMark(context);
  const home: TreePath = { row: "frontPage", language };
  const isRead = periodKinds.some((kind) => context.has({ row: "signPage", language, kind, sign: "aries" }));
  const isDrawn = operationNames.some(
    (operation) => isOfCards(operation) && context.has({ row: "cardPage", language, operation }),
  );
  const ways = [
    context.linkTo(home, labels.navigation.horoscopes),
    isDrawn ? context.linkTo({ row: "cardsPage", language }, labels.navigation.cards) : undefined,
    isPast ? undefined : context.linkTo({ row: "pairsPage", language }, labels.navigation.pairs),
    isRead ? context.linkTo({ row: "archiveStart", language }, labels.archive) : undefined,
  ].filter((way) => way !== undefined);
  return html`<header class="masthead">
        ${context.linkTo(home, mark) ?? html`<b>${mark}</b>`}
        ${
          ways.length > 0 &&
          html`<nav aria-label="${labels.navigation.contents}">
            <ul>
              ${ways.map((way) => html`<li>${way}</li>`)}
            </ul>
          </nav>`
        } `;
}

// The language menu at the head of a page: each link leads to the same page in that language or, if the language lacks it, to its
// front page. Alternates are known for current pages only, so a page of a past date links to the page to choose a language. Nearly
// every page has about 25 of these links, so the text between their addresses is made once for all pages of a language.
const encoder = new TextEncoder();

function languageMenu(context: Context, page: PlacedPage): readonly Piece[] {
  const { alternates } = context;
  const { at, translated = at } = page;
  const languages = languagesIn(context);
  if (alternates === undefined || languages.length === 0 || !("language" in translated)) return [];
  if (isOfThePast(page))
    return [
      html`<p class="languages-of">${context.linkTo({ row: "chooserPage" }, context.labels.chooseLanguage)}</p>`,
    ];
  const path = withoutLanguage(translated);
  const having = alternates.get(path);
  const same = encoder.encode(addressOf(path));
  const pieces = context.onceAsBytes("languages", () => piecesAround(context, languages));
  return pieces.flatMap((piece, index) => {
    const language = languages[index];
    return language !== undefined && having?.has(language) === true ? [piece, same] : [piece];
  });
}

/** The other languages that have a front page, in the order in which a reader is offered them. */
function languagesIn({ alternates, language }: Context): Language[] {
  const others = alternates?.get(withoutLanguage({ row: "frontPage", language }));
  return languageNames.filter((one) => others?.has(one));
}

/** Stands for the path of the page in its language's folder; no address of the site has it. */
const pageMark = "{page}";

/** The menu, cut where the path of the page follows each language's folder. */
function piecesAround({ settings, labels, formats }: Context, languages: readonly Language[]) {
  const { root } = siteRootOf(settings.url);
  const link = (language: Language) =>
    html`<li>
      <a href="${Address.own(root, addressOf(pathOf({ row: "frontPage", language })) + pageMark)}" lang="${language}" hreflang="${language}">${new Formats(language, "UTC").languageName()}</a>
    </li>`;
  return html`<details class="languages-of">
      <summary><span class="hidden">${labels.chooseLanguage}</span> ${formats.languageName()}</summary>
      <ul>
        ${languages.map(link)}
      </ul>
    </details>`
    .toString()
    .split(pageMark);
}

// Breadcrumbs: the way from the front page to a page, as a line above the text. head.ts has the same for search engines.
/** The way from the front page over the published steps to the page itself, which is the last; empty for a page without one. */
export function trailTo(context: Context, own: TreePath, { trail }: Page): Required<Step>[] {
  const { labels, language } = context;
  if (trail === undefined) return [];
  const steps: Step[] = [{ name: labels.frontPage, at: { row: "frontPage", language } }, ...trail];
  return steps.map(({ name, at = own }) => ({ name, at })).filter(({ at }) => at === own || context.has(at));
}

export function trailLine(context: Context, { trail }: PlacedPage): Markup | undefined {
  const here = trail.at(-1);
  if (here === undefined) return undefined;
  return html`<nav class="trail small" aria-label="${context.labels.trail}">
    <ol>
      ${trail.slice(0, -1).map(({ name, at }) => html`<li>${context.linkTo(at, name)}</li>`)}
      <li><span aria-current="page">${here.name}</span></li>
    </ol>
  </nav>`;
}

// The strip of twelve signs near the head of a page, each a link to the same kind of page for another sign. Twelve pages share it
// except for the mark of the page itself, so it is encoded once, in pieces between which the mark can be inserted.
/** The strip as markup, for a theme's templates. */
export function signStrip(
  context: Context,
  label: string,
  here: Sign,
  pathFor: (sign: Sign) => TreePath,
): Markup {
  return inOnePiece(stripInPieces(context, label, here, pathFor));
}

export function stripInPieces(
  context: Context,
  label: string,
  here: Sign,
  pathFor: (sign: Sign) => TreePath,
): readonly Piece[] {
  const name = `strip ${label} ${pathOf(pathFor("aries"))}`;
  const pieces = context.onceAsBytes(name, () => cutStrip(context, label, pathFor));
  const isWhole = pieces.length > signs.length;
  const linked = isWhole ? signs : signs.filter((sign) => context.has(pathFor(sign)));
  const own = linked.indexOf(here) + 1;
  return own === 0 ? pieces : [...pieces.slice(0, own), markAsBytes, ...pieces.slice(own)];
}

/** The mark of the page itself. No text of ours or of an owner can contain it, because its quotes would be escaped there. */
const mark = ' aria-current="page"';
const markAsBytes = encoder.encode(mark);

/** One piece more than there are links: between two pieces the mark can be inserted into the previous link. */
function cutStrip(context: Context, label: string, pathFor: (sign: Sign) => TreePath): string[] {
  const items = signs.map((sign) => {
    const address = context.linked(pathFor(sign));
    return (
      address &&
      html`<li class="hue ${sign}">
        <a href="${address}" aria-current="page">${glyph(sign)}${context.signNames[sign]}</a>
      </li>`
    );
  });
  return html`<nav aria-label="${label}">
    <ul class="strip">
      ${items}
    </ul>
  </nav>`
    .toString()
    .split(mark);
}

/** The twelve signs to choose from, with a note such as their dates. A sign without a published page has no link. */
export function signGrid(
  context: Context,
  label: string,
  pathFor: (sign: Sign) => TreePath | undefined,
  noteFor?: (sign: Sign) => string,
): Markup {
  const item = (sign: Sign) => {
    const at = pathFor(sign);
    const words = html`${glyph(sign)} <b>${context.signNames[sign]}</b> ${noteFor !== undefined && html`<small>${noteFor(sign)}</small>`}`;
    return html`<li class="hue ${sign}">
      ${(at && context.linkTo(at, words)) ?? html`<span>${words}</span>`}
    </li>`;
  };
  return html`<nav aria-label="${label}">
    <ul class="houses">
      ${signs.map(item)}
    </ul>
  </nav>`;
}
