// A path that shows several texts or none: the paths under which more is known of each text, or why the path is not there.
import type { Language } from "../../readings/languages.ts";
import { type Operation, operationNames } from "../../readings/operations.ts";
import { documents, type LanguageDocument } from "../../site/data.schema.ts";
import type { Gathering } from "../../site/gathering.ts";
import { cardDataPath, deckDataPath, languageDataPath, operationPath, personPath } from "../../site/paths.ts";
import { sheetDataPath, standingOn } from "../../site/showing.ts";
import { publishedDates, publishedDocument, publishedSummary } from "../../publish/state/published-files.ts";
import type { Absence, NamedPath, ShownOn } from "./answer.ts";
import type { WhySources } from "./sources.ts";
import { neverAsked } from "./never-asked.ts";

/** A path of a day's twelve is not among them: it shows one sheet. */
export type Gathered = Exclude<Gathering, { kind: "day" }>;

export function wordsForGathering(gathering: Gathered): ShownOn {
  const several = (words: string): ShownOn => ({ kind: "several", words });
  const none = (words: string): ShownOn => ({ kind: "none", words });
  switch (gathering.kind) {
    case "edition":
      return several(`the newest of every operation in ${gathering.language}`);
    case "pairs":
      return several(`every pair of signs in ${gathering.language}`);
    case "deck":
      return several(
        `every card that ${gathering.operation} has shown in ${gathering.language}, each as on its last day`,
      );
    case "month":
      return none(`no text: a calendar of the dated pages of ${gathering.sign} in ${gathering.month}`);
    case "list":
      return none(
        `no text: a list of the ${gathering.month === undefined ? "current pages" : `pages dated in ${gathering.month}`} in ${gathering.language}`,
      );
    case "site":
      return none("no text: made of what each language says of itself");
    case "picture":
      return none("no text: a copy of a card's picture, under its hash");
    case "own":
      return none("no text: Almanac's own words, code or pictures");
  }
}

/** The paths of all that is gathered on a published path. */
export async function pathsGatheredOn(gathering: Gathered, look: WhySources): Promise<NamedPath[]> {
  const { base, published } = look;
  switch (gathering.kind) {
    case "edition": {
      const summary = await publishedSummary(published, gathering.language);
      return summary === undefined ? [] : editionParts(summary, look);
    }
    case "pairs": {
      const paths = await base.inGroup(`${gathering.language}/current`);
      const pairs = paths.filter((path) => path.endsWith(".html") && standingOn(path)?.kind === "pair");
      return pairs.map((path) => ({ name: path.split("/")[2] ?? path, path }));
    }
    case "deck": {
      const { language, operation } = gathering;
      const deck = await publishedDocument(published, deckDataPath(language, operation), documents.deck);
      const cards = deck?.cards.toSorted((one, other) => (one.last > other.last ? -1 : 1)) ?? [];
      return cards.map(({ card, last }) => ({
        name: card.name,
        path: cardDataPath(language, operation, last),
      }));
    }
    case "month": {
      const { language, sign, month } = gathering;
      const pages = (await base.inGroup(`${language}/${month}`)).filter((path) => {
        const standing = path.endsWith("/index.html") ? standingOn(path) : undefined;
        return standing?.kind === "text" && "sign" in standing.request && standing.request.sign === sign;
      });
      return pages.map((path) => ({ name: path.split("/").slice(1, -1).join(" "), path }));
    }
    case "site": {
      const dates = await publishedDates(published);
      return [...dates].map(([language, date]) => ({
        name: `${language} ${date}`,
        path: languageDataPath(language),
      }));
    }
    case "list":
    case "picture":
    case "own":
      return [];
  }
}

async function editionParts({ language, newest }: LanguageDocument, look: WhySources): Promise<NamedPath[]> {
  const parts: NamedPath[] = [];
  for (const operation of operationNames) {
    const period = newest[operation];
    if (period === undefined) continue;
    const paths = await pathsOf(language, operation, period, look);
    parts.push(...paths.map((path) => ({ name: `${operation} ${period}`, path })));
  }
  return parts;
}

/** The paths under which the newest sheet of an operation stands. */
async function pathsOf(
  language: Language,
  operation: Operation,
  period: string,
  { base, configuration }: WhySources,
): Promise<string[]> {
  if (operation === "love-compatibility") return [operationPath(language, operation)];
  if (operation !== "which-animal-are-you-reading") return [sheetDataPath(language, operation, period)];
  const pages = configuration.people.map(({ id }) => personPath(language, id));
  const there: string[] = [];
  for (const page of pages) if (await base.has(page)) there.push(page);
  return there;
}

/** The reason why such a path is not published. */
export async function gatheringAbsence(gathering: Gathered, look: WhySources): Promise<Absence> {
  const { configuration, state } = look;
  const language = "language" in gathering ? gathering.language : undefined;
  if (language !== undefined) {
    const operation =
      gathering.kind === "pairs"
        ? "love-compatibility"
        : gathering.kind === "deck"
          ? gathering.operation
          : undefined;
    const never = neverAsked(language, operation, configuration);
    if (never !== undefined) return never;
  }
  if (state !== undefined) return absenceOfKind(gathering);
  const next = "`almanac local` or `almanac nightly` does it";
  return { kind: "waiting for the next publish", reason: "nothing is published yet", next };
}

function absenceOfKind(gathering: Gathered): Absence {
  switch (gathering.kind) {
    case "edition":
      return waiting(`no sheet in ${gathering.language} has been whole yet`);
    case "pairs":
      return waiting(`no pair of signs is published in ${gathering.language}`);
    case "deck":
      return waiting(`no day of ${gathering.operation} is published in ${gathering.language}`);
    case "month":
      return waiting(`${gathering.sign} has no dated page in ${gathering.month}`);
    case "list":
      return waiting(`there is no page that it would list`);
    case "picture":
      return {
        kind: "never due",
        reason: "no published text shows this picture",
        next: "`pictures.mirror` in almanac.config.ts has the cards' pictures copied",
      };
    case "site":
    case "own":
      return {
        kind: "waiting for the next publish",
        reason: "the state that is published was made by a version without it",
        next: "the next night or turn brings it; `almanac press` does it now",
      };
  }
}

function waiting(reason: string): Absence {
  return { kind: "waiting for its sheet", reason, next: "`almanac status` says how far its language is" };
}
