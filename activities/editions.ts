// What a language can show on a date: for each operation the newest sheet that is whole, read from the vault's captures.
// A sheet that lacks a reading is passed over, so the one before it stays. site/press.ts has them next.
import { zoneOf } from "../readings/catalogue.ts";
import { type Configuration } from "../readings/configuration.schema.ts";
import { type Language } from "../readings/languages.ts";
import { languagesOf, type Operation, rowOf } from "../readings/operations.ts";
import { addDays, periodOf, seasonOf, shiftPeriod } from "../readings/periods.ts";
import { type ReadingRequest } from "../readings/request.ts";
import { type Sign, signs } from "../readings/signs.ts";
import { type LanguageEdition, type Sheet } from "../site/press.ts";
import { type Log } from "./dependencies.ts";
import { doubtsAbout } from "./doubts.ts";
import { type Kept, type KeptReader, keptReader } from "./kept.ts";
import { type Withheld } from "./publish/withheld.ts";
import { type Vault } from "./vault.ts";

export { readingFrom } from "./kept.ts";

/** How many periods back the newest whole sheet is looked for; beyond that the published one stays as it is. */
const periodsBack = 3;

export async function loadEdition(
  language: Language,
  date: string,
  configuration: Configuration,
  vault: Vault,
  log?: Log,
  withheld?: Withheld,
): Promise<LanguageEdition> {
  const read = keptReader(vault, log, new Set(await vault.standIns()));
  const available = configuration.operations.filter((operation) => languagesOf(operation).includes(language));
  const sheets = await Promise.all(
    available.flatMap((operation) =>
      slotsOf(operation, language, date, configuration).map((candidates) =>
        newestWhole(candidates, read, configuration, withheld),
      ),
    ),
  );
  return { language, zone: zoneOf(configuration, language), date, sheets: sheets.flat() };
}

/** The newest whole one is current; the one before it is pressed too, because now it has a next page. */
async function newestWhole(
  candidates: readonly (readonly ReadingRequest[])[],
  read: KeptReader,
  { quality }: Configuration,
  withheld: Withheld | undefined,
): Promise<Sheet[]> {
  const loads: Promise<Kept[]>[] = [];
  const load = (index: number): Promise<Kept[]> => (loads[index] ??= read(candidates[index] ?? []));
  const found: Sheet[] = [];
  for (const [index, requests] of candidates.entries()) {
    const [first] = requests;
    const kept = await load(index);
    if (first === undefined || kept.length < requests.length) continue;
    if (withheld?.holdsSheet(first.language, first.operation, first.period) === true) continue;
    // Whatever is still to be judged, or was given up half-way, is not published.
    const before = "sign" in first ? await load(index + 1) : [];
    if (doubtsAbout(kept, before, quality.rules).length > 0) continue;
    const { operation, period } = first;
    const readings = kept.map(({ reading, receivedAt }) => ({ reading, receivedAt }));
    found.push({ operation, period, current: found.length === 0, readings });
    if (found.length === 2) break;
  }
  return found;
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
