// The published words of a language against what its own pages show: whoever builds with the one gets what the others have.
import { describe, expect, test } from "vitest";
import { type Language, languageNames, isOfCards, languagesOf, signs } from "../../readings/tables.ts";
import { periodKinds } from "../../readings/calendar.ts";
import { sectionNames } from "../../readings/reading.schema.ts";
import { documents } from "../../site/data.schema.ts";
import { handsOf } from "../../site/seen-cards.ts";
import { pathOf } from "../../site/paths.ts";
import { renderShared } from "../../site/render.ts";
import { deep } from "../support/deep.ts";
import { themeOf } from "../support/theme-folder.ts";
import { date, renderedIn, settings, summaryOf, textOf, wholeEdition, renderLanguage } from "./editions.ts";
import { languageOfEachScript } from "./kinds.ts";

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&#39;": "'", "&quot;": '"' };

/** Texts of a page's elements with this beginning, without hidden parts. */
function textsOf(page: string, beginning: string): string[] {
  const [name = ""] = beginning.split(" ");
  return [...page.matchAll(new RegExp(`<${beginning}[^>]*>(.*?)</${name}>`, "gs"))].map(([, inner = ""]) =>
    inner
      .replaceAll(/<svg.*?<\/svg>|<[^>]*>/gs, "")
      .replaceAll(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)
      .trim(),
  );
}

const shared = renderShared(
  languageNames.map((language) => summaryOf(renderedIn(language), language)),
  settings,
);
const tried = deep ? languageNames : languageOfEachScript;
/** Some languages have only cards. */
const withHoroscopes = tried.filter((language) => languagesOf("daily-horoscope").includes(language));

function publishedIn(language: Language) {
  const files = renderedIn(language);
  const words = documents.words.parse(JSON.parse(textOf(files, `v1/${language}/words.json`)));
  return {
    page: (path: string) => textOf(files, `${language}/${path}index.html`),
    words,
    inDigits: (number: number) =>
      String(number)
        .split("")
        .map((digit) => words.numbers.digits[Number(digit)])
        .join(""),
  };
}

describe.each(withHoroscopes)("the words in %s are those of its pages:", (language) => {
  const { page, words, inDigits } = publishedIn(language);

  test("the language's name and direction, the signs and the sun's dates", () => {
    const front = page("");
    expect(front).toContain(`<html lang="${language}" dir="${words.direction}"`);
    expect(textOf(shared, "index.html")).toContain(`>${words.name} <small`);
    const [strip = ""] = textsOf(page("daily/leo/"), 'ul class="strip"');
    expect(strip.split(/\s*\n\s*/).filter((name) => name !== "")).toEqual(
      signs.map((sign) => words.signs[sign]),
    );
    for (const sign of signs) expect(textsOf(front, "small")).toContain(words.sunDates[sign]);
  });

  test.each(periodKinds)("a %s page's title, sections, luck, scores and date", (kind) => {
    const shown = page(`${kind}/leo/`);
    expect(textsOf(shown, "h1")).toEqual([words.signs.leo]);
    expect(textsOf(shown, 'p class="caps"')).toEqual([words.operations[`${kind}-horoscope`]]);
    expect(textsOf(shown, "time")).toContain(words.current[`${kind}-horoscope`]?.words);
    const sections = sectionNames.map((name) => words.sections[name]);
    expect(textsOf(shown, "h2").filter((text) => sections.includes(text))).toEqual(sections);
    const bars = [...shown.matchAll(/<meter aria-label="([^"]+)"[^>]* value="(\d+)"[^>]*>([^<]+)</g)];
    const scored = [...sections, words.luck];
    expect(scored).toEqual(expect.arrayContaining(bars.map(([, label]) => label)));
    for (const [, , value, text] of bars)
      expect(text).toBe(words.numbers.percent.replace("{number}", inDigits(Number(value))));
    if (kind === "daily") {
      expect(bars).toHaveLength(scored.length);
      const { colors, numbers, alphabets, cosmicTip, singles, couples } = words.luckKinds;
      expect(textsOf(shown, "dt")).toEqual([colors, numbers, alphabets, cosmicTip, singles, couples]);
      expect(textsOf(shown, "h2")).toEqual(
        expect.arrayContaining([words.page.scores, words.page.bringsLuck]),
      );
      const { yesterday, today } = words.page;
      const { weekly, monthly, yearly } = words.periods;
      const [turns = ""] = textsOf(shown, 'ul class="rule"');
      expect(turns).toBe(`${yesterday}${today}${weekly}${monthly}${yearly}`);
    }
  });

  test("the days of the calendar and the months", () => {
    const calendar = page("archive/leo/2026-11/");
    const days = [...calendar.matchAll(/<abbr title="([^"]+)">([^<]+)</g)].map(([, name, short]) => [
      name,
      short,
    ]);
    expect(days).toEqual(words.weekdays.map(({ name, short }) => [name, short]));
    const [, , , , , , , , , , november] = words.months.name;
    expect(textsOf(calendar, "title")[0]?.toLowerCase()).toContain(november?.toLowerCase());
    const day = textsOf(page("daily/leo/2026-11-20/"), "time")[0]?.toLowerCase();
    expect(day).toContain(words.months.inDate[10]?.toLowerCase());
    expect(day).toContain(words.weekdays.find((one) => one.day === 5)?.inDate.toLowerCase());
    expect(day).toContain(inDigits(20));
    expect(words.sunDates.sagittarius).toContain(words.months.short[10]);
  });

  test("lists, numbers and plurals as Intl writes them", () => {
    const { two, start, middle, end } = words.list;
    const written = new Intl.ListFormat(language);
    expect(`1${two}2`).toBe(written.format(["1", "2"]));
    expect(`1${start}2${middle}3${end}4`).toBe(written.format(["1", "2", "3", "4"]));
    expect(inDigits(2026) + words.numbers.decimal + inDigits(5)).toBe(
      new Intl.NumberFormat(language, { useGrouping: false }).format(2026.5),
    );
    const rules = new Intl.PluralRules(language);
    const used = new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)));
    expect(words.plurals).toEqual(expect.arrayContaining([...used]));
  });
});

