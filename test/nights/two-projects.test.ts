// Two projects, each with its own site, that name the same vault share the account: its responses and its rate.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { almanac } from "../support/cli.ts";
import { isStable, pathsOn, quickService, sandboxKey } from "../support/looks.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { zonesAtNoon } from "../support/noon.ts";
import { mostInASecond, recordSends, sendsOf } from "../support/sends.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const rate = 12;
const common = {
  operations: ["daily-horoscope" as const, "wisdom-reading" as const],
  zones: zonesAtNoon(),
  service: { ...quickService, ratePerSecond: { english: rate, translator: rate, legacy: rate } },
};

/** Another project, with the account and the vault of the first. */
async function sharing(first: World, languages: ("hi" | "ja")[]): Promise<World> {
  const world = await createWorld(temporal, { ...common, languages });
  for (const name of Object.keys(first.env))
    if (/^READING_|^ALMANAC_(VAULT|TEST_SENDS)$|^NODE_OPTIONS$/.test(name))
      world.env[name] = first.env[name] ?? "";
  return world;
}

test("two projects with one vault request each reading once, keep the rate, and publish both sites", async () => {
  const one = await createWorld(temporal, { ...common, languages: ["hi"] });
  recordSends(one);
  const two = await sharing(one, ["hi", "ja"]);
  await Promise.all([one.worker(), two.worker()]);
  const runs = [await one.nightly(), await two.nightly()];
  for (const progress of await Promise.all(runs.map((run) => run.result()))) {
    expect(progress).toMatchObject({ state: "done", broken: {}, skipped: [] });
    const { stored, held, planned } = countsIn(progress);
    expect(stored + held).toBe(planned);
  }
  const held = await one.held();
  const { byRequest, calls } = await one.sandbox.stats();
  expect(held.length).toBeGreaterThan(40);
  expect(held.filter((key) => isStable(key) && byRequest[sandboxKey(key)]?.calls !== 1)).toEqual([]);
  expect(calls).toBe(held.length);
  expect(mostInASecond(await sendsOf(one))).toBeLessThanOrEqual(rate + 1);
  for (const { site } of [one, two]) expect((await pathsOn(site)).has("hi/daily/leo/index.html")).toBe(true);
  expect((await pathsOn(one.site)).has("ja/daily/leo/index.html")).toBe(false);

  let changes = 0;
  const nightly = async (config: string, env: Record<string, string> = {}) => {
    const ALMANAC_CONFIG = join(two.folder, `changed-${(changes += 1)}.config.ts`);
    await writeFile(ALMANAC_CONFIG, config);
    return almanac(["nightly"], { env: { ...two.env, ALMANAC_CONFIG, ...env }, cwd: two.folder });
  };
  const config = await readFile(two.env["ALMANAC_CONFIG"] ?? "", "utf8");
  expect(await nightly(config.replaceAll(two.id, one.id))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Correct ALMANAC_VAULT or ALMANAC_SITE"),
  });
  expect(await nightly(config, { TEMPORAL_NAMESPACE: "other" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Set TEMPORAL_NAMESPACE to "default"'),
  });
  expect(await nightly(config.replaceAll(`"translator":${rate}`, `"translator":${rate + 1}`))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`the site "${one.id}" of this vault uses other cards`),
  });
});
