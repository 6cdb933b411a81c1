// Publishes a batch of languages: presses what the vault holds of them and steps from the current state to the next.
// advance.ts swaps, swap.ts and project.ts do the writing, in an order that is itself the safety.
import { zoneOf } from "../../readings/catalogue.ts";
import { type Language } from "../../readings/languages.ts";
import { localDate } from "../../readings/zones.ts";
import { type PublishResult } from "../contracts.ts";
import { advance } from "./advance.ts";
import { type Manifest } from "./manifest.schema.ts";
import { createPartReader, groupsIn, sameGroup } from "./parts.ts";
import { type Publishing } from "./place.ts";
import { project } from "./project.ts";
import { nextState, type Pressed, pressFor } from "./pressing.ts";
import { type Published, publishedDates, publishedSummary } from "./shared.ts";
import { readState, type SiteState } from "./state.ts";
import { expiresAfterMs, renew } from "./swap.ts";
import { readWithheld } from "./withheld.ts";

export interface PublishInput {
  readonly run: string;
  readonly asOf: string;
  readonly languages: readonly Language[];
}

export async function publish(input: PublishInput, publishing: Publishing): Promise<PublishResult> {
  const presses = new Map<Language, Press>();
  const { version, changes } = await advance(publishing, input, async (base, reader) => {
    const published = { site: publishing.site, manifest: base?.manifest, reader };
    for (const language of input.languages) {
      const before = presses.get(language);
      if (before !== undefined && sameLanguage(before.base, base?.manifest, language)) continue;
      const pressed = await press(language, published, publishing);
      presses.set(language, { base: base?.manifest, pressed });
    }
    const all = [...presses.values()].map(({ pressed }) => pressed);
    const next = await nextState(all, published, publishing);
    return { ...next, fingerprint: fingerprintAfter(base, input.languages, publishing) };
  });
  const languages = [...presses].flatMap(([language, { pressed }]) =>
    pressed.files.length > 0 ? [language] : [],
  );
  if (changes.length > 0) {
    publishing.log.info({ run: input.run, version, changed: changes.length, languages }, "published");
  }
  return { version, changed: changes.length, languages };
}

/** A state is of today's templates only when every language in it is: else the turn would not press the others again. */
function fingerprintAfter(
  base: SiteState | undefined,
  pressed: readonly Language[],
  { fingerprint, configuration }: Publishing,
): string {
  if (base === undefined) return fingerprint;
  const groups = groupsIn(base.manifest);
  const others = configuration.languages.filter((language) => !pressed.includes(language));
  const isMixed = others.some((language) => groups.some((group) => group.startsWith(`${language}/`)));
  return isMixed ? base.manifest.fingerprint : fingerprint;
}

interface Press {
  readonly base: Manifest | undefined;
  readonly pressed: Pressed;
}

/** Whether nobody published this language in between: then what was pressed on the one base is right on the other. */
function sameLanguage(one: Manifest | undefined, other: Manifest | undefined, language: Language): boolean {
  if (one === undefined || other === undefined) return one === other;
  const groups = [...groupsIn(one), ...groupsIn(other)].filter((group) => group.startsWith(`${language}/`));
  return groups.every((group) => sameGroup(one, other, group));
}

async function press(language: Language, published: Published, publishing: Publishing): Promise<Pressed> {
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
  return pressFor(wish, published, publishing, withheld);
}

/** Publishes the languages whose local date is not the one last published; reads a few small files when none is. */
export async function turn(publishing: Publishing): Promise<PublishResult> {
  const state = await readState(publishing.site);
  if (state === undefined) return { version: 0, changed: 0, languages: [] };
  await keepAlive(state, publishing);
  const languages = await languagesDue(state, publishing);
  if (languages.length === 0) {
    await project(publishing); // what a dead publisher left
    return { version: state.pointer.version, changed: 0, languages: [] };
  }
  const asOf = publishing.now().toISOString();
  return publish({ run: `${publishing.configuration.site.id}-turn`, asOf, languages }, publishing);
}

/** What other templates or settings pressed is due as well; not what was rolled back, until its next date. */
async function languagesDue({ manifest }: SiteState, publishing: Publishing): Promise<Language[]> {
  const { configuration, site, vault, now, fingerprint } = publishing;
  const dates = await publishedDates({ site, manifest, reader: createPartReader(site) });
  const withheld = await readWithheld(vault.store);
  return configuration.languages.filter((language) => {
    const published = dates.get(language);
    const today = localDate(zoneOf(configuration, language), now());
    if (published === undefined || withheld.holdsEdition(language, today)) return false;
    return published < today || manifest.fingerprint !== fingerprint;
  });
}

/** Readers take a state for a frozen copy when it expires: it gets a new life when half of the old one is over. */
async function keepAlive(state: SiteState, publishing: Publishing): Promise<void> {
  const leftMs = Date.parse(state.pointer.expires) - publishing.now().getTime();
  if (leftMs < expiresAfterMs / 2) await renew(state, publishing);
}
