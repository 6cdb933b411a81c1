// The published words of a language: what others need to build a page in it without a table of their own.
import { z } from "zod";
import { languageNames } from "../readings/languages.ts";
import { operationNames } from "../readings/operations.ts";
import { periodKinds } from "../readings/periods.ts";
import { luckKinds, sectionNames } from "../readings/reading.schema.ts";
import { signs } from "../readings/signs.ts";

/** The places that a card can have in a reading of several. */
export const places = ["past", "present", "future", "you", "firstLove", "secondLove", "yin", "yang"] as const;

const pairSections = ["overall", "positive", "negative", "elements", "idealDate"] as const;
const pairScores = ["general", "communication", "sex"] as const;
const orientations = ["upright", "reversed"] as const;
const cardSections = ["keywords", "advice", "career", "love", "finance"] as const;

/** Of the words that stand around the texts, those that have no other name here. */
const pageWords = [
  "today",
  "yesterday",
  "tomorrow",
  "previous",
  "next",
  "signs",
  "mySign",
  "cards",
  "archive",
  "scores",
  "bringsLuck",
  "readOn",
  "withdrawn",
] as const;

const word = z.string().min(1);
const wordsFor = <const Names extends readonly string[]>(names: Names) => z.record(z.enum(names), word);
const twelve = z.array(word).length(12);

export const wordsDocument = z.object({
  $schema: z.url(),
  language: z.enum(languageNames),
  name: word.describe("the language's own name for itself"),
  direction: z.enum(["ltr", "rtl"]),
  signs: wordsFor(signs),
  sunDates: wordsFor(signs).describe("the days between which the sun is in a sign, worded"),
  operations: wordsFor(operationNames),
  periods: wordsFor(periodKinds),
  sections: wordsFor(sectionNames).describe("of a horoscope, in the order of its page"),
  luck: word.describe("the name of the score `luck`"),
  luckKinds: wordsFor(luckKinds),
  pairSections: wordsFor(pairSections),
  pairScores: wordsFor(pairScores),
  places: wordsFor(places).describe("where a card lies in a reading of several"),
  orientations: wordsFor(orientations),
  cardSections: wordsFor(cardSections),
  page: wordsFor(pageWords).describe("what stands around the texts"),
  current: z
    .partialRecord(z.enum(operationNames), z.object({ period: word, words: word }))
    .describe(
      "of each horoscope and reading of cards that is current: its date, week, month or year, and that worded",
    ),
  weekdays: z
    .array(z.object({ day: z.int().min(0).max(6), name: word, inDate: word, short: word }))
    .length(7)
    .describe("in the order of the language's week; 0 is Sunday"),
  months: z
    .object({ name: twelve, inDate: twelve, short: twelve })
    .describe(
      "from January; `name` with a year alone, `inDate` with a day, which is another form in many languages",
    ),
  list: z
    .object({ two: word, start: word, middle: word, end: word })
    .describe(
      "what stands between the parts of a list: of two; else after the first, between others, before the last",
    ),
  numbers: z.object({
    system: word.describe("as in Intl: latn, beng, deva"),
    digits: z.array(word).length(10).describe("from 0 to 9"),
    decimal: word,
    percent: word.describe("with `{number}`"),
  }),
  plurals: z
    .array(z.enum(["zero", "one", "two", "few", "many", "other"]))
    .min(1)
    .describe("the categories that the language has; Intl.PluralRules says which a number is of"),
});

export type WordsDocument = z.infer<typeof wordsDocument>;
