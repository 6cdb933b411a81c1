// Requests to a bucket per stored reading, by the worker that makes the calls, counted between it and a real S3 server. Another
// worker plans, judges, renders and publishes, and goes to the server directly.
import { s3ForTests } from "../../test/support/s3.ts";
import { type Call, startProxy } from "../../test/support/s3-proxy.ts";
import { temporalForTests, type TestTemporal } from "../../test/support/temporal.ts";
import { ourName } from "../nights/contender.ts";
import { ourNight, worldFor } from "../nights/ours.ts";
import { horoscopeNight, nightOf, people, type Work } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { withEnds } from "../../test/support/ends.ts";
import { atMost, type Line, type Measure, type Settings } from "./measure.ts";

const requests = 600;
const bounds = { concurrency: 64, latencyMs: 200 };
const kinds = ["puts", "gets", "lists", "deletes"] as const;
interface Counts extends Record<(typeof kinds)[number], number> {
  /** Requests that belong to no single reading, such as renewals of leases: they depend on time. */
  notes: number;
  readonly seconds: number;
}

export const s3Requests: Measure = {
  name: "s3-requests",
  about:
    "requests to a real S3 server by the worker that makes the calls, of all that belong to a request; requests a kept reading",
  boundSeconds: 240,
  async run({ rounds = 1, share, atEnd }): Promise<Line[]> {
    const temporal = await temporalForTests({}, atEnd);
    const nights = [
      { what: "sets of twelve", work: horoscopeNight(requests * share, bounds), most: 1.2 },
      {
        what: "single readings",
        // One in each language, so nothing can be batched.
        work: nightOf({ operations: ["which-animal-are-you-reading"], people: people(1) }, bounds),
        most: 3,
      },
    ];
    const lines: Line[] = [];
    for (const { what, work, most } of nights) {
      const figures: number[] = [];
      let note = "";
      for (let round = 0; round < rounds; round += 1) {
        const counts = await withEnds((end) => countsOf(work, temporal, end));
        figures.push(kinds.reduce((sum, kind) => sum + counts[kind], 0) / work.requests);
        note = noteOf(work, counts);
      }
      const line = { what: `${ourName}, ${what}`, unit: "requests per reading", digits: 2, figures, note };
      lines.push({ ...line, aim: atMost(spreadOf(figures), most) });
    }
    return lines;
  },
};

async function countsOf(work: Work, temporal: TestTemporal, atEnd: Settings["atEnd"]): Promise<Counts> {
  const s3 = await s3ForTests(atEnd);
  const proxy = await startProxy(s3.endpoint, atEnd);
  const world = await worldFor(work, temporal, atEnd);
  Object.assign(world.env, s3.variables, { ALMANAC_VAULT: `s3://${s3.bucket}/vault` });
  const rest = await world.worker("--queues", "main");
  world.env["AWS_ENDPOINT_URL_S3"] = proxy.endpoint;
  const caller = await world.worker("--queues", "english,translator");
  proxy.clear(); // drops the requests of the start
  const { tookMs } = await ourNight(world, work);
  const counts: Counts = { puts: 0, gets: 0, lists: 0, deletes: 0, notes: 0, seconds: tookMs / 1000 };
  for (const call of proxy.calls) counts[isNote(call) ? "notes" : kindOf(call)] += 1;
  await caller.kill();
  await rest.kill();
  return counts;
}

function noteOf({ requests: readings }: Work, counts: Counts): string {
  const each = kinds.map((kind) => `${kind} ${(counts[kind] / readings).toFixed(2)}`).join(", ");
  const { notes, seconds } = counts;
  return `${readings} readings: ${each}; besides, ${notes} in ${seconds.toFixed(0)} s on leases, breakers and calls of the day`;
}

function isNote({ url }: Call): boolean {
  return /\/vault\/(leases|endpoints|calls)\//.test(url);
}

function kindOf({ method, url }: Call): (typeof kinds)[number] {
  if (method === "PUT") return "puts";
  if (method === "DELETE" || method === "POST") return "deletes"; // several deletions are one POST
  return url.includes("list-type=") ? "lists" : "gets";
}
