// The mirrored pictures in the vault: a note under the hash of a picture's address, and the bytes under their own hash. Neither
// changes, so that a copy stays whatever becomes of the picture at the service.
import { z } from "zod";
import { type Store, always } from "../../store/store.ts";
import { setBounded } from "../../readings/bounded-map.ts";
import { typeOf, type RenderedFile } from "../../site/edition.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import { slots } from "../../site/tree.ts";
import { layout, sha256 } from "../../vault/files.ts";
import type { Log } from "../../vault/vault.ts";
import { changeNote, lookAt } from "../../vault/note.ts";
import type { Picture } from "./download.ts";

/** The pictures as rendering needs them. */
export interface Pictures {
  /** For each address the path of its copy on the site; addresses of which there is no copy are left out. */
  pathsOf(addresses: Iterable<string>): Promise<Map<string, string>>;
  /** The file of a copy; undefined where the vault no longer has it whole. */
  file(path: string): Promise<RenderedFile | undefined>;
  /** The same, with as much time to fetch as one publish may take. */
  forOnePublish(): Pictures;
}

export interface KeptPictures extends Pictures {
  /** Keeps a picture and returns the path of its copy; a copy that is there already stays. */
  keep(address: string, picture: Picture, at: Date): Promise<string>;
}

const schema = z.object({
  address: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  ending: z.enum(slots.picture),
  sizeBytes: z.int(),
  keptAt: z.iso.datetime(),
});

export function pictureNote(address: string) {
  return { key: layout.pictureNote(sha256(address)), schema, empty: undefined };
}

/** The copies whose paths are held in memory, some 200 bytes each; the note of any other is read again. */
const mostKnown = 10_000;

/** The pictures for commands, which make no call and so fetch nothing. */
export function keptPictures(store: Store, log: Log): KeptPictures {
  const known = new Map<string, string>();
  const pathFor = async (address: string) => {
    const found = known.get(address) ?? (await readNote(store, address, log));
    if (found !== undefined) setBounded(known, address, found, mostKnown);
    return found;
  };
  const pictures: KeptPictures = {
    async pathsOf(addresses) {
      const all = [...addresses];
      const paths = await Promise.all(all.map(pathFor));
      const pairs = all.map((address, index): [string, string] => [address, paths[index] ?? ""]);
      return new Map(pairs.filter(([, path]) => path !== ""));
    },
    async file(path) {
      const at = parsePath(path);
      if (at?.row !== "cardPicture") return undefined;
      const bytes = (await store.read(layout.picture(at.hash, at.picture)))?.body;
      if (bytes === undefined || sha256(bytes) !== at.hash) return undefined;
      return { path, at, bytes, type: typeOf(path, at) };
    },
    async keep(address, { bytes, ending }, at) {
      const hash = sha256(bytes);
      const path = pathOf({ row: "cardPicture", hash, picture: ending });
      // The bytes are written first, so that a note never names bytes that are not there.
      await store.write(layout.picture(hash, ending), bytes, { type: typeOf(path) }, always);
      let kept = path;
      await changeNote(store, pictureNote(address), (before) => {
        if (before === undefined)
          return { address, hash, ending, sizeBytes: bytes.length, keptAt: at.toISOString() };
        kept = pathOf({ row: "cardPicture", hash: before.hash, picture: before.ending });
        return undefined;
      });
      return kept;
    },
    forOnePublish: () => pictures,
  };
  return pictures;
}

/** Undefined for a damaged note: it costs the copy and not the publish. */
async function readNote(store: Store, address: string, log: Log) {
  const { value, damage } = await lookAt(store, pictureNote(address));
  if (damage === undefined)
    return value && pathOf({ row: "cardPicture", hash: value.hash, picture: value.ending });
  log.warn(
    { address, error: damage.message },
    "unreadable note of a picture; it is not shown until it is downloaded again",
  );
  return undefined;
}
