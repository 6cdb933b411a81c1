// The pins of a rollback: for each language that it changes, its date, and every set of which the abandoned state has
// something that the next one lacks. And the earlier pins that it removes: a set that comes back is meant to be there.
import { type PublishedSite, requestShownBy } from "../state/published-files.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { localDate } from "../../readings/calendar.ts";
import { parsePath, textAt } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { believedTime } from "../state/believed-time.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { type PathChange, languageOf } from "../state/parts.ts";
import type { Publishing } from "../state/publish-context.ts";
import { type Pin, type NoteChange, nameOfSet } from "../../vault/withheld.ts";

interface RollbackPins {
  readonly pins: readonly Pin[];
  /** The sets that the earlier state has and the abandoned one lacks, or has with other texts. */
  readonly back: ReadonlyMap<Language, ReadonlySet<string>>;
}

/** The state that a rollback abandons, and the tree that it goes to. */
interface RollbackStates {
  readonly left: PublishedSite;
  readonly earlier: PublishedSite;
  readonly to: NonNullable<Pin["to"]>;
}

/** Pins exactly the editions and sets that these changes take back. */
export async function pinChanges(
  changes: readonly PathChange[],
  { left, earlier, to }: RollbackStates,
  at: string,
  publishing: Publishing,
): Promise<RollbackPins> {
  const languages = new Set(changes.flatMap(({ path }) => languageOf(path) ?? []));
  const taken = await setsIn(
    changes.filter(({ reason }) => reason !== "new"),
    left,
  );
  const back = await setsIn(
    changes.filter(({ reason }) => reason !== "gone"),
    earlier,
  );
  const today = await believedTime(publishing); // a pin until next year would freeze the language
  const pins = [...languages].map((language) => ({
    language,
    date: localDate(zoneOf(publishing.configuration, language), today),
    sets: [...(taken.get(language) ?? [])].sort(),
    at,
    to,
  }));
  return { pins, back };
}

/** Removes the pins of earlier rollbacks on sets that this one has brought back. */
export function releasePins({ pins, back }: RollbackPins, at: string): NoteChange {
  return (note) => {
    const earlier = note.pins.filter((pin) => pin.at !== at);
    const left = earlier.map(({ language, date, sets, at: since, to }): Pin => {
      const others = sets.filter((set) => back.get(language)?.has(set) !== true);
      return { language, date, sets: others, at: since, to };
    });
    // A pin without sets is dropped, because the new pin has its date.
    const stay = left.filter(
      ({ language, sets }) => sets.length > 0 || !pins.some((one) => one.language === language),
    );
    return { ...note, pins: [...stay, ...note.pins.filter((pin) => pin.at === at)] };
  };
}

/** The sets whose data is on these paths, by language. */
async function setsIn(changes: readonly PathChange[], published: PublishedSite) {
  const sets = new Map<Language, Set<string>>();
  await inParallel(changes, async ({ path }) => {
    const at = parsePath(path);
    const shown = at !== undefined && tree[at.row].schemas !== undefined ? textAt(at) : undefined;
    if (shown === undefined || shown.isAll || shown.kind === "current") return;
    const request = await requestShownBy(shown, published);
    if (request === undefined) return;
    const names = sets.get(request.language) ?? new Set();
    sets.set(request.language, names.add(nameOfSet(request)));
  });
  return sets;
}
