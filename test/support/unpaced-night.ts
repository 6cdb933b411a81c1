// A control for tests of rates: the time that this machine takes, during those tests, for a small unlimited night.
import { allPairs } from "../../readings/pairs.ts";
import type { AtEnd } from "./ends.ts";
import { createWorld } from "./night.ts";
import type { SharedTemporal } from "./temporal.ts";

/** From the first call to the last of 36. */
export async function unpacedNightMs(
  temporal: Pick<SharedTemporal, "address">,
  atEnd: AtEnd,
): Promise<number> {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  const world = await createWorld(
    temporal,
    {
      languages: ["hi"],
      operations: ["daily-horoscope", "love-compatibility"],
      pairs: allPairs.slice(0, 12).map(([one, other]) => [one, other]),
      service: { ratePerSecond: all(1_000), concurrency: all(4), answerTimeoutSeconds: all(60) },
    },
    atEnd,
  );
  const worker = await world.worker();
  await (await world.nightly()).result();
  await worker.stop();
  const { firstMs, lastMs } = (await world.sandbox.stats()).byEndpoint.translator;
  return (lastMs ?? 0) - (firstMs ?? 0);
}
