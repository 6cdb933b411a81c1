// Files about a language that contain no reading: its words, for pages that others build with our labels, names and formats, and
// its status.
import {
  type Language,
  isOfCards,
  type Operation,
  operationNames,
  operations,
  signs,
  languageNames,
} from "../readings/tables.ts";
import { isPeriodKind, utcMidnightMs, periodOf } from "../readings/calendar.ts";
import {
  type WordsDocument,
  wordsDocument,
  type LanguageDocument,
  type LanguageStatus,
} from "./data.schema.ts";
import { languageSummary, renderData } from "./data.ts";
import type { ReadingSet } from "./edition.ts";
import { directionOf, Formats, writersFor } from "./formats.ts";
import type { Context, Draft } from "./context.ts";
import { type Content, html } from "./html.ts";
import { pageDraft } from "./pages/document.ts";
import type { Page } from "./pages/page.ts";

const { sunDates } = wordsDocument.shape;

/** Contains only current dates, so the file stays the same until they change. */
export function wordsOf(context: Context, sets: readonly ReadingSet[]): Omit<WordsDocument, "$schema"> {
  const { language, labels, formats, signNames } = context;
  const { spread, triangle, wisdom, tarot } = labels;
  const { past, present, future, keywords, advice } = spread;
  const { today, yesterday, tomorrow, previous, next, signs: theTwelve, cards, archive } = labels;
  const { scores, bringsLuck, readOn, withdrawn } = labels;
  const { upright, reversed, career, love, finance } = tarot;
  return {
    language,
    name: formats.languageName(),
    direction: directionOf(language),
    signs: signNames,
    sunDates: sunDates.parse(Object.fromEntries(signs.map((sign) => [sign, formats.sunDates(sign)]))),
    operations: labels.operations,
    periods: labels.periods,
    sections: labels.sections,
    luck: labels.luck,
    luckKinds: labels.luckKinds,
    pairSections: labels.pair,
    pairScores: labels.pairScores,
    places: { past, present, future, ...triangle, ...wisdom },
    orientations: { upright, reversed },
    cardSections: { keywords, advice, career, love, finance },
    page: {
      today,
      yesterday,
      tomorrow,
      previous,
      next,
      signs: theTwelve,
      mySign: labels.mySigns.sign,
      cards,
      archive,
      scores,
      bringsLuck,
      readOn,
      withdrawn,
    },
    current: currentIn(context, sets),
    ...rulesOf(language),
  };
}

function currentIn(context: Context, sets: readonly ReadingSet[]): WordsDocument["current"] {
  const { newest } = languageSummary(context, sets);
  const current: WordsDocument["current"] = {};
  for (const operation of operationNames) {
    const [kind, period] = [kindOf(operation), newest[operation]];
    if (kind === undefined || period === undefined) continue;
    current[operation] = { period, words: context.formats.period(kind, period) };
  }
  return current;
}

/** Pairs have their own dates, and a person's animal never expires. */
function kindOf(operation: Operation) {
  const { due } = operations[operation];
  if (isOfCards(operation)) return "daily";
  return isPeriodKind(due) ? due : undefined;
}

// A language's weekdays, months, lists, numbers and plurals for programs without Intl: taken from the output of Intl, with the same
// formatters as the pages.
type LanguageRules = Pick<WordsDocument, "weekdays" | "months" | "list" | "numbers" | "plurals">;

/** Any zone works, because none of these depends on it. */
const anyZone = "UTC";
const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const madeBefore = new Map<Language, LanguageRules>();

function rulesOf(language: Language): LanguageRules {
  const rules = madeBefore.get(language) ?? newRules(language);
  madeBefore.set(language, rules);
  return rules;
}

function newRules(language: Language): LanguageRules {
  const { daily } = writersFor(language, anyZone);
  const formats = new Formats(language, anyZone);
  return {
    weekdays: formats.weekdays().map(({ day, short: brief, long: name }) => {
      const inDate = partOf(daily.formatToParts(utcMidnightMs(`2026-11-0${1 + day}`)), "weekday"); // the first is a Sunday
      return { day, name, inDate, short: brief };
    }),
    months: {
      name: formats.months("monthly"),
      inDate: formats.months("long"),
      short: formats.months("short"),
    },
    list: listRules(language),
    numbers: numberRules(language),
    plurals: new Intl.PluralRules(language).resolvedOptions().pluralCategories,
  };
}

function partOf(parts: readonly Intl.DateTimeFormatPart[], wanted: Intl.DateTimeFormatPartTypes): string {
  return parts.find(({ type }) => type === wanted)?.value ?? "";
}

