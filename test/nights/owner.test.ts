// Four worker processes, their clocks a second apart: one of them owns the endpoint and dies, the next one is stopped for longer than
// its lease and continues, the next one ends, and one with a lower rate owns it last. On a folder, and on a bucket that takes one
// write a second to a key. Each process notes when its calls leave; the sandbox counts when they come.
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
import { mostInASecond, nowMs, recordSends, sendsOf } from "../support/sends.ts";
import { type SharedTemporal, temporalForTests } from "../support/temporal.ts";
import { processClock } from "../../store/clock.ts";
import { LeaseFile } from "../../store/held-lease.ts";
import { layout } from "../../vault/files.ts";
import type { Store } from "../../store/store.ts";

const rate = 12;
const lowRate = 4;

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
  const file = new LeaseFile({ store: vault, clock: processClock }, layout.lease("translator"));
  /** The owner, once it is another one than these. */
  const ownerAfter = async (...others: (number | undefined)[]) =>
    until("another owner", async () => {
      const { entry } = await file.read();
      const pid = Number.parseInt(entry?.holder.where ?? "", 10);
      return entry?.state === "held" && !others.includes(pid) && workers.find((one) => one.pid === pid);
    });
  const nextCallMs = async (fromMs: number) =>
    until("the next call", async () => {
      const next = (await sendsOf(world))
        .filter((at) => at > fromMs + 500)
        .toSorted((one, other) => one - other)[0];
      return next === undefined ? false : next - fromMs;
    });
  const first = await ownerAfter();
  await until(
    "the first calls",
    async () => (await world.sandbox.stats()).byEndpoint.translator.calls > 3 * rate,
  );
  const diedMs = nowMs();
  await first.kill();
  const afterDeathMs = await nextCallMs(diedMs);
  const second = await ownerAfter(first.pid);
  await delay(4_000);
  second.child.kill("SIGSTOP");
  const stoppedMs = nowMs();
  const afterStopMs = await nextCallMs(stoppedMs);
  const third = await ownerAfter(first.pid, second.pid);
  await delay(Math.max(0, stoppedMs + 45_000 - nowMs()));
  second.child.kill("SIGCONT");
  await delay(4_000);
  const endedMs = nowMs();
  void third.stop();
  const afterEndMs = await nextCallMs(endedMs);
  const slow = await worker(world, 3_000, lowRate);
  workers.push(slow);
  for (const one of workers) if (one !== slow && one !== first && one !== third) void one.stop();
  await ownerAfter(...workers.filter((one) => one !== slow).map(({ pid }) => pid));
  await delay(2_000);
  const slowMs = nowMs();
  await delay(8_000);
  const sends = await sendsOf(world);
  const stats = await world.sandbox.stats();
  return {
    calls: sends.length,
    most: mostInASecond(sends),
    mostSlowed: mostInASecond(sends, slowMs, nowMs()),
    slowedPerSecond: sends.filter((at) => at > slowMs).length / 8,
    afterDeathMs,
    afterStopMs,
    afterEndMs,
    repeats: stats.repeats,
    seenBySandbox: stats.byEndpoint.translator.peakInSlidingSecond,
  };
}

function expectKept(figures: Awaited<ReturnType<typeof played>>) {
  // A stopped process may have been between its check and its call.
  expect(figures.most).toBeLessThanOrEqual(rate + 1);
  expect(figures.mostSlowed).toBeLessThanOrEqual(lowRate + 1);
  expect(figures.slowedPerSecond).toBeGreaterThan(lowRate * 0.7);
  expect(figures.afterDeathMs).toBeLessThan(35_000);
  expect(figures.afterEndMs).toBeLessThan(5_000);
  // The network and a busy machine bring calls nearer to each other than they left.
  expect(figures.seenBySandbox).toBeLessThanOrEqual(rate * 1.5);
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

// It waits for longer than a run of all tests should take; test/service/endpoint-simulation.test.ts plays the same without a clock.
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
