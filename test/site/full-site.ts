// A site in several languages with all that an owner can switch on, as a night publishes it: tomorrow's texts, a menu that leads to each
// page's translations, statements, and a page of the owner's own in every language.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alternatesOf } from "../../publish/render/alternates.ts";
import { type Language, languages, signs } from "../../readings/tables.ts";
import { shiftPeriod } from "../../readings/calendar.ts";
import { withoutLanguage } from "../../site/pages/head.ts";
import type { LanguageEdition, ReadingSet } from "../../site/edition.ts";
import { labelsIn } from "../../site/labels.ts";
import { draftLanguage, renderShared } from "../../site/render.ts";
import { tree } from "../../site/tree.ts";
import type { OwnPage } from "../../site/theme/theme.ts";
import { loadTheme } from "../../worker/theme/load-theme.ts";
import { heldOutProse } from "../support/prose.ts";
import { date, readingFor, settings, summaryOf, wholeEdition, renderLanguage } from "./editions.ts";
import type { Site } from "./kinds.ts";

export async function fullSiteIn(names: readonly Language[]): Promise<Site> {
  const theme = await themeWithPages(names);
  const all = { ...settings, accessibility: { contact: "help@almanac.example" }, machineMade: true, theme };
  const editions = names.map((language) => fullEdition(language, theme?.pages ?? []));
  const pages = new Map(editions.map((edition) => [edition.language, listedIn(edition)]));
  const own = editions.map((edition) => ({
    language: edition.language,
    files: renderLanguage(edition, all, [], alternatesOf(edition.language, pages)),
  }));
  const shared = renderShared(
    own.map(({ language, files }) => summaryOf(files, language)),
    all,
  );
  return new Map([...own.flatMap(({ files }) => files), ...shared].map((file) => [file.path, file]));
}

function fullEdition(language: Language, pages: readonly OwnPage[]): LanguageEdition {
  const edition = wholeEdition(language);
  return { ...edition, sets: [tomorrow(language), ...edition.sets], pages, hasAccessibility: true };
}

function tomorrow(language: Language): ReadingSet {
  const operation = "daily-horoscope";
  const period = shiftPeriod("daily", date, 1);
  const readings = signs.map((sign) => ({
    reading: readingFor({ operation, language, period, sign }),
    receivedAt: `${date}T08:00:17.000Z`,
  }));
  return { operation, period, current: false, readings };
}

/** Current pages that other languages know. */
function listedIn(edition: LanguageEdition) {
  const pages = draftLanguage(edition, []).files.flatMap(({ at }): [string, boolean][] =>
    "language" in at && tree[at.row].isListed && tree[at.row].stage !== "dated"
      ? [[withoutLanguage(at), true]]
      : [],
  );
  return { pages: new Map(pages), hash: edition.language };
}

/** A page as owners write them: paragraphs, a heading, a list, a table, a quotation. */
async function themeWithPages(names: readonly Language[]) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-full-"));
  for (const language of names) {
    mkdirSync(join(folder, "theme/pages", language), { recursive: true });
    writeFileSync(join(folder, "theme/pages", language, "terms.md"), ownPage(language));
  }
  const theme = await loadTheme(undefined, join(folder, "almanac.config.ts"));
  rmSync(folder, { recursive: true, force: true });
  return theme;
}

function ownPage(language: Language): string {
  const { about, archive, follow, periods, status } = labelsIn(language);
  const [first, second, third, fourth] = heldOutProse(language);
  return `# ${follow.title} & ${archive}

${first}

## ${about}

${second} [${archive}](https://almanac.example/${language}/archive/).

- ${periods.daily}
- ${periods.weekly}
  1. ${periods.monthly}
  2. ${periods.yearly}

| ${status.title} | ${status.next} |
| --- | --- |
| ${periods.daily} | ${languages[language].zone} |

> ${third}

${fourth}
`;
}
