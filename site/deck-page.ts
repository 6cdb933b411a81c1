// The page of a deck: each card once, by its name, with its picture and the days between which it came up.
import type { Context } from "./page-context.ts";
import { cardName } from "./card-name.ts";
import { picture } from "./card-pages.ts";
import type { SeenCard } from "./data.schema.ts";
import { operationDrawing } from "./drawings.ts";
import type { Deck } from "./edition.ts";
import { html } from "./html.ts";
import { dateline, hero, type Page } from "./page.ts";

/** The most pictures of a page, which is more than any deck has (a tarot has 78): a larger deck shows those that came up last. */
const mostPictures = 100;
const mostTiles = 200;
/** Pictures in a row of the widest page. The page says their number itself: counted by the browser, fewer would move as it loads. */
const tilesARow = 5;

type Tile = Pick<SeenCard, "first" | "last"> & Pick<SeenCard["card"], "name" | "images">;

export function deckPage(context: Context, { operation, cards }: Deck): Page {
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
    body: html`${hero(drawing, name, labels.deck)}
      <ul class="deck tiles${ordered.length < tilesARow && ` of-${ordered.length}`}">
        ${ordered.map((tile) => tileOf(context, tile, withPicture.has(tile)))}
      </ul>
      <p class="onward">
        ${context.linkTo({ row: "drawPage", language, operation }, labels.draw.title)}
        ${context.linkTo({ row: "cardPage", language, operation }, labels.cards)}
      </p>`,
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

/** A card that lay in several places, or upright and reversed, is one picture: that of its last day. */
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
