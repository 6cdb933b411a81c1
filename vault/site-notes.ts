// Small facts about a site, in one file: whether an operator removed the schedules, the hosts of omitted pictures, the size of the
// quarantine at the last alert about it, and recent response times. Times of maintenance are in another file, because a backup
// changes them. A damaged file counts as absent.
import { z } from "zod";
import { paceBounds } from "../readings/plan-order.ts";
import {
  languageNames,
  isLanguage,
  endpointNames,
  type EndpointName,
  isOperation,
} from "../readings/tables.ts";
import { type Store, StoreFailure, inParallel } from "../store/store.ts";
import { siteLayout } from "./files.ts";
import { changeNote, type Note, readNote } from "./note.ts";
import { lineToList, listedPictureHosts, shownPicture } from "../readings/picture-hosts.ts";
import { selectEndpoint } from "../readings/request.ts";
import type { RunProgress } from "../readings/run-messages.ts";
import type { Vault } from "./vault.ts";

const longestMs = paceBounds.answerTimeoutSeconds.most * 1000;

const schema = z.object({
  /** Time at which an operator removed the schedules. If it is null, workers create missing schedules. */
  schedulesRemovedAt: z.iso.datetime().nullable(),
  leftOutPictures: z.partialRecord(z.enum(languageNames), z.array(z.string()).readonly()),
  quarantined: z.int().min(0),
  latencyMs: z.partialRecord(z.enum(endpointNames), z.int().min(0).max(longestMs)),
});
type SiteNotes = z.infer<typeof schema>;

export const siteNotes: Note<SiteNotes> = {
  key: siteLayout.notes,
  schema,
  empty: { schedulesRemovedAt: null, leftOutPictures: {}, quarantined: 0, latencyMs: {} },
};

/** Changes some of the facts. Returns false if `make` returns undefined, for no change. */
export function changeSiteNotes(
  own: Store,
  make: (before: SiteNotes) => Partial<SiteNotes> | undefined,
): Promise<boolean> {
  return changeNote(own, siteNotes, (before) => {
    const change = make(before);
    return change && { ...before, ...change };
  });
}

export async function areSchedulesRemoved(own: Store): Promise<boolean> {
  return (await readNote(own, siteNotes)).schedulesRemovedAt !== null;
}

export const upkeepTasks = ["gc", "verify", "backup"] as const;
export type UpkeepTask = (typeof upkeepTasks)[number];

const upkeepSchema = z.object({ succeeded: z.partialRecord(z.enum(upkeepTasks), z.iso.datetime()) });

export const upkeepNote: Note<z.infer<typeof upkeepSchema>> = {
  key: siteLayout.upkeep,
  schema: upkeepSchema,
  empty: { succeeded: {} },
};

/** When each upkeep command last succeeded. */
export async function lastUpkeep(own: Store) {
  return (await readNote(own, upkeepNote)).succeeded;
}

/** Returns false if the vault can't be written, as with read-only credentials. The command has succeeded all the same. */
export async function noteUpkeep(own: Store, task: UpkeepTask, at: Date): Promise<boolean> {
  try {
    return await changeNote(own, upkeepNote, ({ succeeded }) => ({
      succeeded: { ...succeeded, [task]: at.toISOString() },
    }));
  } catch (error) {
    if (error instanceof StoreFailure) return false;
    throw error;
  }
}

// From where pictures are left out of what is published, because their host is not listed: by language, as it was last rendered.
// `almanac status`, its page and `almanac check` show it, with the line of the configuration that would let them in.
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
  const remedy =
    "for the sandbox's pictures, set pictures.mirror to {}. Other URLs must have an https host name: check those of the service";
  return {
    seen: `pictures from ${origins.join(", ")} are not shown, because pictures.hosts does not contain ${origins.length === 1 ? "this host" : "these hosts"}`,
    remedy:
      line === undefined ? remedy : `if these hosts belong to the service, add to almanac.config.ts: ${line}`,
  };
}

// How long answers took of late on each endpoint: a run notes it, and the next plan takes it in place of the usual time.
type Latencies = SiteNotes["latencyMs"];

/** With fewer answers a single slow one would count for all. */
const fewestAnswers = 12;

export async function latencySeen({ own }: Vault): Promise<Latencies> {
  return (await readNote(own, siteNotes)).latencyMs;
}

/** Notes the run's answer times; an endpoint with too few calls keeps its earlier one. */
export async function keepLatency(
  { languages }: Pick<RunProgress, "languages">,
  vault: Vault,
): Promise<void> {
  const found = latenciesIn(languages);
  if (Object.keys(found).length === 0) return;
  await changeSiteNotes(vault.own, ({ latencyMs }) => ({
    latencyMs: { ...latencyMs, ...found },
  }));
}

function latenciesIn(languages: RunProgress["languages"]) {
  const sums: Partial<Record<EndpointName, { answers: number; answerMs: number }>> = {};
  for (const [language, tally] of Object.entries(languages)) {
    for (const [operation, { stored, answerMs }] of Object.entries(tally)) {
      if (!isLanguage(language) || !isOperation(operation)) continue;
      const sum = (sums[selectEndpoint({ language, operation })] ??= { answers: 0, answerMs: 0 });
      sum.answers += stored;
      sum.answerMs += answerMs;
    }
  }
  const found: Latencies = {};
  for (const endpoint of endpointNames) {
    const { answers, answerMs } = sums[endpoint] ?? { answers: 0, answerMs: 0 };
    if (answers >= fewestAnswers && answerMs > 0) found[endpoint] = Math.ceil(answerMs / answers);
  }
  return found;
}

// From when readers see each text: a file for each period of a language, so that a site that is built again from the vault dates
// its texts as the one before did. publish/render/shown-since.ts decides it, once for each text.
const shownText = z.object({ hash: z.string(), shownFrom: z.iso.datetime() });
const datedTextsSchema = z.object({ texts: z.record(z.string(), shownText) });

/** Texts by their requests' keys, with the hash of what each says: a corrected one has another. */
export type DatedTexts = ReadonlyMap<string, z.infer<typeof shownText>>;

/** The note of the texts whose keys begin so: `daily/2026-11-22/hi`. */
export function shownNote(period: string): Note<z.infer<typeof datedTextsSchema>> {
  return { key: siteLayout.shownTexts(period), schema: datedTextsSchema, empty: { texts: {} } };
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
  texts: readonly (readonly [key: string, text: z.infer<typeof shownText>])[],
): Promise<void> {
  await changeNote(store, shownNote(period), ({ texts: before }) => {
    const news = texts.filter(([key, { hash }]) => before[key]?.hash !== hash);
    return news.length === 0 ? undefined : { texts: { ...before, ...Object.fromEntries(news) } };
  });
}
