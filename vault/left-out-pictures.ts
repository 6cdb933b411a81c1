// From where pictures are left out of what is published, because their host is not listed: by language, as it was last rendered.
// `almanac status`, its page and `almanac check` show it, with the line of the configuration that would let them in.
import { languageNames } from "../readings/languages.ts";
import { lineToList, listedPictureHosts, shownPicture } from "../readings/picture-hosts.ts";
import type { Store } from "../store/store.ts";
import { readNote } from "./note.ts";
import { changeSiteNotes, type SiteNotes, siteNotes } from "./site-notes.ts";

/** An answer can name as many hosts as it likes: so many of a language are reported. */
const mostOrigins = 20;

export function originsOf(addresses: Iterable<string>): string[] {
  const origins = [...addresses].map((address) => URL.parse(address)?.origin ?? "no URL");
  return [...new Set(origins)].sort().slice(0, mostOrigins);
}

/** True where that changes what is known of a language; one that is not named stays as it is. */
export async function keepLeftOut(own: Store, origins: SiteNotes["leftOutPictures"]): Promise<boolean> {
  return changeSiteNotes(own, ({ leftOutPictures: before }) => {
    const languages = { ...before };
    for (const language of languageNames) {
      const now = origins[language];
      if (now === undefined || now.join() === (before[language] ?? []).join()) continue;
      languages[language] = now.length === 0 ? undefined : now;
    }
    return JSON.stringify(languages) === JSON.stringify(before) ? undefined : { leftOutPictures: languages };
  });
}

export interface LeftOutPictures {
  readonly origins: readonly string[];
  readonly seen: string;
  readonly remedy: string;
}

/** Origins that are left out and that today's configuration still leaves out; undefined if there are none. */
export async function leftOutPictures(
  own: Store,
  pictures: Parameters<typeof listedPictureHosts>[0],
): Promise<LeftOutPictures | undefined> {
  const { leftOutPictures: languages } = await readNote(own, siteNotes);
  const listed = listedPictureHosts(pictures);
  const isLeftOut = (origin: string) => shownPicture(origin, listed) === undefined;
  const origins = [...new Set(Object.values(languages).flat())].filter(isLeftOut).sort();
  return origins.length === 0 ? undefined : { origins, ...leftOutWords(origins, pictures) };
}

function leftOutWords(origins: readonly string[], pictures: Parameters<typeof lineToList>[1]) {
  const line = lineToList(origins, pictures);
  const remedy = "only https host names can be listed, so check the picture URLs of the service";
  return {
    seen: `pictures from ${origins.join(", ")} are not shown: ${origins.length === 1 ? "it is" : "they are"} not in pictures.hosts`,
    remedy:
      line === undefined ? remedy : `if these hosts belong to the service, add to almanac.config.ts: ${line}`,
  };
}
