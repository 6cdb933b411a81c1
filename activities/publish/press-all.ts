// The languages of one step, pressed so that their pages and those of all others name each other: pressed again where pages
// of another language came with them and, with a run's last step, the languages whose pages name too few. Where a page goes
// that others may name, those are pressed at once, for no link leads to what is not there.
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { localDate } from "../../readings/zones.ts";
import { StoreFailure } from "../../store/store.ts";
import { alternatesHash, currentPages, isAnyGone, type Pages } from "./alternates.ts";
import { inParallel } from "./in-parallel.ts";
import type { Publishing } from "./place.ts";
import { type Pressed, pressFor } from "./pressing.ts";
import { type Published, publishedSummary } from "./shared.ts";
import { readWithheld } from "./withheld.ts";

interface Step {
  readonly languages: readonly Language[];
  /** What was pressed before and still holds. */
  readonly known?: ReadonlyMap<Language, Pressed>;
  readonly press: (language: Language, pages: Pages) => Promise<Pressed>;
  /** Nothing comes after it that would press the others. */
  readonly last: boolean;
}

/** Pages come and go with the first press; with the second their links are right. */
const mostRounds = 5;

export async function pressAll(
  { languages, known = new Map(), press, last }: Step,
  published: Published,
  publishing: Publishing,
): Promise<Pressed[]> {
  const { configuration } = publishing;
  const pressed = new Map(known);
  const passedOver = new Set<Language>();
  const before = await currentPages(published, undefined);
  for (let round = 0; round < mostRounds; round += 1) {
    const pages = await currentPages(published, configuration, pressed.values());
    const isStale = (language: Language) =>
      pressed.get(language)?.alternates !== alternatesHash(language, pages);
    const due = new Set([
      ...languages.filter((one) => !pressed.has(one)),
      ...[...pressed.keys()].filter(isStale),
    ]);
    if (due.size === 0 && (last || isAnyGone(before, pages)))
      for (const other of await namingOthers(pages, published)) if (!pressed.has(other)) due.add(other);
    for (const language of passedOver) due.delete(language);
    if (due.size === 0) break;
    for (const language of due) {
      const isOwn = languages.includes(language);
      const one = isOwn
        ? await press(language, pages)
        : await pressOther(language, published, publishing, pages);
      if (one === undefined) passedOver.add(language);
      else pressed.set(language, one);
    }
  }
  return [...pressed.values()];
}

/** The languages whose published pages name other translations than there are. */
async function namingOthers(pages: Pages, published: Published): Promise<Language[]> {
  const found = new Set<Language>();
  await inParallel(pages.keys(), async (language) => {
    const summary = await publishedSummary(published, language);
    if (summary !== undefined && summary.alternates !== alternatesHash(language, pages)) found.add(language);
  });
  return [...pages.keys()].filter((language) => found.has(language));
}

/** A language that can't be pressed holds up no other: its pages get their links with its next date. */
async function pressOther(
  language: Language,
  published: Published,
  publishing: Publishing,
  pages: Pages,
): Promise<Pressed | undefined> {
  try {
    return await pressCurrent(language, published, publishing, pages);
  } catch (error) {
    if (error instanceof StoreFailure) throw error;
    publishing.log.warn(
      { language, error: String(error) },
      "its pages could not be pressed with links to new translations",
    );
    return undefined;
  }
}

/** What a publish presses of a language. */
export async function pressCurrent(
  language: Language,
  published: Published,
  publishing: Publishing,
  pages: Pages,
): Promise<Pressed> {
  const { configuration, vault, log, now } = publishing;
  const today = localDate(zoneOf(configuration, language), now());
  const withheld = await readWithheld(vault.store);
  const shown = (await publishedSummary(published, language))?.date;
  const isHeld = withheld.holdsEdition(language, today);
  if (isHeld) {
    log.info(
      { language, date: today },
      "was rolled back and stays as it is until tomorrow or `almanac press`",
    );
  }
  const isLate = shown !== undefined && shown > today;
  if (isLate) {
    log.warn(
      { language, date: today, shown },
      "a later date is published already: is this machine's clock right?",
    );
  }
  // A withdrawn text goes all the same.
  const date = isHeld || isLate ? (shown ?? today) : today;
  const wish = { language, date, current: !isHeld && !isLate, sheets: [] };
  return pressFor(wish, published, publishing, withheld, pages);
}
