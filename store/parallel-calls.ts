// Many calls, some at once. At the first failure no further one begins, and it is told only when all have ended: a write that
// is still under way when its publisher has given up could put an old page over a newer one. A limit that several such lists
// share is p-limit's own.
import pLimit from "p-limit";

/** Enough for a bucket's latency, few enough for a small machine. */
export const callsAtOnce = 32;

export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce = callsAtOnce,
): Promise<Result[]> {
  const failures: unknown[] = [];
  const results = await pLimit(atOnce).map(items, async (item) => {
    if (failures.length > 0) return [];
    try {
      return [await work(item)];
    } catch (error) {
      failures.push(error);
      return [];
    }
  });
  if (failures.length > 0) throw failures[0];
  return results.flat();
}
