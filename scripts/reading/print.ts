// A reading for a person at a terminal, wrapped to the width. Headings are English here; a site has its own in each language.
import { type Language, languages } from "../../readings/languages.ts";
import { operations } from "../../readings/operations.ts";
import { type PeriodKind, spanOf } from "../../readings/periods.ts";
import { type Card, type Reading, sectionNames } from "../../readings/reading.schema.ts";
import { type Format, plainLine, styled } from "../terminal/output.ts";
import { wrap, type Wrapping } from "../terminal/wrap.ts";
import { englishName } from "./request.ts";

interface Part {
  readonly heading: string;
  /** Printed with a blank line between them. */
  readonly paragraphs?: readonly string[];
  /** Printed one below the other. */
  readonly items?: readonly string[];
  /** Printed unwrapped, because addresses must not be broken. */
  readonly lines?: readonly string[];
}

export function readingLines(reading: Reading, notes: readonly string[], columns: number): string[] {
  const { language, operation } = reading;
  const wrapping = { language, columns, indent: "  " };
  return [
    ...wrap(plainLine(titleOf(reading)), { language, columns }).map((line) => styled("bold", line)),
    styled("dim", `${operation}, ${englishName(language)}`),
    ...partsOf(reading).flatMap((part) => linesOfPart(part, "cyan", wrapping)),
    ...linesOfPart({ heading: "Notes", items: notes }, "yellow", { ...wrapping, language: "en" }),
  ];
}

function linesOfPart(part: Part, format: Format, wrapping: Wrapping) {
  const { heading, paragraphs = [], items = [], lines = [] } = part;
  if (paragraphs.length + items.length + lines.length === 0) return [];
  const wrapped = (text: string) => wrap(plainLine(text), wrapping);
  return [
    "",
    styled(format, plainLine(heading)),
    ...paragraphs.flatMap((text) => ["", wrapped(text)].flat()).slice(1),
    ...items.flatMap(wrapped),
    ...lines.map((line) => `  ${plainLine(line)}`),
  ];
}

function titleOf(reading: Reading): string {
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

function partsOf(reading: Reading): Part[] {
  const { language } = reading;
  switch (reading.family) {
    case "horoscope": {
      const { sections, luck, colors, scores } = reading;
      const lucky = luck.map(({ label, value }) => (label === "" ? value : label + colon(language) + value));
      return [
        ...sectionNames.map((name) => ({ heading: capital(name), paragraphs: sections[name] })),
        { heading: "Luck", items: lucky },
        { heading: "Colors", items: colors.length === 0 ? [] : [colors.join(", ")] },
        { heading: "Scores", lines: scoreLines(scores) },
      ];
    }
    case "pair":
      return [
        { heading: "Overall", paragraphs: reading.overall },
        { heading: "Strengths", paragraphs: reading.positive },
        { heading: "Challenges", paragraphs: reading.negative },
        { heading: "Elements", paragraphs: reading.elements },
        { heading: "Ideal date", paragraphs: reading.idealDate },
        { heading: "Scores", lines: scoreLines(reading.scores) },
      ];
    case "cards":
      return reading.cards.map((card) => cardPart("", card));
    case "spread":
      return (["past", "present", "future"] as const).map((time) => {
        const { name, keywords, summary, advice, images } = reading[time];
        const text = keywords.length === 0 ? [] : [keywords.join(comma(language))];
        return cardPart(`${capital(time)}: `, { name, text: [...text, ...summary, ...advice], images });
      });
    case "triangle":
      return [
        cardPart("You: ", reading.you),
        cardPart("First love: ", reading.firstLove),
        cardPart("Second love: ", reading.secondLove),
      ];
    case "wisdom":
      return [cardPart("Yin: ", reading.yin), cardPart("Yang: ", reading.yang)];
    case "animal": {
      const { text, birthNumber, images } = reading;
      return [
        { heading: "Reading", paragraphs: text },
        { heading: "Birth number", items: birthNumber === undefined ? [] : [String(birthNumber)] },
        { heading: "Pictures", lines: images },
      ];
    }
    case "tarot":
      return [
        { heading: "Career", paragraphs: reading.career },
        { heading: "Love", paragraphs: reading.love },
        { heading: "Finance", paragraphs: reading.finance },
        { heading: "Pictures", lines: reading.images },
      ];
  }
}

function cardPart(place: string, { name, text, images }: Card): Part {
  return { heading: place + name, paragraphs: text, lines: images };
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
