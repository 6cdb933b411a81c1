// Does something to each item in order, at most `width` at a time, until `mayStart` says stop; returns what was not
// begun. The only fan-out of the workflows, so that its bound stands in one place.

export async function inWindow<Item>(
  items: readonly Item[],
  width: number,
  mayStart: () => boolean,
  act: (item: Item) => Promise<void>,
): Promise<Item[]> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (mayStart()) {
      const item = items[next];
      if (next >= items.length || item === undefined) return;
      next += 1;
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return items.slice(next);
}
