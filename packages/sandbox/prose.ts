// The sandbox's texts: real sentences per language from packages/sandbox/prose, combined into sections.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Language, languageNames } from "../../readings/tables.ts";
import { itemAt } from "./random.ts";

export const sections = ["personal", "health", "profession", "emotions", "travel"] as const;
export type Section = (typeof sections)[number];

const texts = (count: number) => z.array(z.string().min(1)).length(count);
const perPeriod = z.strictObject({ day: z.string(), week: z.string(), month: z.string(), year: z.string() });

const proseFile = z.strictObject({
  language: z.enum(languageNames),
  topics: z.strictObject({
    personal: texts(3),
    health: texts(3),
    profession: texts(3),
    emotions: texts(3),
    travel: texts(3),
  }),
  general: texts(6),
  love: texts(4),
  cosmicTips: texts(4),
  tipsForSingles: texts(4),
  tipsForCouples: texts(4),
  colors: texts(8),
  luckLabels: z.strictObject({
    colors: perPeriod,
    numbers: perPeriod,
    alphabets: z.string(),
    cosmicTip: z.string(),
    singles: z.string(),
    couples: z.string(),
  }),
  months: texts(12),
  keywords: texts(8),
  elements: z.string(),
  idealDate: z.string(),
});
export type Prose = z.infer<typeof proseFile>;

const loaded = new Map<Language, Prose>();

export function proseOf(language: Language): Prose {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const file = new URL(`./prose/${language}.json`, import.meta.url);
  const read = proseFile.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!read.success) throw new Error(`invalid prose in ${file.pathname}:\n${z.prettifyError(read.error)}`);
  loaded.set(language, read.data);
  return read.data;
}

/** The order in which two of the six general paragraphs can follow a topic: 30 ways. */
const generalPairs = [0, 1, 2, 3, 4, 5].flatMap((first) =>
  [0, 1, 2, 3, 4, 5].filter((second) => second !== first).map((second) => ({ first, second })),
);

/** How many different texts a section has: 3 topic paragraphs x 30 pairs of general ones. */
export const textsPerSection = 90;

const combined = new Map<string, readonly string[]>();

/** The section's text with this number, counted around its 90; they are put together once a language. */
export function sectionText(language: Language, section: Section, index: number): string {
  const name = `${language}/${section}`;
  const known = combined.get(name);
  if (known !== undefined) return itemAt(known, index);
  const prose = proseOf(language);
  const all = generalPairs.flatMap(({ first, second }) =>
    prose.topics[section].map((topic) =>
      paragraphsOf([topic, itemAt(prose.general, first), itemAt(prose.general, second)]),
    ),
  );
  // Trailing blanks have been seen in live answers; every seventh text has one.
  const withBlanks = all.map((text, position) => (position % 7 === 3 ? `${text} ` : text));
  combined.set(name, withBlanks);
  return itemAt(withBlanks, index);
}

/** Joins paragraphs with the service's separator. */
export function paragraphsOf(parts: readonly string[]): string {
  return parts.join("\r\n");
}
