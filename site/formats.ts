// Dates, numbers, lists and names as a language writes them, through Intl with every choice stated: nothing depends on
// the machine's own locale or zone.
import { type Language, languages, type Sign } from "../readings/tables.ts";
import { type PeriodKind, shiftPeriod, spanOf, utcMidnightMs } from "../readings/calendar.ts";

/** The month and day when the sun enters and leaves each sign, as almanacs print them. */
export const sunDates: Readonly<Record<Sign, readonly [string, string]>> = {
  aries: ["03-21", "04-19"],
  taurus: ["04-20", "05-20"],
  gemini: ["05-21", "06-20"],
  cancer: ["06-21", "07-22"],
  leo: ["07-23", "08-22"],
  virgo: ["08-23", "09-22"],
  libra: ["09-23", "10-22"],
  scorpio: ["10-23", "11-21"],
  sagittarius: ["11-22", "12-21"],
  capricorn: ["12-22", "01-19"],
  aquarius: ["01-20", "02-18"],
  pisces: ["02-19", "03-20"],
};

const utc = { timeZone: "UTC" } as const;
const tenth = { maximumFractionDigits: 1 } as const;
const longDate = { day: "numeric", month: "long", year: "numeric", ...utc } as const;

type Writers = ReturnType<typeof newWriters>;

function newWriters(language: Language, zone: string) {
  return {
    daily: new Intl.DateTimeFormat(language, { weekday: "long", ...longDate }),
    long: new Intl.DateTimeFormat(language, longDate),
    short: new Intl.DateTimeFormat(language, { day: "numeric", month: "short", ...utc }),
    monthly: new Intl.DateTimeFormat(language, { month: "long", year: "numeric", ...utc }),
    yearly: new Intl.DateTimeFormat(language, { year: "numeric", ...utc }),
    time: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: zone }),
    percent: new Intl.NumberFormat(language, { style: "percent" }),
    number: new Intl.NumberFormat(language, { useGrouping: false, ...tenth }),
    tenths: new Intl.NumberFormat(language, { minimumFractionDigits: 1, useGrouping: false, ...tenth }),
    list: new Intl.ListFormat(language, { type: "conjunction" }),
  };
}

/** The formatters, made once for each language and zone: all nine take most of a millisecond. */
const madeBefore = new Map<string, Writers>();

export function writersFor(language: Language, zone: string): Writers {
  const name = `${language} ${zone}`;
  const writers = madeBefore.get(name) ?? newWriters(language, zone);
  madeBefore.set(name, writers);
  return writers;
}

export class Formats {
  readonly language: Language;
  readonly #write: Writers;
  /** Texts made earlier, because the same dates and scores are on many pages. */
  readonly #known = new Map<string, string>();
  readonly #around = new Map<string, readonly Neighbour[]>();
  #weekdays: readonly Weekday[] | undefined;

  constructor(language: Language, zone: string) {
    this.language = language;
    this.#write = writersFor(language, zone);
  }

  /** Such as `Saturday, November 21, 2026`; `November 15 – 21, 2026`; `November 2026`; `2026`. */
  period(kind: PeriodKind, key: string): string {
    return this.#once(`${kind} ${key}`, () => {
      const { first, last } = spanOf(kind, key);
      if (kind === "weekly") return this.#capital(this.range(first, last));
      return this.#capital(this.#write[kind].format(utcMidnightMs(first)));
    });
  }

  /** The periods before and after one, which the pages of all signs lead to. */
  around(kind: PeriodKind, key: string): readonly Neighbour[] {
    const name = `${kind} ${key}`;
    const before = this.#around.get(name);
    if (before !== undefined) return before;
    const around = ([-1, 1] as const).map((by): Neighbour => {
      const other = shiftPeriod(kind, key, by);
      return { by, key: other, text: this.period(kind, other) };
    });
    this.#around.set(name, around);
    return around;
  }

  range(first: string, last: string): string {
    return this.#once(`${first} ${last}`, () => dateRange(this.language, this.#write.long, first, last));
  }

  date(date: string): string {
    return this.period("daily", date);
  }

  /** The dates between which the sun is in a sign, as almanacs print them. A line breaks only between the dates. */
  sunDates(sign: Sign): string {
    return this.#once(sign, () => {
      const [first, last] = sunDates[sign];
      const text = (monthAndDay: string) =>
        this.#write.short.format(utcMidnightMs(`2027-${monthAndDay}`)).replaceAll(" ", "\u00A0");
      return `${text(first)} – ${text(last)}`;
    });
  }

  /** An instant in the language's time zone. */
  time(instant: string): string {
    return this.#once(instant, () => this.#write.time.format(new Date(instant)));
  }

  /** A whole number from 0 to 100 as a percentage. */
  percent(value: number): string {
    return this.#once(`% ${value}`, () => this.#write.percent.format(value / 100));
  }

  number(value: number): string {
    return this.#once(`# ${value}`, () => this.#write.number.format(value));
  }

  /** Numbers shown together: all with a decimal or none. */
  numbers(values: readonly number[]): (value: number) => string {
    if (values.every(Number.isInteger)) return (value) => this.number(value);
    return (value) => this.#once(`#.# ${value}`, () => this.#write.tenths.format(value));
  }

  /** The days of a week in the language's order: 0 is Sunday. */
  weekdays(): readonly Weekday[] {
    this.#weekdays ??= weekdaysIn(this.language);
    return this.#weekdays;
  }

  /** The twelve months as dates of this kind write them: many languages have another form next to a day. */
  months(kind: "monthly" | "long" | "short"): string[] {
    const writer = this.#write[kind];
    return Array.from({ length: 12 }, (_, month) => {
      const date = `2026-${String(1 + month).padStart(2, "0")}-05`;
      return monthIn(writer.formatToParts(utcMidnightMs(date)));
    });
  }

  /** Whether a date names the month before the day. */
  isMonthFirst(): boolean {
    const types = this.#write.long.formatToParts(0).map(({ type }) => type);
    return types.indexOf("month") < types.indexOf("day");
  }

  list(parts: readonly string[]): string {
    return this.#once(`, ${parts.join(" ")}`, () => this.#write.list.format(parts));
  }

  /** A language's own name for itself, as a title. */
  languageName(): string {
    return this.#once("its own name", () => {
      const name = new Intl.DisplayNames(this.language, { type: "language" }).of(this.language);
      return this.#capital(name ?? this.language);
    });
  }

  #capital(text: string) {
    const [first = ""] = text;
    return first.toLocaleUpperCase(this.language) + text.slice(first.length);
  }

  #once(key: string, format: () => string) {
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const text = format();
    this.#known.set(key, text);
    return text;
  }
}

