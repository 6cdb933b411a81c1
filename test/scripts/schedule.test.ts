// The schedules of a site: who may replace them, who notices that they are gone, and who creates them again.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { almanac } from "../support/cli.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { sharedTemporal, temporalForTests } from "../support/temporal.ts";

const shared = await sharedTemporal();
const configuration: ConfigurationInput = {
  languages: ["en"],
  operations: ["daily-tarot"],
  service: quickService,
};

const at = (world: World, words: string, more: Record<string, string> = {}) =>
  almanac(words.split(" "), { env: { ...world.env, ...more }, cwd: world.folder });

/** Another vault and site with the configuration of the world, and so with its site.id. */
const secondCustomer = ({ folder }: World) => ({
  ALMANAC_VAULT: pathToFileURL(join(folder, "vault-2")).href,
  ALMANAC_SITE: pathToFileURL(join(folder, "site-2")).href,
});

const checked = z.object({
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), seen: z.string(), remedy: z.string().optional() }),
  ),
});

async function checkOf(world: World, name: string, more: Record<string, string> = {}) {
  const { code, stdout } = await at(world, "check --json", more);
  return { code, ...checked.parse(JSON.parse(stdout)).checks.find((one) => one.name === name) };
}

async function schedulesOf({ client, id }: World): Promise<string[]> {
  const found = await Array.fromAsync(client.schedule.list(), ({ scheduleId }) => scheduleId);
  return found.filter((one) => one.startsWith(`${id}-`)).sort();
}

const all = ({ id }: World) => [`${id}-nightly`, `${id}-publish`, `${id}-scrub`];

test("check fails without schedules, and passes that check with them", async () => {
  const world = await createWorld(shared, configuration);
  expect(await checkOf(world, "schedules")).toEqual({
    code: 1,
    name: "schedules",
    ok: false,
    seen: "0 of 3 found: no nightly run starts automatically",
    remedy: "run `almanac schedule apply`",
  });
  expect(await at(world, "schedule apply")).toMatchObject({ code: 0 });
  expect(await checkOf(world, "schedules")).toMatchObject({ ok: true });
});

test("a night that was missed is made up for within twelve hours, and no night begins while one runs", async () => {
  const world = await createWorld(shared, configuration);
  expect(await at(world, "schedule apply")).toMatchObject({ code: 0 });
  const { policies } = await world.client.schedule.getHandle(`${world.id}-nightly`).describe();
  expect(policies).toMatchObject({ catchupWindow: 12 * 60 * 60_000, overlap: "SKIP" });
});

test("schedule apply does not replace the schedules of another installation, and check names it", async () => {
  const world = await createWorld(shared, configuration);
  expect(await at(world, "schedule apply")).toMatchObject({ code: 0 });
  const placeOf = async () => {
    const { action } = await world.client.schedule.getHandle(`${world.id}-nightly`).describe();
    return action.memo;
  };
  const before = await placeOf();

  const second = secondCustomer(world);
  expect(await at(world, "schedule apply", second)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/belong to another installation \([0-9a-f]{16}\.[0-9a-f]{16}\)/),
  });
  expect(await placeOf()).toEqual(before);
  expect(await checkOf(world, "schedules", second)).toMatchObject({
    code: 1,
    ok: false,
    seen: expect.stringContaining("belong to another installation"),
    remedy: expect.stringContaining("its own site.id"),
  });
  expect(await at(world, "schedule apply")).toMatchObject({ code: 0 });
});

test("check fails in a new installation if another one's worker answers for its site.id", async () => {
  const world = await createWorld(shared, configuration);
  await world.sharedWorker();
  expect(await checkOf(world, "workers")).toMatchObject({ ok: true });
  expect(await checkOf(world, "workers", secondCustomer(world))).toMatchObject({
    code: 1,
    ok: false,
    seen: expect.stringContaining("uses another vault or site"),
  });
});

test("a worker creates the schedules again if Temporal comes back empty, but not if an operator removed them", async () => {
  const temporal = await temporalForTests();
  const world = await createWorld(temporal, configuration);
  const [port = 0] = await freePorts([undefined]);
  Object.assign(world.env, { ALMANAC_MONITOR_ADDRESS: String(port) });
  expect(await at(world, "schedule apply")).toMatchObject({ code: 0 });
  await world.worker();
  const nextNight = async (): Promise<number> => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(/^almanac_next_night_start_timestamp_seconds(?:\{.*\})? (\S+)$/m.exec(metrics)?.[1]);
  };

  await temporal.restartEmpty();
  const isWhole = async () => (await schedulesOf(world).catch(() => [])).join() === all(world).join();
  await until("the schedules", isWhole);
  const inSeconds = await until("the next night", async () => {
    const left = (await nextNight()) - Date.now() / 1000;
    return left > 0 && left;
  });
  expect(inSeconds).toBeLessThan(86_400 + 120);
  const created = (await world.log()).split("\n").filter((line) => line.includes("schedules created"));
  expect(created).toHaveLength(1);

  expect(await at(world, "schedule remove")).toMatchObject({ code: 0 });
  await until("the worker's next look", async () => (await nextNight()) === 0);
  expect(await schedulesOf(world)).toEqual([]);
  expect(await at(world, "schedule apply --unless-removed")).toMatchObject({ code: 0 });
  expect(await schedulesOf(world)).toEqual([]);
  expect(await at(world, "schedule apply")).toMatchObject({ code: 0 });
  expect(await schedulesOf(world)).toEqual(all(world));
}, 240_000);
