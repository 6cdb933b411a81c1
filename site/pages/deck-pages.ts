// A deck: every card that an operation has shown, once for each place and position, with the text of its last day. It
// depends only on the days' readings, in any order.
import { type Language, operationNames } from "../../readings/tables.ts";
import { places, type SeenCard } from "../data.schema.ts";
import { renderData } from "../data.ts";
import type { Draft, Context } from "../context.ts";
import type { Deck } from "../edition.ts";
import { html } from "../html.ts";
import { handsOf, seenName } from "../seen-cards.ts";
import { scriptElement } from "../style.ts";
import { cardName, picture, positionName, seenCard, cardText } from "./card-pages.ts";
import { pageDraft } from "./document.ts";
import { operationDrawing } from "./drawings.ts";
import { cardSteps } from "./next-steps.ts";
import { dateline, hero, type Page } from "./page.ts";

/** The cards of each day, by date; an empty list takes a day out. */
type Days = ReadonlyMap<string, readonly SeenCard[]>;

/**
 * The deck with these days as they are now. Undefined where the deck has a text of a day that has changed since: only the other
 * days tell which text takes its place.
 */
export function withDays(deck: readonly SeenCard[], days: Days): SeenCard[] | undefined {
  const isGone = (date: string, name: string) =>
    days.get(date)?.every((card) => seenName(card) !== name) === true;
  for (const card of deck) {
    const name = seenName(card);
    if (isGone(card.first, name) || isGone(card.last, name)) return undefined;
  }
  return deckOf([...deck, ...[...days.values()].flat()]);
}

/** A deck of these cards, in which a later card of the same day counts: it is from the day as it is now. */
function deckOf(cards: readonly SeenCard[]): SeenCard[] {
  const deck = new Map<string, SeenCard>();
  for (const card of cards) {
    const name = seenName(card);
    const before = deck.get(name);
    const first = before !== undefined && before.first < card.first ? before.first : card.first;
    const newer = before !== undefined && before.last > card.last ? before : card;
    deck.set(name, { ...newer, first });
  }
  return [...deck.values()].sort(inOrder);
}

function inOrder(one: SeenCard, other: SeenCard) {
  const [place, otherPlace] = [one, other].map((card) => places.findIndex((name) => name === card.place));
  if (place !== otherPlace) return (place ?? 0) - (otherPlace ?? 0);
  return seenName(one) < seenName(other) ? -1 : 1;
}

export function deckDrafts(language: Language, decks: readonly Deck[]): Draft[] {
  return decks
    .filter(({ cards }) => cards.length > 0)
    .toSorted((one, other) => operationNames.indexOf(one.operation) - operationNames.indexOf(other.operation))
    .flatMap((deck): Draft[] => {
      const { operation, cards } = deck;
      const render = (context: Context) =>
        renderData(context, "deck", { language, operation, cards: [...cards] });
      const drafts: Draft[] = [
        { at: { row: "deckData", language, operation }, render },
        pageDraft({ row: "deckPage", language, operation }, (context) => deckPage(context, deck), undefined, [
          deck,
        ]),
      ];
      if (knownCards(deck) >= leastKnown)
        drafts.push(
          pageDraft({ row: "drawPage", language, operation }, (context) => drawPage(context, deck)),
        );
      return drafts;
    });
}

// The page of a deck: each card once, by its name, with its picture and the days on which it first and last appeared.
/** The most pictures of a page, which is more than any deck has (a tarot has 78): a larger deck shows those that came up last. */
const mostPictures = 100;
const mostTiles = 200;

type Tile = Pick<SeenCard, "first" | "last"> & Pick<SeenCard["card"], "name" | "images">;

function deckPage(context: Context, { operation, cards }: Deck): Page {
  const { language, labels } = context;
  const name = labels.operations[operation];
  const tiles = tilesOf(cards).sort(byLast).slice(0, mostTiles);
  const withPicture = new Set(tiles.slice(0, mostPictures));
  const { compare } = new Intl.Collator(language);
  const ordered = tiles.toSorted(
    (one, other) => compare(one.name, other.name) || (one.name < other.name ? -1 : 1),
  );
  const drawing = html`<div class="medals emblem">${operationDrawing(operation)}</div>`;
  return {
    trail: [
      { name: labels.navigation.cards, at: { row: "cardsPage", language } },
      { name, at: { row: "cardPage", language, operation } },
      { name: labels.deck },
    ],
    kind: "website",
    title: `${name} · ${labels.deck}`,
    description: `${name} · ${labels.deck}`,
    dateline: dateline(context, "daily", tiles[0]?.last ?? context.date),
    data: { row: "deckData", language, operation },
    next: cardSteps(context, operation),
    // The class has the number of cards, because a row that the browser centers by their number would move as the page loads.
    body: html`${hero(drawing, name, labels.deck)}
      <ul class="deck tiles of-${ordered.length}">
        ${ordered.map((tile) => tileOf(context, tile, withPicture.has(tile)))}
      </ul>`,
  };
}

function byLast(one: Tile, other: Tile) {
  if (one.last !== other.last) return one.last > other.last ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}

function tileOf(context: Context, { name, images, first, last }: Tile, hasPicture: boolean) {
  return html`<li>
    ${picture(context, name, hasPicture ? images : [], "lazy")}${cardName(context.language, name)} <small>${context.formats.range(first, last)}</small>
  </li>`;
}

/** A card that was in several places, or upright and reversed, is one picture: that of its last day. */
function tilesOf(cards: Deck["cards"]): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const { card, ...days } of cards) {
    const { name, images } = card;
    const tile = { name, images, ...days };
    const before = tiles.get(name) ?? tile;
    const newer = tile.last > before.last ? tile : before;
    tiles.set(name, { ...newer, first: tile.first < before.first ? tile.first : before.first });
  }
  return [...tiles.values()];
}

// The page to draw from the known cards of a deck. They are face down, and each turns without a script; a script shuffles them for
// each reader.
/** A deck with at least this many known cards is offered. */
const leastKnown = 12;

function knownCards({ cards }: Deck): number {
  return new Set(cards.map(({ card }) => card.name)).size;
}

function drawPage(context: Context, deck: Deck): Page {
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
    next: cardSteps(context, operation),
    body: html`<header class="hero">
        <h1>${labels.draw.title}</h1>
        <p>${labels.draw.text}</p>
        <p class="caps">${known}</p>
      </header>
      ${handsOf(deck, language).map(({ place, cards: hand }) => handRow(context, place, hand))}
      <p class="onward"><button type="button" hidden>${labels.draw.shuffle}</button>${scriptElement("draw")}</p>`,
  };
}

/** A row of cards that are face down, under the place that all of them have. */
function handRow(context: Context, place: SeenCard["place"], hand: readonly SeenCard[]) {
  return html`${place !== undefined && html`<h2 class="caps">${positionName(context, place)}</h2>`}
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
