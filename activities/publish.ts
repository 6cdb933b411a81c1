// Publishes a batch of languages: presses them, takes the current state as a base, and swaps in the next one. A lost swap
// is no failure: it takes the new base and goes again. activities/write.ts does the writing, in its order.
import { zoneOf } from "../readings/catalogue.ts";
import { type Language } from "../readings/languages.ts";
import { localDate } from "../readings/zones.ts";
import { pressLanguage, type PressedFile } from "../site/press.ts";
import { type PublishResult } from "./contracts.ts";
import { type Dependencies } from "./dependencies.ts";
import { loadEdition } from "./editions.ts";
import { merge } from "./merge.ts";
import { project } from "./project.ts";
import { pressTogether, publishedDates } from "./shared.ts";
import { pointerPath, readState } from "./site-state.ts";
import { swapIn } from "./swap.ts";

/** Whoever swaps makes progress: so many lost in a row mean that something else is wrong. */
const mostSwaps = 50;

export interface PublishInput {
  readonly run: string;
  readonly asOf: string;
  readonly languages: readonly Language[];
}

export async function publish(input: PublishInput, dependencies: Dependencies): Promise<PublishResult> {
  const { configuration, vault, site, now, log } = dependencies;
  const pressed = new Map<Language, readonly PressedFile[]>();
  for (const language of input.languages) {
    const date = localDate(zoneOf(configuration, language), now());
    const edition = await loadEdition(language, date, configuration, vault, log);
    if (edition.sheets.length === 0) continue;
    pressed.set(language, pressLanguage(edition, configuration.site));
  }
  const languages = [...pressed.keys()];
  for (let swap = 0; swap < mostSwaps; swap += 1) {
    const base = await readState(site);
    const shared = await pressTogether(base, pressed, dependencies);
    const merged = await merge(
      site,
      base,
      new Map<string, readonly PressedFile[]>([...pressed, ["shared", shared]]),
    );
    if (base !== undefined && merged.newParts.length === 0) {
      await project(dependencies, base.pointer.manifest, base.manifest, []); // finishes what an earlier one left
      return { version: base.pointer.version, changed: 0, languages };
    }
    const next = await swapIn(site, base, merged, { run: input.run, asOf: input.asOf, at: now() });
    if (next === undefined) continue; // somebody else published in between: theirs is our new base
    await project(dependencies, next.hash, next.manifest, merged.changes);
    const { version } = next.manifest;
    log.info({ run: input.run, version, changed: merged.changes.length, languages }, "published");
    return { version, changed: merged.changes.length, languages };
  }
  throw new Error(
    `lost ${mostSwaps} swaps of ${pointerPath} in a row: does the store honour conditional writes?`,
  );
}

/** Publishes the languages whose local date is not the one last published; reads four small files when none is. */
export async function turn(dependencies: Dependencies): Promise<PublishResult> {
  const { configuration, site, now } = dependencies;
  const state = await readState(site);
  const dates = await publishedDates(site, state);
  const languages = configuration.languages.filter((language) => {
    const published = dates.get(language);
    return published !== undefined && published < localDate(zoneOf(configuration, language), now());
  });
  if (languages.length === 0) return { version: state?.pointer.version ?? 0, changed: 0, languages: [] };
  const asOf = now().toISOString();
  return publish({ run: `${configuration.site.id}-turn`, asOf, languages }, dependencies);
}
