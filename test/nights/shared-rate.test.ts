// Four worker processes keep to one rate, their clocks a second apart, while one dies, one is stopped for as long as it takes to
// lose its share, and one that is configured with less comes and goes: on a folder, and on a bucket that takes one write a
// second to a key. Each process notes when its calls leave; the sandbox counts when they come.
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { deep } from "../support/deep.ts";
import { fileEnd, listen } from "../support/ends.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { clockMovedBy } from "../support/noon.ts";
import { forwarded, s3Error } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";
import { mostInASecond, recordSends, sendsOf } from "../support/sends.ts";
import { type SharedTemporal, temporalForTests } from "../support/temporal.ts";
import { parseJson } from "../../vault/json.ts";
import { layout } from "../../vault/layout.ts";
import { rateNote } from "../../vault/rate-note.ts";
import type { Store } from "../../store/store.ts";

const rate = 12;
const lowRate = 4;
/** A joining worker is noticed within 5 s, and obeyed a second later; a busy machine has twice as long. */
const heedMs = 12_000;

function configuration(ratePerSecond: number): ConfigurationInput {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  return {
    languages: ["hi", "ja", "de", "fr", "es", "it", "pt", "ru"],
    operations: ["love-compatibility"],
    service: {
      ratePerSecond: all(ratePerSecond),
      concurrency: all(48),
      answerTimeoutSeconds: all(10),
    },
  };
}

/** The way to a bucket that takes one write a second to a key, as some do. */
async function slowBucket(endpoint: string) {
  const lastMs = new Map<string, number>();
  let refusedWrites = 0;
  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = incoming;
    const call = { method, url, headers, body: await buffer(incoming) };
    const key = url.replace(/\?.*/, "");
    const isTooSoon = method === "PUT" && performance.now() - (lastMs.get(key) ?? -Infinity) < 1_000;
    if (isTooSoon) refusedWrites += 1;
    const answer = isTooSoon ? s3Error(429, "TooManyRequests") : await forwarded(call, endpoint);
    if (method === "PUT" && answer.status === 200) lastMs.set(key, performance.now());
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  }
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await listen(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    refusedWrites: () => refusedWrites,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

async function worker(world: World, clockOffsetMs: number, ratePerSecond = rate) {
  const path = join(world.folder, `almanac-${ratePerSecond}.config.ts`);
  const written = await readFile(world.env["ALMANAC_CONFIG"] ?? "", "utf8");
  await writeFile(path, written.replaceAll(/("(?:english|translator|legacy)"):12\b/g, `$1:${ratePerSecond}`));
  const { env } = world;
  const before = env["ALMANAC_CONFIG"] ?? "";
  Object.assign(env, { ALMANAC_CONFIG: path, ...clockMovedBy(clockOffsetMs) });
  const starting = world.worker();
  env["ALMANAC_CONFIG"] = before;
  return starting;
}

async function played(world: World, vault: Store) {
  await world.sandbox.latency({ translator: { fixedMs: 50 } });
  recordSends(world);
  const workers = await Promise.all([0, 1_000, 2_000, -1_000].map((offsetMs) => worker(world, offsetMs)));
  await world.nightly();
  await until(
    "the first calls",
    async () => (await world.sandbox.stats()).byAddress.translator.calls > 3 * rate,
  );
  const [, dying, stopping] = workers;
  await dying?.kill();
  stopping?.child.kill("SIGSTOP");
  const stoppedMs = nowMs();
  const slow = await worker(world, 3_000, lowRate);
  const { schema } = rateNote("translator");
  await until("the one with the lower rate", async () => {
    const stored = await vault.read(layout.rate("translator"));
    return (
      stored &&
      parseJson("", stored.body, schema).holders.some(({ ratePerSecond }) => ratePerSecond === lowRate)
    );
  });
  const joinedMs = nowMs();
  await delay(heedMs + 4_000);
  const leftMs = nowMs();
  await slow.stop();
  await delay(Math.max(0, stoppedMs + 32_000 - nowMs()));
  stopping?.child.kill("SIGCONT");
  await delay(7_000); // whoever is left finds the share of the dead one, and all their shares again
  const fromMs = nowMs();
  await delay(deep ? 30_000 : 5_000);
  const toMs = nowMs();
  const sends = await sendsOf(world);
  const stats = await world.sandbox.stats();
  const figures = {
    calls: sends.length,
    most: mostInASecond(sends),
    mostSlowed: mostInASecond(sends, joinedMs + heedMs, leftMs),
    slowedPerSecond:
      sends.filter((at) => at > joinedMs + heedMs && at < leftMs).length /
      ((leftMs - joinedMs - heedMs) / 1000),
    atLastPerSecond: sends.filter((at) => at > fromMs && at < toMs).length / ((toMs - fromMs) / 1000),
    seenBySandbox: stats.byAddress.translator.peakInSlidingSecond,
  };
  return figures;
}

function expectKept({
  most,
  mostSlowed,
  atLastPerSecond,
  seenBySandbox,
}: Awaited<ReturnType<typeof played>>) {
  // The stopped one may have been between its look and its call.
  expect(most).toBeLessThanOrEqual(rate + 1);
  expect(mostSlowed).toBeLessThanOrEqual(lowRate + 1);
  // The dead and the stopped one may hold all of the lower rate, until their shares are taken away.
  expect(atLastPerSecond).toBeGreaterThan(rate * 0.7);
  // The network and a busy machine bring calls nearer to each other than they left.
  expect(seenBySandbox).toBeLessThanOrEqual(rate * 1.5);
}

const atEnd = fileEnd();

// Both at once: mostly they wait. With each other's work they are a busy machine, which the rate has to bear.
async function onFolder(temporal: SharedTemporal) {
  const world = await createWorld(temporal, configuration(rate), atEnd);
  return played(world, world.vault.store);
}

async function onBucket(temporal: SharedTemporal) {
  const s3 = await s3ForTests(atEnd);
  const world = await createWorld(temporal, configuration(rate), atEnd);
  const bucket = await slowBucket(s3.endpoint);
  atEnd(async () => bucket.close());
  Object.assign(world.env, s3.variables, {
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
    ALMANAC_VAULT: `s3://${s3.bucket}/${world.id}/vault`,
    ALMANAC_SITE: `s3://${s3.bucket}/${world.id}/site`,
  });
  return {
    ...(await played(world, s3.open({ prefix: `${world.id}/vault` }))),
    refusedWrites: bucket.refusedWrites(),
  };
}

// It waits for longer than a run of all tests should take; test/worker/rate-share-simulation.test.ts plays the same without a clock.
test.runIf(deep)(
  "no second sees more than the rate, on a folder and on a bucket that refuses a second write to a key",
  async () => {
    // Not at the top: what a file starts of which all tests are passed over would never end.
    const temporal = await temporalForTests({}, atEnd);
    const [folder, bucket] = await Promise.all([onFolder(temporal), onBucket(temporal)]);
    console.log({ folder, bucket });
    expectKept(folder);
    expectKept(bucket);
  },
);
