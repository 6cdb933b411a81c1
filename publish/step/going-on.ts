// Where a publisher goes on from when the pointer is lost or names what is not ours: from the last state that is, under a
// version above all that was ever seen. `almanac repair` and `almanac withdraw` do so; all others stop.
import { UnreadableFile } from "../../vault/json.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { type Manifests, manifestPath, NewerFormat, type SiteState } from "../state/state.ts";
import { type FoundState, findState } from "./found-state.ts";
import { ownManifest } from "./own-state.ts";
import type { VaultWord } from "./judgement.ts";
import type { NamedState } from "./record.ts";

export interface StateToGoOn extends SiteState {
  /** Whether the pointer's own state can't be built on, so that even an unchanged tree has to be published. */
  readonly isStandIn: boolean;
  /** The newest confirmed state as it was then. */
  readonly confirmed: NamedState | undefined;
}

/** Undefined before the first publish. Throws where there is nothing of ours, or a newer version published it. */
export async function stateToGoOn(
  place: PublishingPlace,
  known: Manifests = new Map(),
): Promise<StateToGoOn | undefined> {
  const found = await findState(place, known);
  const { stored, pointer, refusal, confirmed, last } = found;
  const isOwn = pointer !== undefined && refusal === undefined;
  if (!isOwn && refusal === undefined) return undefined;
  if (refusal !== undefined && last === undefined) throw refusal;
  const first = isOwn ? { manifest: pointer.manifest, version: pointer.version } : last;
  const { manifest: hash, version } = await newestWhole(place, first, found, known);
  const manifest = await ownManifest(place, hash, found.word.intents, known);
  if (isOwn && hash === pointer.manifest) {
    return { pointer, pointerVersion: stored?.version, manifest, isStandIn: false, confirmed };
  }
  const standIn = {
    format: 1,
    manifest: hash,
    version: Math.max(version, pointer?.version ?? 0),
    publishedAt: manifest.asOf,
    expires: manifest.asOf,
  } as const;
  return { pointer: standIn, pointerVersion: stored?.version, manifest, isStandIn: true, confirmed };
}

/** The newest state, from this one back, whose manifest can be read, here or in the vault: a confirmed one if possible. */
async function newestWhole(
  place: PublishingPlace,
  first: NamedState | undefined,
  { word, refusal }: FoundState,
  known: Manifests,
): Promise<NamedState> {
  const candidates = [...(first === undefined ? [] : [first]), ...statesBefore(first, word)];
  let damage: unknown = refusal;
  for (const candidate of candidates) {
    try {
      const manifest = await ownManifest(place, candidate.manifest, word.intents, known);
      return { manifest: candidate.manifest, version: manifest.version };
    } catch (error) {
      if (!(error instanceof UnreadableFile) || error instanceof NewerFormat) throw error;
      damage = error;
    }
  }
  const lost = first === undefined ? "the manifest" : manifestPath(first.manifest);
  throw new UnreadableFile(
    `${lost} is lost, and so are those of all states before it: bring it back from a copy of the store (the name is its SHA-256)`,
    { cause: damage },
  );
}

function statesBefore(first: NamedState | undefined, { intents }: VaultWord): NamedState[] {
  const before = intents
    .filter(({ version }) => version < (first?.version ?? 0))
    .toSorted((one, other) => other.version - one.version);
  const confirmed = new Set(intents.map(({ after }) => after));
  const isConfirmed = ({ manifest }: NamedState) => confirmed.has(manifest);
  return [...before.filter(isConfirmed), ...before.filter((one) => !isConfirmed(one))];
}

export function isStandIn(base: SiteState | StateToGoOn | undefined): base is StateToGoOn {
  return base !== undefined && "isStandIn" in base && base.isStandIn;
}
