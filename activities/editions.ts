// What a language can show on a date: for each operation the newest sheet that is whole, read from the vault's captures.
// A sheet that lacks a reading is passed over, so the one before it stays. site/press.ts has them next.
import pLimit from "p-limit";
import { z } from "zod";
import { zoneOf } from "../readings/catalogue.ts";
import { type Configuration } from "../readings/configuration.schema.ts";
import { type Language } from "../readings/languages.ts";
import { languagesOf, type Operation, rowOf } from "../readings/operations.ts";
import { addDays, periodOf, seasonOf, shiftPeriod } from "../readings/periods.ts";
import { readCandidate } from "../readings/reading.ts";
import { type Reading } from "../readings/reading.schema.ts";
import { type ReadingRequest, requestKey, requestOf } from "../readings/request.ts";
import { type Sign, signs } from "../readings/signs.ts";
import { type LanguageEdition, type Sheet } from "../site/press.ts";
import { type Capture } from "./capture.schema.ts";
import { UnreadableFile, type Vault } from "./vault.ts";

/** How many periods back the newest whole sheet is looked for; beyond that the published one stays as it is. */
const periodsBack = 3;
/** Reads of one edition under way at once. */
const readsAtOnce = 16;

const success = z.object({ data: z.unknown() });

export interface Received {
  readonly reading: Reading;
  readonly receivedAt: string;
}

/** The reading of a capture, made anew by today's code. */
export function readingFrom(capture: Capture): Received {
  const request = requestOf(capture.key);
  if (request === undefined)
    throw new UnreadableFile(`the capture ${capture.key} has a key that this version can't read`);
  const { data } = success.parse(JSON.parse(capture.body.replace(/^\uFEFF/, "")));
  return { reading: readCandidate(request, data).reading, receivedAt: capture.receivedAt };
}

export async function loadEdition(
  language: Language,
  date: string,
  configuration: Configuration,
  vault: Vault,
): Promise<LanguageEdition> {
  const limit = pLimit(readsAtOnce);
  const sheet = async (requests: readonly ReadingRequest[], current: boolean): Promise<Sheet | undefined> => {
    const captures = await Promise.all(
      requests.map((request) => limit(() => vault.capture(requestKey(request)))),
    );
    const readings = captures.filter((capture) => capture !== undefined).map(readingFrom);
    const [first] = requests;
    if (first === undefined || readings.length < requests.length) return undefined;
    return { operation: first.operation, period: first.period, current, readings };
  };
  const available = configuration.operations.filter((operation) => languagesOf(operation).includes(language));
  const sheets = await Promise.all(
    available.flatMap((operation) =>
      slotsOf(operation, language, date, configuration).map(async (candidates) => {
        const found: Sheet[] = [];
        for (const requests of candidates) {
          // The newest whole one is current; the one before it is pressed too, because now it has a next page.
          const loaded = await sheet(requests, found.length === 0);
          if (loaded !== undefined) found.push(loaded);
          if (found.length === 2) break;
        }
        return found;
      }),
    ),
  );
  return { language, zone: zoneOf(configuration, language), date, sheets: sheets.flat() };
}

/** For each place on the site the sheets that could fill it, newest first. */
function slotsOf(
  operation: Operation,
  language: Language,
  date: string,
  configuration: Configuration,
): ReadingRequest[][][] {
  switch (operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope": {
      const { due } = rowOf(operation);
      if (due === "seasonal" || due === "once") return [];
      const newest = periodOf(due, date);
      return [
        back((by) => shiftPeriod(due, newest, -by)).map((period) =>
          signs.map((sign) => ({ operation, language, period, sign })),
        ),
      ];
    }
    case "love-compatibility": {
      const season = seasonOf(date);
      const before = seasonOf(
        addDays(`${season.slice(0, 4)}-${seasonStarts[season.slice(5)] ?? "01"}-01`, -1),
      );
      return pairsOf(configuration).map(([sign1, sign2]) =>
        [season, before].map((period) => [{ operation, language, period, sign1, sign2 }]),
      );
    }
    case "which-animal-are-you-reading":
      return configuration.people.map(({ id }) => [[{ operation, language, period: "always", person: id }]]);
    default:
      return [back((by) => addDays(date, -by)).map((period) => [{ operation, language, period }])];
  }
}

const seasonStarts: Record<string, string> = { Q1: "01", Q2: "04", Q3: "07", Q4: "10" };

export function pairsOf({ pairs }: Pick<Configuration, "pairs">): readonly (readonly [Sign, Sign])[] {
  return pairs ?? signs.flatMap((one) => signs.map((other) => [one, other] as const));
}

function back(period: (by: number) => string): string[] {
  return Array.from({ length: periodsBack + 1 }, (_, by) => period(by));
}
