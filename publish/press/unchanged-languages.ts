// Languages that stand: pressed now, each would come out as it is published, so it need not be. The vault has a word for
// each language of all that its published state was made of and of that state itself; where any of it is another now, the
// language is pressed as ever. The note says nothing that could not be found out by pressing: without it all is pressed.
import { type PublishedSite, publishedBytes } from "../state/published-files.ts";
import { z } from "zod";
import { type Language, languageNames } from "../../readings/languages.ts";
import { groupNamed, parsePath, pathOf } from "../../site/paths.ts";
import { documents } from "../../site/data.schema.ts";
import { parseJson, unlessDamaged } from "../../vault/json.ts";
import { layout } from "../../vault/layout.ts";
import { changeNote, type Note, readNote } from "../../vault/note.ts";
import { sha256 } from "../../vault/sha256.ts";
import type { Manifest } from "../state/manifest.schema.ts";
import { languageGroup, type PartReader } from "../state/parts.ts";
import type { Publishing } from "../state/publishing-place.ts";
import type { PressJob } from "./press-jobs.ts";
import type { PressedLanguage } from "./printing.ts";
import { inParallel } from "../../store/parallel-calls.ts";

type Words = Partial<Record<Language, string>>;

export const standingNote: Note<{ readonly languages: Words }> = {
  key: layout.standing,
  schema: z.object({ languages: z.partialRecord(z.enum(languageNames), z.string()) }),
  empty: { languages: {} },
};

/**
 * The languages of these jobs that stand, pressed as what they are published as: each has its own summary alone for a file,
 * so that all that is made of several languages is made as after a press.
 */
export async function standing(
  jobs: readonly PressJob[],
  published: PublishedSite,
  publishing: Publishing,
): Promise<PressedLanguage[]> {
  if (publishing.workings === undefined) return [];
  const { languages: words } = await readNote(publishing.vault.store, standingNote);
  const found = await inParallel(jobs, async ({ language, inputs }) => {
    // One that was dropped and is published all the same has all its files taken away but those that are pressed.
    if (inputs === undefined || !publishing.configuration.languages.includes(language)) return undefined;
    const word = words[language] && (await wordOf(inputs, language, published, publishing));
    return word === undefined || word !== words[language]
      ? undefined
      : asPublished(language, inputs, published);
  });
  return found.filter((one) => one !== undefined);
}

/** For the next time, when these presses have become this state. */
export async function noteStanding(
  presses: readonly PressedLanguage[],
  state: State,
  publishing: Publishing,
): Promise<void> {
  if (publishing.workings === undefined) return;
  const words: Words = {};
  for (const { language, inputs } of presses) {
    if (inputs === undefined) words[language] = undefined;
    else words[language] = await wordOf(inputs, language, state, publishing);
  }
  await changeNote(publishing.vault.store, standingNote, ({ languages: before }) => {
    const languages = { ...before, ...words };
    return languageNames.every((language) => languages[language] === before[language])
      ? undefined
      : { languages };
  });
}

interface State {
  readonly manifest: Pick<Manifest, "parts"> | undefined;
  readonly reader: PartReader;
}

/** What it was pressed from, and what it then became: a state that was rolled back or mended is another one. */
async function wordOf(
  inputs: string,
  language: Language,
  { manifest, reader }: State,
  { pictures }: Publishing,
): Promise<string> {
  const all = Object.entries(manifest?.parts ?? {}).map(([part, hash]) => `${part} ${hash}`);
  const own = all.filter((part) => languageGroup(part)?.language === language).sort();
  // Copies of pictures belong to no language, and one that went away is put again by who names it.
  const shared = pictures === undefined ? [] : Object.keys(await reader.files(manifest, "shared"));
  const copies = shared.filter((path) => parsePath(path)?.row === "cardPicture").sort();
  return sha256([inputs, ...own, ...copies].join("\n"));
}

/** Undefined where its summary is lost or damaged. */
async function asPublished(
  language: Language,
  inputs: string,
  published: PublishedSite,
): Promise<PressedLanguage | undefined> {
  const at = { row: "languageIndex", language } as const;
  const path = pathOf(at);
  const bytes = await unlessDamaged(() => publishedBytes(published, path));
  const entry = (await published.reader.files(published.manifest, groupNamed(language)))[path];
  if (bytes === undefined || sha256(bytes) !== entry?.object) return undefined;
  const summary = parseJson(path, bytes, documents.language);
  const { alternates } = summary;
  const nothing = { leaves: [], passedOver: [], pictures: [], objects: [] };
  return { ...nothing, language, inputs, alternates, files: [{ path, at, entry }], summary };
}
