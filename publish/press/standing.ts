// Languages that stand: pressed now, each would come out as it is published, so it need not be. The vault has a word for
// each language of all that its published state was made of and of that state itself; where any of it is another now, the
// language is pressed as ever. The note says nothing that could not be found out by pressing: without it all is pressed.
import { z } from "zod";
import { type Language, languageNames } from "../../readings/languages.ts";
import { typeOf } from "../../site/draft.ts";
import { groupNamed, parsePath, pathOf } from "../../site/paths.ts";
import { documents } from "../../site/data.schema.ts";
import { parseJson, unlessDamaged } from "../../vault/json.ts";
import { layout } from "../../vault/layout.ts";
import { changeNote, type Note, readNote } from "../../vault/note.ts";
import { sha256 } from "../../vault/sha256.ts";
import { inputsOf } from "./inputs.ts";
import type { Manifest } from "../state/manifest.schema.ts";
import { languageGroup, type PartReader } from "../state/parts.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { wishFor } from "./press-all.ts";
import type { Pressed } from "./pressing.ts";
import { type Published, publishedBytes } from "./shared.ts";
import { inParallel } from "../../store/parallel-calls.ts";

type Words = Partial<Record<Language, string>>;

export const standingNote: Note<{ readonly languages: Words }> = {
  key: layout.standing,
  schema: z.object({ languages: z.partialRecord(z.enum(languageNames), z.string()) }),
  empty: { languages: {} },
};

const languagesAtOnce = 4;

/**
 * Those of these languages, pressed as what they are published as: each has its own summary alone for a file, so that all
 * that is made of several languages is made as after a press.
 */
export async function standing(
  languages: readonly Language[],
  published: Published,
  publishing: Publishing,
): Promise<Map<Language, Pressed>> {
  const found = new Map<Language, Pressed>();
  const { languages: words } =
    publishing.workings === undefined
      ? standingNote.empty
      : await readNote(publishing.vault.store, standingNote);
  // One that was dropped and is published all the same has all its files taken away but those that are pressed.
  const wanted = languages.filter((language) => publishing.configuration.languages.includes(language));
  const noted = wanted.filter((language) => words[language] !== undefined);
  await inParallel(
    noted,
    async (language) => {
      const { wish, withheld } = await wishFor(language, published, publishing);
      const inputs = await inputsOf(wish, withheld, publishing);
      if (inputs === undefined) return;
      if ((await wordOf(inputs, language, published, publishing)) !== words[language]) return;
      const pressed = await asPublished(language, published);
      if (pressed !== undefined) found.set(language, { ...pressed, inputs });
    },
    languagesAtOnce,
  );
  return found;
}

/** For the next time, when these presses have become this state. */
export async function noteStanding(
  presses: readonly Pressed[],
  state: Pick<Manifest, "parts">,
  reader: PartReader,
  publishing: Publishing,
): Promise<void> {
  if (publishing.workings === undefined) return;
  const words: Words = {};
  for (const { language, inputs } of presses) {
    if (inputs === undefined) words[language] = undefined;
    else words[language] = await wordOf(inputs, language, { manifest: state, reader }, publishing);
  }
  await changeNote(publishing.vault.store, standingNote, ({ languages: before }) => {
    const languages = { ...before, ...words };
    return languageNames.every((language) => languages[language] === before[language])
      ? undefined
      : { languages };
  });
}

/** What it was pressed from, and what it then became: a state that was rolled back or mended is another one. */
async function wordOf(
  inputs: string,
  language: Language,
  {
    manifest,
    reader,
  }: { readonly manifest: Pick<Manifest, "parts"> | undefined; readonly reader: PartReader },
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
async function asPublished(language: Language, published: Published): Promise<Pressed | undefined> {
  const at = { row: "languageIndex", language } as const;
  const path = pathOf(at);
  const bytes = await unlessDamaged(() => publishedBytes(published, path));
  const entry = (await published.reader.files(published.manifest, groupNamed(language)))[path];
  if (bytes === undefined || sha256(bytes) !== entry?.object) return undefined;
  const { alternates } = parseJson(path, bytes, documents.language);
  const files = [{ path, at, bytes, type: typeOf(path, at) }];
  return { language, alternates, files, leaves: [], passedOver: [], pictures: [], isProvisional: false };
}
