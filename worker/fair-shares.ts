// The rules of sharing a rate, apart from where the shares are noted: who is due how much, and what a holder may change in the
// note by itself. A share is a whole number of calls a second, so that the shares' own bounds add up to the rate's in every
// second; of a broken rate one holder has what is over, and at less than one a second there is one holder.
import type { RateNote, ShareHolder } from "../vault/rate-note.ts";

/** Shares that are equal up to what each wants. What cannot be parted goes to those who came first. */
export function fairShares(wants: readonly number[], ratePerSecond: number): number[] {
  const shares = wants.map(() => 0);
  const whole = Math.floor(ratePerSecond);
  const parts = [...Array.from({ length: whole }, () => 1), ratePerSecond - whole];
  for (const part of parts) {
    let poorest: number | undefined;
    for (const [index, share] of shares.entries()) {
      if (share < (wants[index] ?? 0) && share < (poorest === undefined ? Infinity : (shares[poorest] ?? 0)))
        poorest = index;
    }
    if (poorest === undefined) break;
    shares[poorest] = (shares[poorest] ?? 0) + part;
  }
  return shares;
}

/** What a worker is and wants. */
export interface ShareWish extends Pick<ShareHolder, "id" | "ratePerSecond" | "wants"> {
  /** It has had its share for a while: if there are more workers than calls a second, another one's turn has come. */
  readonly isSated: boolean;
  /** It leaves within a second of its last call. */
  readonly isGone?: true;
}

/** What a worker makes of the note. */
export interface ShareOutlook {
  readonly epoch: number;
  /** Its own entry, with nothing of the rate where it is new. */
  readonly own: ShareHolder;
  readonly isNew: boolean;
  /** All that are to stay, in the order of their claim. */
  readonly holders: readonly ShareHolder[];
  readonly ratePerSecond: number;
  /** The share that each is due, and this worker itself. */
  readonly targets: readonly number[];
  readonly target: number;
  /** Something but its own share is to change. */
  readonly isOutdated: boolean;
}

export function outlookFor(note: RateNote, wish: ShareWish, unheard: ReadonlySet<string>): ShareOutlook {
  const staying = note.holders.filter(({ id }) => id === wish.id || !unheard.has(id));
  const found = staying.find(({ id }) => id === wish.id);
  const { id, ratePerSecond, wants, isGone } = wish;
  const { place, share, epoch } = found ?? { place: freePlace(note), share: 0, epoch: 0 };
  const own = { id, place, epoch, ratePerSecond, wants, share, isGone };
  const inOrder = found === undefined ? [...staying, own] : staying.map((one) => (one === found ? own : one));
  const others = inOrder.filter((one) => one !== own);
  const rate = Math.min(...inOrder.map((one) => one.ratePerSecond));
  const sharesOf = (holders: readonly ShareHolder[]) =>
    fairShares(
      holders.map((one) => one.wants),
      rate,
    );
  const isTurnOver =
    wish.isSated && sharesOf(inOrder).some((fair, index) => fair === 0 && (inOrder[index]?.wants ?? 0) > 0);
  const holders = isTurnOver ? [...others, own] : inOrder;
  const targets = sharesOf(holders);
  return {
    epoch: note.epoch,
    own,
    isNew: found === undefined,
    holders,
    ratePerSecond: rate,
    targets,
    target: targets[holders.indexOf(own)] ?? 0,
    isOutdated:
      staying.length < note.holders.length ||
      found?.wants !== wants ||
      found.ratePerSecond !== ratePerSecond ||
      holders.at(-1) !== inOrder.at(-1),
  };
}

/**
 * The note as this worker may change it; undefined where it may stay. Nobody takes from another, but from one that was not heard
 * of. What becomes free goes to all that are owed something in the same write. `obeyed` is what the worker keeps to so far, and
 * `least` what it may shrink to yet.
 */
export function changedNote(
  outlook: ShareOutlook,
  { obeyed, least }: { readonly obeyed: number; readonly least: number },
): RateNote | undefined {
  const { own, isNew, holders, target, isOutdated } = outlook;
  const epoch = outlook.epoch + 1;
  const place = holders.indexOf(own);
  if (own.wants === 0) {
    if (isNew) return undefined;
    const left = own.isGone ? holders.with(place, { ...own, epoch }) : holders.filter((one) => one !== own);
    return { epoch, holders: given(left, outlook) };
  }
  const share = target < own.share ? Math.min(own.share, Math.max(target, least)) : own.share;
  const changed = given(holders.with(place, { ...own, share, epoch }), outlook);
  if (!isNew && !isOutdated && changed[place]?.share === own.share && obeyed >= own.share) return undefined;
  return { epoch, holders: changed };
}

/** Grows only from what is free, and what all let out in one second fits into what the rate lets out. */
function given(before: readonly ShareHolder[], { ratePerSecond, holders, targets }: ShareOutlook) {
  let after = [...before];
  for (const [place, { id, share }] of before.entries()) {
    const others = after.toSpliced(place, 1).map((one) => one.share);
    const free = ratePerSecond - sumOf(others) + rounding;
    const room = Math.ceil(ratePerSecond) - sumOf(others.map(Math.ceil));
    const target = targets[holders.findIndex((one) => one.id === id)] ?? 0;
    const isRoom = target <= free && Math.ceil(target) <= room;
    const most = isRoom ? target : Math.min(target, Math.floor(Math.min(free, room)));
    const holder = after[place];
    if (holder !== undefined && most > share) after = after.with(place, { ...holder, share: most });
  }
  return after;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** Sums of broken numbers miss by less. */
const rounding = 1e-9;

/** The least number that no holder's counter has. */
function freePlace({ holders }: RateNote): number {
  const taken = new Set(holders.map(({ place }) => place));
  let place = 1;
  while (taken.has(place)) place += 1;
  return place;
}
