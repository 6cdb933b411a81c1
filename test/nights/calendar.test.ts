import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { type Language, languages } from "../../readings/tables.ts";
import { shiftPeriod, localDate } from "../../readings/calendar.ts";
import { requestOf } from "../../readings/request.ts";
import { deep } from "../support/deep.ts";
import { responsesIn, dataOf, letPass, moveClock, pathsOn, quickService } from "../support/looks.ts";
import { textAt } from "../support/stores.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

/** Room for a worker to start before its night begins; twice as much where the machine was too busy for that. */
const startMs = 9_000;
/** Before the moment, when the night begins; three times as long where the machine was too busy for a call before it. */
const firstBeginMs = 7_000;
const longestBeginMs = 63_000;

/** Slow enough to last some seconds on either side of the moment; English in Cairo too, for the other endpoint. */
function configurationFor(beginMs: number): ConfigurationInput {
  const slower = firstBeginMs / beginMs;
  const [english, translator] = deep ? [4, 12] : [2.5, 7.5];
  return {
    languages: ["en", "ar", "de", "ja"],
    zones: { en: "Africa/Cairo" },
    operations: ["daily-horoscope", ...(deep ? (["weekly-horoscope"] as const) : []), "daily-tarot"],
    service: {
      ...quickService,
      ratePerSecond: { english: english * slower, translator: translator * slower },
    },
  };
}

/** A night that begins some seconds before the moment and ends after it, by the worker's and the service's clock. */
async function nightOver(momentIso: string, beginMs = firstBeginMs): Promise<World> {
  const world = await createWorld(temporal, configurationFor(beginMs));
  const offsetMs = await workerBefore(momentIso, world, beginMs, startMs);
  const asOf = new Date(Date.now() + offsetMs).toISOString();
  const ended = await (await world.nightly({ asOf })).result();
  expect(ended).toMatchObject({ state: "done", broken: {}, skipped: [] });
  expect(countsIn(ended)).toMatchObject({ stored: ended.planned });
  const responses = [...(await responsesIn(world)).values()];
  const isOver = responses.some(({ receivedAt }) => receivedAt < momentIso);
  return isOver || beginMs >= longestBeginMs ? world : nightOver(momentIso, 3 * beginMs);
}

/** Starts a worker and waits until its clock is `beginMs` before the moment; by so much that clock is moved. */
async function workerBefore(
  momentIso: string,
  world: World,
  beginMs: number,
  leadMs: number,
): Promise<number> {
  const momentMs = Date.parse(momentIso);
  await moveClock(world, new Date(momentMs - beginMs - leadMs).toISOString());
  const worker = await world.sharedWorker();
  const offsetMs = Number(world.env["ALMANAC_TEST_CLOCK_OFFSET_MS"]);
  const leftMs = momentMs - beginMs - (Date.now() + offsetMs);
  if (leftMs >= 0) {
    await letPass(leftMs);
    return offsetMs;
  }
  await worker.stop();
  return workerBefore(momentIso, world, beginMs, 2 * leadMs);
}

/** The period that the service reported for its text, as a key. */
function periodSaid(data: Record<string, unknown>): unknown {
  const { week } = data;
  if (typeof week !== "string") return data["date"];
  const [day, month, year] = week.split(" ");
  return new Date(`${day} ${month} ${year} UTC`).toISOString().slice(0, 10);
}

async function expectRightDates(world: World, momentIso: string): Promise<void> {
  const responses = await responsesIn(world);
  const received = [...responses.values()].map(({ receivedAt }) => receivedAt).sort();
  expect(received[0]?.localeCompare(momentIso), "none before the moment").toBe(-1);
  expect(received.at(-1)?.localeCompare(momentIso), "none after the moment").toBe(1);
  for (const [key, response] of responses) {
    const request = requestOf(key);
    if (request === undefined || !("sign" in request)) continue;
    expect(periodSaid(dataOf(response)), `the text stored as ${key}`).toBe(request.period);
  }

  const paths = await pathsOn(world.site);
  for (const language of ["en", "ar", "de", "ja"] as const) {
    const today = localDate(zoneIn(language), new Date(received.at(-1) ?? ""));
    expect([...paths.keys()].filter((path) => isDaily(path, language)).sort()).toEqual(
      [shiftPeriod("daily", today, -1), today].flatMap((date) => {
        const whole = responses.has(`daily/${date}/${language}/daily-horoscope/leo`);
        return whole ? [`v1/${language}/daily/${date}/leo.json`] : [];
      }),
    );
    const page = `${language}/daily/leo/${today}/index.html`;
    expect(paths.get(`${language}/daily/leo/index.html`), `${page} is the current one`).toBeDefined();
    const response = responses.get(`daily/${today}/${language}/daily-horoscope/leo`);
    expect(response, `the current text of ${language}`).toBeDefined();
    if (response === undefined) continue;
    const { prediction } = dataOf(response);
    const [sentence = "?"] = String(Object(prediction).personal).split(/\r\n/);
    expect(await textAt(world.site, `v1/${language}/daily/${today}/leo.json`)).toContain(
      JSON.stringify(sentence.trim()).slice(1, -1),
    );
    expect(await textAt(world.site, page)).toContain(sentence.trim().slice(0, 20));
  }
}

function zoneIn(language: Language): string {
  return language === "en" ? "Africa/Cairo" : languages[language].zone;
}

function isDaily(path: string, language: Language): boolean {
  return path.startsWith(`v1/${language}/daily/`) && path.endsWith("/leo.json");
}

test("a run over midnight and over a time change stores every text under the correct date", async () => {
  // Cairo's clocks leap from midnight to one o'clock, and Berlin's midnight is the same moment.
  const spring = "2026-04-23T22:00:00.000Z";
  // Cairo's clocks go back from midnight to eleven: the 29th has an hour more, and the 30th comes later.
  const autumn = "2026-10-29T21:00:00.000Z";
  const [leapt, back] = await Promise.all([nightOver(spring), nightOver(autumn)]);
  await expectRightDates(leapt, spring);
  await expectRightDates(back, autumn);
});
