// Judges the state that the pointer names, by what the vault says alone: whether it is the one that this vault published last.
//
// A state counts as confirmed once somebody saw it as the pointer's and found it ours: who noted an intent after it, or who
// put it into the journal. The journal goes first, since it is swapped only by who looked at the pointer after reading it: a state
// that came in the place of an older one than it names is no newer one, whatever was noted after that. The pointer is ours where
// it names the newest confirmed state, or one that was intended in its place: its publisher died, or is, between the swap and the
// journal. All others are older, or somebody else's.
import type { Intent } from "./intents.ts";
import type { NamedState } from "./record.ts";

/** What the vault says of the site. */
export interface VaultWord {
  readonly intents: readonly Intent[];
  /** The states in the journal. */
  readonly journal: readonly NamedState[];
  /** States that were cleared away from the intents, and that a publisher which took long still named in its own. */
  readonly cleared?: readonly NamedState[];
}

/** The newest confirmed state; undefined before the first publish, and where the vault has lost all word of it. */
export function lastConfirmed({ intents, journal, cleared = [] }: VaultWord): NamedState | undefined {
  const confirmed = intents.flatMap(({ version, after }): NamedState[] => {
    if (after === null) return [];
    const known = cleared.find(({ manifest }) => manifest === after);
    // Of one whose own intent and manifest are gone only this much is known.
    return [known ?? { manifest: after, version: versionIntended(after, intents) ?? version - 1 }];
  });
  const shown = newestOf(journal);
  const own =
    shown === undefined ? confirmed : confirmed.filter(({ manifest }) => mayFollow(manifest, shown, intents));
  return newestOf([...journal, ...own]);
}

/** False where the intents say that a state came out of one older than that, and not out of that one. */
function mayFollow(manifest: string, shown: NamedState, intents: readonly Intent[]): boolean {
  let at: string | null = manifest;
  while (at !== shown.manifest) {
    const before = intents.find((one) => one.manifest === at);
    if (before === undefined) return true; // cleared away
    if (before.version <= shown.version) return false;
    at = before.after;
    if (at === null) return false;
  }
  return true;
}

/** The states that intents name as the one before, whose own are gone, and which could be taken for the newest for that. */
export function maybeCleared({ intents, journal }: VaultWord): string[] {
  const own = new Set(intents.map(({ manifest }) => manifest));
  const surest = newestOf([...journal, ...intents.filter(({ manifest }) => isNamed(manifest, intents))]);
  const late = intents.filter(({ version }) => version > (surest?.version ?? 0));
  return [...new Set(late.flatMap(({ after }) => (after === null || own.has(after) ? [] : [after])))];
}

function isNamed(manifest: string, intents: readonly Intent[]) {
  return intents.some(({ after }) => after === manifest);
}

function newestOf(states: readonly NamedState[]): NamedState | undefined {
  const highest = Math.max(...states.map(({ version }) => version));
  return states.find(({ version }) => version === highest);
}

export function versionIntended(manifest: string, intents: readonly Intent[]): number | undefined {
  return intents.find((one) => one.manifest === manifest)?.version;
}

/**
 * `taken over`: ours, but no intent says so. A version of Almanac that noted none published it; what it had already built on
 * can't be told. `unsigned`: it would be that, but there are keys, and none of them has signed it.
 */
export type Judgement = "ours" | "taken over" | "unsigned" | "older" | "not ours";

/** What the pointer shows of itself. */
export interface Pointed {
  readonly manifest: string;
  /** The parent by the manifest's own bytes; undefined where they can't be read. */
  readonly parent: string | null | undefined;
  /** Whether a key of ours signed it; undefined where there is no key to tell. */
  readonly isSigned: boolean | undefined;
}

export function judge({ manifest, parent, isSigned }: Pointed, word: VaultWord): Judgement {
  const last = lastConfirmed(word);
  const own = word.intents.filter((one) => one.manifest === manifest);
  const isLast = manifest === last?.manifest;
  if (own.some(({ after }) => isLast || after === (last?.manifest ?? null))) return "ours";
  if (isLast) return isSigned === false ? "unsigned" : "taken over";
  // Before there were intents its publisher died ahead of the journal. Where there are any, a key alone proves nothing: it may be
  // stolen.
  const isBefore = word.intents.length === 0 && last !== undefined;
  if (isBefore && isSigned === true && parent === last.manifest) return "taken over";
  const isKnown = own.length > 0 || word.journal.some((one) => one.manifest === manifest);
  return isKnown || word.intents.some(({ after }) => after === manifest) ? "older" : "not ours";
}
