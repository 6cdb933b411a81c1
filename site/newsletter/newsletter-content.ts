// The contents of a newsletter, before it is set as HTML or plain text: of all signs, with each text shortened to its beginning,
// or of one sign in full. Every text of a reading has passed `harmless` here.
import { operations } from "../../readings/tables.ts";
import { type HoroscopeReading, type LuckLine, sectionNames } from "../../readings/reading.schema.ts";
import type { ReceivedHoroscope } from "../edition.ts";
import type { Context } from "../context.ts";
import { inOneLine, opening, scoresOf } from "../pages/page.ts";
import { isShort } from "../pages/sign-page.ts";

export interface Newsletter {
  readonly subject: string;
  /** The text that a mailbox shows next to the subject. */
  readonly preheader: string;
  /** The day, as the language writes it. */
  readonly date: string;
  /** One sign in full, or all signs, each with a link to its page. */
  readonly kind: "all" | "one";
  readonly entries: readonly NewsletterEntry[];
}

export type NewsletterEntry = ReturnType<typeof entryOf>;

export interface LabelledValue {
  readonly label: string;
  readonly value: string;
}

const preheaderLetters = 110;
/** Limit of a line, several times the longest tip seen. */
const lineLetters = 300;
const briefLineLetters = 60;

/** `letters`: the most of each text that is rendered. */
export function createNewsletter(
  context: Context,
  kind: Newsletter["kind"],
  received: readonly ReceivedHoroscope[],
  letters: number,
): Newsletter {
  const { language, labels, formats } = context;
  const entries = received.map(({ reading }) => entryOf(context, reading, letters, kind === "all"));
  const date = formats.date(received[0]?.reading.period ?? context.date);
  const { name = "", texts = [] } = entries[0] ?? {};
  const beginning = opening(language, inOneLine(language, texts[0]?.paragraphs ?? []), preheaderLetters);
  const [title, preheader] =
    kind === "all" ? [labels.operations["daily-horoscope"], `${name}: ${beginning}`] : [name, beginning];
  return {
    subject: `${title} · ${date}`,
    preheader,
    date,
    kind,
    entries,
  };
}

function entryOf(context: Context, reading: HoroscopeReading, letters: number, isBrief: boolean) {
  const { language, labels, formats } = context;
  const { sign, period, operation } = reading;
  const kind = operations[operation].due;
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
  const tips = reading.luck.filter((line) => !isShort(line));
  return {
    sign,
    name: context.signNames[sign],
    sunDates: formats.sunDates(sign),
    page: context.fullAddress({ row: "datedPage", language, kind, sign, key: period }),
    texts,
    /** Colors, numbers, letters. */
    luck: labelledValuesOf(context, luck, isBrief ? briefLineLetters : lineLetters),
    tips: labelledValuesOf(context, tips, lineLetters),
    /** The lucky colors themselves: `#RRGGBB`. */
    colors: reading.colors,
    scores: isBrief ? [] : scoresOf(context, reading),
    /** Whether the sign's page has more of the texts. */
    isShortened,
  };
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

// Email services replace merge tags such as {{name}}, *|NAME|*, %recipient% or <% name %>. No service may take a reading's text for a
// tag, so an invisible character separates the characters that would form one.
/** The slot in a newsletter into which the sender puts the address to unsubscribe. */
export const unsubscribeSlot = "{{unsubscribe}}";

/** U+2060: no width, no break. */
const wordJoiner = "\u2060";

/** Two of these in a row open or close a tag somewhere. */
const pairs = /(?<=[{}[\]<>%*|$#@~^])(?=[{}[\]<>%*|$#@~^])/g;
/** One of these opens a tag where a name follows it. */
const beforeName = /(?<=[{[%$@#~])(?=[\p{L}_])/gu;

/** Controls, which no mail may hold, and marks that turn the direction of what comes after the text. */
const notMail = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g;

/** One search that finds nothing in nearly every text, which then needs no change. */
const any = /[{}[\]<>%*|$#@~^\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]| {2}|^ | $/;

/** A reading's text for a newsletter: on one line, without a merge tag. */
export function harmless(text: string): string {
  if (!any.test(text) && text.isWellFormed()) return text;
  const line = text.toWellFormed().replace(notMail, " ").replaceAll(/ {2,}/g, " ").trim();
  return line.replace(pairs, wordJoiner).replace(beforeName, wordJoiner);
}
