// Loads what one language brings to the next state, from the vault (vault/stored-readings.ts): its current sets, past ones where
// they are needed, and the paths that go because a text was withdrawn. Nothing is rendered: site/render.ts makes drafts of it.
import {
  type PublishedSite,
  type PublishingOn,
  publishedReading,
  publishedSummary,
} from "../state/published-files.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language, Operation } from "../../readings/tables.ts";
import type { RejectedSet } from "../../readings/run-messages.ts";
import type { PeriodKind } from "../../readings/calendar.ts";
import {
  isFurtherDraw,
  type ReadingRequest,
  requestOf,
  requestsOf,
  setName,
} from "../../readings/request.ts";
import {
  deckWithOwnPictures,
  picturesIn,
  picturesInDecks,
  withOwnPictures,
} from "../../site/copied-pictures.ts";
import type { ReadingSet } from "../../site/edition.ts";
import type { Home } from "../../site/context.ts";
import { dataPathOfSet, ownPaths, parsePath } from "../../site/paths.ts";
import { draftLanguage, type LanguageDrafts } from "../../site/render.ts";
import { type LoadedSets, loadEdition, loadSets, type PassedOver } from "../../vault/editions.ts";
import type { SetSource } from "../../vault/sets.ts";
import type { DamagedResponse } from "../../vault/stored-readings.ts";
import { originsOf, type DatedTexts } from "../../vault/site-notes.ts";
import { unlessDamaged } from "../../vault/files.ts";
import { groupOf, languageGroup } from "../state/parts.ts";
import { readManifest } from "../state/state.ts";
import { withShownFrom } from "./shown-since.ts";
import {
  archiveMonths,
  endedIn,
  lastOf,
  withArchive,
  type DatedSet,
  neighboursOf,
  overtaken,
  staying,
} from "./neighbour-pages.ts";
import { decksWith } from "./decks.ts";
import type { RenderJob } from "./render-jobs.ts";
import {
  datedSetsIn,
  decisionHashes,
  staleMonths,
  wantedBy,
  type ExpiredPages,
  expiredPages,
  withinArchive,
} from "./leaving-paths.ts";
import { withCopies } from "./own-pictures.ts";
import { lacking, leavesOf, visible, outdated } from "./decided-texts.ts";
import { correctedAsReviewed } from "../../vault/text-decisions.ts";

/** The facts of a language that are known after loading. */
export interface LanguageFacts {
  readonly language: Language;
  readonly leaves: readonly string[];
  /** The number of paths that stay although they are older than the archive. */
  readonly expiredLeft: number;
  readonly passedOver: readonly PassedOver[];
  /** The stored responses of its sets that can't be read. */
  readonly damaged: readonly DamagedResponse[];
  /** The accepted responses whose sets, due now, a set rule rejects. */
  readonly rejected: readonly RejectedSet[];
  /** The paths of pictures that the language's files name. */
  readonly pictures: readonly string[];
  /**
   * A hash of all that the language is rendered from. Undefined where that is not known, or where another render of the same may
   * differ or report something again: a picture is lacking, a stored response is damaged, a set is rejected, sets outside its edition
   * were read.
   */
  readonly inputs: string | undefined;
  /** From where pictures were left out, because their hosts are not listed; absent where that is not known. */
  readonly leftOut?: readonly string[];
  /** The decisions of the index policy on the months that it changes, by the names of their groups. */
  readonly decisions: ReadonlyMap<string, string>;
  /** The texts of which the vault does not know yet from when they are shown. */
  readonly datedTexts: DatedTexts;
}

export interface LoadedLanguage extends LanguageFacts, LanguageDrafts {
  readonly home: Home;
}

const nothing: LoadedSets = { sets: [], passedOver: [], damaged: [], rejected: [], waiting: [] };

