// Does something to each item in order, as long as those under way weigh less than the window is wide, until `mayStart` says stop.
// It is the only fan-out of the workflows and of a rehearsal, so that its bounds are in one place.

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

export interface WindowBounds<Item> {
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
