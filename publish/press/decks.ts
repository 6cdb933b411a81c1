// The new decks of a language. A deck is the published one with the days that are pressed. All other days are read again, from
// their published files, only where a day has changed or gone, so that a night's cost does not grow.
import { type PublishedSite, publishedAsItIs } from "../state/published-files.ts";
import type { Language } from "../../readings/languages.ts";
import { type CardOperation, isOfCards } from "../../readings/operations.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { type SeenCard, documents } from "../../site/data.schema.ts";
import { cardsIn, withDays } from "../../site/deck.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import type { Deck, Sheet } from "../../site/press.ts";
import { unlessDamaged } from "../../vault/json.ts";
import { pathsInGroup } from "../state/published-paths.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { groupsIn, languageGroup } from "../state/parts.ts";

/** The decks of every operation that has a sheet here or loses one. */
export async function decksWith(
  language: Language,
  sheets: readonly Sheet[],
  withdrawn: readonly ReadingRequest[],
  published: PublishedSite,
): Promise<Deck[]> {
  const changes = new Map<CardOperation, Map<string, readonly SeenCard[]>>();
  const note = (operation: CardOperation, date: string, cards: readonly SeenCard[]): void => {
    changes.set(
      operation,
      (changes.get(operation) ?? new Map<string, readonly SeenCard[]>()).set(date, cards),
    );
  };
  for (const request of withdrawn) {
    if (isOfCards(request.operation)) note(request.operation, request.period, []);
  }
  for (const { operation, period, readings } of sheets) {
    const cards = readings.flatMap(cardsIn);
    if (cards.length > 0 && isOfCards(operation)) note(operation, period, cards);
  }
  const decks: Deck[] = [];
  for (const [operation, days] of changes) {
    const deck = await publishedDeck(language, operation, published);
    const cards = deck === undefined ? undefined : withDays(deck, days);
    decks.push({
      operation,
      cards: cards ?? withDays([], await allDays(language, operation, days, published)) ?? [],
    });
  }
  return decks;
}

/** The published deck; undefined where there is none, or it is lost or damaged: the days have the same cards. */
function publishedDeck(
  language: Language,
  operation: CardOperation,
  published: PublishedSite,
): Promise<readonly SeenCard[] | undefined> {
  return unlessDamaged(
    async () =>
      (await publishedAsItIs(published, pathOf({ row: "deckData", language, operation }), documents.deck))
        ?.cards,
  );
}

/** Every published day of the operation, with these days as they are now. */
async function allDays(
  language: Language,
  operation: CardOperation,
  days: ReadonlyMap<string, readonly SeenCard[]>,
  published: PublishedSite,
): Promise<Map<string, readonly SeenCard[]>> {
  const all = new Map(days);
  const dates = new Set<string>();
  for (const group of groupsIn(published.manifest)) {
    const of = languageGroup(group);
    if (of?.language !== language || of.month === undefined) continue;
    for (const path of await pathsInGroup(published, group)) {
      const at = parsePath(path);
      if (at?.row === "cardsData" && at.operation === operation && !days.has(at.date)) dates.add(at.date);
    }
  }
  await inParallel(dates, async (date) => {
    const found = await publishedAsItIs(
      published,
      pathOf({ row: "cardsData", language, operation, date }),
      documents.card,
    );
    if (found !== undefined) all.set(date, cardsIn(found));
  });
  return all;
}
