// The files of a day's newsletter: of all signs as HTML, text and data, and of each sign as HTML and text. They are dated and
// stay. They do not depend on other pages, so that a day that is rendered again gives the same bytes.
import type { Language, Sign } from "../../readings/tables.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import type { Documents } from "../data.schema.ts";
import { type DocumentFacts, renderData, timesOf } from "../data.ts";
import type { Draft, Context } from "../context.ts";
import type { ReceivedHoroscope } from "../edition.ts";
import type { TreePath } from "../tree.ts";
import { newsletterHtml } from "./newsletter-html.ts";
import {
  type Newsletter,
  type NewsletterEntry,
  createNewsletter,
  unsubscribeSlot,
} from "./newsletter-content.ts";

/** Gmail cuts a newsletter off at 102 KB: the limit leaves room for what a sender adds. */
const mostBytes = 90_000;
/** The lengths of each text, in characters. The first one with which the newsletter is small enough is used. */
const lengthsOfAll = [360, 300, 240, 180, 120, 60] as const;
const lengthsOfOne = [Number.POSITIVE_INFINITY, 4000, 1200, 360] as const;

interface NewsletterInput {
  readonly language: Language;
  readonly date: string;
  /** In the order of the signs. */
  readonly received: readonly ReceivedHoroscope[];
  readonly withdrawn: readonly Sign[];
  readonly facts: (context: Context, reading: Reading) => DocumentFacts;
}

/** A newsletter with the paths of its two files; the newsletter is written when the first of them is rendered. */
interface Issue {
  readonly html: TreePath;
  readonly text: TreePath;
  readonly written: (context: Context) => { readonly newsletter: Newsletter; readonly markup: string };
}

export function newsletterDrafts(set: NewsletterInput): Draft[] {
  const { language, date, received } = set;
  const all: Issue = {
    html: { row: "newsletter", language, date },
    text: { row: "newsletterText", language, date },
    written: writing("all", received, lengthsOfAll),
  };
  const ones = received.map((one): Issue => {
    const { sign } = one.reading;
    return {
      html: { row: "signNewsletter", language, date, sign },
      text: { row: "signNewsletterText", language, date, sign },
      written: writing("one", [one], lengthsOfOne),
    };
  });
  return [
    {
      at: { row: "newsletterData", language, date },
      render: (context) => renderDocument(context, set, all, ones),
    },
    ...[all, ...ones].flatMap(({ html, text, written }): Draft[] => [
      { at: html, render: (context) => written(context).markup },
      { at: text, render: (context) => newsletterText(context, written(context).newsletter) },
    ]),
  ];
}

/** Writes a newsletter once, with the first of these lengths that makes it small enough, else with the last. */
function writing(
  kind: Newsletter["kind"],
  received: readonly ReceivedHoroscope[],
  lengths: readonly number[],
): Issue["written"] {
  let written: ReturnType<Issue["written"]> | undefined;
  return (context) => {
    if (written !== undefined) return written;
    for (const letters of lengths) {
      const newsletter = createNewsletter(context, kind, received, letters);
      written = { newsletter, markup: newsletterHtml(context, newsletter).toString() };
      if (Buffer.byteLength(written.markup) <= mostBytes) return written;
    }
    if (written !== undefined) return written;
    throw new RangeError("a newsletter without a length");
  };
}

/** The newsletter as data: the sender's data, and the addresses of the two files. */
function renderDocument(
  context: Context,
  { language, date, received, withdrawn, facts }: NewsletterInput,
  all: Issue,
  ones: readonly Issue[],
) {
  const [first] = received;
  const times = timesOf(received);
  if (first === undefined || times === undefined)
    throw new RangeError(`the newsletter of ${date} has no text`);
  const factsOf = ({ html, text, written }: Issue) => {
    const { subject, preheader } = written(context).newsletter;
    return { subject, preheader, html: context.url(html), text: context.url(text) };
  };
  const signs: Documents["newsletter"]["signs"] = {};
  for (const one of ones) {
    const { subject, preheader, ...files } = factsOf(one);
    for (const { sign, name, page } of one.written(context).newsletter.entries)
      signs[sign] = { name, subject, preheader, page: page.href, ...files };
  }
  return renderData(context, "newsletter", {
    ...facts(context, first.reading),
    ...times,
    language,
    date,
    ...factsOf(all),
    unsubscribe: unsubscribeSlot,
    signs,
    ...(withdrawn.length === 0 ? {} : { withdrawn: [...withdrawn] }),
  });
}

