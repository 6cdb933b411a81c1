// The pictures that were mirrored, as the vault has them: under the hash of its address what a picture is, and the bytes under
// their own. Neither changes, so that a picture stays whatever becomes of the one at the service.
import { z } from "zod";
import { typeOf } from "../../site/draft.ts";
import type { PressedFile } from "../../site/press.ts";
import { pictureEndings, cardPicturePath } from "../../site/paths.ts";
import { always, type Store } from "../../store/store.ts";
import { layout } from "../../vault/layout.ts";
import type { Log } from "../../vault/log.ts";
import { changeNote, lookAt, type Note } from "../../vault/note.ts";
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

const schema = z.object({
  address: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  ending: z.enum(pictureEndings),
  sizeBytes: z.int(),
  keptAt: z.iso.datetime(),
});

function noteOf(address: string): Note<z.infer<typeof schema>, undefined> {
  return { key: layout.pictureNote(sha256(address)), schema, empty: undefined, mayBeLost: true };
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
      let kept = path;
      await changeNote(store, noteOf(address), (before) => {
        if (before === undefined)
          return { address, hash, ending, sizeBytes: bytes.length, keptAt: at.toISOString() };
        kept = cardPicturePath(before.hash, before.ending);
        return undefined;
      });
      return kept;
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
  const { value, damage } = await lookAt(store, noteOf(address));
  if (damage === undefined) return value && cardPicturePath(value.hash, value.ending);
  log.warn({ address, error: damage.message }, "a picture's note can't be read: it stays linked as it is");
  return undefined;
}
