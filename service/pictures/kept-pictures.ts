// The pictures that were mirrored, as the vault has them: under the hash of its address what a picture is, and the bytes under
// their own. Neither changes, so that a picture stays whatever becomes of the one at the service.
import { z } from "zod";
import { typeOf } from "../../site/draft.ts";
import type { PressedFile } from "../../site/press.ts";
import { pictureEndings, cardPicturePath } from "../../site/paths.ts";
import { absent, always, type Store } from "../../store/store.ts";
import { layout } from "../../vault/layout.ts";
import type { Log } from "../../vault/log.ts";
import { readJson, UnreadableFile, writeJson } from "../../vault/json.ts";
import { sha256 } from "../../vault/sha256.ts";
import type { Picture } from "./download.ts";

/** What pressing asks of them. */
export interface Pictures {
  /** By a picture's address its path on the site, of those that it has or could get. */
  pathsOf(addresses: Iterable<string>): Promise<Map<string, string>>;
  /** Undefined where the vault no longer has it whole. */
  file(path: string): Promise<PressedFile | undefined>;
  /** The same, with as much time to fetch as one publish may take. */
  forOnePublish(): Pictures;
}

export interface KeptPictures extends Pictures {
  /** The path on the site: of the one that is kept already, where there is one. */
  keep(address: string, picture: Picture, at: Date): Promise<string>;
}

const note = z.object({
  format: z.literal(1),
  address: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  ending: z.enum(pictureEndings),
  sizeBytes: z.int(),
  keptAt: z.iso.datetime(),
});

function noteKey(address: string): string {
  return layout.pictureNote(sha256(address));
}

/** Nothing is fetched here: for the commands, which make no call. */
export function keptPictures(store: Store, log: Log): KeptPictures {
  const known = new Map<string, string>();
  const pathOf = async (address: string): Promise<string | undefined> => {
    const found = known.get(address) ?? (await readNote(store, address, log));
    if (found !== undefined) known.set(address, found);
    return found;
  };
  const pictures: KeptPictures = {
    async pathsOf(addresses) {
      const all = [...addresses];
      const paths = await Promise.all(all.map(pathOf));
      return new Map(all.flatMap((address, index) => pairOf(address, paths[index])));
    },
    async file(path) {
      const [hash = "", ending = ""] = path.slice(path.lastIndexOf("/") + 1).split(".");
      const bytes = (await store.read(layout.picture(hash, ending)))?.body;
      return bytes === undefined || sha256(bytes) !== hash ? undefined : { path, bytes, type: typeOf(path) };
    },
    async keep(address, { bytes, ending }, at) {
      const hash = sha256(bytes);
      const path = cardPicturePath(hash, ending);
      // The bytes first: a note leads to what is there.
      await store.write(layout.picture(hash, ending), bytes, { type: typeOf(path) }, always);
      const entry = { format: 1, address, hash, ending, sizeBytes: bytes.length, keptAt: at.toISOString() };
      const isFirst = await writeJson(store, noteKey(address), entry, absent);
      const kept = isFirst ? path : await pathOf(address);
      if (kept !== undefined) return kept;
      await writeJson(store, noteKey(address), entry, always); // in place of a damaged one
      return path;
    },
    forOnePublish: () => pictures,
  };
  return pictures;
}

function pairOf(address: string, path: string | undefined): [string, string][] {
  return path === undefined ? [] : [[address, path]];
}

/** A damaged note costs the copy, and no publish. */
async function readNote(store: Store, address: string, log: Log): Promise<string | undefined> {
  try {
    const found = await readJson(store, noteKey(address), note);
    return found === undefined ? undefined : cardPicturePath(found.hash, found.ending);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    log.warn({ address, error: error.message }, "a picture's note can't be read: it stays linked as it is");
    return undefined;
  }
}
