// A rollback publishes the tree of an earlier state as a new version. It makes no call and renders only the pages whose
// text an operator has withdrawn or brought back since. What it changes is held first, so that the next run does not bring it
// again for that date; a rollback that changes nothing holds nothing.
import { merge, type NextState, type PublishStep } from "../render/merged-state.ts";
import {
  type PublishedSite,
  publishedSummary,
  requestShownBy,
  believedTime,
} from "../state/published-files.ts";
import { type Store, inParallel } from "../../store/store.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/tables.ts";
import { localDate } from "../../readings/calendar.ts";
import { commit } from "../step/commit.ts";
import { type BaseState, lookAtSite, type Owned } from "../step/site-state.ts";
import { withSite } from "../step/site-owner.ts";
import { rollbackRun } from "./past-states.ts";
import { type RollbackTarget, requireWhole, StateNotWhole } from "./rollback-target.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import {
  allFiles,
  changesBetween,
  type PathChange,
  groupOf,
  languageGroup,
  languageOf,
} from "../state/parts.ts";
import {
  dependenciesAfter,
  type RenderedLanguage,
  renderAndPut,
  summariesOf,
} from "../render/rendered-languages.ts";
import { asItIs } from "../render/unchanged-languages.ts";
import { pictureFiles } from "../render/own-pictures.ts";
import type { Publishing } from "../state/publish-context.ts";
import { currentPages, publishedPages } from "../render/alternates.ts";
import { loadLanguage } from "../render/loading.ts";
import { unusualRemoval } from "../render/leaving-paths.ts";
import { withSitemaps } from "../render/sitemaps.ts";
import { isBuiltOn } from "../state/state.ts";
import { decidedLanguages } from "../../vault/text-decisions.ts";
import { type Attribution, type Decision, guards } from "../../vault/journal.ts";
import {
  changeWithheld,
  type Pin,
  readWithheld,
  type Withheld,
  type NoteChange,
  nameOfSet,
} from "../../vault/withheld.ts";
import { parsePath, textAt } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";

export interface RollbackInput {
  readonly to: RollbackTarget;
  /** The languages to roll back; all of them where it is absent. */
  readonly languages?: readonly Language[];
  /** Whether an operator has confirmed that an unusual share of the site may be removed. */
  readonly evenMany: boolean;
  readonly by: Attribution;
}

export interface RolledBack {
  readonly version: number;
  readonly changes: readonly PathChange[];
  readonly pins: readonly Pin[];
  /** Whether an unusual share of the site would be removed. */
  readonly unusual: boolean;
  /** Whether nothing changes because the states differ only in texts that were withdrawn or brought back. */
  readonly isDecided: boolean;
}

type RollbackProposal = Awaited<ReturnType<typeof propose>>;

export function rollback(input: RollbackInput, publishing: Publishing): Promise<RolledBack> {
  return withSite(publishing, "roll back", (owned) => rollBackOwned(input, owned));
}

async function rollBackOwned(input: RollbackInput, publishing: Owned<Publishing>): Promise<RolledBack> {
  const { vault, site, now } = publishing;
  await requireWhole(site, input.to, (group) => goesBack(group, input));
  const at = now().toISOString();
  const said = { ...input.by, at };
  const { hash: manifest, manifest: state } = input.to;
  const pin = (pins: readonly Pin[], decision: Decision) => {
    const change: NoteChange = (note) => ({
      ...note,
      pins: [...note.pins.filter((one) => one.at !== at), ...pins],
    });
    return changeWithheld(vault.own, change, decision);
  };
  let last: RollbackProposal | undefined;
  try {
    const { version } = await commit(
      publishing,
      { run: rollbackRun, asOf: at },
      async (base, reader, puts) => {
        if (base === undefined)
          throw new Error("the pointer was removed during the rollback. Nothing was changed");
        await requireBefore(base, input.to, site);
        last = await propose(base, input, at, { ...publishing, manifest: base.manifest, reader, puts });
        const { pins } = last.rollbackPins;
        const subject = { languages: languagesIn(pins), version: state.version, manifest };
        const overrides = last.unusual ? [guards.removal] : undefined;
        if (last.changes.length > 0)
          await pin(pins, { kind: "rollback", ...said, overrides, subject, pins: [...pins] });
        return last.next;
      },
    );
    if (last?.rollbackPins.back.size) await changeWithheld(vault.own, releasePins(last.rollbackPins, at));
    const { changes = [], rollbackPins, unusual = false, isDecided = false } = last ?? {};
    return { version, changes, pins: rollbackPins?.pins ?? [], unusual, isDecided };
  } catch (error) {
    if (last !== undefined && !(await mayHaveHappened(last, publishing))) {
      const subject = { languages: languagesIn(last.rollbackPins.pins) };
      const reason = "the rollback failed and changed nothing";
      // The first failure is the one to report.
      await pin([], { kind: "unpin", ...said, reason, subject }).catch(() => undefined);
    }
    throw error;
  }
}

