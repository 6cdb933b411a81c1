// Services that give no answers, on a real Temporal: how often they are asked in vain, what is held back and what goes on.
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { fewInVain } from "../../service/calls-in-vain.ts";
import { almanac } from "../support/cli.ts";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { historiesOf, letPass, quickService, slots } from "../support/looks.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
import { endpointNote } from "../../vault/call-notes.ts";
import { readNote } from "../../vault/note.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** All languages use the translator endpoint. */
const configuration: ConfigurationInput = {
  languages: ["hi", "ja", "el"],
  operations: ["daily-horoscope", "ex-flame-reading"],
  service: quickService,
};
const awayMs = deep ? 300_000 : 3_000;
/** The pauses before probes double from two seconds, or a quarter less, to some three minutes. */
const probes = deep ? 9 : 2;
/** A worker's wasted calls until it notices, plus those in flight by then. */
const inVainByWorker = fewInVain + slots.translator;
/** Two workers, and all parts of the endpoint: promised for an hour, so for what is less. How busy the machine is takes 20 to 45. */
const mostInVain = 60;

async function callsOf(world: World, part: string): Promise<number> {
  const { byRequest } = await world.sandbox.stats();
  const own = Object.entries(byRequest).filter(([key]) => key.includes(part));
  return own.reduce((sum, [, { calls }]) => sum + calls, 0);
}

/** The endpoint's note about an open circuit breaker. */
async function outageIn(world: World) {
  return (await readNote(world.vault.store, endpointNote("translator"))).outage;
}

async function untilWhole(run: Awaited<ReturnType<World["nightly"]>>): Promise<void> {
  const progress = await run.result();
  expect(countsIn(progress)).toMatchObject({ stored: progress.planned, skipped: 0 });
}

test.concurrent("an unavailable endpoint gets one probe at a time from all workers and runs, and the night continues when it responds", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.faults([{ fault: "http503" }]);
  const [first] = await Promise.all([world.worker(), world.sharedWorker()]);
  const night = await world.nightly({ languages: ["hi", "ja"] });
  const beside = await world.backfill({ languages: ["el"] });
  await until("an open breaker", async () => outageIn(world));
  await letPass(awayMs / 2);
  if (deep) await first.kill(); // its knowledge is in the vault; Temporal reassigns its work after a timeout
  await letPass(awayMs / 2);
  const { calls } = await world.sandbox.stats();
  console.log(`${calls} calls in vain in ${awayMs / 1000} s, by two workers`);
  expect(calls).toBeLessThanOrEqual(mostInVain);
  const status = await almanac(["status"], { env: world.env, cwd: world.folder });
  expect(status.stdout).toContain("the translator endpoint has given no responses");

  await world.sandbox.clearFaults();
  await untilWhole(night);
  await untilWhole(beside);
}, 900_000);

test.concurrent("if one language is unavailable, the others are requested as usual", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.faults([{ match: { language: "ja" }, fault: "http503" }]);
  await world.sharedWorker();
  const night = await world.nightly();
  await until("the others", async () => (await world.held()).length === 2 * 26);
  if (deep) await letPass(awayMs);
  const inVain = await callsOf(world, "/ja/");
  const { away = [], probes: noted = 0 } = (await outageIn(world)) ?? {};
  // The longer the others take, the more probes there are; the last one may not be noted yet.
  expect(inVain).toBeLessThanOrEqual(inVainByWorker + Math.max(probes, noted + 1));
  expect(away).not.toHaveLength(0);
  for (const scope of away) expect(scope).toMatchObject({ language: "ja" });
  await world.sandbox.clearFaults();
  await untilWhole(night);
}, 900_000);

test.runIf(deep)(
  "of a night with one operation away, the others are asked as ever",
  async () => {
    const operations = ["daily-horoscope", "ex-flame-reading", "wisdom-reading"] as const;
    const world = await createWorld(temporal, { ...configuration, operations: [...operations] }, atEnd);
    await world.sandbox.faults([{ match: { operation: "daily-horoscope" }, fault: "reset" }]);
    await world.sharedWorker();
    const night = await world.nightly();
    await until("the others", async () => {
      const { planned } = await night.progress();
      return planned > 72 && (await world.held()).length === planned - 72;
    });
    await letPass(awayMs);
    // First one language appears, then another, and with the third the whole operation.
    expect(await callsOf(world, "/daily-horoscope/")).toBeLessThanOrEqual(
      fewInVain + inVainByWorker + probes,
    );
  },
  900_000,
);

test.runIf(deep)(
  "histories grow by nothing while a run waits, and when it is cancelled it ends within seconds",
  async () => {
    const world = await createWorld(temporal, configuration, atEnd);
    await world.sandbox.faults([{ fault: "http503" }]);
    await world.sharedWorker();
    const night = await world.nightly();
    await until("an open breaker", async () => outageIn(world));
    const lengths = async () => (await historiesOf(world)).map(({ history }) => history.events?.length ?? 0);
    await until("histories to which waiting adds nothing", async () => {
      const before = await lengths();
      await letPass(3_000);
      return (await lengths()).join() === before.join();
    });
    const cancelledMs = performance.now();
    await night.cancel();
    await night.result().catch(() => undefined);
    expect(performance.now() - cancelledMs).toBeLessThan(15_000);
  },
);
