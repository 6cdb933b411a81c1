// What a month of nights costs in a bucket: the calls that publishing was counted to make, and those of the plan's own
// requests, at list prices.
import { configurationSchema } from "../readings/configuration.schema.ts";
import { makePlan } from "../readings/plan.ts";
import type { RequestKey } from "../readings/request.ts";
import type { Counts } from "./counted-store.ts";

const nights = 30;
const turnsADay = 96;
/** Of one request in the vault: a claim and a capture are written; a look before the call, then by the gates and the press. */
const ofRequest = { writes: 2, reads: 7 };

/** In US dollars, as Amazon (us-east-1) and Cloudflare listed them in 2025; removals are free. */
const prices = {
  "Amazon S3": { aMillionWrites: 5, aMillionReads: 0.4, aGigabyteMonth: 0.023 },
  "Cloudflare R2": { aMillionWrites: 4.5, aMillionReads: 0.36, aGigabyteMonth: 0.015 },
} as const;

export function printMonth(night: Counts, turn: Counts): void {
  const requests = requestsInAMonth();
  const writes = nights * (night.write + night.list) + nights * turnsADay * turn.write;
  const reads = nights * night.read + nights * turnsADay * turn.read;
  const inVault = { writes: requests * ofRequest.writes, reads: requests * ofRequest.reads };
  const gigabytes = (nights * night.writtenBytes) / 1e9;
  console.log(
    `\na month of ${nights} such nights and ${turnsADay} turns a day, the first night's backlog apart:\n` +
      `  site: ${count(writes)} writes and listings, ${count(reads)} reads, ${gigabytes.toFixed(1)} GB written; ` +
      `vault, for ${count(requests)} requests: ${count(inVault.writes)} writes, ${count(inVault.reads)} reads`,
  );
  for (const [name, { aMillionWrites, aMillionReads, aGigabyteMonth }] of Object.entries(prices)) {
    const calls =
      ((writes + inVault.writes) * aMillionWrites + (reads + inVault.reads) * aMillionReads) / 1e6;
    const kept = gigabytes * aGigabyteMonth;
    console.log(`  ${name}: $${calls.toFixed(2)} for calls, $${kept.toFixed(2)} for what is kept`);
  }
}

function requestsInAMonth(): number {
  const configuration = configurationSchema.parse({});
  const held = new Set<RequestKey>();
  let requests = 0;
  for (let day = 0; day <= nights; day += 1) {
    const instant = new Date(Date.UTC(2026, 10, 21 + day, 3, 5));
    const { due } = makePlan({
      configuration,
      instant,
      held: (key) => held.has(key),
      quarantined: () => undefined,
      callsToday: 0,
      only: {},
    });
    for (const { key } of due) held.add(key);
    if (day > 0) requests += due.length;
  }
  return requests;
}

function count(calls: number): string {
  return Math.round(calls).toLocaleString("en");
}
