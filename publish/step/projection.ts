// Shows what the pointer names on the stable paths. Interrupted anywhere it is finished by whoever publishes next.
//
// What holds at every moment: a path shows the journal's `shown`, unless a line under way has it. For this
// - a publisher has a line in the journal for every path before it writes it, the ones it finishes for others too: those
//   may end, or be taken for dead, while it is still writing;
// - the pointer is read after the journal, and the journal swapped only if it stands as it was: so nobody takes the paths
//   back to an earlier state than the one they show;
// - who ends takes its lines away only if nobody else has ended since it began: else what it wrote may be older than what
//   they did, or written over by what they did, so it does all of its lines again, whatever the journal says by then: a clock
//   that is ahead may have taken it for dead;
// - a line whose owner is dead goes when somebody who knew it has written its paths.
// A publisher is done when its own target, or a later one, is shown (swapped-state.ts): who moved the pointer meanwhile shows that.
import { randomUUID } from "node:crypto";
import { changeNote } from "../../vault/note.ts";
import {
  isDead,
  type Journal,
  journalNote,
  readJournal,
  type Rewriting,
  sameLine,
  writeJournal,
} from "./journal.ts";
import { createPartReader } from "../state/parts.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import type { SiteState } from "../state/state.ts";
import { knowsTooLittle, rewrite, type StepState } from "./stable-paths.ts";
import { ownState } from "./own-state.ts";

/** A round is lost because another publisher made progress; so many in a row mean that something else is wrong. */
const mostRounds = 200;

/** Returns the state that is shown; undefined where there is none. */
export async function project(
  place: PublishingPlace,
  { reader = createPartReader(place.site), manifests = new Map(), held = new Map() }: Partial<StepState> = {},
): Promise<SiteState | undefined> {
  const id = randomUUID();
  let own: readonly Rewriting[] = []; // all that was begun: what an earlier round wrote may have been written over
  for (let round = 0; round < mostRounds; round += 1) {
    const { journal, version } = await readJournal(place);
    const state = await ownState(place, manifests);
    if (state === undefined) return undefined;
    const to = state.pointer.manifest;
    if (journal.shown === to && journal.underWay.length === 0 && own.length === 0) return state;
    const us = { id, since: place.now().toISOString(), to };
    const isAnyUnknown = await knowsTooLittle(place, [...own, ...journal.underWay], manifests);
    const begun = begin(journal, us, own, isAnyUnknown);
    if (!(await writeJournal(place, begun, version))) continue;
    own = begun.underWay.filter((line) => line.id === id);
    const paths = await rewrite(place, begun.underWay, state.manifest, { reader, manifests, held });
    // Caches are told before the lines go: if this publisher dies here, the one that finishes for it tells them once more.
    const shown = { manifest: to, version: state.pointer.version, paths };
    await place.noteChange?.(shown);
    if (await end(place, begun, { id, to })) return state;
  }
  throw new Error(
    `the stable paths were overtaken ${mostRounds} times: does the vault honour conditional writes?`,
  );
}

/** Puts our lines into the journal, for every path that we are about to write; for all paths where a line says too little. */
function begin(
  journal: Journal,
  us: Omit<Rewriting, "from">,
  own: readonly Rewriting[],
  isAnyUnknown: boolean,
): Journal {
  const others = journal.underWay.filter(({ id }) => id !== us.id);
  const begun: Rewriting[] = [];
  const ours = [{ from: journal.shown, to: us.to }, ...(isAnyUnknown ? [{ from: null, to: us.to }] : [])];
  for (const { from, to } of [...own, ...others, ...ours]) {
    const line = { ...us, from, to };
    if (!begun.some((one) => sameLine(one, line))) begun.push(line);
  }
  return { ...journal, underWay: [...others, ...begun] };
}

/** Takes away our lines, and the dead ones whose paths we wrote. False where another round is needed. */
async function end(place: PublishingPlace, begun: Journal, us: Pick<Rewriting, "id" | "to">) {
  return changeNote(place.vault.store, journalNote, (journal) => {
    // If the others ended at the same state as we do, nothing that they or we wrote is wrong.
    if (journal.ends !== begun.ends && journal.shown !== us.to) return undefined;
    const underWay = journal.underWay.filter((line) => {
      const isKnown = begun.underWay.some((one) => sameLine(one, line));
      return line.id !== us.id && !(isKnown && isDead(line, place));
    });
    return { shown: us.to, underWay, ends: journal.ends + 1 };
  });
}
