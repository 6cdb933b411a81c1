// The files of a day's newsletter: of all signs as HTML, text and data, and of each sign as HTML and text. They are dated and
// stay. They do not depend on other pages, so that a day pressed again gives the same bytes.
import type { Language } from "../readings/languages.ts";
import type { Reading } from "../readings/reading.schema.ts";
import type { Sign } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { type DocumentFacts, printData } from "./data.ts";
import type { Documents } from "./data.schema.ts";
import type { Draft } from "./draft.ts";
import { type Letter, letterOfAll, letterOfOne, type ReceivedHoroscope } from "./letter.ts";
import { letterHtml } from "./letter-html.ts";
import { letterText } from "./letter-text.ts";
import { unsubscribeSlot } from "./merge-tags.ts";
import type { TreePath } from "./tree.ts";

/** Gmail cuts a letter off at 102 KB: the limit leaves room for what a sender adds. */
const mostBytes = 90_000;
/** How many characters of each text are printed: the first length with which the letter is small enough, mostly the first. */
const lengthsOfAll = [360, 300, 240, 180, 120, 60] as const;
const lengthsOfOne = [Number.POSITIVE_INFINITY, 4000, 1200, 360] as const;

interface Issue {
  readonly letter: Letter;
  readonly html: string;
}

export interface NewsletterSheet {
  readonly language: Language;
  readonly date: string;
  /** In the order of the signs. */
  readonly received: readonly ReceivedHoroscope[];
  readonly withdrawn: readonly Sign[];
  readonly facts: (context: Context, reading: Reading) => DocumentFacts;
}

export function newsletterDrafts(sheet: NewsletterSheet): Draft[] {
  const { language, date, received } = sheet;
  const all = once((context) => issueOf(context, lengthsOfAll, (at) => letterOfAll(context, received, at)));
  const ones = received.map((one) => ({
    sign: one.reading.sign,
    issue: once((context) => issueOf(context, lengthsOfOne, (at) => letterOfOne(context, one, at))),
  }));
  return [
    ...draftsOf(sheet, all),
    {
      at: { row: "letterData", language, date },
      print: (context) => {
        const letters = ones.map(({ issue }) => issue(context).letter);
        return printDocument(context, sheet, all(context).letter, letters);
      },
    },
    ...ones.flatMap(({ sign, issue }) => draftsOf(sheet, issue, sign)),
  ];
}

function draftsOf(
  { language, date }: NewsletterSheet,
  issue: (context: Context) => Issue,
  sign?: Sign,
): Draft[] {
  return [
    { at: letterAt(language, date, "html", sign), print: (context) => issue(context).html },
    {
      at: letterAt(language, date, "text", sign),
      print: (context) => letterText(context, issue(context).letter),
    },
  ];
}

function letterAt(language: Language, date: string, format: "html" | "text", sign?: Sign): TreePath {
  if (sign === undefined) return { row: format === "html" ? "letter" : "letterText", language, date };
  return { row: format === "html" ? "signLetter" : "signLetterText", language, date, sign };
}

function once(make: (context: Context) => Issue): (context: Context) => Issue {
  let made: Issue | undefined;
  return (context) => (made ??= make(context));
}

function issueOf(context: Context, lengths: readonly number[], write: (letters: number) => Letter): Issue {
  let issue: Issue | undefined;
  for (const letters of lengths) {
    const letter = write(letters);
    issue = { letter, html: letterHtml(context, letter).toString() };
    if (Buffer.byteLength(issue.html) <= mostBytes) return issue;
  }
  if (issue !== undefined) return issue;
  throw new RangeError("a newsletter without a length");
}

/** The newsletter as data: what a sender needs besides the two files, and their addresses. */
function printDocument(
  context: Context,
  { language, date, received, withdrawn, facts }: NewsletterSheet,
  { subject, preheader, receivedAt }: Letter,
  letters: readonly Letter[],
): string {
  const [first] = received;
  if (first === undefined) throw new RangeError(`the newsletter of ${date} has no text`);
  const files = (sign?: Sign) => ({
    html: context.url(letterAt(language, date, "html", sign)),
    text: context.url(letterAt(language, date, "text", sign)),
  });
  const signs: Documents["newsletter"]["signs"] = {};
  for (const letter of letters) {
    for (const { sign, name, page } of letter.entries) {
      const said = { name, subject: letter.subject, preheader: letter.preheader };
      signs[sign] = { ...said, page: page.href, ...files(sign) };
    }
  }
  return printData(context, "newsletter", {
    ...facts(context, first.reading),
    receivedAt,
    language,
    date,
    subject,
    preheader,
    ...files(),
    unsubscribe: unsubscribeSlot,
    signs,
    ...(withdrawn.length === 0 ? {} : { withdrawn: [...withdrawn] }),
  });
}
