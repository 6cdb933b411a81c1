// Credentials for Temporal that are rotated during a night: a worker and a waiting command continue with the new ones, without a
// restart and without further calls to the service. A gate in front of a real Temporal checks them at each call.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { freePorts } from "../../worker/temporal/ports.ts";
import { almanac } from "../support/cli.ts";
import { fileEnd } from "../support/ends.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { type Certificate, certificate } from "../support/self-signed.ts";
import { type GuardedCall, startTemporalGate } from "../support/temporal-gate.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

type Gate = Awaited<ReturnType<typeof startTemporalGate>>;
const ended = z.object({ state: z.string(), planned: z.number(), skipped: z.array(z.unknown()) });

const ofWorker = /^(?:Poll|Respond|Record)/;
const ofWatcher = /^QueryWorkflow$/;

/** Both the worker and the waiting command call with the new credentials. */
async function bothCall(gate: Gate, what: string, isNew: (call: GuardedCall) => boolean): Promise<void> {
  const since = gate.calls.length;
  for (const kind of [ofWorker, ofWatcher])
    await until(`${kind.source} with ${what}`, async () =>
      gate.calls.slice(since).some((call) => kind.test(call.method) && isNew(call)),
    );
}

/** A night whose calls take four seconds each, one at a time: it lasts until it is let go. */
async function slowNight(env: Record<string, string>): Promise<World> {
  const world = await createWorld(
    temporal,
    {
      languages: ["hi"],
      operations: ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope"],
      service: {
        ...quickService,
        concurrency: { english: 1, translator: 1, legacy: 1 },
        answerTimeoutSeconds: { english: 30, translator: 30, legacy: 30 }, // none is asked again because the machine is busy
      },
    },
    atEnd,
  );
  Object.assign(world.env, env, { TEMPORAL_TLS_SERVER_NAME: "localhost" });
  await world.sandbox.latency({ translator: { fixedMs: 4_000 } });
  return world;
}

/** The night is whole, each reading was asked for once, and the worker is the one that began. */
async function expectWhole(world: World, ran: Awaited<ReturnType<typeof almanac>>): Promise<void> {
  expect(ran.code, ran.stderr).toBe(0);
  const { state, planned, skipped } = ended.parse(JSON.parse(ran.stdout));
  expect({ state, skipped }).toEqual({ state: "done", skipped: [] });
  const { calls, repeats } = await world.sandbox.stats();
  expect({ calls, repeats }).toEqual({ calls: planned, repeats: 0 });
}

const watchNight = (world: World) =>
  almanac(["nightly", "--wait", "--json"], { env: world.env, cwd: world.folder, ownProcess: true });

const metricsAt = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const loaded = "new Temporal credentials loaded";
const notUsable = "cannot use the new Temporal credentials";

test.concurrent("a night continues during a rotation of certificate, key and authority, even while only half of them are in place", async () => {
  const [old, young] = [certificate("authority one"), certificate("authority two")];
  const gateBy = (by: Certificate) => certificate("gate", by);
  const first = { own: gateBy(old), authorities: [old], apiKeys: [] };
  const gate = await startTemporalGate(temporal.address, first, atEnd);
  const world = await slowNight({ TEMPORAL_ADDRESS: gate.address });
  const file = (name: string) => join(world.folder, `${name}.pem`);
  for (const [name, variable] of [
    ["certificate", "CLIENT_CERT"],
    ["key", "CLIENT_KEY"],
    ["authority", "SERVER_CA_CERT"],
  ] as const)
    world.env[`TEMPORAL_TLS_${variable}_PATH`] = file(name);
  const [port = 0] = await freePorts([undefined]);
  world.env["ALMANAC_MONITOR_ADDRESS"] = String(port);
  const until2030 = "300101000000Z";
  const [before, after] = [certificate("before", old, until2030), certificate("after", young)];
  await writeFile(file("certificate"), before.cert);
  await writeFile(file("key"), before.keyText);
  await writeFile(file("authority"), old.cert);

  const worker = await world.worker();
  const watched = watchNight(world);
  await bothCall(gate, "the old certificate", ({ by }) => by === "before");
  await until("a few readings", async () => (await world.held()).length > 2);

  const ends = async () =>
    /^almanac_certificate_not_after_timestamp_seconds\{.*\} (\S+)$/m.exec(await metricsAt(port))?.[1];
  const endsIn = (year: number) =>
    until(`the certificate of ${year}`, async () => Number(await ends()) === Date.UTC(year, 0, 1) / 1000);
  await endsIn(2030);

  // Both are accepted for a while, as in every proper rotation.
  gate.change({ ...first, authorities: [old, young] });
  await writeFile(file("authority"), old.cert + young.cert);
  await until("the authorities to be loaded", async () => (await world.log()).includes(loaded));
  await writeFile(file("certificate"), after.cert);
  await until("half a rotation to be told", async () => (await world.log()).includes(notUsable));
  expect(gate.calls.every(({ by }) => by === "before")).toBe(true);
  await writeFile(file("key"), after.keyText);
  await bothCall(gate, "the new certificate", ({ by }) => by === "after");
  await endsIn(2049);

  gate.change({ own: gateBy(young), authorities: [young], apiKeys: [] });
  gate.cut();
  await bothCall(gate, "the new certificate alone", ({ by }) => by === "after");
  await world.sandbox.latency({ translator: { fixedMs: 0 } });
  await expectWhole(world, await watched);
  expect(await worker.stop()).toBe(0);
  const lines = (await world.log()).split("\n").filter((line) => line.includes("new Temporal credentials"));
  expect(lines).toHaveLength(3); // the authorities, half a rotation in vain, and the whole one
});

test.concurrent("a night continues if Temporal rejects the old API key before the new one is in place", async () => {
  const authority = certificate("authority");
  const own = certificate("gate", authority);
  const gate = await startTemporalGate(
    temporal.address,
    { own, authorities: [authority], apiKeys: ["key-one-hidden"] },
    atEnd,
  );
  const world = await slowNight({ TEMPORAL_ADDRESS: gate.address });
  const files = { key: join(world.folder, "api.key"), authority: join(world.folder, "authority.pem") };
  const client = certificate("client", authority);
  world.env["TEMPORAL_API_KEY_FILE"] = files.key;
  world.env["TEMPORAL_TLS_SERVER_CA_CERT_PATH"] = files.authority;
  world.env["TEMPORAL_TLS_CLIENT_CERT_DATA"] = client.cert;
  world.env["TEMPORAL_TLS_CLIENT_KEY_DATA"] = client.keyText;
  await writeFile(files.key, "key-one-hidden\n");
  await writeFile(files.authority, authority.cert);

  const worker = await world.worker();
  const watched = watchNight(world);
  await bothCall(gate, "the first key", ({ apiKey }) => apiKey === "key-one-hidden");
  await until("a few readings", async () => (await world.held()).length > 2);

  gate.change({ own, authorities: [authority], apiKeys: ["key-two-hidden"] });
  gate.cut();
  await until("the first key to be refused", async () => gate.refused.calls > 10);
  await writeFile(files.key, "key-two-hidden\n");
  await bothCall(gate, "the second key", ({ apiKey }) => apiKey === "key-two-hidden");
  await world.sandbox.latency({ translator: { fixedMs: 0 } });
  const ran = await watched;
  await expectWhole(world, ran);
  expect(await worker.stop()).toBe(0);
  expect(ran.stderr + (await world.log())).not.toContain("hidden");
});
