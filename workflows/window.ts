// Does something to each item in order, at most `width` at a time, until `mayStart` says stop; resolves with the items that
// were not begun. It is the only fan-out of the workflows, so that its bounds stand in one place.
import type { WindowPlace } from "../readings/simulated-window.ts";

/** Never more than `most` items are out at once, with those that gave up their places. */
export function openWindow<Item>(
  items: readonly Item[],
  { width, most }: { readonly width: number; readonly most: number },
  mayStart: () => boolean,
  act: (item: Item) => Promise<void>,
) {
  const { promise: ended, resolve, reject } = Promise.withResolvers<Item[]>();
  const out = new Set<WindowPlace>();
  let next = 0;
  let lanes = 0;

  async function lane(): Promise<void> {
    while (mayStart()) {
      const item = items[next];
      if (next >= items.length || item === undefined) return;
      next += 1;
      const place: WindowPlace = { ticks: 0, givenUp: false };
      out.add(place);
      await act(item);
      out.delete(place);
      if (place.givenUp) return; // another lane goes on in its stead
    }
  }

  async function open(): Promise<void> {
    lanes += 1;
    try {
      await lane();
    } catch (error) {
      return reject(error);
    }
    lanes -= 1;
    if (lanes === 0) resolve(items.slice(next));
  }

  /** Tells that time has passed. An item that was out at two of these in a row gives up its place to the next one. */
  function tick(): void {
    for (const place of Array.from(out)) {
      place.ticks += 1;
      if (place.ticks < 2 || place.givenUp || out.size >= most) continue;
      place.givenUp = true;
      void open();
    }
  }

  if (items.length === 0) resolve([]);
  for (let at = 0; at < Math.min(width, items.length); at += 1) void open();
  return { ended, tick };
}
