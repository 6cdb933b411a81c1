// Unchanged languages: rendered now, each would have the same files as published, so it need not be rendered. A note in the vault
// has, for each language, a hash of all that its published state was made from and of that state; where it differs now, the
// language is rendered. Without the note all languages are rendered, with the same result.
//
// If all languages are unchanged, so is the whole site, if its shared files have come out the same once before. The note has a
// hash of the state of which that is known, so that the next night with nothing new makes none of them.
import { z } from "zod";
import { type PublishingOn, type PublishedSite, publishedBytes } from "../state/published-files.ts";
import { type Language, languageNames } from "../../readings/tables.ts";
import { groupNamed, parsePath, pathOf } from "../../site/paths.ts";
import { documents } from "../../site/data.schema.ts";
import { parseJson, unlessDamaged, sha256, canonical, siteLayout } from "../../vault/files.ts";
import { changeNote, type Note } from "../../vault/note.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import { type PartReader, partsOfLanguage } from "../state/parts.ts";
import type { Publishing, RenderSettings } from "../state/publish-context.ts";
import type { RenderJob } from "./render-jobs.ts";
import { partsOfLanguages, type MergedLanguage } from "./rendered-languages.ts";
import { inParallel } from "../../store/store.ts";
import type { NextState } from "./merged-state.ts";

type Words = Partial<Record<Language, string>>;

interface Standing {
  readonly languages: Words;
  /** The mark of the decisions that each language was last published with. */
  readonly decided: Words;
  /** The whole site's word. */
  readonly whole?: string | undefined;
}

export const standingNote: Note<Standing> = {
  key: siteLayout.standing,
  schema: z.object({
    languages: z.partialRecord(z.enum(languageNames), z.string()),
    decided: z.partialRecord(z.enum(languageNames), z.string()),
    whole: z.string().optional(),
  }),
  empty: { languages: {}, decided: {} },
};

/**
 * The unchanged languages of these jobs as if they had been rendered: each has its own summary as its only file, so that files
 * made from several languages come out as after a render.
 */
export async function standing(
  jobs: readonly RenderJob[],
  { languages: words }: Standing,
  publishing: PublishingOn,
): Promise<MergedLanguage[]> {
  if (publishing.workings === undefined) return [];
  const found = await inParallel(jobs, async ({ language, inputs }) => {
    // A dropped language is never unchanged: all its files leave but those that are rendered.
    if (inputs === undefined || !publishing.configuration.languages.includes(language)) return undefined;
    const word = words[language] && (await wordOf(inputs, language, publishing, publishing));
    return word === undefined || word !== words[language]
      ? undefined
      : asPublished(language, inputs, publishing);
  });
  return found.filter((one) => one !== undefined);
}

/** Notes, after a publish, what these languages were rendered from and the state that they have become. */
export async function noteStanding(
  rendered: readonly MergedLanguage[],
  state: State,
  whole: string | undefined,
  publishing: Publishing,
): Promise<void> {
  if (publishing.workings === undefined) return;
  const words: Words = {};
  for (const { language, inputs } of rendered) {
    if (inputs === undefined) words[language] = undefined;
    else words[language] = await wordOf(inputs, language, state, publishing);
  }
  await changeNote(publishing.vault.own, standingNote, (before) => {
    const languages = { ...before.languages, ...words };
    const isKnown = languageNames.every((language) => languages[language] === before.languages[language]);
    if (isKnown && (whole === undefined || whole === before.whole)) return undefined;
    return { ...before, languages, whole };
  });
}

/** Notes the decisions that these jobs were published with. Until then, their languages are due. */
export async function noteDecided(jobs: readonly RenderJob[], { vault }: Publishing): Promise<void> {
  const marks: Words = {};
  for (const { language, decided } of jobs) if (decided !== undefined) marks[language] = decided;
  await changeNote(vault.own, standingNote, (before) => {
    const decided = { ...before.decided, ...marks };
    const isKnown = languageNames.every((language) => decided[language] === before.decided[language]);
    return isKnown ? undefined : { ...before, decided };
  });
}

interface State {
  readonly manifest: Pick<Manifest, "parts"> | undefined;
  readonly reader: PartReader;
}

/** A hash of what a language was rendered from and of its published files, which differ after a rollback or a repair. */
async function wordOf(
  inputs: string,
  language: Language,
  { manifest, reader }: State,
  { pictures }: Publishing,
): Promise<string> {
  const own = partsOfLanguage(manifest, language);
  // Copies of pictures belong to no language, and one that is gone is put again by the languages that name it.
  const shared = pictures === undefined ? [] : Object.keys(await reader.files(manifest, "shared"));
  const copies = shared.filter((path) => parsePath(path)?.row === "cardPicture").sort();
  return sha256([inputs, ...own, ...copies].join("\n"));
}

/** An unchanged language as if rendered; undefined where its summary is lost or damaged. */
async function asPublished(
  language: Language,
  inputs: string,
  published: PublishedSite,
): Promise<MergedLanguage | undefined> {
  const path = pathOf({ row: "languageIndex", language });
  const bytes = await unlessDamaged(() => publishedBytes(published, path));
  const entry = (await published.reader.files(published.manifest, groupNamed(language)))[path];
  if (bytes === undefined || sha256(bytes) !== entry?.object) return undefined;
  const summary = parseJson(path, bytes, documents.language);
  const alternates = published.manifest?.dependencies?.[language];
  const nothing = { leaves: [], expiredLeft: 0, passedOver: [], damaged: [], rejected: [], pictures: [] };
  const facts = { ...nothing, datedTexts: new Map(), decisions: new Map() };
  const change = { changed: 0, pages: new Map(), sitemaps: new Map() };
  const parts = partsOfLanguages(published.manifest, (one) => one === language);
  const groups = new Set([groupNamed(language)]);
  return { ...facts, ...change, language, inputs, alternates, summary, parts, groups, fileCount: 1 };
}

type WholeState = Pick<Manifest, "parts" | "dependencies"> & { readonly fingerprint?: string };

/** A hash of a state and of all that its languages were rendered from; undefined where one of them does not stand. */
export function wholeWord(
  stand: readonly MergedLanguage[],
  { languages: words }: Standing,
  { configuration }: Pick<RenderSettings, "configuration">,
  state: WholeState | undefined,
): string | undefined {
  const unchanged = new Set(stand.map(({ language }) => language));
  if (state === undefined || !configuration.languages.every((one) => unchanged.has(one))) return undefined;
  const { parts, dependencies, fingerprint } = state;
  const known = configuration.languages.map((language) => words[language]);
  return sha256(canonical({ known, parts, dependencies, fingerprint }));
}

/** The state as it is, as if it had been proposed. */
export function asItIs({ parts, dependencies, fingerprint }: Manifest): NextState {
  return { parts, dependencies, fingerprint, newParts: [], newObjects: [], changed: 0 };
}