/** The vault is read after the base, so that the new state is never made from less than the one that it replaces. */
export async function loadLanguage(job: RenderJob, publishing: PublishingOn): Promise<LoadedLanguage> {
  const { language, date, inputs } = job;
  const { configuration, theme, log } = publishing;
  const home = { language, zone: zoneOf(configuration, language), date };
  const allWithdrawn = await visible(language, publishing, job.withheld, publishing.vault);
  // A deck loses a further draw, and no set does.
  const withdrawn = allWithdrawn.filter((request) => !isFurtherDraw(request));
  const returned = await lacking(language, publishing, job.withheld);
  const decided = { configuration, withheld: job.withheld, today: date };
  const { requests: corrected, inDecks: days } = await outdated(language, publishing, decided);
  const current = job.current || [allWithdrawn, returned, corrected, days].some(({ length }) => length > 0);
  const endedKinds = current ? await endedIn(language, publishing, configuration) : [];
  const sets = [...job.sets, ...returned];
  const expired = await expiredPages(job, publishing);
  const around = { withdrawn, corrected, endedKinds, expired };
  const { months, decisions, ...found } = await setsOf({ ...job, sets, current }, around, publishing);
  const damaged = new Map(found.damaged.map((one) => [one.key, one]));
  for (const { key, reason } of damaged.values()) log.error({ key }, reason);
  const { ended, archive } = await withArchive(language, endedKinds, months, expired.paths, publishing);
  const gone = new Set([...withdrawn.flatMap(ownPaths), ...expired.paths]);
  const there = [...archive, ...(await staying(language, found.sets, months, current, publishing))];
  const others = there.filter(isToStay(gone, publishing));
  const inSets = await withCopies(found.sets, picturesIn, withOwnPictures, publishing);
  const dated = await withShownFrom(inSets.shown, home, job.withheld, publishing);
  const inDeck = [...allWithdrawn, ...corrected.filter(isFurtherDraw)];
  const changed = { sets: [...days, ...dated.sets], withdrawn: inDeck, today: current ? date : undefined };
  const decks = await decksWith(language, changed, decided, publishing);
  const inDecks = await withCopies(decks, picturesInDecks, deckWithOwnPictures, publishing);
  const edition = {
    ...home,
    sets: dated.sets,
    decks: inDecks.shown,
    months,
    ended,
    pages: theme?.pages,
    hasAccessibility: configuration.site.accessibility !== undefined,
    waiting: periodsOf(found.waiting),
    pastAlone: !current,
  };
  const isEmpty = found.sets.length + allWithdrawn.length === 0;
  const drafts = isEmpty ? { files: [], linked: new Set<string>() } : draftLanguage(edition, others);
  const isFinal =
    damaged.size + found.rejected.length === 0 && found.isEditionAlone && !inSets.lacks && !inDecks.lacks;
  return {
    home,
    ...drafts,
    language,
    leaves: [...(await leavesOf(allWithdrawn, drafts.files, publishing)), ...(isEmpty ? [] : expired.paths)],
    expiredLeft: expired.left,
    passedOver: passedOverIn(found.passedOver, damaged.values()),
    damaged: [...damaged.values()],
    rejected: found.rejected,
    pictures: [...inSets.pictures, ...inDecks.pictures],
    inputs: isFinal ? inputs : undefined,
    decisions,
    datedTexts: dated.news,
    leftOut: originsOf([...inSets.leftOut, ...inDecks.leftOut]),
  };
}

/** Checks whether a published path stays, so that pages may lead to it. */
function isToStay(gone: ReadonlySet<string>, publishing: PublishingOn): (path: string) => boolean {
  const isWanted = wantedBy(publishing);
  return (path) => {
    const at = parsePath(path);
    return !gone.has(path) && (!at || isWanted(at));
  };
}

interface SetsAround {
  readonly withdrawn: readonly ReadingRequest[];
  /** The texts that the state shows without their corrections. */
  readonly corrected: readonly ReadingRequest[];
  readonly endedKinds: readonly PeriodKind[];
  readonly expired: ExpiredPages;
}

/**
 * The edition with the sets that the job names, those of which a text leaves or changes, and those around all of these; and all other
 * sets of the months that these change, if the index policy decides otherwise on the months now.
 */
