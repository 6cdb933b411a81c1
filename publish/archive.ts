// Renders past editions again from the vault: a fixed parser or a new template repairs old pages without a call. It works in
// batches, because a year in all languages is more than a machine holds at once; each batch is a complete state.
import { type PublishingOn, type PublishedSite, isPublished } from "./state/published-files.ts";
import { type Language, languagesOf, operationNames, rowOf } from "../readings/tables.ts";
import { addDays, type PeriodKind, periodKinds, periodOf, spanOf, dayNumber } from "../readings/calendar.ts";
import { requestsOf, setKey } from "../readings/request.ts";
import { dataPathOfSet } from "../site/paths.ts";
import type { PassedOver } from "../vault/editions.ts";
import { commit, renewPointer } from "./step/commit.ts";
import { findBase, type Owned } from "./step/site-state.ts";
import { letOthersIn, withSite } from "./step/site-owner.ts";
import { createPartReader, changesOf, type PathChange } from "./state/parts.ts";
import type { NextState, Puts } from "./render/merged-state.ts";
import type { Publishing } from "./state/publish-context.ts";
import { renderAll, nextState } from "./render/rendered-languages.ts";
import { dayOf, dateIn, type RenderJob } from "./render/render-jobs.ts";
import { noteDecided } from "./render/unchanged-languages.ts";
import type { DatedSet } from "./render/neighbour-pages.ts";
import { type Attribution, guards, recordDecision } from "../vault/journal.ts";
import { changeWithheld, type NoteChange, readWithheld } from "../vault/withheld.ts";
import { inParallel } from "../store/store.ts";
import { noteShown } from "../vault/site-notes.ts";

const run = "render";

export interface ArchiveInput {
  readonly languages: readonly Language[];
  /** The dates to render; without them only the current pages are rendered. */
  readonly dates?: PastDates;
  /** Whether an operator has confirmed that an unusual share of the site may be removed. */
  readonly evenMany: boolean;
  /** Absent if nobody decided it, as in a trial. */
  readonly by?: Attribution | undefined;
  /** Called after each batch. */
  readonly onBatch?: (batch: RenderedBatch) => void;
  /** Called with every proposed state and the state that it is proposed on. */
  readonly onProposed?: (next: NextState, published: PublishedSite, puts: Puts) => Promise<void>;
}

export interface RenderedBatch {
  readonly number: number;
  readonly of: number;
  readonly version: number;
  readonly files: number;
  /** The language and month of each unit, such as `hi 2026-10`. */
  readonly units: readonly string[];
}

export type RenderedArchive = Awaited<ReturnType<typeof renderArchive>>;

