// The text for two signs holds a season. Each pair has a night of its own in the season on which its new text is
// asked for, so that a turn of season costs every night a few calls more and no night hundreds.
import { type Language, languageNames } from "./languages.ts";
import { addDays, seasonOf } from "./periods.ts";
import { type Sign, signs } from "./signs.ts";

export type Pair = readonly [Sign, Sign];

/** All 144 in order: the text for Aries with Leo is not the one for Leo with Aries. */
export const allPairs: readonly Pair[] = signs.flatMap((one) => signs.map((other): Pair => [one, other]));

/** The shortest quarter has 90 days; the five nights left over are for texts that did not come at once. */
export const slotDays = 85;

/** 144 over the golden ratio: any few neighbours, such as one sign's twelve pairs, come to lie far apart. */
const step = 89;

/**
 * The pair's day in every season, 0 to 84: of pair and language alone, so that a change of configuration moves nobody.
 * Languages are a fraction of a day apart, so that their nights of one pair and of two do not fall together.
 */
export function slotOf([sign1, sign2]: Pair, language: Language): number {
  const number = signs.indexOf(sign1) * signs.length + signs.indexOf(sign2);
  const place = (number * step) % allPairs.length;
  const fraction = languageNames.indexOf(language) / languageNames.length;
  return Math.floor(((place + fraction) * slotDays) / allPairs.length);
}

/** The seasons around a local date: worked out once, for all pairs of all languages that have this date. */
export interface Seasons {
  readonly date: string;
  readonly lastButOne: string;
  readonly last: string;
  readonly current: string;
  /** The local date of each slot, in this season and in the next. */
  readonly slots: readonly string[];
  readonly nextSlots: readonly string[];
}

export function seasonsAround(date: string): Seasons {
  const current = seasonOf(date);
  const start = startOfSeason(current);
  const last = seasonOf(addDays(start, -1));
  const next = seasonOf(addDays(start, 100)); // no quarter has more than 92 days
  return {
    date,
    lastButOne: seasonOf(addDays(startOfSeason(last), -1)),
    last,
    current,
    slots: slotDates(start),
    nextSlots: slotDates(startOfSeason(next)),
  };
}

/** Which season's text is wanted: last season's until the pair's day has come, from then on this one's. */
export interface PairSeason {
  readonly season: string;
  /** The season before it: a text held for that one has expired. */
  readonly previous: string;
  /** The local date on which the next season's text takes its place. */
  readonly untilDate: string;
}

export function pairSeason(pair: Pair, language: Language, around: Seasons): PairSeason {
  const slot = slotOf(pair, language);
  const day = around.slots[slot] ?? around.date;
  const nextDay = around.nextSlots[slot] ?? around.date;
  const { lastButOne, last, current, date } = around;
  return date >= day
    ? { season: current, previous: last, untilDate: nextDay }
    : { season: last, previous: lastButOne, untilDate: day };
}

function slotDates(start: string): string[] {
  return Array.from({ length: slotDays }, (_, slot) => addDays(start, slot));
}

/** `2026-10-01` for `2026-Q4`. */
function startOfSeason(season: string): string {
  const month = (Number(season.slice(-1)) - 1) * 3 + 1;
  return `${season.slice(0, 4)}-${String(month).padStart(2, "0")}-01`;
}