// The newsletter as plain text: the same words as the HTML, in lines, without markup.
function newsletterText(context: Context, newsletter: Newsletter): string {
  const { labels, settings, language } = context;
  const operation = labels.operations["daily-horoscope"];
  const footer = settings.theme?.newsletter.footer;
  const home = context.url({ row: "frontPage", language });
  const blocks = [
    [settings.name, "=".repeat(widthOf(settings.name))],
    [operation, newsletter.date],
    ...newsletter.entries.flatMap((entry) => entryBlocks(context, entry, newsletter.kind)),
    ["-".repeat(columns)],
    [home],
    ...(footer === undefined ? [] : [[...wrapped(footer.text), ...(footer.link ? [footer.link] : [])]]),
    [`${labels.unsubscribe}: ${unsubscribeSlot}`],
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function entryBlocks({ labels }: Context, entry: NewsletterEntry, kind: Newsletter["kind"]): string[][] {
  const { name, sunDates, texts, luck, tips, scores, page, isShortened } = entry;
  const title = `${name} (${sunDates})`;
  const line = ({ label, value }: { label: string; value: string }) => wrapped(`${label}: ${value}`);
  const sections =
    kind === "all"
      ? texts.map(({ label, paragraphs }) => wrapped(`${label}: ${paragraphs.join(" ")}`))
      : texts.flatMap(({ label, paragraphs }) =>
          [[label, "-".repeat(widthOf(label))]].concat(paragraphs.map(wrapped)),
        );
  const more = kind === "all" || isShortened ? [[`${labels.readOn}:`, page.href]] : [];
  const glance = [
    ...scores.map(({ label, text }) => `${label}: ${text}`),
    ...luck.flatMap((one) => line(one)),
  ];
  const blocks =
    kind === "all" ? [...sections, glance, ...more] : [glance, ...sections, ...tips.map(line), ...more];
  return [["", title, "=".repeat(widthOf(title))], ...blocks.filter((lines) => lines.length > 0)];
}

// Wrapped lines for mail. Combining marks take no column, Han and kana take two.
const columns = 72;

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\u30FC\uFF00-\uFF60\uD800-\uDBFF]/u;
const widthless = /[\p{M}\p{Cf}\uDC00-\uDFFF]/u;
/** If a script has no spaces, a line may end anywhere except before these characters, and after the opening ones. */
const closing = new Set("、。，．：；？！）」』】》〉…ー”’");
const opening = new Set("「『（《〈【“‘");

/** The width of each code unit that was met, plus one, because asking Unicode each time would take half of the rendering. */
const widths = new Uint8Array(0x1_0000);

function widthAt(text: string, index: number): 0 | 1 | 2 {
  const unit = text.charCodeAt(index);
  if (widths[unit] === 0) {
    const character = String.fromCharCode(unit);
    widths[unit] = widthless.test(character) ? 1 : wide.test(character) ? 3 : 2;
  }
  return widths[unit] === 1 ? 0 : widths[unit] === 3 ? 2 : 1;
}

function widthOf(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index += 1) width += widthAt(text, index);
  return width;
}

/** Lines of whole words; a word that is longer than a line is broken between its letters. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  let end = 0; // the last place where the line may end
  let [width, widthAtEnd] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const own = widthAt(text, index);
    if (mayEndBefore(text, index, own)) [end, widthAtEnd] = [index, width];
    if (width + own > columns && text[index] !== " ") {
      if (end <= start) [end, widthAtEnd] = [index, width];
      lines.push(text.slice(start, end).trimEnd());
      start = end;
      width -= widthAtEnd;
    }
    width += own;
  }
  lines.push(text.slice(start).trimEnd());
  return lines.filter((line) => line !== "");
}

function mayEndBefore(text: string, index: number, own: 0 | 1 | 2) {
  if (index === 0 || own === 0 || text[index] === " ") return false;
  const before = text[index - 1] ?? "";
  if (before === " ") return true;
  if (own !== 2 && widthAt(text, index - 1) !== 2) return false;
  return !closing.has(text[index] ?? "") && !opening.has(before);
}
