import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { layout } from "../../vault/files.ts";
import { always } from "../../store/store.ts";
import type { RunProgress } from "../../readings/run-messages.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { alerts, moveClock, pathsOn, quickService } from "../support/looks.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

/** One set per language and week. */
const configuration: ConfigurationInput = {
  languages: ["hi", "ja"],
  zones: {},
  operations: ["weekly-horoscope"],
  service: quickService,
};
const weekly = { operation: "weekly-horoscope" } as const;
/** Sundays, each with a night on its Wednesday. */
const weeks = ["2026-10-25", "2026-11-01", "2026-11-08", "2026-11-15"] as const;

/** A week's night with a worker of that week. */
async function nightOf(world: World, week: (typeof weeks)[number]): Promise<RunProgress> {
  const wednesday = new Date(Date.parse(week) + 3.5 * 24 * 60 * 60_000).toISOString();
  await moveClock(world, wednesday);
  const worker = await world.sharedWorker();
  const ended = await (await world.nightly({ asOf: wednesday })).result();
  await worker.stop();
  return ended;
}

function keyOf(week: string, language: string, sign: string): string {
  return `weekly/${week}/${language}/weekly-horoscope/${sign}`;
}

function ofLanguage(paths: ReadonlyMap<string, string>, language: string): Record<string, string> {
  return Object.fromEntries([...paths].filter(([path]) => path.includes(`${language}/weekly/`)));
}

test("another sign's text and last week's text are requested again, and if they stay wrong, the previous set stays", async () => {
  const world = await createWorld(temporal, configuration);
  const { faults, clearFaults } = world.sandbox;
  const whole = await nightOf(world, weeks[0]);
  expect(countsIn(whole)).toMatchObject({ planned: 24, stored: 24, retried: 0, skipped: 0 });

  await faults([
    { match: { ...weekly, language: "hi", sign: "leo" }, fault: "duplicate", times: 2 },
    { match: { ...weekly, language: "ja", sign: "aries" }, fault: "stale", times: 1 },
  ]);
  const fixed = await nightOf(world, weeks[1]);
  // Leo and Virgo twice, Aries of this week and of the last once.
  expect(countsIn(fixed)).toMatchObject({ planned: 24, stored: 24, retried: 6, skipped: 0 });
  expect(fixed).toMatchObject({ skipped: [], broken: {} });
  expect(await world.vault.inQuarantine("")).toEqual([]);
  const before = await pathsOn(world.site);
  for (const language of ["hi", "ja"]) {
    expect(before.has(`v1/${language}/weekly/${weeks[1]}.json`)).toBe(true);
  }

  await faults([
    { match: { ...weekly, language: "hi", sign: "leo" }, fault: "duplicate" },
    { match: { ...weekly, language: "ja", sign: "aries" }, fault: "stale" },
  ]);
  const givenUp = await nightOf(world, weeks[2]);
  expect(givenUp).toMatchObject({ state: "done", broken: {} });
  expect(givenUp.skipped.map(({ key }) => key).sort()).toEqual([
    keyOf(weeks[1], "ja", "aries"),
    keyOf(weeks[2], "hi", "leo"),
    keyOf(weeks[2], "hi", "virgo"),
    keyOf(weeks[2], "ja", "aries"),
  ]);
  expect(new Set(givenUp.skipped.map(({ type }) => type))).toEqual(new Set(["Unfit"]));
  expect(countsIn(givenUp)).toMatchObject({ planned: 24, skipped: 4 });
  expect((await world.vault.inQuarantine("")).sort()).toEqual(givenUp.skipped.map(({ key }) => key).sort());
  const after = await pathsOn(world.site);
  for (const language of ["hi", "ja"])
    expect(ofLanguage(after, language)).toEqual(ofLanguage(before, language));

  // Damaged on purpose: a file that is no JSON any more, one whose text is another, one that only the plan looks at, and one that the endpoint's next owner does.
  await clearFaults();
  const damage = (key: string, text: string) => writeFile(join(world.folder, "vault", `${key}.json`), text);
  await damage(`responses/${keyOf(weeks[2], "hi", "cancer")}`, '{"format":1,"key":"weekly/');
  const taurus = await world.vault.response(keyOf(weeks[2], "ja", "taurus"));
  await damage(
    `responses/${keyOf(weeks[2], "ja", "taurus")}`,
    JSON.stringify({ ...taurus, body: taurus?.body.replace("2026", "2025") }),
  );
  await damage(`quarantine/${keyOf(weeks[2], "hi", "leo")}`, "{}");
  await world.vault.store.write(
    layout.endpoint("translator"),
    Buffer.from("open?"),
    { type: "text/plain" },
    always,
  );
  const last = await nightOf(world, weeks[3]);
  expect(last).toMatchObject({ state: "done", broken: {}, skipped: [] });
  const log = await world.log();
  for (const key of [keyOf(weeks[2], "hi", "cancer"), keyOf(weeks[2], "ja", "taurus")]) {
    expect(log).toContain(`the stored response of ${key} is unreadable`);
  }
  expect(await alerts(world, "credentials-refused")).toBe(0);
  const paths = await pathsOn(world.site);
  for (const language of ["hi", "ja"]) expect(paths.has(`v1/${language}/weekly/${weeks[3]}.json`)).toBe(true);
});
