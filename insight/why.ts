// From a path of the site back to manifest, set, reading, stored response, rules and run; or why it is not there. It reads what is
// needed and no more: one part of the manifest, one set of the vault and the set before it.
import { datesAheadIn } from "../publish/state/dates-ahead.ts";
import type { Manifest } from "../site/manifest.schema.ts";
import { groupOf, languageGroup, sameGroup } from "../publish/state/parts.ts";
import { publishedSummary, publishedAmong, requestShownBy } from "../publish/state/published-files.ts";
import { manifestPath, objectPath, readManifest } from "../publish/state/state.ts";
import { catalogue, zoneOf } from "../readings/catalogue.ts";
import { rowOf } from "../readings/tables.ts";
import { isPeriodKind, periodOf, seasonOf, localDate } from "../readings/calendar.ts";
import {
  type CardRequest,
  type HoroscopeRequest,
  type ReadingRequest,
  requestKey,
} from "../readings/request.ts";
import { entryId } from "../site/feed.ts";
import { feedPaths, isRootFile, parsePath, type ShownText, shows, textAt } from "../site/paths.ts";
import type { TreePath } from "../site/tree.ts";
import { absenceOf, withdrawnAbsence, prospectsOf } from "./why-absence.ts";
import {
  type Absence,
  type EntryFacts,
  type PathContent,
  type PublishedFile,
  type SetFacts,
  type TextFacts,
  type Why,
  type WhySources,
  openWhySources,
  type WhyInput,
} from "./why-answer.ts";
import {
  gatheringAbsence,
  pathsGatheredOn,
  wordsForGathering,
  noSuchPath,
  requireDate,
  whyNoText,
} from "./why-gathering.ts";
import { factsOfSet, requestsOfSet, textFacts } from "./why-text.ts";

/**
 * A path; for an entry of a feed the path of its page, with the entry's request; for a further draw the path of its deck, with the
 * draw's request.
 */
export interface WhyQuestion {
  readonly path: string;
  readonly entry?: HoroscopeRequest;
  readonly draw?: CardRequest;
}

export async function why({ path, entry, draw }: WhyQuestion, looking: WhyInput): Promise<Why> {
  const look = await openWhySources(looking);
  const { state } = look;
  const file = await fileAt(path, look);
  const content =
    draw === undefined ? await contentOf(path, file, look) : await contentForDraw(draw, file, look);
  return {
    path,
    entry: entry && (await entryFacts(entry, look)),
    site: state && {
      version: state.pointer.version,
      manifest: state.pointer.manifest,
      publishedAt: state.pointer.publishedAt,
      expires: state.pointer.expires,
    },
    file,
    ...content,
    dateAhead: await dateAheadOn(path, file, look),
    damaged: look.damaged,
  };
}

/** For the path's language only, and not if the path's own date is published, because that stays as it is. */
async function dateAheadOn(
  path: string,
  file: PublishedFile | undefined,
  { published, configuration, now }: WhySources,
) {
  const { language, month } = languageGroup(groupOf(path)) ?? {};
  if (file !== undefined && month !== undefined) return undefined;
  const date = language && (await publishedSummary(published, language))?.date;
  if (language === undefined || date === undefined) return undefined;
  return datesAheadIn(new Map([[language, date]]), configuration, now);
}

async function entryFacts(entry: HoroscopeRequest, look: WhySources): Promise<EntryFacts> {
  const { published, withheld, configuration } = look;
  const id = entryId(configuration.site.id, entry);
  const newest = (await publishedSummary(published, entry.language))?.newest[entry.operation];
  if (newest !== entry.period || withheld.isWithdrawn(requestKey(entry))) return { id, feeds: [] };
  return { id, feeds: await publishedAmong(published, feedPaths(entry)) };
}

async function contentOf(
  path: string,
  file: PublishedFile | undefined,
  look: WhySources,
): Promise<PathContent> {
  const at = parsePath(path);
  if (file === undefined && (at === undefined || shows(at, "record") || isRootFile(at)))
    throw noSuchPath(path);
  if (at !== undefined && file === undefined) requireDate(at);
  const words = at && wordsForGathering(at);
  if (at !== undefined && words !== undefined) {
    return file === undefined
      ? { ...empty, shows: words, absence: await gatheringAbsence(at, look) }
      : { ...empty, shows: words, parts: await pathsGatheredOn(at, look) };
  }
  const subject = at && (await subjectOn(at, file !== undefined, look));
  if (subject !== undefined) return contentFor(subject, file, look);
  const gone = "no text: its reading is no longer requested";
  if (at === undefined || file !== undefined) return { ...empty, shows: { kind: "none", words: gone } };
  return { ...empty, shows: { kind: "none", words: "no text" }, absence: whyNoText(at, look.configuration) };
}

const empty = { set: undefined, texts: [], parts: [], absence: undefined };

async function contentFor(
  { request, isAll }: Subject,
  file: PublishedFile | undefined,
  look: WhySources,
): Promise<PathContent> {
  const requests = requestsOfSet(request);
  const set = await factsOfSet(requests, look);
  const isWhole = "sign" in request && set.hindrance === undefined;
  const texts: TextFacts[] = [];
  for (const one of isAll ? requests : [request]) texts.push(await textFacts(one, isWhole, look));
  return {
    shows: { kind: isAll ? "twelve" : "text", words: wordsOf(request, isAll) },
    set,
    texts,
    parts: [],
    absence: await absenceFor({ request, isAll }, requests, texts, { set, file }, look),
  };
}

