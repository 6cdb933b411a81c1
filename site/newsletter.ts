// The files of a day's newsletter: of all signs as HTML, text and data, and of each sign as HTML and text. They are dated and
// stay. They do not depend on other pages, so that a day pressed again gives the same bytes.
import type { Language } from "../readings/languages.ts";
import type { Reading } from "../readings/reading.schema.ts";
import type { Sign } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { type DocumentFacts, printData, timesOf } from "./data.ts";
import type { Documents } from "./data.schema.ts";
import type { Draft } from "./draft.ts";
import type { ReceivedHoroscope } from "./edition.ts";
import { type Letter, letterOf } from "./letter.ts";
import { letterHtml } from "./letter-html.ts";
import { letterText } from "./letter-text.ts";
import { unsubscribeSlot } from "./merge-tags.ts";
import type { TreePath } from "./tree.ts";

/** Gmail cuts a letter off at 102 KB: the limit leaves room for what a sender adds. */
const mostBytes = 90_000;
/** How many characters of each text are printed: the first length with which the letter is small enough, mostly the first. */
const lengthsOfAll = [360, 300, 240, 180, 120, 60] as const;
const lengthsOfOne = [Number.POSITIVE_INFINITY, 4000, 1200, 360] as const;

export interface NewsletterSheet {
  readonly language: Language;
  readonly date: string;
  /** In the order of the signs. */
  readonly received: readonly ReceivedHoroscope[];
  readonly withdrawn: readonly Sign[];
  readonly facts: (context: Context, reading: Reading) => DocumentFacts;
}

/** A letter with the paths of its two files; the letter is written when the first of them is printed. */
interface Issue {
  readonly html: TreePath;
  readonly text: TreePath;
  readonly written: (context: Context) => { readonly letter: Letter; readonly markup: string };
}

export function newsletterDrafts(sheet: NewsletterSheet): Draft[] {
  const { language, date, received } = sheet;
  const all: Issue = {
    html: { row: "letter", language, date },
    text: { row: "letterText", language, date },
    written: writing("all", received, lengthsOfAll),
  };
  const ones = received.map((one): Issue => {
    const { sign } = one.reading;
    return {
      html: { row: "signLetter", language, date, sign },
      text: { row: "signLetterText", language, date, sign },
      written: writing("one", [one], lengthsOfOne),
    };
  });
  return [
    {
      at: { row: "letterData", language, date },
      print: (context) => printDocument(context, sheet, all, ones),
    },
    ...[all, ...ones].flatMap(({ html, text, written }): Draft[] => [
      { at: html, print: (context) => written(context).markup },
      { at: text, print: (context) => letterText(context, written(context).letter) },
    ]),
  ];
}

/** Writes a letter once, with the first of these lengths that makes it small enough, else with the last. */
function writing(
  kind: Letter["kind"],
  received: readonly ReceivedHoroscope[],
  lengths: readonly number[],
): Issue["written"] {
  let written: ReturnType<Issue["written"]> | undefined;
  return (context) => {
    if (written !== undefined) return written;
    for (const letters of lengths) {
      const letter = letterOf(context, kind, received, letters);
      written = { letter, markup: letterHtml(context, letter).toString() };
      if (Buffer.byteLength(written.markup) <= mostBytes) return written;
    }
    if (written !== undefined) return written;
    throw new RangeError("a newsletter without a length");
  };
}

/** The newsletter as data: what a sender needs besides the two files, and their addresses. */
function printDocument(
  context: Context,
  { language, date, received, withdrawn, facts }: NewsletterSheet,
  all: Issue,
  ones: readonly Issue[],
) {
  const [first] = received;
  const times = timesOf(received);
  if (first === undefined || times === undefined)
    throw new RangeError(`the newsletter of ${date} has no text`);
  const told = ({ html, text, written }: Issue) => {
    const { subject, preheader } = written(context).letter;
    return { subject, preheader, html: context.url(html), text: context.url(text) };
  };
  const signs: Documents["newsletter"]["signs"] = {};
  for (const one of ones) {
    const { subject, preheader, ...files } = told(one);
    for (const { sign, name, page } of one.written(context).letter.entries)
      signs[sign] = { name, subject, preheader, page: page.href, ...files };
  }
  return printData(context, "newsletter", {
    ...facts(context, first.reading),
    ...times,
    language,
    date,
    ...told(all),
    unsubscribe: unsubscribeSlot,
    signs,
    ...(withdrawn.length === 0 ? {} : { withdrawn: [...withdrawn] }),
  });
}
