// The languages of one step, pressed so that their pages and those of all others name each other: pressed again where pages
// of another language came with them and, with a run's last step, the languages whose pages name too few. Where a page goes
// that others may name, those are pressed at once, for no link leads to what is not there.
import { StoreFailure } from "../../store/store.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { localDate } from "../../readings/zones.ts";
import { alternatesHash, currentPages, isAnyGone, type Pages } from "./alternates.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { inputsOf } from "./inputs.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { type Pressed, pressFor, type Wish } from "./pressing.ts";
import { newRoom, printAll } from "./printing.ts";
import { type Published, publishedSummary } from "./shared.ts";
import { readWithheld, type Withheld } from "../../vault/withheld.ts";

interface Step {
  readonly languages: readonly Language[];
  /** What was pressed before and still holds. */
  readonly known?: ReadonlyMap<Language, Pressed>;
  readonly press: (language: Language, pages: Pages) => Promise<Pressed>;
  /** Nothing comes after it that would press the others. */
  readonly last: boolean;
}

/** Pages come and go with the first; with the second their links are right, with the third they are printed. */
const mostRounds = 8;

export async function pressAll(
  { languages, known = new Map(), press, last }: Step,
  published: Published,
  publishing: Publishing,
): Promise<Pressed[]> {
  const { configuration, log } = publishing;
  const pressed = new Map(known);
  const passedOver = new Set<Language>();
  const room = newRoom();
  const before = await currentPages(published, undefined);
  /** Another language that can't be pressed holds up none: its pages get their links with its next date. */
  const attempt = async (language: Language, work: () => Promise<Pressed>): Promise<void> => {
    try {
      pressed.set(language, await work());
    } catch (error) {
      if (languages.includes(language) || error instanceof StoreFailure) throw error;
      log.warn(
        { language, error: String(error) },
        "its pages could not be pressed with links to new translations",
      );
      pressed.delete(language);
      passedOver.add(language);
    }
  };
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
    const pressNow = async (language: Language): Promise<Pressed> => {
      const relinked = pressed.get(language)?.relinked?.(pages);
      if (relinked !== undefined) return relinked;
      const isOwn = languages.includes(language);
      return isOwn ? press(language, pages) : pressCurrent(language, published, publishing, pages);
    };
    for (const language of due) await attempt(language, () => pressNow(language));
    if (due.size > 0) continue;
    // Each page is printed when it is known what it leads to: once.
    const failed = passedOver.size;
    for (const [language, one] of pressed)
      await attempt(language, async () => ({ ...one, files: await printAll(one.files, published, room) }));
    if (passedOver.size === failed) break;
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

/** What a publish presses of a language. */
export async function pressCurrent(
  language: Language,
  published: Published,
  publishing: Publishing,
  pages: Pages,
): Promise<Pressed> {
  const { log } = publishing;
  const { wish, withheld, today, stays } = await wishFor(language, published, publishing);
  if (stays === "held") {
    log.info(
      { language, date: today },
      "was rolled back and stays as it is until tomorrow or `almanac press`",
    );
  } else if (stays === "late") {
    log.warn(
      { language, date: today, shown: wish.date },
      "a later date is published already: is this machine's clock right?",
    );
  }
  const inputs = await inputsOf(wish, withheld, publishing);
  const pressed = await pressFor(wish, published, publishing, withheld, pages);
  return inputs === undefined || pressed.isProvisional ? pressed : madeOf(inputs, pressed);
}

function madeOf(inputs: string, pressed: Pressed): Pressed {
  const { relinked } = pressed;
  return { ...pressed, inputs, relinked: relinked && ((pages) => madeOf(inputs, relinked(pages))) };
}

interface CurrentWish {
  readonly wish: Wish;
  readonly withheld: Withheld;
  readonly today: string;
  readonly stays: "held" | "late" | undefined;
}

/** Its current pages as of today, unless they stay as they are: then a withdrawn text goes all the same. */
export async function wishFor(
  language: Language,
  published: Published,
  { configuration, vault, now }: Publishing,
): Promise<CurrentWish> {
  const today = localDate(zoneOf(configuration, language), now());
  const withheld = await readWithheld(vault.store);
  const shown = (await publishedSummary(published, language))?.date;
  const isLate = shown !== undefined && shown > today;
  const stays = withheld.holdsEdition(language, today) ? "held" : isLate ? "late" : undefined;
  const date = stays === undefined ? today : (shown ?? today);
  return {
    wish: { language, date, current: stays === undefined, sheets: [] },
    withheld,
    today,
    stays,
  };
}
