// The next steps at the end of a page. Each page lists its own, of which the published ones are shown. A page of a past date is not
// rendered again, so it shows only steps to pages that always stay.
import {
  type CardOperation,
  isOfCards,
  type Operation,
  operationNames,
  type Sign,
} from "../../readings/tables.ts";
import type { PeriodKind } from "../../readings/calendar.ts";
import type { Context } from "../context.ts";
import { html, type Markup } from "../html.ts";
import type { RowName, TreePath } from "../tree.ts";
import { isOfThePast, type NextStep, type PlacedPage, sectionTitle } from "./page.ts";

/** To the sign's nearest text, its week, the cards of the day, and its pairs. */
export function signSteps(context: Context, sign: Sign): NextStep[] {
  const { language, labels, signNames } = context;
  const page = (kind: PeriodKind): NextStep => {
    const about = labels.operations[`${kind}-horoscope`];
    return { name: signNames[sign], about, at: { row: "signPage", language, kind, sign } };
  };
  const pairs: TreePath = { row: "partnerPage", language, sign };
  return [
    page(context.nearestKind(sign) ?? "daily"),
    page("weekly"),
    ...cardStep(context, "daily-tarot"),
    { name: signNames[sign], about: labels.operations["love-compatibility"], at: pairs },
  ];
}

/** To the twelve signs, all cards and all pairs of a language, then a card, the archive and the feeds. */
export function siteSteps(context: Context): NextStep[] {
  const { language, labels } = context;
  const { navigation, operations } = labels;
  return [
    { name: navigation.horoscopes, about: labels.frontPage, at: { row: "frontPage", language } },
    { name: labels.cards, about: navigation.cards, at: { row: "cardsPage", language } },
    { name: operations["love-compatibility"], about: navigation.pairs, at: { row: "pairsPage", language } },
    ...cardStep(context, "daily-tarot"),
    { name: labels.archive, at: { row: "archiveStart", language } },
    { name: labels.follow.title, at: { row: "followPage", language } },
  ];
}

/** To today's cards of the operation, its deck, and the next operation's cards. */
export function cardSteps(context: Context, operation: CardOperation): NextStep[] {
  const { language, labels } = context;
  const about = labels.operations[operation];
  return [
    ...cardStep(context, operation),
    { name: labels.draw.title, about, at: { row: "drawPage", language, operation } },
    { name: labels.deck, about, at: { row: "deckPage", language, operation } },
    ...cardStep(context, following(operationNames, operation)),
    ...siteSteps(context).slice(0, 3),
  ];
}

/** To today's cards of an operation or, if it has none, of the next one that has. */
function cardStep(context: Context, from: Operation): NextStep[] {
  const { language, labels } = context;
  const page = (operation: CardOperation): TreePath => ({ row: "cardPage", language, operation });
  const first = operationNames.indexOf(from);
  const found = [...operationNames.slice(first), ...operationNames.slice(0, first)].find(
    (operation): operation is CardOperation => isOfCards(operation) && context.has(page(operation)),
  );
  return found === undefined
    ? []
    : [{ name: labels.operations[found], about: labels.cards, at: page(found) }];
}

/** The one after it, and the first after the last. */
export function following<One>(all: readonly One[], one: One): One {
  return all[(all.indexOf(one) + 1) % all.length] ?? one;
}

/** Rows whose pages stay when the configuration drops an operation or a language. */
const alwaysStaying = new Set<RowName>(["signPage", "datedPage", "archivePage", "archiveStart"]);

export function nextSteps(context: Context, page: PlacedPage): readonly Markup[] {
  const isPast = isOfThePast(page);
  const own = context.linked(page.at);
  const shown = new Map(
    page.next.flatMap((step) => {
      const address = isPast && !alwaysStaying.has(step.at.row) ? undefined : context.linked(step.at);
      return address === undefined || address === own ? [] : [[address, step] as const];
    }),
  );
  if (shown.size === 0) return [];
  const links = [...shown].map(
    ([address, { name, about }]) =>
      html`<li><a href="${address}">${about !== undefined && html`<small>${about}</small>`}${name}</a></li>`,
  );
  return [
    html`<nav class="next" aria-label="${context.labels.readNext}">
      ${sectionTitle(context.labels.readNext)}
      <ul>
        ${links}
      </ul>
    </nav>`,
  ];
}
