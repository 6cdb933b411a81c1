// The head of every page: the site's name, the ways to horoscopes, cards, pairs and archive, and the languages. It is the same on
// all pages of a language but for where the languages lead, so it is made into bytes once and copied from then on.
import type { Context } from "./page-context.ts";
import { html, type Piece } from "./html.ts";
import { languageMenu } from "./language-menu.ts";
import { isOfThePast, type PlacedPage } from "./page.ts";
import { isOfCards, operationNames } from "../readings/operations.ts";
import { periodKinds } from "../readings/periods.ts";
import { siteMark } from "./theme/theme-pictures.ts";
import type { TreePath } from "./tree.ts";

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
