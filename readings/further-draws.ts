// Further draws: calls of a night beyond what pages need, so that decks come to know more cards sooner. They are the last of the
// plan and no part of a whole night. A draw has a number of its day, and so a key of its own: it is stored once like every answer,
// and only the deck shows it (publish/render/decks.ts).
import { forGood, type PlanFilter, type WantedSet, zoneOf } from "./catalogue.ts";
import { groupOfSet } from "./plan-order.ts";
import type { Configuration } from "./configuration.schema.ts";
import { type Language, type CardOperation, familyOf, isOfCards, languagesOf } from "./tables.ts";
import { type CardRequest, isFurtherDraw, type RequestKey, requestOf } from "./request.ts";
import { localDate } from "./calendar.ts";

/** A deck and the number of its cards that are published. */
export interface KnownDeck {
  readonly language: Language;
  readonly operation: CardOperation;
  readonly known: number;
  /** Number of known cards that came up on only one day. */
  readonly once: number;
  /** True if the service refuses the deck's operation, which is then not requested. */
  readonly isRefused: boolean;
}

type DrawSettings = Pick<Configuration, "zones" | "decks">;

interface DrawnDeck extends KnownDeck {
  readonly period: string;
  /** The numbers of this day's draws. */
  readonly draws: number[];
}

/** Number of cards in every tarot deck; the size of the other decks is unknown. */
const tarotCards = 78;

/** A person's reading has no end either, and readers wait for it. */
const afterAllElse = new Date(forGood.getTime() + 1);

/**
 * The draws of this night from these decks: those that the vault notes already for each language's day, and new ones up to the
 * setting. `noted` are the keys of what is stored or in quarantine.
 */
export function furtherDraws(
  settings: DrawSettings,
  instant: Date,
  known: readonly KnownDeck[],
  noted: Iterable<RequestKey>,
  only: PlanFilter = {},
): WantedSet[] {
  const { callsPerNight } = settings.decks;
  if (callsPerNight === 0) return [];
  const decks = drawnDecks(settings, instant, known);
  for (const request of drawsIn(noted))
    decks
      .find(
        ({ language, operation, period }) =>
          language === request.language && operation === request.operation && period === request.period,
      )
      ?.draws.push(request.draw ?? 0);
  let left = callsPerNight - decks.reduce((sum, { draws }) => sum + draws.length, 0);
  for (let next = neediest(decks); next !== undefined && left > 0; left -= 1, next = neediest(decks))
    next.draws.push(Math.max(0, ...next.draws) + 1);
  return decks
    .filter(({ draws, language, operation }) => {
      const isRequested = only.languages?.includes(language) ?? true;
      return draws.length > 0 && isRequested && (only.operations?.includes(operation) ?? true);
    })
    .map(({ language, operation, period, draws }) => ({
      language,
      operation,
      requests: draws.map((draw) => ({ operation, language, period, draw })),
      group: groupOfSet({ operation, language, period }, "draws"),
      dueAt: instant,
      reach: { from: instant, until: afterAllElse },
    }));
}

/** The decks that a site has, in each language and operation. */
export function decksOf(
  settings: Pick<Configuration, "languages" | "operations">,
): { readonly language: Language; readonly operation: CardOperation }[] {
  const operations = [...new Set(settings.operations)].filter(isOfCards);
  return [...new Set(settings.languages)].flatMap((language) =>
    operations
      .filter((operation) => languagesOf(operation).includes(language))
      .map((operation) => ({ language, operation })),
  );
}

function drawnDecks(settings: DrawSettings, instant: Date, known: readonly KnownDeck[]): DrawnDeck[] {
  return known.map((deck) =>
    Object.assign({}, deck, { period: localDate(zoneOf(settings, deck.language), instant), draws: [] }),
  );
}

function* drawsIn(keys: Iterable<RequestKey>): Generator<CardRequest> {
  for (const key of new Set(keys)) {
    const request = key.includes("/draw-") ? requestOf(key) : undefined;
    if (request !== undefined && isFurtherDraw(request)) yield request;
  }
}

/**
 * How likely the next draw shows a new card: about as many of the cards came up once as there are draws that would show another one
 * for the first time. A deck of which every card has come up on two days counts as full until a new one comes.
 */
function lackOf({ operation, known, once, isRefused }: KnownDeck): number {
  if (isRefused) return 0;
  if (known === 0) return 1;
  return familyOf(operation) === "tarot" && known >= tarotCards ? 0 : once / known;
}

/** The deck to draw from next: each in proportion to what it lacks; among equal ones the language with fewest draws, the smallest deck. */
function neediest(decks: readonly DrawnDeck[]): DrawnDeck | undefined {
  const drawn = new Map<Language, number>();
  for (const { language, draws } of decks) drawn.set(language, (drawn.get(language) ?? 0) + draws.length);
  const drawnIn = (language: Language): number => drawn.get(language) ?? 0;
  let first: DrawnDeck | undefined;
  let most = 0;
  for (const deck of decks) {
    const share = lackOf(deck) / (1 + deck.draws.length);
    if (share === 0 || share < most) continue;
    const isBefore =
      first === undefined ||
      share > most ||
      (drawnIn(deck.language) - drawnIn(first.language) || deck.known - first.known) < 0;
    if (isBefore) [first, most] = [deck, share];
  }
  return first;
}
