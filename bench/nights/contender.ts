// Common part of all contenders that run a night's work, and the service's record of it.
import { setTimeout as delay } from "node:timers/promises";
import type { SpawnedSandbox } from "../../test/support/sandbox.ts";
import type { Settings } from "../measures/measure.ts";
import { at, type Work } from "./work.ts";
import { withEnds } from "../../test/support/ends.ts";

export interface Night {
  /** Duration from the start signal until the last file is written. */
  readonly tookMs: number;
  /** Processor time of the contender and its server, without the service. */
  readonly processorMs: number;
  readonly calls: number;
  readonly firstToLastCallMs: number;
  readonly mostInASecond: number;
}

export interface Contender {
  readonly name: string;
  /** Reason why it is unavailable, with the remedy. */
  readonly missing?: string;
  readonly night: (work: Work, atEnd: Settings["atEnd"]) => Promise<Night>;
}

export const ourName = "Almanac";

/** Sets the service's clock to the night's instant, and its response times to those of the work. */
export async function setUp({ latency, clock }: SpawnedSandbox, { latencyMs }: Work): Promise<void> {
  const each = { fixedMs: latencyMs };
  await latency({ english: each, translator: each, legacy: each });
  await clock({ offsetMs: at.getTime() - Date.now() });
}

/** Fails unless every reading was requested and all responses were good readings. */
export async function seenBy(sandbox: SpawnedSandbox, { requests }: Work) {
  const { calls, byEndpoint, byStatus } = await sandbox.stats();
  if (calls < requests) throw new Error(`${calls} calls were made for ${requests} requests`);
  if (byStatus["200"] !== calls) throw new Error(`not every answer was good: ${JSON.stringify(byStatus)}`);
  const { firstMs, lastMs, peakInSlidingSecond } = byEndpoint.translator;
  return {
    calls,
    firstToLastCallMs: (lastMs ?? Number.NaN) - (firstMs ?? Number.NaN),
    mostInASecond: peakInSlidingSecond,
  };
}

export interface Nights {
  readonly nights: readonly Night[];
  /** Error that ended the last of them early. */
  readonly failure?: string;
}

/**
 * Each available contender has one night per round, in a different order each time. All processes of a night end with it, so no
 * contenders run concurrently. A contender that fails or times out has no further nights.
 */
export async function nightsOf(
  contenders: readonly Contender[],
  work: Work,
  { rounds, withinMs }: { readonly rounds: number; readonly withinMs: number },
): Promise<ReadonlyMap<string, Nights>> {
  const here = contenders.filter(({ missing }) => missing === undefined);
  const all = new Map<string, Nights>(here.map(({ name }) => [name, { nights: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    const turned = [...here.slice(round % here.length), ...here.slice(0, round % here.length)];
    for (const { name, night } of turned) {
      const { nights, failure } = all.get(name) ?? { nights: [] };
      if (failure !== undefined) continue;
      try {
        all.set(name, {
          nights: [...nights, await withEnds((atEnd) => within(withinMs, night(work, atEnd)))],
        });
      } catch (error) {
        all.set(name, { nights, failure: error instanceof Error ? error.message : String(error) });
      }
      await delay(300); // ended processes release their memory and sockets
    }
  }
  return all;
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`not done after ${ms / 1000} s`);
  });
  late.catch(() => undefined);
  work.catch(() => undefined); // it fails again when its dependencies are stopped
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
