// From when readers see each text: a file for each period of a language, so that a site that is built again from the vault dates
// its texts as the one before did. publish/render/shown-since.ts decides it, once for each text.
import { z } from "zod";
import { inParallel, type Store } from "../store/store.ts";
import { siteLayout } from "./files.ts";
import { changeNote, type Note } from "./note.ts";

const shown = z.object({ hash: z.string(), shownFrom: z.iso.datetime() });
const schema = z.object({ texts: z.record(z.string(), shown) });

/** Texts by their requests' keys, with the hash of what each says: a corrected one has another. */
export type DatedTexts = ReadonlyMap<string, z.infer<typeof shown>>;

/** The note of the texts whose keys begin so: `daily/2026-11-22/hi`. */
export function shownNote(period: string): Note<z.infer<typeof schema>> {
  return { key: siteLayout.shownTexts(period), schema, empty: { texts: {} } };
}

/** `daily/2026-11-22/hi` of `daily/2026-11-22/hi/daily-horoscope/aries`. */
export function periodOfKey(key: string): string {
  return key.split("/").slice(0, 3).join("/");
}

/** Notes the texts of what was published. What is known of a text stays, because whoever published it first is right. */
export async function noteShown(
  store: Store,
  rendered: readonly { readonly datedTexts: DatedTexts }[],
): Promise<void> {
  // One language after the other: of thousands of people a note is half a megabyte.
  for (const { datedTexts } of rendered) {
    const periods = Map.groupBy(datedTexts, ([key]) => periodOfKey(key));
    await inParallel(periods, ([period, texts]) => noteTexts(store, period, texts));
  }
}

async function noteTexts(
  store: Store,
  period: string,
  texts: readonly (readonly [key: string, text: z.infer<typeof shown>])[],
): Promise<void> {
  await changeNote(store, shownNote(period), ({ texts: before }) => {
    const news = texts.filter(([key, { hash }]) => before[key]?.hash !== hash);
    return news.length === 0 ? undefined : { texts: { ...before, ...Object.fromEntries(news) } };
  });
}
