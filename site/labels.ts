// The site's own words in each language: one file of site/labels/, read when its language is first rendered. Dates, numbers, lists
// and language names come from Intl, the names of the signs from readings/sign-names.ts. No label depends on a number, so none
// has plural forms.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Language, operationNames } from "../readings/tables.ts";
import { periodKinds } from "../readings/calendar.ts";
import { luckKinds, sectionNames } from "../readings/reading.schema.ts";

const word = z.string().min(1);
const words = <Name extends string>(...names: readonly Name[]) => z.record(z.enum(names), word);

const labels = z.strictObject({
  tagline: word,
  skip: word,
  /** The name of the breadcrumbs for screen readers. */
  trail: word,
  chooseLanguage: word,
  frontPage: word,
  today: word,
  previous: word,
  next: word,
  period: word,
  periods: words(...periodKinds),
  signs: word,
  cards: word,
  chooseSigns: word,
  operations: words(...operationNames),
  sections: words(...sectionNames),
  luck: word,
  luckKinds: words(...luckKinds),
  scores: word,
  pair: words("overall", "positive", "negative", "elements", "idealDate"),
  pairScores: words("general", "communication", "sex"),
  spread: words("past", "present", "future", "keywords", "advice"),
  triangle: words("you", "firstLove", "secondLove"),
  wisdom: words("yin", "yang"),
  tarot: words("upright", "reversed", "career", "love", "finance"),
  birthNumber: word,
  /** In place of a text that an operator withdrew. */
  withdrawn: word,
  /** The link from the beginning of a text to the whole text. */
  readOn: word,
  /** The heading of the links at the end of a page. */
  readNext: word,
  unsubscribe: word,
  /** The link from the day's cards to the page of all earlier cards. */
  deck: word,
  status: words("title", "edition", "published", "next", "missing", "waiting"),
  archive: word,
  /** The links at the head of every page, under the first of these words. */
  navigation: words("contents", "horoscopes", "cards", "pairs"),
  yesterday: word,
  tomorrow: word,
  /** The button that opens the share dialog of the reader's device. */
  share: word,
  follow: words("title", "text", "feeds", "feedsText", "newsletter", "newsletterText"),
  /** The two signs of a pair, the steps to choose them, and the links to the other order and to all pairs. */
  pairRoles: words("you", "partner", "chooseYou", "choosePartner", "otherWay", "table"),
  /** The heading over the colors, numbers and letters of luck; `luck` itself is a score. */
  bringsLuck: word,
  /** `known` contains `{count}`, a number of cards. */
  draw: words("title", "text", "known", "shuffle", "back", "yesterday"),
  /** The reader's own sign, by birthday, and those of others; `stays` says where they are kept. */
  mySigns: words("title", "birthday", "sign", "others", "add", "remove", "clear", "stays"),
  about: word,
  /** The first paragraph contains `{name}`, the site's name. */
  aboutText: z.array(word),
  notFound: word,
  notFoundText: word,
  /** The page for a dated page that has left the site. */
  gone: word,
  goneText: word,
});

/** Statements that an owner can switch on: how everyone can use the site, and that machines made its texts. */
const statements = z.strictObject({
  title: word,
  /** How the site is made, and its goal. */
  paragraphs: z.tuple([word, word]),
  /** Before the owner's address. */
  contact: word,
  machineMade: word,
});

const wordsFile = z.strictObject({ labels, statements });

export type Labels = z.infer<typeof labels>;

const loaded = new Map<Language, z.infer<typeof wordsFile>>();

function wordsIn(language: Language) {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const file = new URL(`./labels/${language}.json`, import.meta.url);
  const read = wordsFile.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`site/labels/${language}.json: ${faults.join("; ")}`);
  }
  loaded.set(language, read.data);
  return read.data;
}

export function labelsIn(language: Language): Labels {
  return wordsIn(language).labels;
}

export function statementsIn(language: Language) {
  return wordsIn(language).statements;
}
