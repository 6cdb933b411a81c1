// The texts that a published state shows against a decision: withdrawn ones, with the paths that go with them, restored ones that it lacks,
// and those without a correction, or with one that was undone. Every publish looks for them, so that a decision is in force even if its
// command died in between, and stays when the site is rolled back.
import {
  type PublishedSite,
  publishedReading,
  publishedSummary,
  pathsInGroup,
  publishedAmong,
  publishedDocument,
  type PublishingOn,
  isPublished,
} from "../state/published-files.ts";
import { type Language, signs } from "../../readings/tables.ts";
import {
  type HoroscopeRequest,
  isFurtherDraw,
  type ReadingRequest,
  requestOf,
  type CardRequest,
  requestKey,
} from "../../readings/request.ts";
import { dataPathOf, groupNamed, ownPaths, parsePath, passingPaths, pathOf } from "../../site/paths.ts";
import type { Vault, StoredResponse } from "../../vault/vault.ts";
import type { Withheld } from "../../vault/withheld.ts";
import { documents, type SeenCard } from "../../site/data.schema.ts";
import type { ReadingSet, ReceivedReading, RenderedFile } from "../../site/edition.ts";
import { cardParts, cardsIn, isFrom, seenName } from "../../site/seen-cards.ts";
import { unlessDamaged } from "../../vault/files.ts";
import { readingFrom } from "../../vault/stored-readings.ts";
import { inParallel } from "../../store/store.ts";
import { correctedAsReviewed, type DecidedSource, allCorrections } from "../../vault/text-decisions.ts";

/** The withdrawn texts of a language that this state shows. */
export async function visible(
  language: Language,
  published: PublishedSite,
  { note }: Withheld,
  vault: Vault,
): Promise<ReadingRequest[]> {
  const found: ReadingRequest[] = [];
  for (const { key } of note.withdrawn) {
    const request = requestOf(key);
    if (request?.language !== language) continue;
    if (await isVisible(request, published, vault)) found.push(request);
  }
  return found;
}

/** The texts of a language whose withdrawal was undone, and of whose set this state shows only the others. */
export async function lacking(
  language: Language,
  published: PublishedSite,
  { note, isReturned }: Withheld,
): Promise<HoroscopeRequest[]> {
  const found: HoroscopeRequest[] = [];
  for (const key of note.returned) {
    const request = requestOf(key);
    if (request?.language !== language || !("sign" in request) || !isReturned(key)) continue;
    const all = signs.flatMap((sign) => dataPathOf({ ...request, sign }) ?? []);
    const there = await publishedAmong(published, new Set(all));
    const own = dataPathOf(request);
    if (there.length > 0 && own !== undefined && !there.includes(own)) found.push(request);
  }
  return found;
}

export async function isVisible(
  request: ReadingRequest,
  published: PublishedSite,
  vault: Vault,
): Promise<boolean> {
  // The path of a pair is the same in every season.
  if ("sign1" in request) return (await publishedReading(published, request)) !== undefined;
  const own = isFurtherDraw(request) ? [] : ownPaths(request);
  if ((await publishedAmong(published, own)).length > 0) return true;
  if ("sign" in request || "person" in request) return false;
  // Even if the part with its own path was lost, a deck may still have the text.
  return (await shownInDeck(request, published, vault)).cards.length > 0;
}

/** The paths that show withdrawn texts and were not rendered without them. */
export async function leavesOf(
  withdrawn: readonly ReadingRequest[],
  files: readonly Pick<RenderedFile, "path">[],
  published: PublishedSite,
): Promise<string[]> {
  const rendered = new Set(files.map(({ path }) => path));
  const leaves = new Set<string>();
  for (const request of withdrawn) {
    const { operation, language, period } = request;
    const newest = (await publishedSummary(published, language))?.newest[operation];
    const paths = [...ownPaths(request), ...passingPaths(request, newest === period)];
    for (const path of await publishedAmong(published, new Set(paths).difference(rendered))) leaves.add(path);
  }
  for (const { language } of withdrawn.filter((request) => "sign1" in request)) {
    if (!(await isLastPair(language, leaves, published))) continue;
    const partners = signs.map((sign) => pathOf({ row: "partnerPage", language, sign }));
    for (const path of await publishedAmong(published, new Set(partners))) leaves.add(path);
    leaves.add(pathOf({ row: "pairsPage", language }));
  }
  return [...leaves];
}

