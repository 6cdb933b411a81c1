// Publishes a batch of languages: presses their readings (publish/press/pressed-languages.ts) and steps from the current state
// to the next. step/advance.ts takes the step: step/pointer-swap.ts writes objects, manifest and pointer, step/projection.ts
// then the stable paths, so that readers see one whole state wherever the writing breaks off.
import { isDeepStrictEqual } from "node:util";
import { type PublishedSite, publishedDates } from "./state/published-files.ts";
import { zoneOf } from "../readings/catalogue.ts";
import type { Language } from "../readings/languages.ts";
import { localDate } from "../readings/zones.ts";
import { requestOf, type RequestKey } from "../readings/request.ts";
import type { PublishInput, PublishResult } from "../readings/run-messages.ts";
import { advance } from "./step/advance.ts";
import { isDayGathered } from "./press/gathered-days.ts";
import { inParallel } from "../store/parallel-calls.ts";
import type { Manifest } from "./state/manifest.schema.ts";
import { datesAheadIn } from "./state/dates-ahead.ts";
import { createPartReader, type PartReader, partsOfLanguage } from "./state/parts.ts";
import type { Publishing } from "./state/publishing-place.ts";
import { project } from "./step/projection.ts";
import { currentJobs, type PressJob } from "./press/press-jobs.ts";
import type { NextState } from "./press/merged-state.ts";
import { nextState } from "./press/next-state.ts";
import { pressAll } from "./press/pressed-languages.ts";
import type { PressedLanguage } from "./press/pressed-language.ts";
import type { Puts } from "./state/puts.ts";
import type { SiteState } from "./state/state.ts";
import { ownState } from "./step/own-state.ts";
import { noteStanding, standing, standingNote } from "./press/unchanged-languages.ts";
import { asItIs, wholeWord } from "./press/unchanged-site.ts";
import { keepAlive } from "./step/living-pointer.ts";
import { firstDamaged } from "../readings/damaged-answers.ts";
import { noteShown } from "../vault/dated-texts.ts";
import { keepLeftOut, leftOutPictures } from "../vault/left-out-pictures.ts";
import { readNote } from "../vault/note.ts";
import { readWithheld } from "../vault/withheld.ts";

interface BatchProposal extends NextState {
  readonly published: PublishedSite;
  readonly presses: readonly PressedLanguage[];
  readonly jobs: readonly PressJob[];
  /** The word of the site, where it is seen to stay as it is (press/unchanged-site.ts). */
  readonly whole?: string | undefined;
}

/** `before` is what was proposed on an earlier base, and `puts` what is there of it. */
interface Attempt {
  readonly base: SiteState | undefined;
  readonly reader: PartReader;
  readonly puts: Puts;
  readonly before: BatchProposal | undefined;
}

export async function publish(input: PublishInput, place: Publishing): Promise<PublishResult> {
  const publishing = { ...place, pictures: place.pictures?.forOnePublish() };
  const { version, swaps, proposed } = await advance<BatchProposal>(
    publishing,
    input,
    (base, reader, puts, before) => propose(input, { base, reader, puts, before }, publishing),
  );
  const { presses, published } = proposed;
  await noteShown(publishing.vault.store, presses); // first: what stands is not looked at again
  await noteStanding(presses, { ...published, manifest: proposed }, proposed.whole, publishing);
  await noteLeftOut(presses, publishing);
  const languages = input.languages.filter((language) =>
    presses.some((one) => one.language === language && one.fileCount > 0),
  );
  const changed = swaps.reduce((sum, swap) => sum + swap.changed, 0);
  if (changed > 0) publishing.log.info({ run: input.run, version, changed, languages }, "published");
  const damaged = await damagedIn(presses, publishing);
  const staying = proposed.jobs.flatMap(({ language, fault }) =>
    fault === undefined ? [] : [[language, fault] as const],
  );
  return { version, changed, languages, damaged, staying: stayingOf(new Map(staying)) };
}

/** What a batch of languages comes to on a base. */
async function propose(
  input: PublishInput,
  { base, reader, puts, before }: Attempt,
  publishing: Publishing,
): Promise<BatchProposal> {
  const published = { site: publishing.site, manifest: base?.manifest, reader };
  const held = before === undefined ? [] : await stillRight(before, published, publishing, puts);
  const isOpen = (language: Language) => !held.some((one) => one.language === language);
  const jobs = await currentJobs(input.languages.filter(isOpen), published, publishing);
  const earlier = before?.jobs.filter(({ language }) => !isOpen(language)) ?? [];
  const batch = { published, jobs: [...earlier, ...jobs] };
  const noted = await readNote(publishing.vault.store, standingNote);
  const stand = await standing(jobs, noted, published, publishing);
  const wordOf = (state: NextState | Manifest | undefined) =>
    input.last === true ? wholeWord(stand, noted, publishing, state) : undefined;
  const word = wordOf(base?.manifest);
  if (base !== undefined && word !== undefined && word === noted.whole)
    return { ...batch, ...asItIs(base.manifest), presses: stand };
  const step = { languages: input.languages, jobs, known: [...held, ...stand], last: input.last ?? false };
  const presses = await pressAll(step, published, publishing, puts);
  const next = await nextState(presses, published, publishing);
  const fingerprint = fingerprintAfter(base, presses, publishing);
  const after = next.left === 0 ? wordOf({ ...next, fingerprint }) : undefined;
  return { ...batch, ...next, fingerprint, presses, whole: after === word ? word : undefined };
}

