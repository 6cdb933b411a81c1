// A language's words as data, for pages that others build: the same labels, names and formats as our own pages.
import { isOfCards, type Operation, operationNames, operations } from "../readings/operations.ts";
import { isPeriodKind } from "../readings/periods.ts";
import { signs } from "../readings/signs.ts";
import { languageSummary } from "./data.ts";
import type { Sheet } from "./edition.ts";
import { directionOf } from "./formats.ts";
import { rulesOf } from "./language-rules.ts";
import type { Context } from "./page-context.ts";
import { type WordsDocument, wordsDocument } from "./words.schema.ts";

const { sunDates } = wordsDocument.shape;

/** Nothing here has a date but what is current, so that the file stays as it is until that changes. */
export function wordsOf(context: Context, sheets: readonly Sheet[]): Omit<WordsDocument, "$schema"> {
  const { language, labels, formats, signNames } = context;
  const { spread, triangle, wisdom, tarot } = labels;
  const { past, present, future, keywords, advice } = spread;
  const { today, yesterday, tomorrow, previous, next, signs: theTwelve, cards, archive } = labels;
  const { scores, bringsLuck, readOn, withdrawn } = labels;
  const { upright, reversed, career, love, finance } = tarot;
  return {
    language,
    name: formats.languageName(),
    direction: directionOf(language),
    signs: signNames,
    sunDates: sunDates.parse(Object.fromEntries(signs.map((sign) => [sign, formats.sunDates(sign)]))),
    operations: labels.operations,
    periods: labels.periods,
    sections: labels.sections,
    luck: labels.luck,
    luckKinds: labels.luckKinds,
    pairSections: labels.pair,
    pairScores: labels.pairScores,
    places: { past, present, future, ...triangle, ...wisdom },
    orientations: { upright, reversed },
    cardSections: { keywords, advice, career, love, finance },
    page: {
      today,
      yesterday,
      tomorrow,
      previous,
      next,
      signs: theTwelve,
      mySign: labels.birthday.sign,
      cards,
      archive,
      scores,
      bringsLuck,
      readOn,
      withdrawn,
    },
    current: currentIn(context, sheets),
    ...rulesOf(language),
  };
}

function currentIn(context: Context, sheets: readonly Sheet[]): WordsDocument["current"] {
  const { newest } = languageSummary(context, sheets);
  const current: WordsDocument["current"] = {};
  for (const operation of operationNames) {
    const [kind, period] = [kindOf(operation), newest[operation]];
    if (kind === undefined || period === undefined) continue;
    current[operation] = { period, words: context.formats.period(kind, period) };
  }
  return current;
}

/** Pairs have each their own dates, and a person's animal holds for good. */
function kindOf(operation: Operation) {
  const { due } = operations[operation];
  if (isOfCards(operation)) return "daily";
  return isPeriodKind(due) ? due : undefined;
}
