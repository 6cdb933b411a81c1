// The owner of an endpoint loses its way to the vault, to the service or to Temporal, one at a time: another process takes the
// endpoint over and the night is whole, and nothing that was stored is requested again.
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { processClock } from "../../store/clock.ts";
import { LeaseFile } from "../../store/held-lease.ts";
import { layout } from "../../vault/files.ts";
import { createVault } from "../../vault/vault.ts";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { isStable, quickService, sandboxKey } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { clockSpedUp } from "../support/noon.ts";
import { s3ForTests } from "../support/s3.ts";
import { startWay } from "../support/tcp-way.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();
const s3 = await s3ForTests(atEnd);

/** No faster: an owner renews its lease within 20 s of its clock, and a store on a busy machine needs seconds for that. */
const speed = deep ? 1 : 2;
const two = 2 / speed;

/** 24 calls at two per second, some of which are made before the cut. */
const configuration: ConfigurationInput = {
  languages: ["hi"],
  operations: ["daily-horoscope"],
  service: { ...quickService, ratePerSecond: { english: two, translator: two, legacy: two } },
};

/** A world with its vault in a bucket, where each process has a separate connection to it. */
async function worldOnBucket() {
  const world = await createWorld(temporal, configuration, atEnd);
  const store = s3.open({ prefix: `${world.id}/vault` });
  Object.assign(world.env, s3.variables, {
    ALMANAC_VAULT: `s3://${s3.bucket}/${world.id}/vault`,
    ALMANAC_SITE: `s3://${s3.bucket}/${world.id}/site`,
  });
  return { world, store };
}

/** Two calling processes with separate connections; the owner's is cut. */
async function ownerIsCutOff(variable: string, target: (world: World) => string | undefined) {
  const { world, store } = await worldOnBucket();
  const direct = target(world) ?? "";
  await world.sharedWorker("main");
  Object.assign(world.env, clockSpedUp(speed)); // after the publisher, whose lease is not about this
  const ways = new Map<string, () => void>();
  for (let count = 0; count < 2; count += 1) {
    const way = await startWay(direct, atEnd);
    world.env[variable] = direct.replace(/127\.0\.0\.1:\d+|localhost:\d+/, way.address);
    const { pid } = await world.worker("--queues", "translator");
    ways.set(String(pid), way.cut);
  }
  const file = new LeaseFile({ store, clock: processClock }, layout.lease("translator"));
  const owner = async () => (await file.read()).entry?.holder.where.split("@")[0] ?? "";
  const vault = createVault(store, "almanac");
  const night = await world.nightly();
  const stored = await until("some responses", async () => {
    const keys = await vault.held("");
    return keys.length >= 6 && keys;
  });
  const cutOff = await owner();
  ways.get(cutOff)?.();
  const ended = await night.result();
  const { byRequest } = await world.sandbox.stats();
  return {
    ended,
    ways: [...ways.keys()],
    owners: [cutOff, await owner()],
    repeated: stored.filter((key) => isStable(key) && byRequest[sandboxKey(key)]?.calls !== 1),
  };
}

test.concurrent.each([
  { part: "the vault", variable: "AWS_ENDPOINT_URL_S3", target: () => s3.endpoint },
  {
    part: "the service",
    variable: "READING_SERVICE_TRANSLATOR_URL",
    target: ({ env }: World) => env["READING_SERVICE_TRANSLATOR_URL"],
  },
  {
    part: "Temporal",
    variable: "TEMPORAL_ADDRESS",
    target: ({ env }: World) => env["TEMPORAL_ADDRESS"],
  },
])("an owner that is cut off from $part hands over, and the night is whole", async ({ variable, target }) => {
  const { ended, ways, owners, repeated } = await ownerIsCutOff(variable, target);
  expect(ended).toMatchObject({ state: "done", skipped: [], broken: {} });
  expect(owners.toSorted()).toEqual(ways.toSorted());
  expect(repeated).toEqual([]);
});