/** A further draw belongs to no set: its deck shows the draws that the vault has. */
async function contentForDraw(
  request: CardRequest,
  file: PublishedFile | undefined,
  look: WhySources,
): Promise<PathContent> {
  const facts = await textFacts(request, false, look);
  const words = `${wordsOf(request, false)}: extra draw ${request.draw}`;
  const isThere = file !== undefined && facts.isFrom !== "nothing";
  const absence = isThere ? undefined : await drawAbsence(request, facts, look);
  return { ...empty, shows: { kind: "text", words }, texts: [facts], absence };
}

async function drawAbsence(request: CardRequest, { withdrawn, response }: TextFacts, look: WhySources) {
  if (withdrawn !== undefined) return withdrawnAbsence(withdrawn);
  if (response === undefined) return (await prospectsOf(request, look))(request);
  const reason =
    "it is in the vault, but its deck shows a later text of the same card, or was not published since";
  return { kind: "waiting for the next publish", reason } as const;
}

async function absenceFor(
  { request, isAll }: Subject,
  requests: readonly ReadingRequest[],
  texts: readonly TextFacts[],
  { set, file }: { readonly set: SetFacts; readonly file: PublishedFile | undefined },
  look: WhySources,
): Promise<Absence | undefined> {
  const isWithdrawn = texts.every(({ withdrawn }) => withdrawn !== undefined);
  const withdrawal = texts[0]?.withdrawn;
  if (isWithdrawn && withdrawal !== undefined) return withdrawnAbsence(withdrawal);
  if (file !== undefined) return undefined;
  // If a path shows twelve texts, any stored one identifies the set and its missing texts.
  const held = isAll ? texts.find(({ response }) => response !== undefined)?.key : undefined;
  const example = requests.find((one) => requestKey(one) === held) ?? request;
  return absenceOf(example, requests, set, look);
}

function wordsOf(request: ReadingRequest, isAll: boolean): string {
  const { operation, language, period } = request;
  const whose = isAll
    ? "all twelve signs"
    : "sign" in request
      ? request.sign
      : "sign1" in request
        ? `${request.sign1} with ${request.sign2}`
        : "person" in request
          ? request.person
          : undefined;
  return [operation, whose, language, period].filter((word) => word !== undefined).join(", ");
}

// The text that a path is about: the one that it shows or, where the path is not published, the one that it would show now.

interface Subject {
  readonly request: ReadingRequest;
  /** Whether the path shows all signs of the set. */
  readonly isAll: boolean;
}

/** Undefined where the path is that of no text that there can be. */
async function subjectOn(at: TreePath, isThere: boolean, look: WhySources): Promise<Subject | undefined> {
  const shown = textAt(at);
  if (shown === undefined) return undefined;
  const request = isThere ? await requestShownBy(shown, look.published) : requestDue(shown, look);
  return request && { request, isAll: shown.isAll };
}

function requestDue(shown: ShownText, look: WhySources) {
  const { configuration, now } = look;
  switch (shown.kind) {
    case "text":
      return shown.request;
    case "current": {
      const { due } = rowOf(shown.operation);
      const today = localDate(zoneOf(configuration, shown.language), now);
      return isPeriodKind(due) ? shown.at(periodOf(due, today)) : undefined;
    }
    case "pair":
      return pairDue(shown, look);
  }
}

/** The request for the season that is due now. */
function pairDue({ at }: Extract<ShownText, { kind: "pair" }>, { configuration, now }: WhySources) {
  const usual = at(seasonOf(localDate("UTC", now)));
  if (usual === undefined) return undefined;
  const only = { languages: [usual.language], operations: [usual.operation] };
  const wanted = catalogue(configuration, now, only).flatMap(({ requests }) => requests);
  return wanted.find((one) => requestKey(one) === requestKey(at(one.period) ?? usual)) ?? usual;
}

// A published path in its manifest, and since when it has its present bytes. It goes back from state to state and reads only
// the parts that differ.

/** The number of earlier states that are read: each is a read that has to wait for the one before. */
const mostStates = 40;

async function fileAt(path: string, look: WhySources): Promise<PublishedFile | undefined> {
  const { state, published } = look;
  if (state === undefined) return undefined;
  const part = groupOf(path);
  const entry = (await published.reader.files(state.manifest, part))[path];
  if (entry === undefined) return undefined;
  return {
    part,
    object: objectPath(entry.object, path),
    sizeBytes: entry.size,
    type: entry.type,
    since: await sinceWhen(
      path,
      entry.object,
      { manifest: state.manifest, hash: state.pointer.manifest },
      look,
    ),
  };
}

interface StateAndHash {
  readonly manifest: Manifest;
  readonly hash: string;
}

async function sinceWhen(path: string, object: string, newest: StateAndHash, look: WhySources) {
  let state = newest;
  for (let looked = 1; looked < mostStates; looked += 1) {
    const { parent } = state.manifest;
    if (parent === null) return sinceOf(state, true);
    const before = await look.unlessNoted(manifestPath(parent), () => stateBefore(path, parent, state, look));
    if (before === undefined) return sinceOf(state, false);
    if (before.object !== object) return sinceOf(state, true);
    state = before;
  }
  return sinceOf(state, false);
}

/** The state before one, with the file on the path; undefined where that state was removed. */
async function stateBefore(path: string, hash: string, after: StateAndHash, { published }: WhySources) {
  const manifest = await readManifest(published.site, hash);
  if (manifest === undefined) return undefined;
  const group = groupOf(path);
  const same = sameGroup(manifest, after.manifest, group) ? after.manifest : manifest;
  return { manifest, hash, object: (await published.reader.files(same, group))[path]?.object };
}

function sinceOf({ manifest: { version, run, asOf }, hash }: StateAndHash, isKnown: boolean) {
  return { version, manifest: hash, run, asOf, isKnown };
}
