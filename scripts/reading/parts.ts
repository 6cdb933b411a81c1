// A reading as a title and parts under headings. Headings are English here; a site has its own in each language.
import { type Language, languages } from "../../readings/languages.ts";
import { operations } from "../../readings/operations.ts";
import { type PeriodKind, spanOf } from "../../readings/periods.ts";
import {
  type Card,
  type HoroscopeReading,
  type Reading,
  sectionNames,
  type SpreadCard,
} from "../../readings/reading.schema.ts";

export interface ReadingPart {
  readonly heading: string;
  /** Printed with a blank line between them. */
  readonly paragraphs?: readonly string[];
  /** Printed one below the other. */
  readonly items?: readonly string[];
  /** Printed unwrapped, because addresses must not be broken. */
  readonly lines?: readonly string[];
}

export function titleOf(reading: Reading): string {
  switch (reading.family) {
    case "horoscope":
      return `${capital(reading.sign)}, ${periodInWords(operations[reading.operation].due, reading.period)}`;
    case "pair":
      return `${capital(reading.sign1)} and ${capital(reading.sign2)}`;
    case "animal":
      return reading.animal;
    case "tarot":
      return `${reading.name}${reading.category === "" ? "" : ` (${reading.category})`}`;
    case "cards":
    case "spread":
    case "triangle":
    case "wisdom":
      return capital(operations[reading.operation].about);
  }
}

export function partsOf(reading: Reading): ReadingPart[] {
  switch (reading.family) {
    case "horoscope":
      return horoscopeParts(reading);
    case "pair":
      return [
        { heading: "Overall", paragraphs: reading.overall },
        { heading: "What helps", paragraphs: reading.positive },
        { heading: "What hinders", paragraphs: reading.negative },
        { heading: "Elements", paragraphs: reading.elements },
        { heading: "An ideal date", paragraphs: reading.idealDate },
        { heading: "Scores", lines: scoreLines(reading.scores) },
      ];
    case "cards":
      return reading.cards.map((card) => cardPart("", card));
    case "spread":
      return (["past", "present", "future"] as const).map((time) =>
        spreadPart(capital(time), reading[time], reading.language),
      );
    case "triangle":
      return [
        cardPart("You: ", reading.you),
        cardPart("First love: ", reading.firstLove),
        cardPart("Second love: ", reading.secondLove),
      ];
    case "wisdom":
      return [cardPart("Yin: ", reading.yin), cardPart("Yang: ", reading.yang)];
    case "animal":
      return [
        { heading: "Reading", paragraphs: reading.text },
        {
          heading: "Birth number",
          items: reading.birthNumber === undefined ? [] : [String(reading.birthNumber)],
        },
        { heading: "Pictures", lines: reading.images },
      ];
    case "tarot":
      return [
        { heading: "Career", paragraphs: reading.career },
        { heading: "Love", paragraphs: reading.love },
        { heading: "Finance", paragraphs: reading.finance },
        { heading: "Pictures", lines: reading.images },
      ];
  }
}

function horoscopeParts({ language, sections, luck, colors, scores }: HoroscopeReading): ReadingPart[] {
  return [
    ...sectionNames.map((name) => ({ heading: capital(name), paragraphs: sections[name] })),
    {
      heading: "Luck",
      items: luck.map(({ label, value }) => (label === "" ? value : label + colon(language) + value)),
    },
    { heading: "Colours", items: colors.length === 0 ? [] : [colors.join(", ")] },
    { heading: "Scores", lines: scoreLines(scores) },
  ];
}

function cardPart(place: string, { name, text, images }: Card): ReadingPart {
  return { heading: place + name, paragraphs: text, lines: images };
}

function spreadPart(place: string, card: SpreadCard, language: Language): ReadingPart {
  const keywords = card.keywords.length === 0 ? [] : [card.keywords.join(comma(language))];
  return {
    heading: `${place}: ${card.name}`,
    paragraphs: [...keywords, ...card.summary, ...card.advice],
    lines: card.images,
  };
}

function scoreLines(scores: Readonly<Record<string, number | undefined>>) {
  return Object.entries(scores).map(([name, score]) => `${name.padEnd(14)}${String(score).padStart(5)}`);
}

const dateFormats: Record<PeriodKind, Intl.DateTimeFormatOptions> = {
  daily: { dateStyle: "full" },
  weekly: { dateStyle: "long" },
  monthly: { month: "long", year: "numeric" },
  yearly: { year: "numeric" },
};

/** `Saturday 21 November 2026`, `15 – 21 November 2026`, `November 2026`, `2026` */
function periodInWords(kind: PeriodKind, key: string) {
  const { first, last } = spanOf(kind, key);
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...dateFormats[kind] });
  return format.formatRange(new Date(first), new Date(last));
}

/** The colon between a label and its value in the script of the text. */
function colon(language: Language) {
  const { script } = languages[language];
  return script === "Han" || script === "Japanese" ? "：" : language === "fr" ? "\u00A0: " : ": ";
}

function comma(language: Language) {
  const { script } = languages[language];
  return script === "Han" || script === "Japanese" ? "、" : script === "Arabic" ? "، " : ", ";
}

function capital(text: string) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
