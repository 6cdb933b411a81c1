// The contents of a newsletter, before it is set as HTML or plain text: of all signs, with each text shortened to its beginning,
// or of one sign in full. Every text of a reading has passed `harmless` here.
import { operations } from "../readings/operations.ts";
import { type HoroscopeReading, type LuckLine, sectionNames } from "../readings/reading.schema.ts";
import { signNames } from "../readings/sign-names.ts";
import type { Sign } from "../readings/signs.ts";
import type { Address } from "./address.ts";
import type { Context } from "./page-context.ts";
import { newest } from "./data.ts";
import { harmless } from "./merge-tags.ts";
import { inOneLine, opening } from "./text-opening.ts";

export interface ReceivedHoroscope {
  readonly reading: HoroscopeReading;
  readonly receivedAt: string;
}

export interface Letter {
  readonly subject: string;
  /** The text that a mailbox shows beside the subject. */
  readonly preheader: string;
  /** The day, as the language writes it. */
  readonly date: string;
  readonly receivedAt: string;
  /** One sign in full, or all signs, each with a link to its page. */
  readonly kind: "all" | "one";
  readonly entries: readonly LetterEntry[];
}

export interface LetterEntry {
  readonly sign: Sign;
  readonly name: string;
  readonly sunDates: string;
  readonly page: Address;
  readonly texts: readonly { readonly label: string; readonly paragraphs: readonly string[] }[];
  /** Colours, numbers, letters. */
  readonly luck: readonly LabelledValue[];
  readonly tips: readonly LabelledValue[];
  /** The lucky colours themselves: `#RRGGBB`. */
  readonly colors: readonly string[];
  readonly scores: readonly { readonly label: string; readonly value: number; readonly text: string }[];
  /** Whether the sign's page has more of the texts. */
  readonly isShortened: boolean;
}

export interface LabelledValue {
  readonly label: string;
  readonly value: string;
}

const preheaderLetters = 110;
/** The longest line, several times as long as the longest tip that was seen. */
const lineLetters = 300;
const briefLineLetters = 60;

export function letterOfAll(
  context: Context,
  received: readonly ReceivedHoroscope[],
  letters: number,
): Letter {
  const { labels, formats } = context;
  const entries = received.map(({ reading }) => entryOf(context, reading, letters, true));
  const period = received[0]?.reading.period ?? context.date;
  return {
    subject: `${labels.operations["daily-horoscope"]} · ${formats.date(period)}`,
    preheader: entries
      .slice(0, 1)
      .map(({ name, texts }) => `${name}: ${beginningOf(context, texts)}`)
      .join(""),
    date: formats.date(period),
    receivedAt: newest(received),
    kind: "all",
    entries,
  };
}

export function letterOfOne(
  context: Context,
  { reading, receivedAt }: ReceivedHoroscope,
  letters = Number.POSITIVE_INFINITY,
): Letter {
  const entry = entryOf(context, reading, letters, false);
  const date = context.formats.date(reading.period);
  return {
    subject: `${entry.name} · ${date}`,
    preheader: beginningOf(context, entry.texts),
    date,
    receivedAt,
    kind: "one",
    entries: [entry],
  };
}

function beginningOf({ language }: Context, texts: LetterEntry["texts"]): string {
  return opening(language, inOneLine(language, texts[0]?.paragraphs ?? []), preheaderLetters);
}

function entryOf(
  context: Context,
  reading: HoroscopeReading,
  letters: number,
  isBrief: boolean,
): LetterEntry {
  const { language, labels, formats } = context;
  const { sign, period, operation } = reading;
  let isShortened = false;
  const texts = sectionNames.map((name) => {
    const whole = reading.sections[name].map(harmless);
    const text = inOneLine(language, whole);
    const start = letters < text.length ? opening(language, text, letters) : text;
    isShortened ||= start.length < text.length;
    const paragraphs = isBrief || start.length < text.length ? [start] : whole;
    return { label: labels.sections[name], paragraphs };
  });
  const luck = reading.luck.filter(isShort);
  return {
    sign,
    name: signNames[language][sign],
    sunDates: formats.sunDates(sign),
    page: context.fullAddress({
      row: "datedPage",
      language,
      kind: operations[operation].due,
      sign,
      key: period,
    }),
    texts,
    luck: labelledValuesOf(context, luck, isBrief ? briefLineLetters : lineLetters),
    ...(isBrief ? { tips: [], colors: [], scores: [] } : moreOf(context, reading)),
    isShortened,
  };
}

/** The lines that only a sign's own letter has. */
function moreOf(
  context: Context,
  reading: HoroscopeReading,
): Pick<LetterEntry, "tips" | "colors" | "scores"> {
  const { labels, formats } = context;
  const words = { ...labels.sections, luck: labels.luck };
  const tips = reading.luck.filter((line) => !isShort(line));
  return {
    tips: labelledValuesOf(context, tips, lineLetters),
    colors: reading.colors,
    scores: [...sectionNames, "luck" as const].flatMap((name) => {
      const value = reading.scores[name];
      return value === undefined ? [] : [{ label: words[name], value, text: formats.percent(value) }];
    }),
  };
}

function isShort({ kind }: LuckLine): boolean {
  return kind === "colors" || kind === "numbers" || kind === "alphabets";
}

function labelledValuesOf(
  { language, labels }: Context,
  lines: readonly LuckLine[],
  letters: number,
): LabelledValue[] {
  return lines.map(({ kind, label, value }) => ({
    label: kind === undefined ? opening(language, harmless(label), briefLineLetters) : labels.luckKinds[kind],
    value: letters < value.length ? opening(language, harmless(value), letters) : harmless(value),
  }));
}
