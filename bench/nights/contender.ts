// What all who do a night's work have in common, and what the service saw of it.
import { setTimeout as delay } from "node:timers/promises";
import type { SpawnedSandbox } from "../../test/support/sandbox.ts";
import type { Settings } from "../measures/measure.ts";
import { at, type Work } from "./work.ts";

export interface Night {
  /** From the word to begin until the last file is written. */
  readonly tookMs: number;
  /** Of the contender and the server that it needs, the service's left out. */
  readonly processorMs: number;
  readonly calls: number;
  readonly firstToLastCallMs: number;
  readonly mostInASecond: number;
}

export interface Contender {
  readonly name: string;
  /** Why it is not here, and what to do about it. */
  readonly missing?: string;
  night(work: Work, atEnd: Settings["atEnd"]): Promise<Night>;
}

export const ourName = "Almanac";

/** The service's clock stands at the night's moment, and its answers take as long as the work says. */
export async function setUp({ latency, clock }: SpawnedSandbox, { latencyMs }: Work): Promise<void> {
  const each = { fixedMs: latencyMs };
  await latency({ english: each, translator: each, legacy: each });
  await clock({ offsetMs: at.getTime() - Date.now() });
}

/** Fails unless every request was asked for, and nothing else answered than good readings. */
export async function seenBy(sandbox: SpawnedSandbox, { requests }: Work) {
  const { calls, byAddress, byStatus } = await sandbox.stats();
  if (calls < requests) throw new Error(`${calls} calls were made for ${requests} requests`);
  if (byStatus["200"] !== calls) throw new Error(`not every answer was good: ${JSON.stringify(byStatus)}`);
  const { firstMs, lastMs, peakInSlidingSecond } = byAddress.translator;
  return {
    calls,
    firstToLastCallMs: (lastMs ?? Number.NaN) - (firstMs ?? Number.NaN),
    mostInASecond: peakInSlidingSecond,
  };
}

/**
 * Each contender that is here has a night a round, in another order each time. What a night started ends with it, so that
 * no contender runs beside another.
 */
export async function nightsOf(
  contenders: readonly Contender[],
  work: Work,
  rounds: number,
): Promise<ReadonlyMap<string, readonly Night[]>> {
  const here = contenders.filter(({ missing }) => missing === undefined);
  const nights = new Map<string, Night[]>(here.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const turned = [...here.slice(round % here.length), ...here.slice(0, round % here.length)];
    for (const contender of turned) {
      const night = await withEnds((atEnd) => contender.night(work, atEnd));
      nights.get(contender.name)?.push(night);
      await delay(300); // what has ended lets go of its memory and its sockets
    }
  }
  return nights;
}

/** What was started within the block ends with it, the last first. */
export async function withEnds<Result>(
  block: (atEnd: Settings["atEnd"]) => Promise<Result>,
): Promise<Result> {
  const ends: (() => Promise<void>)[] = [];
  try {
    return await block((end) => void ends.unshift(end));
  } finally {
    for (const end of ends) await end();
  }
}
