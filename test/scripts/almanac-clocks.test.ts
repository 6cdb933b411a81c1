// Effects of a clock that is, or was, far ahead: the commands that report it, and those that bring the site back to today.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { publishDue } from "../../publish/publish.ts";
import { languages } from "../../readings/tables.ts";
import { localDate } from "../../readings/calendar.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { textAt } from "../support/stores.ts";
import { almanac } from "../support/cli.ts";
import { siteInFolder } from "./site-in-folder.ts";
import { daysAgo, testNow } from "../support/noon.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A pair's text and a person's are there on every date, so that a publish far ahead has something to publish. */
const configuration = {
  languages: ["en", "hi"],
  operations: ["daily-horoscope", "which-animal-are-you-reading"],
  people: [{ id: "example", fullName: "Jane Example", birthDate: "1990-01-01" }],
  publishing: { unusualShare: 0.5 },
} satisfies ConfigurationInput;

const dayMs = 24 * 60 * 60_000;
const instantAfter = (days: number) => daysAgo(-days).toISOString();
/** In Hindi's time zone, whose day begins hours before UTC's. */
const dateAfter = (days: number) => localDate(languages.hi.zone, new Date(instantAfter(days)));

async function newWorld() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-clocks-"));
  folders.push(folder);
  const { site, env: places } = await siteInFolder(folder, configuration);
  await site.gather(dateAfter(-3), dateAfter(1));
  site.setClock(instantAfter(-1));
  await site.night();
  const credentials = { READING_SERVICE_TOKEN: "token", READING_SERVICE_API_KEY: "key" };
  const env = { ...places, ...credentials, READING_SERVICE_URL: "http://127.0.0.1:9" };
  return { site, run: (words: string) => almanac(words.split(" "), { cwd: folder, env }) };
}

test("a future date published under a wrong clock is reported by status, check, why and each publish, and removed by one command", async () => {
  const { site, run } = await newWorld();
  site.setClock(instantAfter(400));
  await site.publishDue();
  expect(await site.json("v1/hi/index.json")).toMatchObject({ date: dateAfter(400) });
  site.setClock(instantAfter(0));

  const told = new RegExp(
    `published dates are in the future.*en \\(\\d{4}-\\d\\d-\\d\\d\\), hi \\(${dateAfter(400)}\\)`,
    "s",
  );
  const takes = "almanac render --clock-is-right --languages en,hi";
  for (const command of ["status", "check"]) {
    const { stdout } = await run(command);
    expect(stdout.replaceAll(/\s+/g, " "), command).toMatch(told);
    expect(stdout.replaceAll(/\s+/g, " "), command).toContain(takes);
  }
  const why = await run("why /hi/daily/leo/");
  expect(why.stdout.replaceAll(/\s+/g, " ")).toMatch(
    /in the future.*almanac render --clock-is-right --languages hi/,
  );
  expect((await publishDue(site.publishing)).staying).toHaveLength(2);

  expect((await run(takes.replace("almanac ", ""))).code).toBe(0);
  expect((await publishDue(site.publishing)).staying).toBeUndefined();
  const { date } = JSON.parse(await site.text("v1/hi/index.json"));
  expect([dateAfter(0), dateAfter(1)]).toContain(date);
  const { expires } = JSON.parse((await textAt(site.site, pointerPath)) ?? "{}");
  const leftDays = (Date.parse(expires) - testNow().getTime()) / dayMs;
  expect([leftDays > 13, leftDays < 15]).toEqual([true, true]);
  expect((await run("verify")).code).toBe(0);
  expect(JSON.parse((await run("status --json")).stdout)).toMatchObject({ datesAhead: [] });
});