test.each(tried)(
  "the words in %s have the cards' names, dates, places and parts as its pages have them",
  (language) => {
    const { page, words } = publishedIn(language);
    const cards = Object.entries(words.current).filter(([name]) => !name.endsWith("-horoscope"));
    expect(cards.length).toBeGreaterThan(0);
    for (const [operation, current] of cards) {
      const shown = page(`${operation}/`);
      expect(textsOf(shown, "h1")).toEqual([Reflect.get(words.operations, operation)]);
      expect(textsOf(shown, "time")).toContain(current.words);
    }
    const named = new Set(cards.map(([name]) => name));
    const { places, cardSections, orientations } = words;
    const { past, present, future, you, firstLove, secondLove, yin, yang } = places;
    const { advice, career, love, finance } = cardSections;
    for (const [operation, headings] of [
      ["past-present-future-reading", [past, present, future, cardSections.keywords, advice]],
      ["love-triangle-reading", [you, firstLove, secondLove]],
      ["wisdom-reading", [yin, yang]],
      ["daily-tarot", [career, love, finance]],
    ] as const) {
      if (!named.has(operation)) continue;
      const shown = page(`${operation}/`);
      for (const heading of headings)
        expect([operation, shown.includes(`>${heading}<`)]).toEqual([operation, true]);
    }
    if (!named.has("daily-tarot")) return;
    const drawn = page("decks/daily-tarot/draw/");
    const deckPath = pathOf({ row: "deckData", language, operation: "daily-tarot" });
    const deck = documents.deck.parse(JSON.parse(textOf(renderedIn(language), deckPath)));
    // The hand dealt from a deck may have only upright cards.
    const dealt = handsOf({ operation: "daily-tarot", cards: deck.cards }, language).flatMap(
      (hand) => hand.cards,
    );
    const lain = new Set(dealt.flatMap(({ card }) => ("orientation" in card ? card.orientation : [])));
    const positions = [...lain].flatMap((one) => (one === undefined ? [] : orientations[one]));
    expect(positions.length).toBeGreaterThan(0);
    for (const position of positions) expect(drawn).toContain(position);
  },
);

test.each(tried.filter((language) => languagesOf("love-compatibility").includes(language)))(
  "the words in %s have a pair's title, sections and scores, and the list of its signs, as its page has them",
  (language) => {
    const { page, words } = publishedIn(language);
    const shown = page("love-compatibility/leo-pisces/");
    const { leo, pisces } = words.signs;
    const title = textsOf(shown, "h1")[0] ?? "";
    expect([leo + words.list.two + pisces, title]).toEqual([title, expect.stringContaining(leo)]);
    expect(textsOf(shown, "title")).toContainEqual(
      expect.stringContaining(words.operations["love-compatibility"]),
    );
    expect(textsOf(shown, "h2")).toEqual(expect.arrayContaining(Object.values(words.pairSections)));
    const labels = [...shown.matchAll(/<meter aria-label="([^"]+)"/g)].map(([, label]) => label);
    expect(labels).toEqual(Object.values(words.pairScores));
  },
);

describe("the file of words", () => {
  const edition = wholeEdition("en", ["daily-horoscope", "weekly-horoscope", "daily-tarot"]);
  const words = (files: ReturnType<typeof renderLanguage>) => textOf(files, "v1/en/words.json");

  test("is the same on another day if the current readings are the same", () => {
    const now = words(renderLanguage(edition, settings));
    expect(words(renderLanguage({ ...edition, date: "2026-11-25" }, settings))).toBe(now);
    expect(documents.words.parse(JSON.parse(now)).current).toEqual({
      "daily-horoscope": { period: date, words: "Saturday, November 21, 2026" },
      "weekly-horoscope": {
        period: "2026-11-15",
        words: expect.stringMatching(/^November 15\s–\s21, 2026$/),
      },
      "daily-tarot": { period: date, words: "Saturday, November 21, 2026" },
    });
    const others = edition.sets.filter(({ operation }) => !isOfCards(operation));
    expect(words(renderLanguage({ ...edition, sets: others, decks: [] }, settings))).not.toBe(now);
  });

  test("has the owner's words in place of ours", async () => {
    const theme = await themeOf({ words: { en: { sections: { travel: "On the road" } } } });
    const rendered = renderLanguage(edition, { ...settings, theme });
    expect(documents.words.parse(JSON.parse(words(rendered))).sections.travel).toBe("On the road");
  });
});
