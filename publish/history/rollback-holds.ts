// The holds of a rollback: for each language that it changes, its date, and every set of which the abandoned state has
// something that the next one lacks. And the earlier holds that it lifts: a set that comes back is meant to be there.
import type { PublishedSite } from "../state/published-files.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { localDate } from "../../readings/zones.ts";
import { parsePath, textAt } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { believedTime } from "../state/believed-time.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { requestShownBy } from "../state/shown-text.ts";
import type { PathChange } from "../step/changed-paths.ts";
import { languageOf } from "../state/parts.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { type Hold, type NoteChange, nameOfSet } from "../../vault/withheld.ts";

export interface RollbackHolds {
  readonly holds: readonly Hold[];
  /** The sets that the earlier state has and the abandoned one lacks, or has with other texts. */
  readonly back: ReadonlyMap<Language, ReadonlySet<string>>;
}

/** The state that a rollback abandons, and the tree that it goes to. */
interface RollbackStates {
  readonly left: PublishedSite;
  readonly earlier: PublishedSite;
  readonly to: NonNullable<Hold["to"]>;
}

/** Holds what these changes take back, and nothing else. */
export async function holdingFor(
  changes: readonly PathChange[],
  { left, earlier, to }: RollbackStates,
  at: string,
  publishing: Publishing,
): Promise<RollbackHolds> {
  const languages = new Set(changes.flatMap(({ path }) => languageOf(path) ?? []));
  const taken = await setsIn(
    changes.filter(({ reason }) => reason !== "new"),
    left,
  );
  const back = await setsIn(
    changes.filter(({ reason }) => reason !== "gone"),
    earlier,
  );
  const today = await believedTime(publishing); // a hold until next year would freeze the language
  const holds = [...languages].map((language) => ({
    language,
    date: localDate(zoneOf(publishing.configuration, language), today),
    sets: [...(taken.get(language) ?? [])].sort(),
    at,
    to,
  }));
  return { holds, back };
}

/** Lifts the holds of earlier rollbacks on sets that this one has brought back. */
export function lettingGo({ holds, back }: RollbackHolds, at: string): NoteChange {
  return (note) => {
    const earlier = note.holds.filter((hold) => hold.at !== at);
    const left = earlier.map(({ language, date, sets, at: since, to }): Hold => {
      const others = sets.filter((set) => back.get(language)?.has(set) !== true);
      return { language, date, sets: others, at: since, to };
    });
    // A hold that has no set left goes, because the new hold has its date.
    const stay = left.filter(
      ({ language, sets }) => sets.length > 0 || !holds.some((one) => one.language === language),
    );
    return { ...note, holds: [...stay, ...note.holds.filter((hold) => hold.at === at)] };
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