async function setsOf(
  job: RenderJob,
  { withdrawn, corrected, endedKinds, expired }: SetsAround,
  publishing: PublishingOn,
) {
  const { language, date, current, sets, months: named = [], withheld, keepsShown } = job;
  const kept = <Set extends DatedSet>(all: readonly Set[]) => withinArchive(all, job, expired, publishing);
  const decided = { configuration: publishing.configuration, withheld, today: date };
  const shownOn = async (published: PublishedSite, request: ReadingRequest) => {
    const found = await publishedReading(published, request);
    return found && correctedAsReviewed(found, decided);
  };
  const shown = (request: ReadingRequest) => shownOn(publishing, request);
  const rolledBackTo = async (request: ReadingRequest) => {
    const hash = withheld.rolledBackTo(request);
    const manifest = hash === undefined ? undefined : await readManifest(publishing.site, hash);
    return manifest && unlessDamaged(() => shownOn({ ...publishing, manifest }, request));
  };
  const summary = await unlessDamaged(() => publishedSummary(publishing, language));
  const { newest } = summary ?? {};
  const source = { ...decided, vault: publishing.vault, shown, rolledBackTo, keepsShown, newest };
  const loaded = current ? await loadEdition(language, date, source) : nothing;
  const edition = { ...loaded, sets: await kept(loaded.sets) };
  const wanted = await withSets(edition, language, await kept(sets), source, false);
  const withoutTexts = withdrawn.filter((request) => "sign" in request);
  const renewed = await kept(corrected.filter((request) => !isFurtherDraw(request)));
  const own = await withSets(wanted, language, [...withoutTexts, ...renewed], source, true);
  const around = [
    ...(await neighboursOf(language, own.sets, withdrawn, publishing)),
    ...overtaken(own.sets, summary),
    ...lastOf(endedKinds, summary),
  ];
  const extended = await withSets(own, language, await kept(around), source, true);
  const later = await kept(await neighboursOf(language, [], expired.sets, publishing));
  const found = await withSets(extended, language, later, source, true);
  const leaving = { sets: [...withdrawn, ...expired.sets], paths: expired.paths };
  const archive = await archiveMonths(language, found.sets, leaving, publishing);
  const changed = new Set([
    ...named,
    ...archive.map(({ month }) => month),
    ...found.sets.flatMap(({ operation, period }) => monthWith(language, operation, period) ?? []),
  ]);
  const decisions = decisionHashes(language, changed, date, publishing);
  const stale = staleMonths(language, date, publishing).filter((month) => changed.has(month));
  if (stale.length === 0)
    return { ...found, isEditionAlone: extended === edition, months: archive, decisions };
  const isNewest = ({ operation, period }: DatedSet) => summary?.newest[operation] === period;
  const aged = (await datedSetsIn(language, stale, publishing)).filter((one) => !isNewest(one));
  const all = await withPagesOf(found, language, await kept(aged), source);
  const months = await archiveMonths(language, all, leaving, publishing);
  return { ...found, sets: all, isEditionAlone: false, months, decisions };
}

/** The sets with the published ones of `aged`, of which only the pages are rendered. */
async function withPagesOf(
  found: LoadedSets,
  language: Language,
  aged: readonly DatedSet[],
  source: SetSource,
): Promise<ReadingSet[]> {
  // Damage to an old page must not stop a night.
  const shown = (request: ReadingRequest) => unlessDamaged(async () => source.shown?.(request));
  const whole = await withSets(found, language, aged, { ...source, shown, keepsShown: true }, true);
  const news = whole.sets.slice(found.sets.length);
  return [
    ...found.sets,
    ...news.map(({ operation, period, readings, withdrawn }) => {
      return { operation, period, readings, withdrawn, current: false, pagesAlone: true };
    }),
  ];
}

/** The sets with those of `wanted` that are not among them yet. */
async function withSets(
  found: LoadedSets,
  language: Language,
  wanted: readonly DatedSet[],
  source: SetSource,
  evenAsShown: boolean,
) {
  const names = new Map(wanted.map((one) => [nameOf(one), one]));
  for (const set of found.sets) names.delete(nameOf(set));
  if (names.size === 0) return found;
  const requests = [...names.values()].map(({ operation, period }) =>
    requestsOf(operation, language, period),
  );
  const more = await loadSets(requests, source, evenAsShown);
  return {
    sets: [...found.sets, ...more.sets],
    passedOver: [...found.passedOver, ...more.passedOver],
    damaged: [...found.damaged, ...more.damaged],
    rejected: found.rejected,
    waiting: found.waiting,
  };
}

/** The sets that were passed over or have a response that can't be read, each once. */
function passedOverIn(passedOver: readonly PassedOver[], damaged: Iterable<DamagedResponse>) {
  const found = new Map(passedOver.map((one) => [one.set, one]));
  for (const { key, file } of damaged) {
    const request = requestOf(key);
    if (request === undefined) continue;
    const set = setName(request);
    found.set(set, { set, kind: "missing", reason: `${file} is unreadable` });
  }
  return [...found.values()];
}

/** The month with the dated files of a set. */
function monthWith(language: Language, operation: Operation, period: string) {
  const path = dataPathOfSet(language, operation, period);
  return path === undefined ? undefined : languageGroup(groupOf(path))?.month;
}

/** The periods by operation; undefined if there are none. */
function periodsOf(waiting: readonly ReadingRequest[]) {
  const periods = Object.fromEntries(waiting.map(({ operation, period }) => [operation, period]));
  return waiting.length === 0 ? undefined : periods;
}

function nameOf({ operation, period }: DatedSet) {
  return `${operation} ${period}`;
}
