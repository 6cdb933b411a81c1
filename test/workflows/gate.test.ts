import { always } from "../../store/store.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AddressGate } from "../../vault/address-gate.ts";
import { writeJson } from "../../vault/json.ts";
import { createVault } from "../../vault/vault.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/periods.ts";
import { openFolder } from "../../store/folder.ts";
import { openGateSignal } from "../../workflows/names.ts";
import { alerts, capturesIn, letPass, quickService, slots } from "../support/looks.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** All on the translator address, so that there is one gate. */
const configuration: ConfigurationInput = {
  languages: ["hi", "ja", "el"],
  operations: ["daily-horoscope", "ex-flame-reading", "in-depth-love-reading"],
  // Slow enough that both runs have something left when the credentials change.
  service: { ...quickService, ratePerSecond: { translator: 4 } },
};
/** After 1 s, then 2, 4, ... later: in so many seconds there is room for so many probes. */
function probesIn(ms: number): number {
  return Math.floor(Math.log2(ms / 1000 + 2)) + 1;
}

/** Calls that were refused, counted by the service. */
async function refused(world: World): Promise<number> {
  return (await world.sandbox.stats()).byStatus["401"] ?? 0;
}

const languageOf = { english: "en", translator: "hi" } as const;
async function isHeld(gate: AddressGate, address: keyof typeof languageOf): Promise<boolean> {
  const request = { operation: "daily-tarot", language: languageOf[address], period: "2026-11-21" } as const;
  return (await gate.held(request)) !== undefined;
}

async function gateClosed(world: World): Promise<void> {
  await until("the gate is closed", async () => world.vault.store.read("gate/translator.json"));
}

/** Credentials in files, as an operator rotates them: the environment of a running worker can't be changed. */
async function credentialsFromFiles(world: World): Promise<(token: string) => Promise<void>> {
  const { env, folder, sandbox } = world;
  const tokenFile = join(folder, "token");
  const keyFile = join(folder, "api-key");
  delete env["READING_SERVICE_TOKEN"];
  delete env["READING_SERVICE_API_KEY"];
  env["READING_SERVICE_TOKEN_FILE"] = tokenFile;
  env["READING_SERVICE_API_KEY_FILE"] = keyFile;
  await writeFile(keyFile, `${sandbox.apiKey}\n`);
  const give = (token: string) => writeFile(tokenFile, `${token}\n`);
  await give(sandbox.token);
  return give;
}

test.concurrent("refused credentials stop a night and the backfill beside it with one alert, and both go on by themselves when the file holds new ones", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  const give = await credentialsFromFiles(world);
  // So slow that neither run ends before the credentials change, however long the machine takes to start the second one.
  await world.sandbox.latency({ translator: { fixedMs: 5_000 } });
  await world.sharedWorker();
  const hasKept = async (part: string) => (await world.held()).some((key) => key.includes(part));
  const night = await world.nightly({ languages: ["hi", "ja"] });
  await until("a reading of the night", () => hasKept("/hi/"));
  const beside = await world.backfill({ languages: ["el"] });
  await until("a reading of the backfill", () => hasKept("/el/"));
  await world.sandbox.credentials({ token: "rotated-token" });
  await world.sandbox.latency({ translator: { fixedMs: 300 } });
  const closedMs = performance.now();
  await gateClosed(world);
  await letPass(6_000);
  const stats = await world.sandbox.stats();
  const most = slots.translator + probesIn(performance.now() - closedMs);
  expect(await refused(world)).toBeGreaterThan(0);
  expect(await refused(world)).toBeLessThanOrEqual(most);
  expect(await night.progress()).toMatchObject({ state: "gathering" });
  expect(await beside.progress()).toMatchObject({ state: "gathering" });
  expect(await alerts(world, "gate-closed")).toBe(1);

  await give("rotated-token");
  const ended = await Promise.all([night.result(), beside.result()]);
  for (const { planned, ...progress } of ended) {
    const { kept, held, setAside } = countsIn({ planned, ...progress });
    expect({ done: kept + held, setAside }).toEqual({ done: planned, setAside: 0 });
  }
  const planned = ended.reduce((sum, one) => sum + one.planned, 0);
  expect(await world.held()).toHaveLength(planned);
  expect(await alerts(world, "gate-closed")).toBe(1);
  expect(await alerts(world, "gate-opened")).toBe(1);
  const after = await world.sandbox.stats();
  expect(after.calls - (await refused(world))).toBe(planned); // no answer was asked for twice
  expect(stats.calls).toBeLessThan(after.calls);
  const log = await world.log();
  for (const secret of [world.sandbox.token, world.sandbox.apiKey, "rotated-token"])
    expect(log).not.toContain(secret);
});

