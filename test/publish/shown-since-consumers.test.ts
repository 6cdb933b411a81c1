// Two nights as seen by programs that poll a site for news: five kinds of program, each with a different criterion, hourly and
// daily. Each must get every text once, in every language, across the midnights of all zones.
import { expect, test } from "vitest";
import { z } from "zod";
import { zoneOf } from "../../readings/catalogue.ts";
import { type Language, languageNames, languagesOf, signs } from "../../readings/tables.ts";
import { localDate } from "../../readings/calendar.ts";
import { sha256 } from "../../vault/files.ts";
import { deep } from "../support/deep.ts";
import { textAt } from "../support/stores.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

/** Gujarati has only cards, and so no feed. */
const languages: readonly Language[] = deep ? languageNames : ["ar", "en", "gu", "hi", "ja", "zh"];
const minuteMs = 60_000;
const firstMs = Date.parse("2026-11-23T12:00:00.400Z");
const lastMs = Date.parse("2026-11-26T12:00:00.400Z");
const days = ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26"] as const;

type Read = (path: string) => Promise<string>;
/** A look at a language's files, which gives the texts that the program takes for new: `2026-11-24 leo`. */
type Look = (read: Read, language: Language, nowMs: number) => Promise<string[]>;
/** A program with its memory, which is empty at first. */
type Kind = (startMs: number) => Look;

const dayAndSign = /\/daily\/([a-z]+)\/(\d{4}-\d\d-\d\d)\//;
function textOfAddress(address: string): string {
  const [, sign, date] = dayAndSign.exec(address) ?? [];
  return `${date} ${sign}`;
}

/** The day's texts of a language: twelve signs or, without horoscopes, a card reading. */
function daily(language: Language) {
  const cards = "ex-flame-reading";
  return languagesOf("daily-horoscope").includes(language)
    ? { texts: signs, data: `v1/${language}/daily/latest.json`, page: (sign: string) => `daily/${sign}/` }
    : { texts: [cards], data: `v1/${language}/${cards}/latest.json`, page: () => `${cards}/` };
}

const feed = z.object({ items: z.array(z.object({ id: z.string(), url: z.string() })) });
const reading = z.object({ period: z.string(), operation: z.string() });
const latest = z.object({
  shownFrom: z.iso.datetime(),
  readings: z.record(z.string(), reading).optional(),
  reading: reading.optional(),
});

function textsOfSet({ readings = {}, reading: card }: z.infer<typeof latest>): string[] {
  if (card !== undefined) return [`${card.period} ${card.operation}`];
  return Object.entries(readings).map(([sign, { period }]) => `${period} ${sign}`);
}

const kinds: Readonly<Record<string, Kind>> = {
  "a mail service that sends the feed's items since its last sending": (startMs) => {
    const sentAt = new Map<Language, number>();
    return async (read, language, nowMs) => {
      const since = sentAt.get(language) ?? startMs;
      sentAt.set(language, nowMs);
      const items = (await read(`${language}/feed.xml`)).match(/<item>.*?<\/item>/gs) ?? [];
      return items.flatMap((item) => {
        const at = Date.parse(/<pubDate>([^<]+)/.exec(item)?.[1] ?? "");
        return at > since && at <= nowMs ? [textOfAddress(item)] : [];
      });
    };
  },
  "a feed reader that knows items by their ids": () => {
    const seen = new Set<string>();
    return async (read, language) => {
      const { items } = feed.parse(JSON.parse(await read(`${language}/feed.json`)));
      const news = items.filter(({ id }) => !seen.has(id));
      for (const { id } of news) seen.add(id);
      return news.map(({ url }) => textOfAddress(url));
    };
  },
  "a web site that loads the day's file when its hash is another": () => {
    const hashes = new Map<Language, string>();
    return async (read, language) => {
      const text = await read(daily(language).data);
      if (hashes.get(language) === sha256(text)) return [];
      hashes.set(language, sha256(text));
      return textsOfSet(latest.parse(JSON.parse(text)));
    };
  },
  "a search engine that loads what its sitemap says has changed": (startMs) => {
    const crawledAt = new Map<Language, number>();
    const pages = new Map<string, string>();
    return async (read, language, nowMs) => {
      const since = crawledAt.get(language) ?? startMs;
      crawledAt.set(language, nowMs);
      const news: string[] = [];
      const { texts, page: pageOf } = daily(language);
      for (const name of texts) {
        const path = `${language}/${pageOf(name)}`;
        const page = await read(`${path}index.html`);
        const text = `${/<time datetime="(\d{4}-\d\d-\d\d)"/.exec(page)?.[1]} ${name}`;
        const entry = new RegExp(`/${path}</loc><lastmod>([^<]+)`).exec(
          await read(`${language}/sitemap.xml`),
        );
        if (Date.parse(entry?.[1] ?? "") > since) {
          pages.set(path, text);
          news.push(text);
        }
        // Its copies match the site: no page has changed unnoticed.
        expect([path, pages.get(path)]).toEqual([path, text]);
      }
      return news;
    };
  },
  "a newsletter that sends a set shown since the last letter": (startMs) => {
    const sentAt = new Map<Language, number>();
    return async (read, language, nowMs) => {
      const since = sentAt.get(language) ?? startMs;
      sentAt.set(language, nowMs);
      const set = latest.parse(JSON.parse(await read(daily(language).data)));
      return Date.parse(set.shownFrom) > since ? textsOfSet(set) : [];
    };
  },
};

