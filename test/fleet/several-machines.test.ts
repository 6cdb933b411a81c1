// A night of 26 languages on several machines, with faults: a worker dies repeatedly, then its machine; PostgreSQL and one of
// Temporal's roles crash; a cable is cut; a worker freezes beyond the lifetime of its lease; a new version starts; the rate is
// lowered. Each process records when its calls leave; the sandbox counts them on arrival.
import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { signs } from "../../readings/tables.ts";
import { followRun, startNightly } from "../../worker/temporal/runs.ts";
import { withEnds } from "../support/ends.ts";
import { countsIn, until } from "../support/night.ts";
import { checkoutWithChange } from "../support/next-version.ts";
import { makeCurrent } from "../support/temporal.ts";
import { mostInASecond, nowMs } from "../support/sends.ts";
import { createAccounts } from "./accounts.ts";
import { createDiary } from "./diary.ts";
import { createFleet, type Fleet, patienceMs } from "./fleet.ts";
import { crashHistory, crashPostgres, cutCable, loseMachine, standStill, type Trial } from "./troubles.ts";

const deploymentOf = ({ cluster, id }: Fleet) => ({ address: cluster.address, id });

const rate = 8;
const lowRate = 5;
const inFlight = 16;
/** A joining worker is noticed within 5 s, and obeyed a second later; a busy machine has twice as long. */
const obeyMs = 12_000;
/** The alert for a machine that is gone waits for ten minutes. */
const longestMs = 1_500_000;

const configurationAt = (ratePerSecond: number): ConfigurationInput => {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  return {
    operations: ["daily-horoscope", "weekly-horoscope", "love-compatibility", "ex-flame-reading"],
    pairs: signs.flatMap((one) => signs.slice(0, 6).map((other): [typeof one, typeof other] => [one, other])),
    service: { ratePerSecond: all(ratePerSecond), concurrency: all(inFlight), answerTimeoutSeconds: all(10) },
  };
};
const configuration = configurationAt(rate);

const planned = z.object({ due: z.array(z.unknown()) });

async function dueIn(fleet: Fleet): Promise<number> {
  const { code, stdout, stderr } = await fleet.command(configuration, "plan", "--json");
  expect(code, stderr).toBe(0);
  return planned.parse(JSON.parse(stdout)).due.length;
}

/** Clocks are as far apart as those of machines that nobody looks after. */
async function threeWorkers(fleet: Fleet) {
  const [at0, at1, at2] = [await fleet.host(), await fleet.host(), await fleet.host()];
  const start = { buildId: "1", configuration };
  return {
    cut: await fleet.worker({ ...start, host: at0, clockSeconds: 0 }),
    dying: await fleet.worker({ ...start, host: at1, clockSeconds: 1.2 }),
    stopping: await fleet.worker({ ...start, host: at2, clockSeconds: -1.1 }),
  };
}

/** Answers the instance of the machine that was lost, and since when the lower rate holds. */
async function live(trial: Trial, { cut, dying, stopping }: Awaited<ReturnType<typeof threeWorkers>>) {
  const { fleet, diary } = trial;
  const elsewhere = { ...dying.start, host: await fleet.host(), clockSeconds: 2 };
  await loseMachine(trial, dying, elsewhere);
  await crashPostgres(trial);
  await cutCable(trial, cut);
  await crashHistory(trial);
  await standStill(trial, stopping);

  const program = join(await checkoutWithChange(fleet.folder), "scripts/almanac.js");
  const host = await fleet.host();
  await fleet.worker({ buildId: "2", configuration, program, host, clockSeconds: -2 });
  await makeCurrent(deploymentOf(fleet), "2", patienceMs);
  await diary.note("a new version begins beside the old one");

  expect(await cut.end("SIGTERM")).toBe(0);
  await fleet.worker({ ...cut.start, configuration: configurationAt(lowRate) });
  await diary.note(`a worker is stopped, and started with ${lowRate} calls a second`);
  return nowMs() + obeyMs;
}