/** Whether the last pair goes, because pages to choose a pair without a pair lead nowhere. */
async function isLastPair(
  language: Language,
  leaves: ReadonlySet<string>,
  published: PublishedSite,
): Promise<boolean> {
  const paths = await pathsInGroup(published, groupNamed(language));
  return (
    paths.includes(pathOf({ row: "pairsPage", language })) &&
    paths.every((path) => parsePath(path)?.row !== "pairPage" || leaves.has(path))
  );
}

/** The cards that a deck shows from this response, with its reading if today's code can make one. */
export async function shownInDeck(
  request: CardRequest,
  published: PublishedSite,
  vault: Pick<Vault, "intactResponse">,
) {
  const response = await unlessDamaged(() => vault.intactResponse(requestKey(request)));
  if (response === undefined) return { cards: [] };
  const { language, operation } = request;
  const path = pathOf({ row: "deckData", language, operation });
  const deck = await unlessDamaged(() => publishedDocument(published, path, documents.deck));
  const received = readable(response);
  const isOf = (seen: SeenCard) =>
    received === undefined
      ? seen.receivedAt === response.receivedAt && seen.last === request.period
      : isFrom(seen, received);
  return { cards: deck?.cards.filter(isOf) ?? [], received };
}

/** Undefined where today's code makes no reading of the answer any more: then its time identifies it. */
function readable(response: StoredResponse): ReceivedReading | undefined {
  try {
    return readingFrom(response);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/**
 * The texts that this state shows without their corrections, or with corrections that were undone since. `inDecks` has the days that
 * only a deck shows so: their own pages are right, have left the site, or were lost.
 */
export async function outdated(language: Language, publishing: PublishingOn, source: DecidedSource) {
  const inDecks: Pick<ReadingSet, "operation" | "period" | "readings">[] = [];
  const textOf = ({ card }: SeenCard) => JSON.stringify(cardParts(card));
  const isOutdated = async (request: ReadingRequest) => {
    // A text without a data file may be outdated, and is rendered again.
    if ("person" in request)
      return isPublished(publishing, pathOf({ row: "personPage", language, person: request.person }));
    const shown = await unlessDamaged(() => publishedReading(publishing, request));
    const own = shown && (await correctedAsReviewed(shown, source));
    if (JSON.stringify(own?.reading) !== JSON.stringify(shown?.reading)) return true;
    if ("sign" in request || "sign1" in request) return false;
    const { cards, received } = await shownInDeck(request, publishing, publishing.vault);
    const { operation, period } = request;
    // The deck may show an earlier response.
    if (isFurtherDraw(request) && cards.length === 0)
      return isPublished(publishing, pathOf({ row: "deckData", language, operation }));
    const now = own ?? (received && (await correctedAsReviewed(received, source)));
    const texts = new Map(now && cardsIn(now).map((one) => [seenName(one), textOf(one)]));
    if (now === undefined || cards.every((one) => texts.get(seenName(one)) === textOf(one))) return false;
    if (!isFurtherDraw(request)) inDecks.push({ operation, period, readings: [now] });
    return isFurtherDraw(request);
  };
  const keys = (await allCorrections(source.withheld, language)).keys();
  const requests = await inParallel(keys, async (key) => {
    const request = requestOf(key);
    return request !== undefined && (await isOutdated(request)) ? [request] : [];
  });
  return { requests: requests.flat(), inDecks };
}
