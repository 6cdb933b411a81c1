// The published data documents; types and the JSON Schemas under /v1/schemas come from here. Consumers rely on every
// shape: a changed one needs a new version or an entry in the changelog.
import { z } from "zod";
import { languageNames, operationNames, signs } from "../readings/tables.ts";
import { periodKinds } from "../readings/calendar.ts";
import {
  cardSchema,
  cardsReading,
  horoscopeReading,
  luckKinds,
  pairReading,
  sectionNames,
  spreadCardSchema,
  spreadReading,
  tarotReading,
  triangleReading,
  wisdomReading,
} from "../readings/reading.schema.ts";
import { hash, manifestSchema, partSchema, pointerSchema } from "./manifest.schema.ts";

/** Positions of a card in a reading of several. */
export const places = ["past", "present", "future", "you", "firstLove", "secondLove", "yin", "yang"] as const;

const pairSections = ["overall", "positive", "negative", "elements", "idealDate"] as const;
const pairScores = ["general", "communication", "sex"] as const;
const orientations = ["upright", "reversed"] as const;
const cardSections = ["keywords", "advice", "career", "love", "finance"] as const;

/** Labels around the texts that have no other name here. */
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
  name: word.describe("name of the language in that language"),
  direction: z.enum(["ltr", "rtl"]),
  signs: wordsFor(signs),
  sunDates: wordsFor(signs).describe("dates between which the sun is in each sign, as text"),
  operations: wordsFor(operationNames),
  periods: wordsFor(periodKinds),
  sections: wordsFor(sectionNames).describe("sections of a horoscope, in page order"),
  luck: word.describe("name of the score `luck`"),
  luckKinds: wordsFor(luckKinds),
  pairSections: wordsFor(pairSections),
  pairScores: wordsFor(pairScores),
  places: wordsFor(places).describe("positions of cards in a reading of several cards"),
  orientations: wordsFor(orientations),
  cardSections: wordsFor(cardSections),
  page: wordsFor(pageWords).describe("labels around the texts"),
  current: z
    .partialRecord(z.enum(operationNames), z.object({ period: word, words: word }))
    .describe("current horoscopes and card readings: the date, week, month or year, and its text"),
  weekdays: z
    .array(z.object({ day: z.int().min(0).max(6), name: word, inDate: word, short: word }))
    .length(7)
    .describe("in the order of the language's week; 0 is Sunday"),
  months: z
    .object({ name: twelve, inDate: twelve, short: twelve })
    .describe(
      "from January. Use `name` without a day and `inDate` with a day: many languages have another form there",
    ),
  list: z
    .object({ two: word, start: word, middle: word, end: word })
    .describe(
      "separators of a list: `two` between two items; else `start` after the first, `middle` between others, `end` before the last",
    ),
  numbers: z.object({
    system: word.describe("as in Intl: latn, beng, deva"),
    digits: z.array(word).length(10).describe("digits from 0 to 9"),
    decimal: word,
    percent: word.describe("with `{number}`"),
  }),
  plurals: z
    .array(z.enum(["zero", "one", "two", "few", "many", "other"]))
    .min(1)
    .describe("plural categories of the language; Intl.PluralRules selects the category of a number"),
});

export type WordsDocument = z.infer<typeof wordsDocument>;

const language = z.enum(languageNames);
const operation = z.enum(operationNames);
const sign = z.enum(signs);
const instant = z.iso.datetime();
const date = z.iso.date();

const document = { $schema: z.url() };
const timed = {
  ...document,
  /** A hash over the readings of the file's set: files of the same night share it. */
  set: hash,
  /** Start of the period in which the text is current, in its language's time zone. */
  validFrom: instant,
  validUntil: instant,
  /** When the next one is due. */
  nextAt: instant,
  /** When the reading, or the newest of several, was received from the service. */
  receivedAt: instant,
  /** The time at which readers first see this text, or the newest of several. */
  shownFrom: instant.optional().describe("absent in files of earlier versions"),
  reviewed: z
    .literal(true)
    .optional()
    .describe("a person has approved the text, or all texts; absent if not"),
};

