// Many store calls, some at once. At the first failure no further one begins, and it is told only when all have ended: a
// write that is still under way when its publisher has given up could put an old page over a newer one.
import pLimit from "p-limit";

/** Enough for a bucket's latency, few enough for a small machine. */
const callsAtOnce = 32;

export async function inParallel<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(callsAtOnce);
  const failures: unknown[] = [];
  await limit.map(items, async (item) => {
    if (failures.length > 0) return;
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}
