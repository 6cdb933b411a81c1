// Two endpoints, one of which refuses every connection: calls to the other must be unaffected.
import { ourName } from "../nights/contender.ts";
import { worldFor } from "../nights/ours.ts";
import { at, nightOf } from "../nights/work.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { nightlyId } from "../../workflows/names.ts";
import { spreadOf } from "../rounds.ts";
import { until } from "../../test/support/night.ts";
import { temporalForTests, type TestTemporal } from "../../test/support/temporal.ts";
import { atMost, type Line, type Measure, ratiosOf, type Settings } from "./measure.ts";
import { withEnds } from "../../test/support/ends.ts";

const ratePerSecond = 20;
/** Two days, a week, a month and a year of twelve signs, and the same in two languages of the other endpoint. */
const operations = ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope"] as const;
const english = 60;

export const endpointDown: Measure = {
  name: "endpoint-down",
  about: `one endpoint down: ${english} requests in English at ${ratePerSecond} a second while the translator endpoint refuses every connection; from the first call to the last`,
  boundSeconds: 150,
  async run({ rounds = 3, atEnd }): Promise<Line[]> {
    const temporal = await temporalForTests({}, atEnd);
    const up: number[] = [];
    const down: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const isDownFirst = round % 2 === 1;
      for (const isDown of [isDownFirst, !isDownFirst]) {
        const seconds = await withEnds((end) => englishSeconds(isDown, temporal, end));
        (isDown ? down : up).push(seconds);
      }
    }
    const ratios = ratiosOf(down, up);
    const what = `${ourName}, with the other endpoint`;
    return [
      { what: `${what} up`, unit: "s", digits: 2, figures: up },
      {
        what: `${what} down`,
        unit: "s",
        digits: 2,
        figures: down,
        ratios,
        aim: atMost(spreadOf(ratios), 1.02),
      },
    ];
  },
};

async function englishSeconds(
  isDown: boolean,
  temporal: TestTemporal,
  atEnd: Settings["atEnd"],
): Promise<number> {
  const site = { languages: ["en" as const, "de" as const, "fr" as const], operations: [...operations] };
  const work = nightOf(site, { ratePerSecond, concurrency: 32, latencyMs: 200 });
  const world = await worldFor(work, temporal, atEnd);
  if (isDown) {
    const [port] = await freePorts([undefined]);
    world.env["READING_SERVICE_TRANSLATOR_URL"] = `http://127.0.0.1:${port}`;
  }
  const worker = await world.worker();
  await world.nightly({ asOf: at.toISOString() });
  const calls = async () => (await world.sandbox.stats()).byEndpoint.english;
  const { firstMs, lastMs } = await until(
    "all of English to be asked for",
    async () => {
      const seen = await calls();
      return seen.calls >= english && seen;
    },
    60_000,
  );
  // Otherwise the other endpoint would be tried until the run's deadline.
  await world.client.workflow.getHandle(nightlyId(world.id, at.toISOString().slice(0, 10))).terminate();
  await worker.kill();
  return ((lastMs ?? Number.NaN) - (firstMs ?? Number.NaN)) / 1000;
}
