// Publishes a group of languages: renders their readings (publish/render/rendered-languages.ts) and commits the next state
// (step/commit.ts), so that readers see one whole state wherever the writing breaks off.
import type { PublishStep, NextState } from "./render/merged-state.ts";
import { publishedDates, datesAheadIn } from "./state/published-files.ts";
import { zoneOf } from "../readings/catalogue.ts";
import { type Language, languagesOf, rowOf } from "../readings/tables.ts";
import { localDate } from "../readings/calendar.ts";
import { type RequestKey, requestKey, requestsOf } from "../readings/request.ts";
import type { PublishInput, PublishResult } from "../readings/run-messages.ts";
import { inParallel } from "../store/store.ts";
import type { Manifest } from "../site/manifest.schema.ts";
import { createPartReader, partsOfLanguage } from "./state/parts.ts";
import type { Publishing } from "./state/publish-context.ts";
import { commit, ownerBase, renewPointer } from "./step/commit.ts";
import { isToRenew } from "./step/pointer.ts";
import { isFinished, withSite } from "./step/site-owner.ts";
import { type BaseState, baseIn, type FoundSite, lookAtSite, type Owned } from "./step/site-state.ts";
import { staleMonths } from "./render/leaving-paths.ts";
import { currentJobs, type RenderJob } from "./render/render-jobs.ts";
import { nextState, renderAll, type MergedLanguage } from "./render/rendered-languages.ts";
import {
  noteStanding,
  noteDecided,
  standing,
  standingNote,
  asItIs,
  wholeWord,
} from "./render/unchanged-languages.ts";
import { isOver, repairLateWrites } from "./repair/late-writes.ts";
import { firstDamaged } from "../readings/tally.ts";
import { noteShown, keepLeftOut, leftOutPictures } from "../vault/site-notes.ts";
import { readNote } from "../vault/note.ts";
import { readWithheld, type Withheld } from "../vault/withheld.ts";
import { loadSets } from "../vault/editions.ts";

interface Proposal extends NextState {
  readonly rendered: readonly MergedLanguage[];
  readonly jobs: readonly RenderJob[];
  /** Evidence that the site stays unchanged (render/unchanged-languages.ts). */
  readonly whole?: string | undefined;
}

export function publish(input: PublishInput, context: Publishing): Promise<PublishResult> {
  const purpose = `publish ${input.languages.join(" ")} for ${input.run}`;
  return withSite(context, purpose, (owned) => publishLanguages(input, owned));
}

async function publishLanguages(input: PublishInput, context: Owned<Publishing>): Promise<PublishResult> {
  const publishing = { ...context, pictures: context.pictures?.forOnePublish() };
  const { version, step, reader, proposed } = await commit<Proposal>(publishing, input, (base, known, puts) =>
    propose(input, { ...publishing, manifest: base?.manifest, reader: known, puts }),
  );
  const { rendered } = proposed;
  await noteShown(publishing.vault.own, rendered); // first, because an unchanged language is not looked at again
  await noteStanding(rendered, { manifest: proposed, reader }, proposed.whole, publishing);
  // A language with a lost decision stays due until that is restored.
  const harmed = new Set(rendered.filter((one) => one.damaged.length > 0).map(({ language }) => language));
  const unharmed = proposed.jobs.filter(({ language }) => !harmed.has(language));
  await noteDecided(unharmed, publishing);
  await noteLeftOut(rendered, publishing);
  const languages = input.languages.filter((language) =>
    rendered.some((one) => one.language === language && one.fileCount > 0),
  );
  const changed = step?.changed ?? 0;
  if (changed > 0) publishing.log.info({ run: input.run, version, changed, languages }, "version published");
  const damaged = await damagedIn(rendered, publishing);
  const staying = proposed.jobs.flatMap(({ language, fault }) =>
    fault === undefined ? [] : [[language, fault] as const],
  );
  const rejected = rendered.flatMap((one) => one.rejected);
  const rejectedSets = rejected.length === 0 ? undefined : rejected;
  return { version, changed, languages, damaged, rejectedSets, staying: stayingOf(new Map(staying)) };
}

/** The next state of a base with a group of languages. */
async function propose(
  { languages, last = false }: PublishInput,
  publishing: PublishStep,
): Promise<Proposal> {
  const { manifest } = publishing;
  const jobs = await currentJobs(languages, publishing);
  const noted = await readNote(publishing.vault.own, standingNote);
  const stand = await standing(jobs, noted, publishing);
  const wordOf = (state: NextState | Manifest | undefined) =>
    last ? wholeWord(stand, noted, publishing, state) : undefined;
  const word = wordOf(manifest);
  if (manifest !== undefined && word !== undefined && word === noted.whole)
    return { jobs, ...asItIs(manifest), rendered: stand };
  const rendered = await renderAll({ languages, jobs, known: stand, last }, publishing);
  const next = await nextState(rendered, publishing);
  const fingerprint = fingerprintAfter(manifest, rendered, publishing);
  const after = next.left === 0 ? wordOf({ ...next, fingerprint }) : undefined;
  return { jobs, ...next, fingerprint, rendered, whole: after === word ? word : undefined };
}

/** The stored responses that can't be read. Damaged ones are copied to damaged/, where the next plan finds them. */
async function damagedIn(rendered: readonly MergedLanguage[], { vault }: Publishing) {
  const damaged = rendered.flatMap((one) => one.damaged);
  await vault.copyDamaged(damaged.map(({ key }) => key));
  return firstDamaged(damaged.map(({ key, reason }) => ({ key, reason })));
}

