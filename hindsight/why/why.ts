// From a path of the site back to manifest, sheet, reading, capture, gates and run; or why it is not there. It reads what is
// needed and no more: one part of the manifest, one sheet of the vault and the sheet before it.
import { datesAheadIn } from "../../publish/state/dates-ahead.ts";
import { groupOf, languageGroup } from "../../publish/state/parts.ts";
import { publishedAmong } from "../../publish/state/published-paths.ts";
import { publishedSummary } from "../../publish/state/published-files.ts";
import {
  type CardRequest,
  type HoroscopeRequest,
  type ReadingRequest,
  requestKey,
} from "../../readings/request.ts";
import { entryId } from "../../site/entry-id.ts";
import { isRootFile, parsePath } from "../../site/paths.ts";
import { feedPaths, shows } from "../../site/shown-texts.ts";
import { absenceOf, withdrawnAbsence } from "./absence.ts";
import type {
  Absence,
  EntryFacts,
  PathContent,
  PublishedFile,
  SheetFacts,
  TextFacts,
  Why,
} from "./answer.ts";
import { fileAt } from "./published-file.ts";
import { gatheringAbsence, pathsGatheredOn, wordsForGathering } from "./gathered-texts.ts";
import { prospectsOf } from "./prospects.ts";
import { type WhySources, openWhySources, type WhyInput } from "./sources.ts";
import { sheetFacts, requestsOfSheet } from "./sheet-facts.ts";
import { type Subject, subjectOn } from "./subject.ts";
import { textFacts } from "./text-facts.ts";
import { noSuchPath, requireDate, whyNoText } from "./no-such-path.ts";

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

/** Of the path's language alone, and not where its own date is there: that stays as it is. */
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
  const gone = "no text: what it showed is no longer asked for";
  if (at === undefined || file !== undefined) return { ...empty, shows: { kind: "none", words: gone } };
  return { ...empty, shows: { kind: "none", words: "no text" }, absence: whyNoText(at, look.configuration) };
}

const empty = { sheet: undefined, texts: [], parts: [], absence: undefined };

async function contentFor(
  { request, isAll }: Subject,
  file: PublishedFile | undefined,
  look: WhySources,
): Promise<PathContent> {
  const requests = requestsOfSheet(request);
  const sheet = await sheetFacts(requests, look);
  const isWhole = "sign" in request && sheet.hindrance === undefined;
  const texts: TextFacts[] = [];
  for (const one of isAll ? requests : [request]) texts.push(await textFacts(one, isWhole, look));
  return {
    shows: { kind: isAll ? "twelve" : "text", words: wordsOf(request, isAll) },
    sheet,
    texts,
    parts: [],
    absence: await absenceFor({ request, isAll }, requests, texts, { sheet, file }, look),
  };
}

/** Of a further draw no sheet is whole or lacks anything: its deck shows what the vault has. */
async function contentForDraw(
  request: CardRequest,
  file: PublishedFile | undefined,
  look: WhySources,
): Promise<PathContent> {
  const facts = await textFacts(request, false, look);
  const words = `${wordsOf(request, false)}: further draw ${request.draw}`;
  const isThere = file !== undefined && facts.isFrom !== "nothing";
  const absence = isThere ? undefined : await drawAbsence(request, facts, look);
  return { ...empty, shows: { kind: "text", words }, texts: [facts], absence };
}

async function drawAbsence(request: CardRequest, { withdrawn, capture }: TextFacts, look: WhySources) {
  if (withdrawn !== undefined) return withdrawnAbsence(withdrawn);
  if (capture === undefined) return (await prospectsOf(request, look))(request);
  const reason = "the vault has it; its deck shows a later text of the same card, or was not published since";
  return { kind: "waiting for the next publish", reason } as const;
}

async function absenceFor(
  { request, isAll }: Subject,
  requests: readonly ReadingRequest[],
  texts: readonly TextFacts[],
  { sheet, file }: { readonly sheet: SheetFacts; readonly file: PublishedFile | undefined },
  look: WhySources,
): Promise<Absence | undefined> {
  const isWithdrawn = texts.every(({ withdrawn }) => withdrawn !== undefined);
  const withdrawal = texts[0]?.withdrawn;
  if (isWithdrawn && withdrawal !== undefined) return withdrawnAbsence(withdrawal);
  if (file !== undefined) return undefined;
  // Where a path shows twelve texts, one that the vault has tells what the sheet waits for.
  const held = isAll ? texts.find(({ capture }) => capture !== undefined)?.key : undefined;
  const example = requests.find((one) => requestKey(one) === held) ?? request;
  return absenceOf(example, requests, sheet, look);
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
