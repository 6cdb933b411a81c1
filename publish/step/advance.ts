// One step of the site from a state to the next: what is proposed on the current state is swapped in and shown. A lost
// swap is no failure: somebody else published in between, theirs is the new base, and the proposal is made anew on it.
import type { NextState } from "../press/merged-state.ts";
import { createPartReader, type PartReader, sameParts } from "../state/parts.ts";
import type { Manifest } from "../state/manifest.schema.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { newPuts, type Puts } from "../state/puts.ts";
import { type Manifests, pointerPath, type SiteState } from "../state/state.ts";
import type { Swap } from "./changed-paths.ts";
import { isStandIn, stateToGoOn } from "./going-on.ts";
import { forgetIntents } from "./intents.ts";
import { ownState } from "./own-state.ts";
import { type PublishedBy, swapIn } from "./pointer-swap.ts";
import { showSwapped } from "./swapped-state.ts";

/** A swap is lost because another one succeeded; so many lost in a row mean that something else is wrong. */
const mostSwaps = 50;

const overNewer =
  "somebody put an older pointer back just before the swap, which so took the place of a newer state: it is published again on that one";

/** `before` is what was proposed on an earlier base, and `puts` what is there of it. */
export type ProposeStep<Proposed extends NextState> = (
  base: SiteState | undefined,
  reader: PartReader,
  puts: Puts,
  before: Proposed | undefined,
) => Promise<Proposed>;

export interface AdvancedSite<Proposed extends NextState = NextState> {
  readonly version: number;
  readonly swaps: readonly Swap[];
  readonly reader: PartReader;
  readonly proposed: Proposed;
}

interface AdvanceOptions {
  /** Goes on from the last state that is ours where the pointer's can't be built on; otherwise that stops the step. */
  readonly goesOn?: boolean;
}

export async function advance<Proposed extends NextState>(
  place: PublishingPlace,
  by: PublishedBy,
  propose: ProposeStep<Proposed>,
  { goesOn = false }: AdvanceOptions = {},
): Promise<AdvancedSite<Proposed>> {
  const reader = createPartReader(place.site);
  const manifests: Manifests = new Map();
  const puts = newPuts(place.site.holdsBytes);
  let proposed: Proposed | undefined;
  const swaps: Swap[] = [];
  let isAstray = false;
  for (let swap = 0; swap < mostSwaps; swap += 1) {
    const base = goesOn || isAstray ? await stateToGoOn(place, manifests) : await ownState(place, manifests);
    const next = await propose(base, reader, puts, proposed);
    proposed = next;
    if (isSame(base?.manifest, next) && !isStandIn(base)) {
      if (base === undefined) return { version: 0, swaps, reader, proposed };
      // Finishes what an earlier one left.
      const found = { manifest: base.pointer.manifest, version: base.manifest.version };
      if ((await showSwapped(place, found, { reader, manifests })) !== "stands") continue;
      return { version: base.pointer.version, swaps, reader, proposed };
    }
    const pointer = await swapIn(place, base, next, by, puts);
    if (pointer === undefined) continue;
    const { parts, changed } = next;
    swaps.push({ before: base?.manifest, after: { parts }, changed });
    const outcome = await showSwapped(place, pointer, { reader, held: puts.held });
    isAstray = outcome === "astray";
    if (isAstray) place.log.warn({ version: pointer.version }, overNewer);
    if (outcome !== "stands") continue;
    await forgetIntents(place, pointer.version);
    return { version: pointer.version, swaps, reader, proposed };
  }
  throw new Error(
    `lost ${mostSwaps} swaps of ${pointerPath} in a row: does the store honour conditional writes? \`almanac check\` tries it`,
  );
}

function isSame(before: Manifest | undefined, next: NextState): boolean {
  const { parts = {}, alternates = {}, fingerprint } = before ?? {};
  return (
    sameParts(parts, next.parts) &&
    sameParts(alternates, next.alternates ?? alternates) &&
    (next.fingerprint ?? fingerprint) === fingerprint
  );
}