/** Absent if there are none. */
function stayingOf(reasons: ReadonlyMap<Language, string>): PublishResult["staying"] {
  if (reasons.size === 0) return undefined;
  return [...reasons].map(([language, reason]) => ({ language, reason }));
}

/** Notes the hosts whose pictures are left out, and reports them once. */
async function noteLeftOut(rendered: readonly MergedLanguage[], { vault, configuration, log }: Publishing) {
  const origins = Object.fromEntries(rendered.map(({ language, leftOut }) => [language, leftOut]));
  if (!(await keepLeftOut(vault.own, origins))) return;
  const found = await leftOutPictures(vault.own, configuration.pictures);
  if (found !== undefined) log.warn({ from: found.origins }, `${found.seen}; ${found.remedy}`);
}

/** A state gets today's fingerprint only when every language in it has it: else the next publish would not render the others again. */
function fingerprintAfter(
  manifest: Manifest | undefined,
  rendered: readonly MergedLanguage[],
  { fingerprint, configuration }: Publishing,
) {
  if (manifest === undefined) return fingerprint;
  const isMixed = configuration.languages.some(
    (language) =>
      !rendered.some((one) => one.language === language) && partsOfLanguage(manifest, language).length > 0,
  );
  return isMixed ? manifest.fingerprint : fingerprint;
}

/**
 * Publishes the languages whose local date is not the one last published, of which a person has decided about texts since, or
 * whose first night broke off. Where there is none, it reads a few small files and is done, without the site's lease.
 */
export async function publishDue(publishing: Publishing): Promise<PublishResult> {
  const found = await lookAtSite(publishing);
  const base = await baseIn(publishing, found, found.record.value, {});
  const { languages, nothing } = await findDue(base, publishing);
  if (languages.length === 0 && (await isAtRest(found, publishing))) return nothing;
  return withSite(publishing, "publish what is due", publishOwned);
}

async function publishOwned(publishing: Owned<Publishing>): Promise<PublishResult> {
  const { configuration, now } = publishing;
  const { languages, ahead, nothing } = await findDue(await ownerBase(publishing), publishing);
  await renewPointer(publishing);
  await repairLateWrites(publishing);
  if (languages.length === 0) return nothing;
  const run = `${configuration.site.id}-publish`;
  const result = await publishLanguages(
    { run, asOf: now().toISOString(), languages, last: true },
    publishing,
  );
  for (const { language, reason } of result.staying ?? []) ahead.set(language, reason);
  return { ...result, staying: stayingOf(ahead) };
}

/** The languages that are due, and the result if there are none. */
async function findDue(base: BaseState | undefined, publishing: Publishing) {
  const { languages, ahead } = await languagesDue(base, publishing);
  const version = base?.manifest.version ?? 0;
  const nothing: PublishResult = { version, changed: 0, languages: [], staying: stayingOf(ahead) };
  return { languages, ahead, nothing };
}

/** Whether the next owner of the site's lease would have nothing to do. */
async function isAtRest(found: FoundSite, context: Publishing): Promise<boolean> {
  const { pointer, record } = found;
  const { current, removing, unclean } = record.value;
  const isClean = record.isWhole && removing === null && !unclean.some((entry) => isOver(entry, context));
  if (!isFinished(found, record.value) || !isClean) return false;
  return pointer === undefined || current === null || !(await isToRenew(context, pointer, current.version));
}

/**
 * A language that other templates or settings rendered is due as well; one that was rolled back is not until its next date. And
 * the languages whose published date lies ahead, with the reason.
 */
async function languagesDue(
  base: BaseState | undefined,
  publishing: Publishing,
): Promise<{ readonly languages: Language[]; readonly ahead: Map<Language, string> }> {
  const { configuration, site, vault, now, fingerprint } = publishing;
  const manifest = base?.manifest;
  const dates = await publishedDates({ site, manifest, reader: createPartReader(site) });
  const withheld = await readWithheld(vault.own);
  const { decided } = await readNote(vault.own, standingNote);
  const isDue = async (language: Language) => {
    const published = dates.get(language);
    const today = localDate(zoneOf(configuration, language), now());
    if (withheld.isEditionPinned(language, today)) return false;
    if (published === undefined) return isDayGathered(language, today, publishing, withheld);
    if (published < today || manifest?.fingerprint !== fingerprint) return true;
    if ((decided[language] ?? "") !== (await withheld.markOf(language))) return true;
    return staleMonths(language, today, { ...publishing, manifest }).length > 0;
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

async function isDayGathered(
  language: Language,
  date: string,
  { configuration, vault }: Pick<Publishing, "configuration" | "vault">,
  withheld: Withheld,
): Promise<boolean> {
  const sets = configuration.operations
    .filter((operation) => rowOf(operation).due === "daily" && languagesOf(operation).includes(language))
    .map((operation) => requestsOf(operation, language, date));
  const prefix = `daily/${date}/${language}/`;
  const stored = new Set<RequestKey>(await vault.held(prefix));
  const whole = sets.filter((requests) => requests.every((one) => stored.has(requestKey(one))));
  if (whole.length === 0) return false;
  if (whole.length < sets.length) {
    const settled = stored.union(new Set(await vault.inQuarantine(prefix)));
    if (!sets.flat().every((one) => settled.has(requestKey(one)))) return false;
  }
  // Sets with findings, or with damaged responses, would be rendered at every publish for nothing.
  const source = { configuration, vault, withheld, today: date };
  return (await loadSets(whole, source, false)).sets.length > 0;
}
