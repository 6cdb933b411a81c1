// The text for two signs holds a season. Each pair has a night of its own in the season on which its new text is
// requested, so that a turn of season costs every night a few calls more and no night hundreds.
import { type Language, languageNames, type Sign, signs } from "./tables.ts";
import { addDays, seasonOf, shiftSeason, startOfSeason } from "./calendar.ts";

export type Pair = readonly [Sign, Sign];

/** All 144 in order: the text for Aries with Leo is not the one for Leo with Aries. */
export const allPairs: readonly Pair[] = signs.flatMap((one) => signs.map((other) => [one, other]));

/** The shortest quarter has 90 days; the five nights left over are for texts that did not come at once. */
export const slotDays = 85;

/** 144 over the golden ratio: the nights of any few neighbours, such as one sign's twelve pairs, lie far apart. */
const step = 89;

/**
 * The pair's day in every season, 0 to 84. It depends on pair and language alone, so a change of configuration moves no pair.
 * Languages are a fraction of a day apart, so that the nights on which each has one pair or two don't fall together.
 */
export function slotOf(pair: Pair, language: Language): number {
  const fraction = languageNames.indexOf(language) / languageNames.length;
  return Math.floor(((placeOf(pair) + fraction) * slotDays) / allPairs.length);
}

/** The pair's place in the order of the nights, from 0: the texts of neighbours end on nights that are near each other. */
export function placeOf([sign1, sign2]: Pair): number {
  const number = signs.indexOf(sign1) * signs.length + signs.indexOf(sign2);
  return (number * step) % allPairs.length;
}

/**
 * Season of the wanted text: last season until the pair's day, then the current one. A text held for the season before it
 * has expired. On the local date `untilDate` the next season's text replaces it.
 */
export function pairSeason(pair: Pair, language: Language, date: string) {
  const current = seasonOf(date);
  const last = shiftSeason(current, -1);
  const day = dayOf(pair, language, current);
  return date >= day
    ? { season: current, previous: last, untilDate: dayOf(pair, language, shiftSeason(current, 1)) }
    : { season: last, previous: shiftSeason(last, -1), untilDate: day };
}

/** The local dates of a pair's text, both counted in. */
export function pairDates(pair: Pair, language: Language, season: string) {
  const next = dayOf(pair, language, shiftSeason(season, 1));
  return { first: dayOf(pair, language, season), last: addDays(next, -1) };
}

/** The local date on which a season's text takes the place of the last one's. */
function dayOf(pair: Pair, language: Language, season: string) {
  return addDays(startOfSeason(season), slotOf(pair, language));
}
