// From a path of the site back to manifest, set, reading, stored response, rules and run; or why it is not there. Each step appends
// facts. They read what is needed and no more: one part of the manifest, one set of the vault and the set before it.
import { shownInDeck } from "../publish/render/decided-texts.ts";
import { groupOf, languageGroup } from "../publish/state/parts.ts";
import {
  publishedSummary,
  publishedAmong,
  requestShownBy,
  datesAheadIn,
} from "../publish/state/published-files.ts";
import { manifestPath, objectPath, readManifest, type SiteState } from "../publish/state/state.ts";
import { zoneOf } from "../readings/catalogue.ts";
import { pairSeason } from "../readings/pairs.ts";
import { reviewOutcomes } from "../readings/review.ts";
import { rowOf } from "../readings/tables.ts";
import { isPeriodKind, periodOf, seasonOf, localDate, utcMinute } from "../readings/calendar.ts";
import { isFurtherDraw, type ReadingRequest, requestKey, requestsOf, setKey } from "../readings/request.ts";
import { entryId } from "../site/feed.ts";
import type { FileEntry } from "../site/manifest.schema.ts";
import { feedPaths, parsePath, type ShownText, textAt } from "../site/paths.ts";
import { tree } from "../site/tree.ts";
import { absenceOf, withdrawnReason } from "./why-absence.ts";
import { stateOf } from "./set-states.ts";
import { isOfText, partsOn, reasonWithoutText, requirePath } from "./why-parts.ts";
import {
  type Fact,
  factsOfText,
  openSources,
  readText,
  reviewWords,
  summaryOf,
  type WhyInput,
  type WhySources,
} from "./why-facts.ts";

/** A path; for a request key or an entry of a feed a path that shows it, with the request. */
export interface WhyQuestion {
  readonly path: string;
  readonly request?: ReadingRequest | undefined;
}

/** Facts before and after those of the file. */
interface Content {
  readonly shows?: string;
  readonly reason?: readonly Fact[];
  readonly details?: readonly Fact[];
}

export async function why({ path, request }: WhyQuestion, input: WhyInput): Promise<Fact[]> {
  const look = await openSources(input);
  const file = (await look.published.reader.files(look.published.manifest, groupOf(path)))[path];
  const isThere = file !== undefined;
  const { shows, reason = [], details = [] } = await contentOf(path, request, isThere, look);
  const facts: Fact[] = shows === undefined ? [] : [{ about: isThere ? "shows" : "expected", words: shows }];
  facts.push(...reason, ...(await publishedFacts(path, file, look)));
  if (request !== undefined) facts.push(...(await entryFacts(request, look)));
  facts.push(...(await dateAheadFacts(path, isThere, look)), ...details);
  for (const [is, words] of look.damaged) facts.push({ about: "damaged", is, words });
  return facts;
}

async function contentOf(
  path: string,
  given: ReadingRequest | undefined,
  isThere: boolean,
  look: WhySources,
): Promise<Content> {
  if (given !== undefined && isFurtherDraw(given)) return contentOfText(given, false, isThere, look);
  const at = isThere ? parsePath(path) : requirePath(path);
  const shown = at && textAt(at);
  const request = shown && (isThere ? await requestShownBy(shown, look.published) : requestDue(shown, look));
  if (request !== undefined) return contentOfText(request, shown?.isAll === true, isThere, look);
  if (at === undefined || (isThere && isOfText(at)))
    return { shows: "no text: its reading is no longer requested" };
  const { shows, about } = tree[at.row];
  if (isThere) {
    const hasTexts = shows === "edition" || shows === "pairs" || shows === "deck";
    return { shows: hasTexts ? about : `no text: ${about}`, details: await partsOn(at, look) };
  }
  return { ...(isOfText(at) ? {} : { shows: about }), reason: reasonWithoutText(at, look) };
}

async function contentOfText(
  request: ReadingRequest,
  isAll: boolean,
  isThere: boolean,
  look: WhySources,
): Promise<Content> {
  const { operation, language, period } = request;
  const ofSet = isFurtherDraw(request) ? [] : requestsOf(operation, language, period);
  const requests = ofSet.length === 0 ? [request] : ofSet; // a pair, a person's, or a further draw
  const state = await stateOf(requests, look);
  const { reason: hindrance } = state;
  const held = new Set(state.texts.map(({ response }) => response.key));
  const last = requestKey(request).slice(setKey(request).length + 1);
  const whose = isAll ? ["all twelve signs"] : last === "reading" ? [] : [last];
  const shows = [operation, ...whose, language, period].join(", ");

  const texts = [];
  for (const one of isAll ? requests : [request]) texts.push(await readText(one, look));
  const isWithdrawn = texts.every((text) => text.isWithdrawn);
  // If a path shows twelve texts, any stored one identifies the set and its missing texts.
  const example = isAll ? (requests.find((one) => held.has(requestKey(one))) ?? request) : request;
  const isShown =
    isThere &&
    (!isFurtherDraw(request) || (await shownInDeck(request, look.published, look.vault)).cards.length > 0);
  const reason =
    (isWithdrawn ? withdrawnReason(request, look) : undefined) ??
    (isShown ? [] : await absenceOf(example, state, look));

  const isKnown = held.size > 0 || texts.some(({ quarantined }) => quarantined !== undefined);
  if (!isThere && !isKnown) return { shows, reason };
  const count = `${held.size} of ${requests.length} readings in the vault`;
  const words = requests.length > 1 ? count : undefined;
  const set: Fact[] = isFurtherDraw(request) ? [] : [{ about: "set", is: setKey(request), words }];
  if (isThere && set.length > 0 && hindrance !== undefined)
    set.push({ about: "but", is: "it cannot be rendered from the vault now", words: hindrance });
  const reviews = isAll ? [] : [state.reviews.get(requestKey(request))];
  for (const review of reviews)
    if (review !== undefined)
      set.push({ about: "review", is: reviewOutcomes[review.kind], words: reviewWords(review) });
  const [only] = texts;
  const isWhole = "sign" in request && hindrance === undefined;
  const own = isAll || only === undefined ? texts.map(summaryOf) : await factsOfText(only, isWhole, look);
  const facts = reason[0]?.is === "quarantined" ? own.filter(({ about }) => about !== "quarantined") : own;
  return { shows, reason, details: [...set, ...facts] };
}