const signDocument = z.object({ ...timed, reading: horoscopeReading });
const signsDocument = z.object({
  ...timed,
  readings: z.partialRecord(sign, horoscopeReading).describe("all twelve signs, except those in `withdrawn`"),
  withdrawn: z
    .array(sign)
    .min(1)
    .optional()
    .describe("signs whose text the publisher has withdrawn; absent if there are none"),
});
const pairDocument = z.object({ ...timed, reading: pairReading });
const cardDocument = z.object({
  ...timed,
  reading: z.discriminatedUnion("family", [
    cardsReading,
    spreadReading,
    triangleReading,
    wisdomReading,
    tarotReading,
  ]),
});

export const tarotCard = tarotReading.pick({
  name: true,
  category: true,
  orientation: true,
  career: true,
  love: true,
  finance: true,
  images: true,
});
const seenCard = z.object({
  first: date.describe("first day on which the card was drawn"),
  last: date.describe("last day on which the card was drawn; the text is from this day"),
  receivedAt: instant.describe("time at which the text was received from the service"),
  place: z.enum(places).optional().describe("position of the card in a reading of several cards"),
  card: z.union([cardSchema, spreadCardSchema, tarotCard]),
});
const deckDocument = z.object({
  ...document,
  language,
  operation,
  cards: z.array(seenCard).min(1),
});

const issue = {
  subject: z.string().min(1),
  preheader: z.string().describe("preview text next to the subject in a mailbox"),
  html: z.url(),
  text: z.url().describe("plain-text version"),
};
const newsletterDocument = z.object({
  ...timed,
  language,
  date,
  ...issue,
  unsubscribe: z
    .string()
    .describe("placeholder for the unsubscribe URL in HTML and text; replace it with yours"),
  signs: z
    .partialRecord(sign, z.object({ name: z.string().min(1), page: z.url(), ...issue }))
    .describe("a newsletter per sign"),
  withdrawn: signsDocument.shape.withdrawn,
});

const languageSummary = {
  language,
  /** The language's own name for itself. */
  name: z.string(),
  direction: z.enum(["ltr", "rtl"]),
  zone: z.string(),
  date,
  /** The language's next midnight. */
  nextAt: instant,
  receivedAt: instant.optional(),
  shownFrom: instant.optional(),
  /** The current period of every published operation: a day, a week's first day, a month, a year, a season. */
  newest: z.partialRecord(operation, z.string()),
  waiting: z
    .partialRecord(operation, z.string())
    .optional()
    .describe("current periods that are not shown, because they wait for review by a person"),
};
export const languageDocument = z.object({
  ...document,
  ...languageSummary,
});
const indexDocument = z.object({
  ...document,
  site: z.object({ id: z.string(), name: z.string(), url: z.string() }),
  periods: z.array(z.enum(periodKinds)),
  signs: z.array(sign),
  operations: z.array(operation),
  languages: z.array(z.object(languageSummary)),
});

const statusDocument = z.object({
  ...document,
  languages: z.array(
    z.object({
      language,
      zone: z.string(),
      date: date.optional().describe("newest edition; absent before the first"),
      publishedAt: instant
        .optional()
        .describe("time at which the newest edition was published; absent if unknown"),
      nextAt: instant.optional().describe("time at which the next edition is due"),
      newest: languageSummary.newest,
      missing: z
        .array(z.object({ operation, period: z.string().optional() }))
        .describe("configured operations that are missing in the edition, or from an earlier period"),
      waiting: languageSummary.waiting,
    }),
  ),
});

/** The schemas, by the names under which they are published. */
export const documents = {
  sign: signDocument,
  signs: signsDocument,
  pair: pairDocument,
  card: cardDocument,
  deck: deckDocument,
  newsletter: newsletterDocument,
  language: languageDocument,
  index: indexDocument,
  status: statusDocument,
  words: wordsDocument,
} as const;

export type Documents = { readonly [Name in keyof typeof documents]: z.infer<(typeof documents)[Name]> };
export type LanguageDocument = Documents["language"];
export type LanguageStatus = Documents["status"]["languages"][number];
export type SeenCard = Documents["deck"]["cards"][number];
export type CardReading = Documents["card"]["reading"];

/** All published shapes, including pointer, manifest and parts, whose files name no schema. */
export const shapes = {
  ...documents,
  pointer: pointerSchema,
  manifest: manifestSchema,
  part: partSchema,
} as const;

export const shapeNames = [
  "sign",
  "signs",
  "pair",
  "card",
  "deck",
  "newsletter",
  "language",
  "index",
  "status",
  "words",
  "pointer",
  "manifest",
  "part",
] as const satisfies readonly (keyof typeof shapes)[];
export type ShapeName = (typeof shapeNames)[number];
