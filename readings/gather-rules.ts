// The rules by which a run gathers. Workflows, activities and a rehearsal follow the same ones. First the window: the only fan-out, so
// that its bounds are in one place. It does something to each item in order, as long as those under way weigh less than the window
// is wide, until `mayStart` says stop.

/** A batch that is out for two ticks may wait for an open circuit breaker, so it no longer holds up other batches. */
export const windowTickMs = 10_000;
/**
 * Batches of one edition that are out at once, including those with requests that are sent again: each is a separate
 * activity, and Temporal's limit is 2,000.
 */
export const mostBatchesOut = 40;

/** The place of an item that is out. */
interface WindowPlace {
  ticks: number;
  givenUp: boolean;
}

interface WindowBounds<Item> {
  /** Maximum total weight of the items under way; the last item may exceed it. */
  readonly width: number;
  readonly weightOf: (item: Item) => number;
  /** Never more items than these are out at once, with those that gave up their places. */
  readonly most: number;
}

export function openWindow<Item>(
  items: AsyncIterator<Item, unknown, undefined>,
  { width, weightOf, most }: WindowBounds<Item>,
  mayStart: () => boolean,
  act: (item: Item, giveUp: () => void) => Promise<void>,
) {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const out = new Map<WindowPlace, number>();
  let weight = 0;
  let isFilling = false;
  let isEmpty = false;

  async function fill(): Promise<void> {
    if (isFilling) return;
    isFilling = true;
    while (!isEmpty && weight < width && out.size < most && mayStart()) {
      const next = await items.next();
      if (next.done === true) isEmpty = true;
      else begin(next.value);
    }
    isFilling = false;
    if (out.size === 0) resolve();
  }

  function begin(item: Item): void {
    const place: WindowPlace = { ticks: 0, givenUp: false };
    out.set(place, weightOf(item));
    weight += weightOf(item);
    act(item, () => giveUp(place))
      .then(() => {
        giveUp(place);
        out.delete(place);
        return fill();
      })
      .catch(reject);
  }

  /** The item stays out, and others take its place. */
  function giveUp(place: WindowPlace): void {
    if (place.givenUp) return;
    place.givenUp = true;
    weight -= out.get(place) ?? 0;
    fill().catch(reject);
  }

  /** Called every `windowTickMs`. An item that was out at two ticks in a row gives up its place to the next ones. */
  function tick(): void {
    for (const place of Array.from(out.keys())) {
      place.ticks += 1;
      if (place.ticks >= 2) giveUp(place);
    }
  }

  fill().catch(reject);
  return { ended, tick };
}

// When and how often a failed request is repeated.
/** How often one run sends a request that is rejected or gets an unfit response, which the service does at random. */
export const mostAttempts = 3;
/** Pauses before the second and third attempt. */
const attemptPausesMs = [1_000, 5_000] as const;

export function attemptPauseMs(attempt: number): number {
  return attemptPausesMs[attempt - 1] ?? 5_000;
}

/** A longer pause would keep a run waiting although the service is back. */
const longestPauseMs = 2 * 60_000;

/** The pause after no answer doubles from a second; `chance`, from 0 to 1, spreads the calls for a service that recovers. */
export function pauseAfterNoAnswerMs(attempt: number, chance: number): number {
  return Math.min(1000 * 2 ** Math.min(attempt - 1, 10), longestPauseMs) * (0.5 + chance);
}

/** After so many refusals of an operation, all alike and nothing else, an edition stops asking for it: a set's worth. */
export const refusedAlikeAfter = 12;
