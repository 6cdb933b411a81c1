// The largest possible night: planned, gathered and published on this machine, with its Temporal server and its sandbox. `npm run
// bench:great` measures it once, and the plan of a million.
import { nightlyId } from "../../workflows/names.ts";
import { actionsOf } from "../nights/actions.ts";
import { ourName } from "../nights/contender.ts";
import { greatWork, greatWorld, putsBy } from "../nights/great.ts";
import { type History, historiesOf } from "../nights/histories.ts";
import { processorMsFromNow, watchMemory } from "../nights/processes.ts";
import { at } from "../nights/work.ts";
import type { Line, Measure } from "./measure.ts";

const requests = 200_000;

export const greatNight: Measure = {
  name: "great-night",
  about: `a night of ${requests} requests: people, pairs, all operations and languages, without a limit; planned, gathered and published beside the sandbox`,
  boundSeconds: 4 * 3600,
  named: true,
  async run({ share, atEnd }): Promise<Line[]> {
    const work = greatWork(requests * share);
    const { temporal, world, metricsPort, monitorPort } = await greatWorld(work, atEnd);
    const worker = await world.worker();
    const peaks = watchMemory({ "the worker": worker.pid, "Temporal's server": temporal.pid() });
    const spent = processorMsFromNow(worker.pid, temporal.pid());
    const startedMs = performance.now();
    const { state, skipped } = await (await world.nightly({ asOf: at.toISOString() })).result();
    const seconds = (performance.now() - startedMs) / 1000;
    const msAReading = spent() / work.requests;
    const puts = await putsBy(monitorPort);
    const memory = [...peaks()];
    const actions = await actionsOf(metricsPort);
    const histories = await historiesOf(world.client, nightlyId(world.id, at.toISOString().slice(0, 10)));
    const [nightly] = histories;
    const endpoints = Object.values((await world.sandbox.stats()).byEndpoint).filter(
      ({ calls }) => calls > 0,
    );
    const firstMs = Math.min(...endpoints.map((one) => one.firstMs ?? Number.NaN));
    const callsMs = Math.max(...endpoints.map((one) => one.lastMs ?? Number.NaN)) - firstMs;
    const plannedMs = (nightly?.firstChildMs ?? Number.NaN) - (nightly?.startedMs ?? Number.NaN);
    const inWhole = `${work.requests} requests; ${state}, ${skipped.length} skipped; ${msAReading.toFixed(2)} ms CPU per reading, with Temporal's server`;
    return [
      lineOf(`${ourName}, until first edition`, "s", 1, plannedMs / 1000, "the plan"),
      lineOf(`${ourName}, first call to last`, "s", 1, callsMs / 1000),
      lineOf(`${ourName}, until its report`, "s", 1, seconds, inWhole),
      ...memory.map(([what, mb]) => lineOf(what, "MB", 0, mb, "peak")),
      ...historyLines(histories),
      lineOf("Temporal's actions", "per reading", 2, actions.total / work.requests, actions.words),
      lineOf("puts into the vault", "per reading", 2, puts.vault / work.requests, `${puts.vault}`),
      lineOf("puts into the site", "per reading", 2, puts.site / work.requests, `${puts.site}`),
    ];
  },
};

function lineOf(what: string, unit: string, digits: number, figure: number, note?: string): Line {
  return { what, unit, digits, figures: [figure], note };
}

/** The largest history of each type of workflow. */
function historyLines(histories: readonly History[]): Line[] {
  return [...Map.groupBy(histories, ({ type }) => type)].map(([type, all]) => {
    const most = Math.max(...all.map(({ events }) => events));
    const greatestKb = Math.max(...all.map(({ bytes }) => bytes)) / 1024;
    const note = `the greatest of ${all.length}; at most ${most} events`;
    return lineOf(`history of ${type}`, "KB", 0, greatestKb, note);
  });
}
