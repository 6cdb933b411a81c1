// The decks of a language as they become. A deck is the published one with the days that are pressed; all the other days
// are read again, from their published files, only where a day of it has changed or gone: a night's cost does not grow.
import type { Language } from "../../readings/languages.ts";
import type { Operation } from "../../readings/operations.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { type SeenCard, documents } from "../../site/data.schema.ts";
import { cardsIn, withDays } from "../../site/deck.ts";
import { cardDataPath, deckDataPath } from "../../site/paths.ts";
import type { Deck, Sheet } from "../../site/press.ts";
import { unlessDamaged } from "../../vault/json.ts";
import type { BasePaths } from "../state/base-paths.ts";
import { inParallel } from "../../store/in-parallel.ts";
import { groupsIn } from "../state/parts.ts";
import { publishedAsItIs, type Published } from "./shared.ts";

/** Of every operation that has a sheet here or loses one. */
export async function decksWith(
  language: Language,
  sheets: readonly Sheet[],
  withdrawn: readonly ReadingRequest[],
  published: Published,
  base: BasePaths,
): Promise<Deck[]> {
  const changes = new Map<Operation, Map<string, readonly SeenCard[]>>();
  const note = (operation: Operation, date: string, cards: readonly SeenCard[]): void => {
    changes.set(
      operation,
      (changes.get(operation) ?? new Map<string, readonly SeenCard[]>()).set(date, cards),
    );
  };
  for (const request of withdrawn) {
    const isOfCards = !("sign" in request || "sign1" in request || "person" in request);
    if (isOfCards) note(request.operation, request.period, []);
  }
  for (const { operation, period, readings } of sheets) {
    const cards = readings.flatMap(cardsIn);
    if (cards.length > 0) note(operation, period, cards);
  }
  const decks: Deck[] = [];
  for (const [operation, days] of changes) {
    const deck = await publishedDeck(language, operation, published);
    const cards = deck === undefined ? undefined : withDays(deck, days);
    decks.push({
      operation,
      cards: cards ?? withDays([], await allDays(language, operation, days, published, base)) ?? [],
    });
  }
  return decks;
}

/** Undefined also where it is lost or damaged: the days say the same. */
function publishedDeck(
  language: Language,
  operation: Operation,
  published: Published,
): Promise<readonly SeenCard[] | undefined> {
  return unlessDamaged(
    async () => (await publishedAsItIs(published, deckDataPath(language, operation), documents.deck))?.cards,
  );
}

/** Every day of the operation that is published, and these as they are now. */
async function allDays(
  language: Language,
  operation: Operation,
  days: ReadonlyMap<string, readonly SeenCard[]>,
  published: Published,
  base: BasePaths,
): Promise<Map<string, readonly SeenCard[]>> {
  const all = new Map(days);
  const groups = published.manifest === undefined ? [] : groupsIn(published.manifest);
  const prefix = cardDataPath(language, operation, "").slice(0, -".json".length);
  const dates = new Set<string>();
  for (const group of groups.filter((name) => name.startsWith(`${language}/2`))) {
    for (const path of await base.inGroup(group)) {
      const date = path.startsWith(prefix) ? path.slice(prefix.length, -".json".length) : "";
      if (date !== "" && !days.has(date)) dates.add(date);
    }
  }
  await inParallel(dates, async (date) => {
    const found = await publishedAsItIs(published, cardDataPath(language, operation, date), documents.card);
    if (found !== undefined) all.set(date, cardsIn(found));
  });
  return all;
}