export async function renderArchive(input: ArchiveInput, publishing: Publishing) {
  const { vault } = publishing;
  const { note } = await readWithheld(vault.own);
  const lifted = note.pins.filter(({ language }) => input.languages.includes(language));
  const lift: NoteChange = (now) => ({
    ...now,
    pins: now.pins.filter(
      (pin) => !lifted.some(({ at, language }) => at === pin.at && language === pin.language),
    ),
  });
  const manifest = (await findBase(publishing))?.manifest;
  const onState = { ...publishing, manifest, reader: createPartReader(publishing.site) };
  await requireDays(input.languages, onState);
  const said = input.by && { ...input.by, at: publishing.now().toISOString() };
  const clock = publishing.clockIsRight === true ? [guards.clock] : [];
  const overrides = [...clock, ...(input.evenMany ? [guards.removal] : [])];
  const subject = { languages: [...input.languages], ...input.dates };
  if (said !== undefined) await recordDecision(vault.own, { kind: "render", ...said, overrides, subject });
  const units = await unitsOf(input.languages, input.dates, onState);
  const changes = new Map<string, PathChange>();
  const passedOver = new Map<string, PassedOver>();
  let [version, files, left] = [0, 0, 0];
  const batches = [...batchesOf(units)].map(unitsTogether);
  for (const [index, batch] of batches.entries()) {
    const last = index === batches.length - 1;
    if (index > 0) await letOthersIn(publishing);
    const rendered = await withSite(publishing, "render pages from the vault", (owned) =>
      renderBatch(batch, last, input, lift, owned),
    );
    await noteShown(vault.own, rendered.renderedLanguages);
    for (const change of rendered.changes) changes.set(change.path, changes.get(change.path) ?? change);
    for (const one of rendered.renderedLanguages.flatMap((each) => each.passedOver))
      passedOver.set(one.set, one);
    const count = rendered.renderedLanguages.reduce((sum, each) => sum + each.fileCount, 0);
    version = rendered.version;
    left = Math.max(left, rendered.left);
    files += count;
    const done = { number: index + 1, of: batches.length };
    input.onBatch?.({ ...done, version, files: count, units: batch.map(nameOf) });
  }
  // Pins are removed last: after an earlier refusal, the next run would publish the pinned texts unasked.
  const unpinned = { languages: lifted.map(({ language }) => language) };
  if (lifted.length > 0)
    await changeWithheld(vault.own, lift, said && { kind: "unpin", ...said, subject: unpinned });
  if (publishing.clockIsRight === true) {
    await withSite(publishing, "renew the pointer", renewPointer);
  }
  return {
    version,
    files,
    changes: [...changes.values()],
    passedOver: [...passedOver.values()],
    /** Pins of rollbacks that were removed. */
    lifted,
    /** How many files that the configuration has dropped stay, because they are unusually many. */
    left,
  };
}

/** Thrown if no time source confirms the date of this machine's clock. */
export class ClockAhead extends Error {
  override readonly name = "ClockAhead";
}

/** The operator must decide which date is right: nothing is rendered as of a doubtful date. */
async function requireDays(languages: readonly Language[], publishing: PublishingOn): Promise<void> {
  for (const language of languages) {
    const { today, shown, stays } = await dayOf(language, publishing);
    if (stays?.isFault === true && (shown === undefined || shown < today)) throw new ClockAhead(stays.reason);
  }
}

async function renderBatch(
  batch: readonly ArchiveUnit[],
  last: boolean,
  { evenMany, onProposed }: ArchiveInput,
  lift: NoteChange,
  context: Owned<Publishing>,
) {
  const { vault, now } = context;
  const by = { run, asOf: now().toISOString() };
  const committed = await commit(context, by, async (base, reader, puts) => {
    const publishing = { ...context, manifest: base?.manifest, reader, puts };
    const withheld = await readWithheld(vault.own, lift);
    const jobs: RenderJob[] = [];
    for (const { language, current, from, to } of batch) {
      const date = await dateIn(language, publishing);
      const sets = from === undefined ? [] : await setsFrom(language, from, to ?? date, publishing);
      const decided = current ? await withheld.markOf(language) : undefined;
      const removesExpired = current ? (evenMany ? "all" : "usual") : undefined;
      jobs.push({ language, date, current, sets, withheld, decided, removesExpired });
    }
    const languages = batch.map(({ language }) => language);
    const renderedLanguages = await renderAll({ languages, jobs, last }, publishing);
    const next = await nextState(renderedLanguages, publishing, evenMany);
    await onProposed?.(next, publishing, puts);
    return { ...next, renderedLanguages, jobs };
  });
  const { renderedLanguages, jobs, left } = committed.proposed;
  await noteDecided(jobs, context);
  const changes = await changesOf(committed);
  return { version: committed.version, changes, renderedLanguages, left };
}