/** The text that a missing path would show now; undefined where there can be none. */
function requestDue(shown: ShownText, { configuration, now }: WhySources): ReadingRequest | undefined {
  if (shown.kind === "text") return shown.request;
  if (shown.kind === "current") {
    const { due } = rowOf(shown.operation);
    const today = localDate(zoneOf(configuration, shown.language), now);
    return isPeriodKind(due) ? shown.at(periodOf(due, today)) : undefined;
  }
  const current = shown.at(seasonOf(localDate("UTC", now)));
  if (current === undefined || !("sign1" in current)) return undefined;
  const { language, sign1, sign2 } = current;
  const today = localDate(zoneOf(configuration, language), now);
  return shown.at(pairSeason([sign1, sign2], language, today).season);
}

// The facts about the published file.

async function publishedFacts(path: string, file: FileEntry | undefined, look: WhySources): Promise<Fact[]> {
  const { state } = look;
  if (state === undefined)
    return [{ about: "published", words: "nothing yet. Run `almanac local` or `almanac nightly`" }];
  const { version, publishedAt, manifest } = state.pointer;
  const words = `version ${version} since ${utcMinute(publishedAt)}, manifest ${manifest.slice(0, 12)}`;
  if (file === undefined) return [{ about: "looked in", words }];
  return [
    { about: "published", words },
    { about: "part", is: groupOf(path) },
    { about: "since", words: await sinceWhen(path, file, state, look) },
    { about: "object", is: objectPath(file.object, path), words: `${file.size} bytes, ${file.type}` },
  ];
}

/** The number of earlier states that are read: each is a read that has to wait for the one before. */
const mostStates = 40;

/** Goes back from state to state to the one that first had these bytes on the path, and reads only the path's part of each. */
async function sinceWhen(path: string, file: FileEntry, state: SiteState, look: WhySources): Promise<string> {
  const { site, reader } = look.published;
  let { manifest } = state;
  for (let states = 1; manifest.parent !== null; states += 1) {
    const { parent } = manifest;
    const before = await look.unlessNoted(manifestPath(parent), async () => {
      const found = states === mostStates ? undefined : await readManifest(site, parent);
      return found && { manifest: found, file: (await reader.files(found, groupOf(path)))[path] };
    });
    if (before === undefined) return `version ${manifest.version} or an earlier one`;
    if (before.file?.object !== file.object) break;
    ({ manifest } = before);
  }
  return `version ${manifest.version}, as of ${utcMinute(manifest.asOf)}, by ${manifest.run}`;
}

/** The feeds that have the entry of a day's text. */
async function entryFacts(request: ReadingRequest, look: WhySources): Promise<Fact[]> {
  if (!("sign" in request) || request.operation !== "daily-horoscope") return [];
  const { published, withheld, configuration } = look;
  const newest = (await publishedSummary(published, request.language))?.newest[request.operation];
  const isCurrent = newest === request.period && !withheld.isWithdrawn(requestKey(request));
  const feeds = isCurrent ? await publishedAmong(published, feedPaths(request)) : [];
  const words =
    feeds.length === 0 ? "no feed contains it: feeds contain only the current day" : `in ${feeds.join(", ")}`;
  return [{ about: "entry", is: entryId(configuration.site.id, request), words }];
}

/** The path's language if its published date is in the future: no night gathers texts that are due before it. */
async function dateAheadFacts(path: string, isThere: boolean, look: WhySources): Promise<Fact[]> {
  const { published, configuration, now } = look;
  const { language, month } = languageGroup(groupOf(path)) ?? {};
  // If the path's own date is published, it stays as it is.
  if (language === undefined || (isThere && month !== undefined)) return [];
  const date = (await publishedSummary(published, language))?.date;
  const ahead = date && datesAheadIn(new Map([[language, date]]), configuration, now);
  if (!ahead) return [];
  return [
    { about: "but", is: "its date is in the future", words: ahead.seen },
    { about: "next", words: ahead.remedy },
  ];
}
