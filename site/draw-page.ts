// Cards to draw from what a deck is known to hold: they lie face down (hands.ts), and each turns without a script; one shuffles
// them for each reader anew.
import type { Context } from "./page-context.ts";
import { cardName } from "./card-name.ts";
import type { SeenCard } from "./data.schema.ts";
import type { Deck } from "./edition.ts";
import { handsOf, cardParts } from "./hands.ts";
import { html, type Markup } from "./html.ts";
import { type Page, paragraphs } from "./page.ts";
import { scriptElement } from "./page-scripts.ts";

/** From so many known cards on a deck is offered. */
export const leastKnown = 12;

export function knownCards({ cards }: Deck): number {
  return new Set(cards.map(({ card }) => card.name)).size;
}

export function drawPage(context: Context, deck: Deck): Page {
  const { language, labels, formats } = context;
  const { operation } = deck;
  const name = labels.operations[operation];
  const known = labels.draw.known.replace("{count}", formats.number(knownCards(deck)));
  return {
    trail: [
      { name: labels.navigation.cards, at: { row: "cardsPage", language } },
      { name, at: { row: "cardPage", language, operation } },
      { name: labels.draw.title },
    ],
    kind: "website",
    title: `${labels.draw.title} · ${name}`,
    description: `${name} · ${labels.draw.text}`,
    scripts: ["draw"],
    body: html`<header class="hero">
        <h1>${labels.draw.title}</h1>
        <p>${labels.draw.text}</p>
        <p class="caps">${known}</p>
      </header>
      ${handsOf(deck, language).map(({ place, cards: hand }) => handRow(context, place, hand))}
      <p class="onward"><button type="button" hidden>${labels.draw.shuffle}</button>${scriptElement("draw")}</p>
      <p class="onward">${context.linkTo({ row: "deckPage", language, operation }, labels.deck)}</p>`,
  };
}

/** A row of cards that lie face down, under the place that all of them lay in. */
function handRow(context: Context, place: SeenCard["place"], hand: readonly SeenCard[]) {
  return html`${place !== undefined && html`<h2 class="caps">${placeWord(context, place)}</h2>`}
    <ul class="hand">
      ${hand.map((seen) => faceDown(context, seen, place === undefined))}
    </ul>`;
}

function faceDown(context: Context, seen: SeenCard, saysPlace: boolean) {
  return html`<li>
    <details>
      <summary><span class="hidden">${context.labels.draw.back}</span></summary>
      ${saysPlace ? seenCard(context, seen) : cardText(context, seen)}
    </details>
  </li>`;
}

/** A card with its text and without its picture, under the place in which it lay. */
export function seenCard(context: Context, seen: SeenCard): Markup {
  if (seen.place === undefined) return cardText(context, seen);
  return html`<h2 class="caps">${placeWord(context, seen.place)}</h2>
    ${cardText(context, seen)}`;
}

function placeWord({ labels }: Context, place: NonNullable<SeenCard["place"]>): string {
  return { ...labels.spread, ...labels.triangle, ...labels.wisdom }[place];
}

function cardText(context: Context, { card, place }: SeenCard): Markup {
  const { labels, language } = context;
  const position =
    "category" in card
      ? card.orientation === undefined
        ? card.category
        : labels.tarot[card.orientation]
      : "";
  const name = cardName(language, card.name);
  return html`${place === undefined ? html`<h2 class="name">${name}</h2>` : html`<h3 class="name">${name}</h3>`}
    ${position !== "" && html`<p class="caps">${position}</p>`} ${cardParts(card).map((part) => partOf(context, part))}`;
}

function partOf({ labels }: Context, { about, text }: ReturnType<typeof cardParts>[number]) {
  const word = about && { ...labels.spread, ...labels.tarot }[about];
  const shown = about === "keywords" ? [text.join(" · ")] : text;
  return html`${word !== undefined && html`<p class="small">${word}</p>`} ${paragraphs(shown)}`;
}