/** The sets that begin on these dates, if the vault or the site has any of their readings. */
async function setsFrom(language: Language, from: string, to: string, publishing: PublishingOn) {
  const { configuration, vault } = publishing;
  const offered = operationNames.filter((operation) => languagesOf(operation).includes(language));
  const superseded = await vault.supersededKeys();
  const found = await inParallel(periodsFrom(from, to), async ({ due, period }) => {
    const prefix = `${due}/${period}/${language}/`;
    const held = [...(await vault.held(prefix)), ...superseded.filter((key) => key.startsWith(prefix))];
    const sets: DatedSet[] = [];
    for (const operation of offered.filter((one) => rowOf(one).due === due)) {
      const path = dataPathOfSet(language, operation, period);
      const isShown = path !== undefined && (await isPublished(publishing, path));
      const [first] = requestsOf(operation, language, period);
      const isKept = first !== undefined && held.some((key) => key.startsWith(`${setKey(first)}/`));
      // A set of an operation that the configuration has dropped is rendered where the site shows it, and nowhere else.
      if (isShown || (isKept && configuration.operations.includes(operation)))
        sets.push({ operation, period });
    }
    return sets;
  });
  return found.flat();
}

function periodsFrom(from: string, to: string) {
  const periods: { due: PeriodKind; period: string }[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    for (const due of periodKinds) {
      const period = periodOf(due, date);
      if (spanOf(due, period).first === date) periods.push({ due, period });
    }
  }
  return periods;
}

/** Local dates, inclusive; up to today if the last is omitted. */
export interface PastDates {
  readonly from: string;
  readonly to?: string;
}

/** A language's month: the sets that begin in it, and with the newest month its current pages. */
export interface ArchiveUnit {
  readonly language: Language;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly current: boolean;
}

async function unitsOf(
  languages: readonly Language[],
  dates: PastDates | undefined,
  publishing: PublishingOn,
): Promise<ArchiveUnit[]> {
  const units: ArchiveUnit[] = [];
  for (const language of languages) {
    const date = await dateIn(language, publishing);
    const last = dates?.to === undefined || dates.to > date ? date : dates.to;
    // Dates that have not begun are not shown yet.
    const months = dates === undefined || dates.from > last ? [] : monthsOf(dates.from, last);
    const newest = months.pop();
    for (const { from, to } of months) units.push({ language, from, to, current: false });
    units.push({ language, from: newest?.from, to: newest?.to, current: true });
  }
  return units;
}

function monthsOf(first: string, last: string) {
  const months: { from: string; to: string }[] = [];
  for (let from = first; from <= last;) {
    const { last: monthsLast } = spanOf("monthly", periodOf("monthly", from));
    const to = monthsLast < last ? monthsLast : last;
    months.push({ from, to });
    from = addDays(to, 1);
  }
  return months;
}

/** Most files in memory at once, about 10 KB each. */
const mostFilesAtOnce = 20_000;
const filesOfADay = 50;
const filesOfCurrentPages = 500;

export function* batchesOf(units: readonly ArchiveUnit[]): Generator<ArchiveUnit[]> {
  let batch: ArchiveUnit[] = [];
  let files = 0;
  for (const unit of units) {
    const days =
      unit.from === undefined || unit.to === undefined ? 0 : dayNumber(unit.to) - dayNumber(unit.from) + 1;
    const expected = days * filesOfADay + (unit.current ? filesOfCurrentPages : 0);
    if (batch.length > 0 && files + expected > mostFilesAtOnce) {
      yield batch;
      [batch, files] = [[], 0];
    }
    batch.push(unit);
    files += expected;
  }
  if (batch.length > 0) yield batch;
}

/** One unit for each language: its months go together, because their last and first pages lead to each other. */
export function unitsTogether(batch: readonly ArchiveUnit[]): ArchiveUnit[] {
  return [...Map.groupBy(batch, ({ language }) => language).values()].flatMap((months) => {
    const [first, last] = [months[0], months.at(-1)];
    return first === undefined || last === undefined ? [] : [{ ...last, from: first.from }];
  });
}

/** `hi 2026-10 to 2026-11` */
function nameOf({ language, from, to }: ArchiveUnit): string {
  if (from === undefined || to === undefined) return language;
  const [first, last] = [from.slice(0, 7), to.slice(0, 7)];
  return first === last ? `${language} ${first}` : `${language} ${first} to ${last}`;
}