/** The captures that can't be read; of those that were damaged a copy is put aside, by which the next plan knows of them. */
async function damagedIn(presses: readonly PressedLanguage[], { vault }: Publishing) {
  const damaged = presses.flatMap((one) => one.damaged);
  await vault.putAsideDamaged(damaged.map(({ key }) => key));
  return firstDamaged(damaged.map(({ key, reason }) => ({ key, reason })));
}

/** Absent where there are none. */
function stayingOf(reasons: ReadonlyMap<Language, string>): PublishResult["staying"] {
  if (reasons.size === 0) return undefined;
  return [...reasons].map(([language, reason]) => ({ language, reason }));
}

/** Notes, and says once, from where pictures are left out. */
async function noteLeftOut(presses: readonly PressedLanguage[], { vault, configuration, log }: Publishing) {
  const origins = Object.fromEntries(presses.map(({ language, leftOut }) => [language, leftOut]));
  if (!(await keepLeftOut(vault.store, origins))) return;
  const found = await leftOutPictures(vault.store, configuration.pictures);
  if (found !== undefined) log.warn({ from: found.origins }, `${found.seen}; ${found.remedy}`);
}

/**
 * What was pressed on an earlier base, where no clean-up took anything of it, and the language is as it was. It may have been
 * otherwise in between: a text that was published and withdrawn leaves it so.
 */
async function stillRight(
  before: BatchProposal,
  { manifest }: PublishedSite,
  { vault }: Publishing,
  puts: Puts,
): Promise<PressedLanguage[]> {
  const { note } = await readWithheld(vault.store);
  const isPressedBy = ({ language, withheld }: PressJob, one: Language) =>
    language === one && isDeepStrictEqual(withheld.note, note);
  return before.presses.filter(
    ({ language, objects }) =>
      before.jobs.some((job) => isPressedBy(job, language)) &&
      sameLanguage(before.published.manifest, manifest, language) &&
      objects.every((key) => puts.keys.has(key)),
  );
}

/** A state gets today's fingerprint only when every language in it has it: else the turn would not press the others again. */
function fingerprintAfter(
  base: SiteState | undefined,
  presses: readonly PressedLanguage[],
  { fingerprint, configuration }: Publishing,
) {
  if (base === undefined) return fingerprint;
  const { manifest } = base;
  const isMixed = configuration.languages.some(
    (language) =>
      !presses.some((one) => one.language === language) && partsOfLanguage(manifest, language).length > 0,
  );
  return isMixed ? manifest.fingerprint : fingerprint;
}

/** Whether both bases have the same of this language. */
function sameLanguage(one: Manifest | undefined, other: Manifest | undefined, language: Language) {
  if (one === undefined || other === undefined) return one === other;
  return partsOfLanguage(one, language).join() === partsOfLanguage(other, language).join();
}

/**
 * Publishes the languages whose local date is not the one last published, of which a person has accepted an answer, or whose
 * first night broke off. Where there is none, it reads a few small files and is done.
 */
export async function publishTurn(publishing: Publishing): Promise<PublishResult> {
  const state = await ownState(publishing);
  if (state !== undefined) await keepAlive(state, publishing);
  const accepted = await publishing.vault.accepted();
  const { languages, ahead } = await languagesDue(state, accepted.map(languageIn), publishing);
  if (languages.length === 0) {
    if (state !== undefined) await project(publishing); // what a dead publisher left
    return { version: state?.pointer.version ?? 0, changed: 0, languages: [], staying: stayingOf(ahead) };
  }
  const asOf = publishing.now().toISOString();
  const result = await publish(
    { run: `${publishing.configuration.site.id}-turn`, asOf, languages, last: true },
    publishing,
  );
  await publishing.vault.dropAccepted(
    accepted.filter((key) => languages.some((language) => language === languageIn(key))),
  );
  for (const { language, reason } of result.staying ?? []) ahead.set(language, reason);
  return { ...result, staying: stayingOf(ahead) };
}

function languageIn(key: RequestKey): Language | undefined {
  return requestOf(key)?.language;
}

/**
 * A language that other templates or settings pressed is due as well; one that was rolled back is not until its next date. And
 * the languages whose published date lies ahead, with the reason.
 */
async function languagesDue(
  state: SiteState | undefined,
  accepted: readonly (Language | undefined)[],
  publishing: Publishing,
): Promise<{ readonly languages: Language[]; readonly ahead: Map<Language, string> }> {
  const { configuration, site, vault, now, fingerprint } = publishing;
  const manifest = state?.manifest;
  const dates = await publishedDates({ site, manifest, reader: createPartReader(site) });
  const withheld = await readWithheld(vault.store);
  const isDue = async (language: Language) => {
    const published = dates.get(language);
    const today = localDate(zoneOf(configuration, language), now());
    if (withheld.holdsEdition(language, today)) return false;
    if (accepted.includes(language) && state !== undefined) return true;
    if (published === undefined) return isDayGathered(language, today, publishing, withheld);
    return published < today || manifest?.fingerprint !== fingerprint;
  };
  const due = await inParallel(configuration.languages, async (language) =>
    (await isDue(language)) ? [language] : [],
  );
  const ahead = datesAheadIn(dates, configuration, now());
  const reason = `${ahead?.seen}; ${ahead?.remedy}`;
  return {
    languages: due.flat(),
    ahead: new Map(ahead?.dates.map(({ language }) => [language, reason])),
  };
}
