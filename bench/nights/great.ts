// A night far larger than a site's: people in addition to all operations, languages and pairs. It is observed by the memory of each
// process and by the worker's own metrics.
import { temporalForTests } from "../../test/support/temporal.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { Settings } from "../measures/measure.ts";
import { worldFor } from "./ours.ts";
import { nightOf, people, type Work } from "./work.ts";

/** The sandbox responds at once, and the rate is the highest that a configuration allows. */
const bounds = { concurrency: 64, latencyMs: 0 };
/** A person asks for one reading in each of 25 languages. */
const languagesEach = 25;

/** All operations, pairs and languages, and people for the rest of the requests; fewer requests have fewer operations. */
export function greatWork(requests: number): Work {
  const whole = nightOf({}, bounds);
  if (requests > whole.requests) {
    const many = people(Math.round((requests - whole.requests) / languagesEach));
    return nightOf({ people: many }, bounds);
  }
  const many = people(Math.max(1, Math.round(requests / languagesEach)));
  return nightOf({ operations: ["which-animal-are-you-reading"], people: many }, bounds);
}

/** A worker and a Temporal server, both with metrics. */
export async function greatWorld(work: Work, atEnd: Settings["atEnd"]) {
  const [metricsPort = 0, monitorPort = 0] = await freePorts([undefined, undefined]);
  const temporal = await temporalForTests({ words: ["--metrics-port", String(metricsPort)] }, atEnd);
  const world = await worldFor(work, temporal, atEnd);
  world.env["ALMANAC_MONITOR_ADDRESS"] = `127.0.0.1:${monitorPort}`;
  return { temporal, world, metricsPort, monitorPort };
}

/** Number of files that the worker has written to the vault and to the site since its start. */
export async function putsBy(monitorPort: number): Promise<Readonly<Record<"vault" | "site", number>>> {
  const text = await (await fetch(`http://127.0.0.1:${monitorPort}/metrics`)).text();
  const of = (store: string): number =>
    Number(
      new RegExp(`^almanac_store_puts_total\\{[^}]*store="${store}"[^}]*\\} (\\d+)`, "m").exec(text)?.[1] ??
        0,
    );
  return { vault: of("vault"), site: of("site") };
}
