// What one language brings to the next state: its current pages, sheets of its past where they are asked for, and what has
// to go because a text of it was withdrawn. publish.ts, archive.ts, withdraw.ts and rollback.ts press through this.
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { requestsOf } from "../../readings/sheet-requests.ts";
import { localDate } from "../../readings/zones.ts";
import { stageOf } from "../../site/paths.ts";
import { type LanguageEdition, languagePrinting, type Sheet, sheetsPrinting } from "../../site/press.ts";
import { ownPaths } from "../../site/showing.ts";
import { loadEdition, loadSheets, type PassedOver } from "../../vault/editions.ts";
import { unlessDamaged } from "../../vault/json.ts";
import type { Source } from "../../vault/whole-sheet.ts";
import { alternatesOf, currentPages, type Pages } from "./alternates.ts";
import { archiveMonths } from "./archive-months.ts";
import { basePaths } from "../state/base-paths.ts";
import { decksWith } from "./decks.ts";
import { endedIn, lastOf, withArchive } from "./ended.ts";
import { isWanted, leaving } from "./leaving.ts";
import { merge, type Next } from "./merge.ts";
import { type DatedSheet, neighboursOf, overtaken, staying } from "./neighbours.ts";
import { ownPictures, pictureFiles } from "./own-pictures.ts";
import type { Publishing } from "../state/publishing-place.ts";
import type { PrintableFile } from "./printing.ts";
import { type Published, publishedReading, publishedSummary } from "./shared.ts";
import { withSitemaps } from "./sitemaps.ts";
import { unreadableIn } from "./unreadable.ts";
import { leavesOf, visible } from "./withdrawn.ts";
import type { Withheld } from "../../vault/withheld.ts";

export { type DatedSheet } from "./neighbours.ts";

export interface Wish {
  readonly language: Language;
  /** The local date that is today. */
  readonly date: string;
  /** Its current pages, as every publish presses them. */
  readonly current: boolean;
  readonly sheets: readonly DatedSheet[];
}

/** Nothing is printed yet where printing.ts has not been at it. */
export interface Pressed {
  readonly language: Language;
  /** Which translations its pages name. */
  readonly alternates: string | undefined;
  readonly files: readonly PrintableFile[];
  readonly leaves: readonly string[];
  readonly passedOver: readonly PassedOver[];
  /** Paths of pictures that its files name. */
  readonly pictures: readonly string[];
  /** Of a picture that its files name no copy could be had yet. */
  readonly lacksPictures: boolean;
  /** All that they were pressed from, as one word; undefined where some of it is not known (inputs.ts). */
  readonly inputs?: string | undefined;
  /** The same, whose pages name these translations. */
  readonly relinked?: ((pages: Pages) => Pressed) | undefined;
}

/** The local date, or the one that is published where a clock is behind it. */
export async function dateIn(
  language: Language,
  published: Published,
  { configuration, now }: Publishing,
): Promise<string> {
  const date = localDate(zoneOf(configuration, language), now());
  const shown = (await publishedSummary(published, language))?.date;
  return shown !== undefined && shown > date ? shown : date;
}

/**
 * Read from the vault after the base was: so what is published never holds less than what it replaces was made of. `pages`
 * are those of all languages; as they are published unless said.
 */
