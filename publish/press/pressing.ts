// What one language brings to the next state: its current pages, sheets of its past where they are asked for, and what has
// to go because a text of it was withdrawn. publish.ts, archive.ts, withdraw.ts and rollback.ts press through this.
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { type ReadingRequest, requestOf, sheetKey } from "../../readings/request.ts";
import { requestsOf } from "../../readings/sheet-requests.ts";
import { localDate } from "../../readings/zones.ts";
import { parsePath } from "../../site/paths.ts";
import { languagePrinting, type Sheet, sheetsPrinting } from "../../site/press.ts";
import { ownPaths } from "../../site/showing.ts";
import { type Loaded, loadEdition, loadSheets, type PassedOver } from "../../vault/editions.ts";
import type { DamagedCapture } from "../../vault/kept.ts";
import { unlessDamaged } from "../../vault/json.ts";
import type { SheetSource } from "../../vault/whole-sheet.ts";
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
  /**
   * Whether another press of the same inputs may come out otherwise, or has something to tell again: a picture is lacking, a
   * capture is damaged, or sheets were read that are not of its edition.
   */
  readonly isProvisional: boolean;
  /** All that they were pressed from, as one word; undefined where it is not to be noted (inputs.ts). */
  readonly inputs?: string;
  /** The same, whose pages name these translations. */
  readonly relinked?: (pages: Pages) => Pressed;
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
  const home = { language, zone: zoneOf(configuration, language), date };
  const asPublished = pages ?? (await currentPages(published, configuration));
  const base = basePaths(published);
  const withdrawn = await visible(language, published, base, withheld);
  const current = wish.current || withdrawn.length > 0;
  const shown = (request: ReadingRequest) => publishedReading(published, request);
  const source: SheetSource = { configuration, vault, withheld, shown };
  const edition = current ? await loadEdition(language, date, source) : nothing;
  const more = (found: Loaded, wanted: readonly DatedSheet[], evenAsShown = true) =>
    withSheets(found, language, wanted, source, evenAsShown);
  let found = await more(edition, wish.sheets, false);
  found = await more(
    found,
    withdrawn.filter((request) => "sign" in request),
  );
  found = await more(found, await neighboursOf(language, found.sheets, withdrawn, base));
  const summary = await unlessDamaged(() => publishedSummary(published, language));
  found = await more(found, overtaken(found.sheets, summary));
  const endedKinds = current ? await endedIn(language, base, configuration) : [];
  found = await more(found, lastOf(endedKinds, summary));
  const { sheets } = found;
  const damaged = new Map(found.damaged.map((one) => [one.key, one]));
  for (const { key, reason } of damaged.values()) log.error({ key }, reason);

  const gone = new Set(withdrawn.flatMap(ownPaths));
  const months = await archiveMonths(language, sheets, withdrawn, published, base);
  const { ended, archive } = await withArchive(language, endedKinds, months, published, base);
  const others = [...archive, ...(await staying(language, sheets, months, current, base))].filter((path) => {
    const at = parsePath(path);
    return !gone.has(path) && (at === undefined || isWanted(at, configuration));
  });
  const decksOf = (own: readonly Sheet[]) => decksWith(language, own, withdrawn, published, base);
  const { pictures, lacksPictures, ...named } = await ownPictures(sheets, decksOf, base, publishing);
  const printingOf = current ? languagePrinting : sheetsPrinting;
  const isAny = sheets.length + withdrawn.length > 0;
  const print = isAny
    ? printingOf({ ...home, ...named, months, ended }, configuration.site, others)
    : () => [];
  const leaves = await leavesOf(withdrawn, print(undefined), published, base);
  const passedOver = passedOverIn(found.passedOver, damaged.values());
  const isProvisional = lacksPictures || damaged.size > 0 || found !== edition;
  const facts = { language, leaves, passedOver, pictures, isProvisional };
  const linkedTo = (all: Pages): Pressed => {
    const alternates = alternatesOf(language, all);
    const files = print(alternates);
    return { ...facts, alternates: alternates?.hash, files, relinked: linkedTo };
  };
  return linkedTo(asPublished);
}

const nothing: Loaded = { sheets: [], passedOver: [], damaged: [] };

/** These, and those of the wanted that are not among them yet. */
async function withSheets(
  found: Loaded,
  language: Language,
  wanted: readonly DatedSheet[],
  source: SheetSource,
  evenAsShown: boolean,
): Promise<Loaded> {
  const names = new Map(wanted.map((one) => [nameOf(one), one]));
  for (const sheet of found.sheets) names.delete(nameOf(sheet));
  if (names.size === 0) return found;
  const requests = [...names.values()].map(({ operation, period }) =>
    requestsOf(operation, language, period),
  );
  const more = await loadSheets(requests, source, evenAsShown);
  return {
    sheets: [...found.sheets, ...more.sheets],
    passedOver: [...found.passedOver, ...more.passedOver],
    damaged: [...found.damaged, ...more.damaged],
  };
}

/** Those, and the sheets of captures that can't be read: a sheet is named once. */
function passedOverIn(passedOver: readonly PassedOver[], damaged: Iterable<DamagedCapture>): PassedOver[] {
  const reasons = new Map(passedOver.map(({ sheet, reason }) => [sheet, reason]));
  for (const { key, file } of damaged) {
    const request = requestOf(key);
    if (request !== undefined) reasons.set(sheetKey(request), `${file} can't be read`);
  }
  return [...reasons].map(([sheet, reason]) => ({ sheet, reason }));
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
