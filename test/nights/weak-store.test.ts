// Nights on a bucket whose server fails and hangs now and then: they take longer, but complete.
import { expect, test } from "vitest";
import { seededRandom } from "../../packages/sandbox/random.ts";
import { deep } from "../support/deep.ts";
import { quickService } from "../support/looks.ts";
import { countsIn, createWorld } from "../support/night.ts";
import { s3ForTests } from "../support/s3.ts";
import { type Fault, startProxy } from "../support/s3-proxy.ts";
import { sharedTemporal } from "../support/temporal.ts";

const faults: readonly Fault[] = ["unsent", "lost", "hang", "silent"];

/** Duration of a night in which this share of bucket calls failed or hung. */
async function nightAt(share: number): Promise<number> {
  const s3 = await s3ForTests();
  const proxy = await startProxy(s3.endpoint);
  const random = seededRandom(7);
  proxy.byChance(() =>
    random() < share ? (faults[Math.floor(random() * faults.length)] ?? "pass") : "pass",
  );
  const world = await createWorld(await sharedTemporal(), {
    languages: ["en", "hi", "es", "ja", "ar"],
    operations: ["daily-horoscope", "daily-tarot"],
    service: quickService,
  });
  Object.assign(world.env, s3.variables, {
    AWS_ENDPOINT_URL_S3: proxy.endpoint,
    ALMANAC_VAULT: `s3://${s3.bucket}/vault`,
    ALMANAC_SITE: `s3://${s3.bucket}/site`,
  });
  await world.worker();
  const began = performance.now();
  const ended = await (await world.nightly()).result();
  const tookMs = performance.now() - began;
  expect(ended).toMatchObject({ state: "done", planned: 130, broken: {} });
  expect(countsIn(ended)).toMatchObject({ stored: 130, skipped: 0 });
  console.log(`a night at ${share * 100} %: ${(tookMs / 1000).toFixed(0)} s, ${proxy.calls.length} calls`);
  return tookMs;
}

// test/store/s3-attempts.test.ts measures the cost of each such call.
test.runIf(deep)(
  "a night at 8 % of errors and hangs ends within three times its time at 2 %",
  { timeout: 900_000 },
  async () => {
    const at2 = await nightAt(0.02);
    expect(await nightAt(0.08)).toBeLessThan(3 * at2);
  },
);