test.concurrent("a second worker sees the gate within five seconds, and the signal opens it at once", async () => {
  const world = await createWorld(temporal, { ...configuration, languages: ["hi", "ja"] }, atEnd);
  await world.sandbox.latency({ translator: { fixedMs: 300 } });
  await Promise.all([world.worker(), world.sharedWorker()]);
  const night = await world.nightly();
  await until("some captures", async () => (await world.held()).length > 10);
  await world.sandbox.credentials({ token: "another-token" });
  const refusedMs = performance.now();
  await gateClosed(world);
  await letPass(5_000);
  const seen = await refused(world);
  const seenMs = performance.now();
  expect(seen).toBeLessThanOrEqual(2 * slots.translator + probesIn(seenMs - refusedMs));
  await letPass(8_000);
  // From here on there are only probes, however many workers there are.
  const laterProbes = (await refused(world)) - seen;
  expect(laterProbes).toBeLessThanOrEqual(probesIn(performance.now() - refusedMs) - 1);
  expect(await alerts(world, "gate-closed")).toBe(1);

  // The next probe is seconds away: who knows better need not wait for it.
  const gate = await world.vault.store.read("gate/translator.json");
  expect(gate, `open after ${performance.now() - seenMs} ms`).toBeDefined();
  await world.sandbox.credentials({ token: world.sandbox.token });
  const before = (await capturesIn(world)).size;
  await world.client.workflow.getHandle(night.id).signal(openGateSignal);
  await until("a capture more", async () => (await world.held()).length > before);
  expect(await world.log()).toContain("was opened by hand");
  const ended = await night.result();
  expect(countsIn(ended)).toMatchObject({ setAside: 0 });
  expect(await world.held()).toHaveLength(ended.planned);
});

test.concurrent("two addresses that refuse the credentials are one alert, and one more when both take them again", async () => {
  const languages: ConfigurationInput["languages"] = ["en", "hi"];
  const world = await createWorld(
    temporal,
    { languages, operations: ["daily-tarot"], service: quickService },
    atEnd,
  );
  await world.sandbox.credentials({ token: "another-token" });
  await world.sharedWorker();
  const night = await world.nightly();
  for (const address of ["english", "translator"])
    await until("both gates", async () => world.vault.store.read(`gate/${address}.json`));
  await world.sandbox.credentials({ token: world.sandbox.token });
  expect(countsIn(await night.result())).toMatchObject({ planned: 4, setAside: 0 });
  await until("the word that all is well", async () => (await alerts(world, "gate-opened")) > 0);
  expect(await alerts(world, "gate-closed")).toBe(1);
  expect(await alerts(world, "gate-opened")).toBe(1);
});

test.concurrent("another process sees the gate within five seconds of its closing, and at once that it is open again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-gate-"));
  atEnd(() => rm(folder, { recursive: true }));
  const vault = createVault(openFolder(folder));
  const [here, there] = [new AddressGate(vault, () => new Date()), new AddressGate(vault, () => new Date())];
  expect(await isHeld(there, "english")).toBe(false); // and remembers it
  const refusal = { run: "a-night", key: "daily/2026-11-21/en/daily-horoscope/leo", seen: "401" };
  expect(await here.close("english", refusal)).toBe(true);
  const closedMs = performance.now();
  expect(await isHeld(here, "english")).toBe(true);
  expect(await there.close("english", refusal), "one of the two raises the alarm").toBe(false);
  // Whatever time passes between two looks of the test: the one that is made five seconds after it closed sees it.
  await until("the other one to see it", async () => {
    const askedMs = performance.now();
    const sees = await isHeld(there, "english");
    expect(sees || askedMs - closedMs < 5_000, "not seen five seconds after it closed").toBe(true);
    return sees;
  });
  expect(await isHeld(there, "translator")).toBe(false);
  expect(await there.open("english")).toBe(true);
  expect(await isHeld(here, "english")).toBe(false);
  expect(await here.open("english")).toBe(false);
});

test.concurrent("a gate that was closed over a request of another day opens by itself: one that waits is asked in its place", async () => {
  const world = await createWorld(
    temporal,
    {
      languages: ["hi"],
      operations: ["daily-tarot"],
      service: quickService,
    },
    atEnd,
  );
  const now = new Date().toISOString();
  const gate = {
    format: 1,
    address: "translator",
    closedAt: now,
    run: "an-earlier-night",
    key: `daily/${addDays(now.slice(0, 10), -5)}/hi/daily-horoscope/leo`,
    seen: "Invalid authorization token or api key",
    probes: 1,
    nextProbeAt: now,
  };
  const { store } = world.vault;
  await writeJson(store, "gate/translator.json", gate, always);
  const alarm = { format: 1, address: "translator", closedAt: now, over: false };
  await writeJson(store, "gate/alarm.json", alarm, always);
  await world.sharedWorker();
  const ended = await (await world.nightly()).result();
  expect(countsIn(ended)).toMatchObject({ planned: 2, setAside: 0 });
  expect((await world.sandbox.stats()).calls).toBe(2);
  expect(await alerts(world, "gate-opened")).toBe(1);
});