export async function pressFor(
  wish: Wish,
  published: Published,
  publishing: Publishing,
  withheld: Withheld,
  pages?: Pages,
): Promise<Pressed> {
  const { language, date } = wish;
  const { configuration, vault, log } = publishing;
  const asPublished = pages ?? (await currentPages(published, configuration));
  const base = basePaths(published);
  const withdrawn = await visible(language, published, base, withheld);
  const current = wish.current || withdrawn.length > 0;
  const unreadable = unreadableIn(log);
  const shown = (request: ReadingRequest) => publishedReading(published, request);
  const source: Source = { configuration, vault, log: unreadable.log, withheld, shown };
  const edition = current
    ? await loadEdition(language, date, source)
    : { language, zone: zoneOf(configuration, language), date, sheets: [] };

  const { sheets, passedOver, add } = collected(edition, source);
  await add(wish.sheets, false);
  await add(
    withdrawn.filter((request) => "sign" in request),
    true,
  );
  await add(await neighboursOf(language, sheets, withdrawn, base), true);
  const summary = await unlessDamaged(() => publishedSummary(published, language));
  await add(overtaken(sheets, summary), true);
  const endedKinds = current ? await endedIn(language, base, configuration) : [];
  await add(lastOf(endedKinds, summary), true);

  const gone = new Set(withdrawn.flatMap(ownPaths));
  const months = await archiveMonths(language, sheets, withdrawn, published, base);
  const { ended, archive } = await withArchive(language, endedKinds, months, published, base);
  // What is dated stays, whatever the configuration has dropped.
  const others = [...archive, ...(await staying(language, sheets, months, current, base))].filter(
    (path) => !gone.has(path) && (stageOf(path) === "dated" || isWanted(path, configuration)),
  );
  const decksOf = (own: readonly Sheet[]) => decksWith(language, own, withdrawn, published, base);
  const { pictures, lacksPictures, ...named } = await ownPictures(sheets, decksOf, base, publishing);
  const printingOf = current ? languagePrinting : sheetsPrinting;
  const isAny = sheets.length + withdrawn.length > 0;
  const print = isAny
    ? printingOf({ ...edition, ...named, months, ended }, configuration.site, others)
    : () => [];
  const leaves = await leavesOf(withdrawn, print(undefined), published, base);
  const facts = { language, leaves, passedOver: unreadable.named(passedOver, withheld), pictures };
  const linkedTo = (all: Pages): Pressed => {
    const alternates = alternatesOf(language, all);
    const files = print(alternates);
    return { ...facts, lacksPictures, alternates: alternates?.hash, files, relinked: linkedTo };
  };
  return linkedTo(asPublished);
}

/** The sheets of an edition, to which others are added, each once. */
function collected({ language, sheets: first }: LanguageEdition, source: Source) {
  const sheets = [...first];
  const passedOver: PassedOver[] = [];
  const add = async (wanted: readonly DatedSheet[], evenAsShown: boolean): Promise<void> => {
    const names = new Map(wanted.map((one) => [nameOf(one), one]));
    for (const sheet of sheets) names.delete(nameOf(sheet));
    const requests = [...names.values()].map(({ operation, period }) =>
      requestsOf(operation, language, period),
    );
    if (requests.length === 0) return;
    const found = await loadSheets(requests, source, evenAsShown);
    sheets.push(...found.sheets);
    passedOver.push(...found.passedOver);
  };
  return { sheets, passedOver, add };
}

/** The next state with these languages as they were pressed. Where none was, all stays, what is shared too. */
export async function nextState(
  presses: readonly Pressed[],
  published: Published,
  publishing: Publishing,
  evenMany = false,
): Promise<Next & { readonly left: number }> {
  const { manifest, reader } = published;
  const files = presses.flatMap((one) => one.files);
  const dropped = await leaving(published, files, publishing, evenMany);
  const leaves = [...dropped.paths, ...presses.flatMap((one) => one.leaves)];
  if (files.length + leaves.length === 0 && manifest !== undefined) {
    return { parts: manifest.parts, newParts: [], newObjects: [], changes: [], left: dropped.left };
  }
  const { configuration, now } = publishing;
  const together = await withSitemaps(published, published, files, leaves, configuration, now());
  const all = [...together.files, ...(await pictureFiles(presses, published, publishing))];
  return { ...(await merge(manifest, all, together.leaves, reader)), left: dropped.left };
}

function nameOf({ operation, period }: DatedSheet): string {
  return `${operation} ${period}`;
}
