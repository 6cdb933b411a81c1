// Editions for the tests of site/: whole ones, read out of the sandbox's own answers by the code that reads real ones.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { z } from "zod";
import {
  type Language,
  languages,
  isOfCards,
  languagesOf,
  type Operation,
  operationNames,
  operations,
  signs,
} from "../../readings/tables.ts";
import { allPairs, pairSeason } from "../../readings/pairs.ts";
import type {
  ArchiveMonth,
  Deck,
  LanguageEdition,
  RenderedFile,
  ReadingSet,
  SiteSettings,
} from "../../site/edition.ts";
import { languageDocument } from "../../site/data.schema.ts";
import { isPeriodKind, shiftPeriod } from "../../readings/calendar.ts";
import { readCandidate } from "../../readings/reading.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { monthOf } from "../../site/pages/archive-page.ts";
import { withDays } from "../../site/pages/deck-pages.ts";
import { cardsIn } from "../../site/seen-cards.ts";
import { type Alternates, Context, renderDrafts } from "../../site/context.ts";
import { draftLanguage } from "../../site/render.ts";
import { dataOf } from "../support/stored-responses.ts";
import { requestFor } from "../support/requests.ts";

export const settings = { id: "almanac", name: "Almanac", url: "https://almanac.example" } as const;
export const date = "2026-11-21";

/** The sandbox's answer as a reading. */
export function readingFor(request: ReadingRequest): Reading {
  return readCandidate(request, dataOf(request)).reading;
}

function setOf(requests: readonly ReadingRequest[], current: boolean): ReadingSet[] {
  const [first] = requests;
  if (first === undefined) return [];
  const { operation, period } = first;
  const readings = requests.map((request, index) => ({
    reading: readingFor(request),
    receivedAt: `2026-11-20T08:${String(index).padStart(2, "0")}:17.000Z`,
  }));
  return [{ operation, period, current, readings }];
}

/** All sets of a language on the date, and the previous set of each horoscope and card. */
export function wholeEdition(
  language: Language,
  only: readonly Operation[] = operationNames,
): LanguageEdition {
  const sets = only
    .filter((operation) => languagesOf(operation).includes(language))
    .flatMap((operation) => setsFor(operation, language));
  return {
    language,
    zone: languages[language].zone,
    date,
    sets,
    decks: decksOf(sets),
    months: monthsOf(sets),
  };
}

/** The archive's months, as though nothing else had ever been published. */
function monthsOf(sets: readonly ReadingSet[]): ArchiveMonth[] {
  const months = sets.flatMap(({ operation, period }) => {
    const { due } = operations[operation];
    return operation.endsWith("-horoscope") && isPeriodKind(due) && due !== "yearly"
      ? [monthOf(due, period)]
      : [];
  });
  const all = [...new Set(months)].sort();
  return all.map((month, index) => ({ month, before: all[index - 1], after: all[index + 1] }));
}

/** The decks if nothing else had been published. */
export function decksOf(sets: readonly ReadingSet[]): Deck[] {
  const decks: Deck[] = [];
  for (const [operation, own] of Map.groupBy(sets, (set) => set.operation)) {
    if (!isOfCards(operation)) continue;
    const days = new Map(own.map(({ period, readings }) => [period, readings.flatMap(cardsIn)]));
    // Enough days to deal a hand from the deck.
    const [first] = own;
    const language = first?.readings[0]?.reading.language ?? "en";
    const daysBefore = operation === "daily-tarot" ? 32 : 0;
    for (let day = 2; day < daysBefore; day += 1) {
      const period = shiftPeriod("daily", date, -day);
      const reading = readingFor({ operation, language, period });
      days.set(period, cardsIn({ reading, receivedAt: `${period}T08:00:17.000Z` }));
    }
    decks.push({ operation, cards: withDays([], days) ?? [] });
  }
  return decks;
}

function setsFor(operation: Operation, language: Language): ReadingSet[] {
  const request = requestFor(operation, language);
  if ("sign1" in request)
    return allPairs.flatMap(([sign1, sign2]) => {
      const period = pairSeason([sign1, sign2], language, date).season;
      return setOf([{ ...request, period, sign1, sign2 }], true);
    });
  if ("person" in request) return setOf([request], true);
  const requestsAt = (period: string): ReadingRequest[] => {
    if ("sign" in request) return signs.map((sign) => ({ ...request, period, sign }));
    const cardsCount = operation === "divine-angel-reading" ? 3 : undefined;
    return [{ ...request, period, cardsCount }];
  };
  const { due } = operations[request.operation];
  const before = shiftPeriod(due, request.period, -1);
  return [...setOf(requestsAt(request.period), true), ...setOf(requestsAt(before), false)];
}

/** Only the edition's first set, moved to another period. */
export function firstSetAt(edition: LanguageEdition, period: string): LanguageEdition {
  const sets = edition.sets.slice(0, 1).map((set) => ({ ...set, period }));
  return withReadings({ ...edition, sets }, (reading) => ({ ...reading, period }));
}

export function withReadings(
  edition: LanguageEdition,
  change: (reading: Reading) => Reading,
): LanguageEdition {
  const sets = edition.sets.map((set) => ({
    ...set,
    readings: set.readings.map(({ reading, receivedAt }) => ({ receivedAt, reading: change(reading) })),
  }));
  return { ...edition, sets };
}

/** The set if Leo's text had been withdrawn. */
export function withoutLeo(set: ReadingSet): ReadingSet {
  const readings = set.readings.filter(({ reading }) => !("sign" in reading) || reading.sign !== "leo");
  return { ...set, readings, withdrawn: ["leo"] };
}

const rendered = new Map<Language, RenderedFile[]>();

/** The files of the whole edition, rendered once for all tests. */
export function renderedIn(language: Language): RenderedFile[] {
  const known = rendered.get(language) ?? renderedOnce(language);
  rendered.set(language, known);
  return known;
}

const keptFiles = z.custom<RenderedFile[]>(Array.isArray);

/** Whichever process of a run is the first renders it for the others; not while someone watches and changes the sources. */
function renderedOnce(language: Language): RenderedFile[] {
  const { ALMANAC_TEST_RUN: folder, VITEST_MODE: mode } = process.env;
  if (folder === undefined || mode !== "RUN") return renderLanguage(wholeEdition(language), settings);
  const path = join(folder, `rendered-${language}`);
  if (existsSync(path)) return keptFiles.parse(deserialize(readFileSync(path)));
  const files = renderLanguage(wholeEdition(language), settings);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, serialize(files));
  renameSync(`${path}.${process.pid}`, path);
  return files;
}

/** A language's own summary, as the publisher reads it back. */
export function summaryOf(files: ReturnType<typeof renderLanguage>, language: Language) {
  return languageDocument.parse(JSON.parse(textOf(files, `v1/${language}/index.json`)));
}

export function textOf(files: ReturnType<typeof renderLanguage>, path: string): string {
  const file = files.find((one) => one.path === path);
  if (file === undefined) throw new Error(`${path} was not rendered`);
  return new TextDecoder().decode(file.bytes);
}

/** The files of one language, as a publish renders them. */
export function renderLanguage(
  edition: LanguageEdition,
  siteSettings: SiteSettings,
  others: Iterable<string> = [],
  alternates?: Alternates,
): RenderedFile[] {
  const { files, linked } = draftLanguage(edition, others);
  return renderDrafts(files, new Context(edition, siteSettings, linked, alternates));
}
