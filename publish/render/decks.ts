// The new decks of a language. A deck is the published one with the days that are rendered. All other days are read again, from
// their published files, only where a day has changed or gone, so that a night's cost does not grow.
import {
  type PublishedSite,
  type PublishingOn,
  publishedAsItIs,
  pathsInGroup,
} from "../state/published-files.ts";
import { type Language, type CardOperation, isOfCards, type Operation } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import { isFurtherDraw, type ReadingRequest } from "../../readings/request.ts";
import { type SeenCard, documents } from "../../site/data.schema.ts";
import { withDays } from "../../site/pages/deck-pages.ts";
import { cardsIn } from "../../site/seen-cards.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import type { Deck, ReadingSet } from "../../site/edition.ts";
import { drawsReader, type DrawsOn } from "../../vault/stored-readings.ts";
import { periodsBack } from "../../readings/catalogue.ts";
import { correctedAsReviewed, type DecidedSource } from "../../vault/text-decisions.ts";
import { unlessDamaged } from "../../vault/files.ts";
import { inParallel } from "../../store/store.ts";
import { groupsIn, languageGroup } from "../state/parts.ts";

interface ChangedDays {
  readonly sets: readonly Pick<ReadingSet, "operation" | "period" | "readings">[];
  readonly withdrawn: readonly ReadingRequest[];
  /** The date of the edition, where that is rendered: further draws of it, and of the days before it, may have come since. */
  readonly today: string | undefined;
}

/** The decks of every operation that has a set here, loses one, or has further draws of these days. */
export async function decksWith(
  language: Language,
  changed: ChangedDays,
  source: DecidedSource,
  published: PublishingOn,
): Promise<Deck[]> {
  const draws = drawsReader(language, source, published);
  const decks: Deck[] = [];
  for (const [operation, own] of await changedDays(changed, draws)) {
    const days = new Map<string, readonly SeenCard[]>();
    for (const [date, cards] of own) {
      const ofDay = cards ?? (await publishedDay(language, operation, date, source, published));
      days.set(date, [...(await drawn(operation, date, draws)), ...ofDay]);
    }
    const deck = await publishedDeck(language, operation, published);
    let cards = deck && withDays(deck, days);
    if (cards === undefined) {
      const all = await allDays(language, operation, days, draws, source, published);
      // The days of the other cards have left the site (leaving-paths.ts).
      const older = deck?.filter(({ last }) => !all.has(last)) ?? [];
      cards = withDays(older, all) ?? [];
    }
    decks.push({ operation, cards });
  }
  return decks;
}

/** For each operation its days that may be others now, with the cards of the day's own reading; undefined where those stay. */
async function changedDays({ sets, withdrawn, today }: ChangedDays, draws: DrawsOn) {
  const changes = new Map<CardOperation, Map<string, readonly SeenCard[] | undefined>>();
  const note = (operation: Operation, date: string, cards?: readonly SeenCard[]): void => {
    if (!isOfCards(operation)) return;
    const own = changes.get(operation) ?? new Map<string, readonly SeenCard[] | undefined>();
    changes.set(operation, own.set(date, cards ?? own.get(date)));
  };
  for (const request of withdrawn)
    note(request.operation, request.period, isFurtherDraw(request) ? undefined : []);
  for (const { operation, period, readings } of sets) {
    const cards = readings.flatMap(cardsIn);
    if (cards.length > 0) note(operation, period, cards);
  }
  // The days on which an edition looks for its sets, so that what comes late to one makes the language due (render-jobs.ts).
  const days =
    today === undefined ? [] : Array.from({ length: periodsBack + 1 }, (_, by) => addDays(today, -by));
  for (const date of days) for (const operation of (await draws(date)).keys()) note(operation, date);
  return changes;
}

/** They come before the day's own reading, whose text counts where both show the same card. */
async function drawn(operation: CardOperation, date: string, draws: DrawsOn): Promise<SeenCard[]> {
  return ((await draws(date)).get(operation) ?? []).flatMap(cardsIn);
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
  draws: DrawsOn,
  source: DecidedSource,
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
    const ofDay = await publishedDay(language, operation, date, source, published);
    all.set(date, [...(await drawn(operation, date, draws)), ...ofDay]);
  });
  return all;
}

async function publishedDay(
  language: Language,
  operation: CardOperation,
  date: string,
  source: DecidedSource,
  published: PublishedSite,
): Promise<SeenCard[]> {
  const path = pathOf({ row: "cardsData", language, operation, date });
  const found = await publishedAsItIs(published, path, documents.card);
  return found === undefined ? [] : cardsIn(await correctedAsReviewed(found, source));
}