function languagesIn(pins: readonly Pin[]): Language[] {
  return pins.map(({ language }) => language);
}

/** Throws unless the earlier state is one that led to the base: the choice was made by a pointer that may have changed since. */
async function requireBefore(base: BaseState, { hash, manifest: target }: RollbackTarget, site: Store) {
  const { version } = target;
  if (base.hash === hash || (await isBuiltOn(base.manifest, { manifest: hash, version }, site))) return;
  throw new StateNotWhole(
    `version ${target.version} (${hash}) is not a version before ${base.manifest.version}. Nothing was changed. Choose again (\`almanac log\`)`,
  );
}

function goesBack(group: string, { languages }: RollbackInput) {
  return languages === undefined || languages.some((language) => languageGroup(group)?.language === language);
}

async function propose(base: BaseState, input: RollbackInput, at: string, publishing: PublishStep) {
  const { configuration, vault, reader } = publishing;
  const target = treeOf(base.manifest, input);
  const earlier = { ...publishing, manifest: target };
  const { hash: manifest, manifest: state } = input.to;
  const states = { left: publishing, earlier, to: { manifest, version: state.version } };
  const ownChanges = async (after: Manifest) => {
    const all = await changesBetween(reader, base.manifest, after);
    return { all, own: all.filter(({ path }) => goesBack(groupOf(path), input)) };
  };
  const isMixed = input.languages !== undefined;
  const decideWith = async (pins: readonly Pin[]) => {
    const withheld = await readWithheld(vault.own, (note) => ({ ...note, pins: [...note.pins, ...pins] }));
    const next = await asDecidedSince(withheld, earlier, { at: new Date(at), known: publishing, isMixed });
    return { decided: next, ...(await ownChanges({ ...base.manifest, parts: next.parts })) };
  };
  // Further draws of what the earlier tree lacks are left out of its decks.
  const { pins } = await pinChanges((await decideWith([])).own, states, at, publishing);
  const { decided, all: changes, own } = await decideWith(pins);
  if (changes.length === 0) {
    const none = { pins: [], back: new Map<Language, ReadonlySet<string>>() };
    const isDecided = (await ownChanges(target)).own.length > 0;
    return { base, next: asItIs(base.manifest), changes, rollbackPins: none, unusual: false, isDecided };
  }
  const rollbackPins = await pinChanges(own, states, at, publishing);
  const gone = changes.filter(({ reason }) => reason === "gone").length;
  const { unusualShare } = configuration.publishing;
  const { size } = gone === 0 ? new Map() : await allFiles(reader, base.manifest);
  const unusual = unusualRemoval(gone, size, unusualShare);
  if (unusual !== undefined && !input.evenMany) throw unusual;
  const { fingerprint } = input.to.manifest;
  const next = { ...decided, changed: changes.length, fingerprint };
  return { base, next, changes, rollbackPins, unusual: unusual !== undefined, isDecided: false };
}

/** The earlier tree, or the current one with some languages of the earlier one. */
function treeOf(base: Manifest, input: RollbackInput): Manifest {
  const { manifest } = input.to;
  if (input.languages === undefined) return manifest;
  const parts = [
    ...Object.entries(base.parts).filter(([part]) => !goesBack(part, input)),
    ...Object.entries(manifest.parts).filter(([part]) => goesBack(part, input)),
  ];
  const earlier = Object.entries(manifest.dependencies ?? {}).filter(([own]) => goesBack(own, input));
  const dependencies = { ...base.dependencies, ...Object.fromEntries(earlier) };
  return { ...base, parts: Object.fromEntries(parts), dependencies };
}

interface TreeOptions {
  readonly at: Date;
  /** A state whose index of sitemaps is known to be right. Default: the earlier one. */
  readonly known?: PublishedSite;
  /** Whether the tree has parts of several states, so that the files of no language have to be rendered. */
  readonly isMixed: boolean;
  /** Whether current pages are rendered again, because they may be older than the dated ones. Default: no. */
  readonly current?: boolean;
}

/**
 * The tree of an earlier state with the decisions that people have made since: texts that were withdrawn leave it, those whose
 * withdrawal was undone come back, and corrections apply. All else stays as the tree has it.
 */