/** In Chinese and Japanese a month is a number and the word that follows it. */
function monthIn(parts: readonly Intl.DateTimeFormatPart[]): string {
  const index = parts.findIndex(({ type }) => type === "month");
  const name = parts[index]?.value ?? "";
  return /^\d+$/.test(name) ? name + (parts[index + 1]?.value ?? "") : name;
}

interface Neighbour {
  readonly by: -1 | 1;
  readonly key: string;
  readonly text: string;
}

interface Weekday {
  readonly day: number;
  readonly short: string;
  readonly long: string;
}

function weekdaysIn(language: Language): Weekday[] {
  const firstDay = firstDayOf(language);
  const inWords = (weekday: "narrow" | "short" | "long") => {
    const names = new Intl.DateTimeFormat(language, { weekday, ...utc });
    return Array.from({ length: 7 }, (_, day) => names.format(utcMidnightMs(`2026-11-0${1 + day}`))); // the first is a Sunday
  };
  const [narrow, short, full] = [inWords("narrow"), inWords("short"), inWords("long")];
  // In many languages a letter or two distinguish the days; in Tamil seven longer words have no room on a phone.
  const brief = new Set(narrow).size === 7 ? narrow : short;
  return Array.from({ length: 7 }, (_, index) => {
    const day = (firstDay + index) % 7;
    return { day, short: brief[day] ?? "", long: full[day] ?? "" };
  });
}

type WeekInfo = ReturnType<Intl.Locale["getWeekInfo"]>;

/** Monday is 1. Node 22 has a property, later versions a method. */
function firstDayOf(language: Language): number {
  const locale: { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo } = new Intl.Locale(language);
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

export function directionOf(language: Language): "ltr" | "rtl" {
  return languages[language].script === "Arabic" ? "rtl" : "ltr";
}

// Two dates as one range. Intl's data has gaps: Chinese and Japanese ranges come with slashes, Italian days with a leading zero, and
// Kannada commas without a space.
/** The characters between two dates in languages whose ranges Intl writes with slashes. */
const between: Readonly<Partial<Record<Language, string>>> = { zh: "至", ja: "～" };

function dateRange(language: Language, long: Intl.DateTimeFormat, first: string, last: string): string {
  const [from, to] = [utcMidnightMs(first), utcMidnightMs(last)];
  const word = between[language];
  if (word !== undefined && first !== last) return `${long.format(from)}${word}${ending(long, first, last)}`;
  const range = long.formatRange(from, to);
  if (language === "it") return range.replaceAll(/(?<!\d)0(?=\d)/g, "");
  return language === "kn" ? range.replaceAll(/,(?=\S)/g, ", ") : range;
}

/** The last date without the year and the month that the first has named. */
function ending(long: Intl.DateTimeFormat, first: string, last: string): string {
  const text = long.format(utcMidnightMs(last));
  if (first.slice(0, "2026".length) !== last.slice(0, "2026".length)) return text;
  const unit = first.slice(0, "2026-11".length) === last.slice(0, "2026-11".length) ? "月" : "年";
  return text.slice(text.indexOf(unit) + unit.length);
}