/** Updates the accounts every few seconds until the end. */
async function lookingAll<Result>({ look }: Trial["accounts"], work: () => Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const looking = (async () => {
    for (; !over.signal.aborted; await delay(4_000)) await look();
  })();
  try {
    return await work();
  } finally {
    over.abort();
    await looking;
  }
}

async function ended({ client }: Fleet, id: string) {
  const handle = client.workflow.getHandle(id);
  const isOver = async () => (await handle.describe()).status.name !== "RUNNING";
  await until("the night to end", () => isOver().catch(() => false), longestMs);
  return followRun(client, id).result();
}

/** Runs the night and prints its report. */
async function lived(fleet: Fleet) {
  const { sandbox, prometheus } = fleet;
  const due = await dueIn(fleet);
  const latency = { fixedMs: 300, jitterMs: 700 };
  await sandbox.latency({ english: latency, translator: latency });
  const workers = await threeWorkers(fleet);
  await makeCurrent(deploymentOf(fleet), "1", patienceMs);
  const lost = workers.dying.instance;
  const expected = [`AlmanacWorkerDown ${lost}`, `AlmanacWorkerRestarts ${lost}`];
  const accounts = createAccounts(fleet);
  const diary = createDiary(accounts, fleet);

  return lookingAll(accounts, async () => {
    const { id } = await startNightly(fleet.client, fleet.id, {}, new Date());
    await diary.note("the night begins");
    await until("some calls", async () => (await sandbox.stats()).calls > 5 * rate, patienceMs);
    const loweredMs = await live({ fleet, accounts, diary }, workers);
    const night = await ended(fleet, id);
    await diary.note("the night has ended");
    await until("its alerts", async () => (await prometheus.fired()).length >= expected.length, longestMs);
    await diary.note("who is to be told has been told");
    return { due, night, loweredMs, expected, accounts, table: diary.table() };
  });
}

async function figuresOf(fleet: Fleet, { due, loweredMs, accounts }: Awaited<ReturnType<typeof lived>>) {
  const sends = await fleet.sends();
  const { calls, byEndpoint } = await fleet.sandbox.stats();
  return {
    due,
    kept: (await fleet.vault.held("")).length,
    calls,
    askedAlthoughKept: accounts.again(),
    cameLate: accounts.late().length,
    leftInASecond: mostInASecond(sends),
    leftInASecondLowered: mostInASecond(sends, loweredMs),
    cameInASecond: byEndpoint.translator.peakInSlidingSecond,
    fired: await fleet.prometheus.fired(),
  };
}

test(
  "a night on several machines keeps every reading once and at its rate, whatever becomes of them, and tells what needs a person",
  async () => {
    await withEnds(async (atEnd) => {
      const fleet = await createFleet(atEnd);
      const seen = await lived(fleet);
      const figures = await figuresOf(fleet, seen);
      console.log(`${seen.table}\n`, figures);
      expect(seen.night).toMatchObject({ state: "done", broken: {} });
      expect(countsIn(seen.night)).toMatchObject({ skipped: 0 });
      expect(Object.keys(seen.night.languages)).toHaveLength(26);
      expect(figures).toMatchObject({ kept: seen.due, askedAlthoughKept: [], fired: seen.expected });
      expect(figures.cameLate).toBeLessThanOrEqual(2 * inFlight); // from the worker that was cut off and the one that was frozen
      // Calls in flight at four deaths, a cut and a stop may repeat.
      expect(figures.calls - seen.due).toBeLessThanOrEqual(6 * inFlight);
      expect(figures.leftInASecond).toBeLessThanOrEqual(rate + 1);
      expect(figures.leftInASecondLowered).toBeLessThanOrEqual(lowRate + 1);
      expect(await dueIn(fleet)).toBe(0);
      expect(await fleet.command(configuration, "verify"), "verify").toMatchObject({ code: 0 });
    });
  },
  longestMs,
);