export async function asDecidedSince(
  withheld: Withheld,
  earlier: PublishStep & { readonly manifest: Manifest },
  { at, known = earlier, isMixed, current = false }: TreeOptions,
): Promise<NextState> {
  const { configuration, now, manifest, reader } = earlier;
  const languages = await decidedLanguages(withheld);
  const before = languages.size === 0 ? new Map() : await publishedPages(earlier);
  const pages = currentPages(before, earlier);
  const rendered: RenderedLanguage[] = [];
  for (const language of languages) {
    const shown = (await publishedSummary(earlier, language))?.date;
    const date = shown ?? localDate(zoneOf(configuration, language), now());
    const job = { language, date, current, sets: [], withheld, keepsShown: true };
    const loaded = await loadLanguage(job, earlier);
    rendered.push(await renderAndPut(loaded, pages, earlier));
  }
  const pictures = await pictureFiles(rendered, earlier);
  const files = rendered.flatMap((one) => one.files);
  const leaves = rendered.flatMap((one) => one.leaves);
  const news = { files, leaves, summaries: summariesOf(rendered) };
  const together =
    isMixed || files.length > 0 ? await withSitemaps(earlier, news, at, known) : { files: [], leaves };
  const merged = await merge(manifest, [...files, ...together.files, ...pictures], together.leaves, reader);
  return { ...merged, dependencies: dependenciesAfter(manifest, rendered, merged.parts) };
}

/** Whether a failed rollback may have happened all the same; if in doubt yes, for a pin too many costs less than one too few. */
async function mayHaveHappened({ base }: RollbackProposal, context: Owned): Promise<boolean> {
  const { current, pending } = context.owner.record.value;
  if (pending === null) return current?.manifest !== base.hash;
  try {
    return (await lookAtSite(context)).pointer?.manifest === pending.manifest;
  } catch {
    return true;
  }
}

interface RollbackPins {
  readonly pins: readonly Pin[];
  /** The sets that the earlier state has and the abandoned one lacks, or has with other texts. */
  readonly back: ReadonlyMap<Language, ReadonlySet<string>>;
}

/** The state that a rollback abandons, and the tree that it goes to. */
interface RollbackStates {
  readonly left: PublishedSite;
  readonly earlier: PublishedSite;
  readonly to: NonNullable<Pin["to"]>;
}

/** Pins exactly the editions and sets that these changes take back. */
async function pinChanges(
  changes: readonly PathChange[],
  { left, earlier, to }: RollbackStates,
  at: string,
  publishing: Publishing,
): Promise<RollbackPins> {
  const languages = new Set(changes.flatMap(({ path }) => languageOf(path) ?? []));
  const taken = await setsIn(
    changes.filter(({ reason }) => reason !== "new"),
    left,
  );
  const back = await setsIn(
    changes.filter(({ reason }) => reason !== "gone"),
    earlier,
  );
  const today = await believedTime(publishing); // a pin until next year would freeze the language
  const pins = [...languages].map((language) => ({
    language,
    date: localDate(zoneOf(publishing.configuration, language), today),
    sets: [...(taken.get(language) ?? [])].sort(),
    at,
    to,
  }));
  return { pins, back };
}

/** Removes the pins of earlier rollbacks on sets that this one has brought back. */
function releasePins({ pins, back }: RollbackPins, at: string): NoteChange {
  return (note) => {
    const earlier = note.pins.filter((pin) => pin.at !== at);
    const left = earlier.map(({ language, date, sets, at: since, to }): Pin => {
      const others = sets.filter((set) => back.get(language)?.has(set) !== true);
      return { language, date, sets: others, at: since, to };
    });
    // A pin without sets is dropped, because the new pin has its date.
    const stay = left.filter(
      ({ language, sets }) => sets.length > 0 || !pins.some((one) => one.language === language),
    );
    return { ...note, pins: [...stay, ...note.pins.filter((pin) => pin.at === at)] };
  };
}

/** The sets whose data is on these paths, by language. */
async function setsIn(changes: readonly PathChange[], published: PublishedSite) {
  const sets = new Map<Language, Set<string>>();
  await inParallel(changes, async ({ path }) => {
    const at = parsePath(path);
    const shown = at !== undefined && tree[at.row].schemas !== undefined ? textAt(at) : undefined;
    if (shown === undefined || shown.isAll || shown.kind === "current") return;
    const request = await requestShownBy(shown, published);
    if (request === undefined) return;
    const names = sets.get(request.language) ?? new Set();
    sets.set(request.language, names.add(nameOfSet(request)));
  });
  return sets;
}