interface Program {
  readonly name: string;
  readonly everyMinutes: number;
  readonly needsFeed: boolean;
  readonly look: Look;
  readonly got: Map<Language, string[]>;
}

/** These hours differ from those of the publishes, so that each poll finds a random state. */
const programs: readonly Program[] = Object.entries(kinds).flatMap(([name, kind]) =>
  [60, 24 * 60].map((everyMinutes) => ({
    name: `${name}, every ${everyMinutes === 60 ? "hour" : "day"}`,
    everyMinutes,
    needsFeed: name.includes("feed"),
    look: kind(firstMs - minuteMs),
    got: new Map<Language, string[]>(),
  })),
);

async function lookAll(site: PublishedSite, nowMs: number, sinceStartMinutes: number): Promise<void> {
  const texts = new Map<string, Promise<string>>();
  const read: Read = (path) => {
    const text = texts.get(path) ?? textAt(site.site, path).then((found) => found ?? "");
    texts.set(path, text);
    return text;
  };
  for (const { everyMinutes, needsFeed, look, got } of programs) {
    if (sinceStartMinutes % everyMinutes !== 0) continue;
    for (const language of languages.filter((one) => !needsFeed || daily(one).texts === signs))
      got.set(language, [...(got.get(language) ?? []), ...(await look(read, language, nowMs))]);
  }
}

test("each program gets each text once, whatever criterion it uses", async () => {
  const site = newSite({ languages: [...languages], operations: ["daily-horoscope", "ex-flame-reading"] });
  await site.gather("2026-11-22", "2026-11-26");
  site.setClock(new Date(firstMs).toISOString());
  await site.night();
  for (let minutes = 0; firstMs + minutes * minuteMs <= lastMs; minutes += 15) {
    const nowMs = firstMs + minutes * minuteMs;
    site.setClock(new Date(nowMs).toISOString());
    await site.publishDue();
    await lookAll(site, nowMs + 7 * minuteMs, minutes);
  }
  const { configuration } = site.publishing;
  for (const language of languages) {
    const [from, to] = [firstMs, lastMs].map((ms) =>
      localDate(zoneOf(configuration, language), new Date(ms)),
    );
    const shown = days.filter((date) => date >= (from ?? "") && date <= (to ?? ""));
    expect(shown.length).toBeGreaterThan(2);
    const { texts } = daily(language);
    const all = shown.flatMap((date) => texts.map((text) => `${date} ${text}`)).sort();
    for (const { name, got } of programs.filter(({ needsFeed }) => !needsFeed || texts === signs))
      expect([language, name, (got.get(language) ?? []).sort()]).toEqual([language, name, all]);
  }
});