function listRules(language: Language): LanguageRules["list"] {
  const { list } = writersFor(language, anyZone);
  const between = (count: number) =>
    list
      .formatToParts(digits.slice(0, count).map(String))
      .flatMap(({ type, value }) => (type === "literal" ? [value] : []));
  const [[two = ""], [start = "", middle = "", end = ""]] = [between(2), between(4)];
  return { two, start, middle, end };
}

function numberRules(language: Language): LanguageRules["numbers"] {
  const { number, tenths, percent } = writersFor(language, anyZone);
  const pattern = percent
    .formatToParts(0.5)
    .map(({ type, value }) => (type === "integer" ? "{number}" : value));
  return {
    system: number.resolvedOptions().numberingSystem,
    digits: digits.map((digit) => number.format(digit)),
    decimal: tenths.formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? "",
    percent: pattern.join(""),
  };
}

// The status of each language of the site, as data and as a page. It has instants and no ages, which a reader works out, so that
// the files stay the same as long as nothing newer is published.
/** The editions that a language of the site should have. */
export interface Expected {
  readonly language: Language;
  readonly zone: string;
  readonly operations: readonly Operation[];
  /** When the language's newest edition was published, where that is known. */
  readonly publishedAt?: string;
}

export function statusesOf(
  expected: readonly Expected[],
  summaries: readonly LanguageDocument[],
): LanguageStatus[] {
  return languageNames.flatMap((name) => {
    const own = expected.find(({ language }) => language === name);
    return own === undefined
      ? []
      : statusOf(
          own,
          summaries.find(({ language }) => language === name),
        );
  });
}

function statusOf(
  { language, zone, operations: wanted, publishedAt }: Expected,
  summary: LanguageDocument | undefined,
): LanguageStatus {
  const { newest = {}, waiting, date, nextAt } = summary ?? {};
  const missing = wanted.flatMap((operation) => {
    const { due } = operations[operation];
    const period = date !== undefined && isPeriodKind(due) ? periodOf(due, date) : undefined;
    const shown = newest[operation];
    if (shown !== undefined && (period === undefined || shown >= period)) return [];
    if (waiting?.[operation] !== undefined) return [];
    return [period === undefined ? { operation } : { operation, period }];
  });
  return { language, zone: summary?.zone ?? zone, date, publishedAt, nextAt, newest, missing, waiting };
}

export function statusDrafts(languages: LanguageStatus[]): Draft[] {
  return [
    { at: { row: "status" }, render: (context) => renderData(context, "status", { languages }) },
    pageDraft({ row: "statusPage" }, (context) => statusPage(context, languages)),
  ];
}

function statusPage(context: Context, languages: readonly LanguageStatus[]): Page {
  const { status } = context.labels;
  return {
    trail: [{ name: status.title }],
    kind: "website",
    title: status.title,
    description: `${status.title} · ${context.settings.name}`,
    data: { row: "status" },
    next: [],
    body: html`<header class="hero"><h1>${status.title}</h1></header>
      <div class="text columns">${languages.map((language) => section(context, language))}</div>`,
  };
}

/** Times in UTC, so that languages can be compared. */
function section(context: Context, status: LanguageStatus) {
  const { language, zone, date, publishedAt, nextAt, missing, waiting = {} } = status;
  const { labels, formats } = context;
  const words = labels.status;
  const own = new Formats(language, zone).languageName();
  const clock = new Formats(context.language, "UTC");
  const instant = (at: string | undefined) =>
    at !== undefined && html`<time datetime="${at}">${clock.time(at)} UTC</time>`;
  const namesOf = (all: readonly Operation[]) =>
    all.length > 0 && formats.list([...new Set(all.map((one) => labels.operations[one]))]);
  const line = (word: string, content: Content) =>
    content !== false &&
    html`<div>
      <dt>${word}</dt>
      <dd>${content}</dd>
    </div>`;
  return html`<section>
    <h2>
      <bdi lang="${language}" dir="${directionOf(language)}"
        >${context.linkTo({ row: "frontPage", language }, own) ?? own}</bdi
      >
    </h2>
    <dl>
      ${line(words.edition, date !== undefined && formats.date(date))}
      ${line(words.published, instant(publishedAt))} ${line(words.next, instant(nextAt))}
      ${line(words.missing, namesOf(missing.map(({ operation }) => operation)))}
      ${line(words.waiting, namesOf(operationNames.filter((one) => waiting[one] !== undefined)))}
    </dl>
  </section>`;
}
