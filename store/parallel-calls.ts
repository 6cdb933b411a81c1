// Many calls, some at once. At the first failure no further one begins, and it is reported only when all have ended: a write that
// is still under way when its publisher has given up could put an old page over a newer one. What waits for its turn is only
// the rest of the list, so that a list of hundreds of thousands costs no promise for each of them meanwhile. A limit that
// several such lists share is p-limit's own.

/** Enough for a bucket's latency, few enough for a small machine. */
export const callsAtOnce = 32;

/** The results, in the order of the items. */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce = callsAtOnce,
): Promise<Result[]> {
  const all = [...items];
  const waiting = all.entries();
  const results: Result[] = []; // each comes to its place, and at the end none is empty
  const failures: unknown[] = [];
  const lane = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
