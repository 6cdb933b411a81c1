// A night with nothing left to request or write. The vault is filled directly with the sandbox's responses, the first night
// publishes them, and the next night is measured.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { layout, sha256 } from "../../vault/files.ts";
import { planFor } from "../../insight/plan.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { type RequestKey, requestOf } from "../../readings/request.ts";
import { dataFor, envelope } from "../../packages/sandbox/answers.ts";
import { hashOf, seededRandom } from "../../packages/sandbox/random.ts";
import { readState } from "../../publish/state/state.ts";
import type { World } from "../../test/support/night.ts";
import { temporalForTests } from "../../test/support/temporal.ts";
import { ourName } from "../nights/contender.ts";
import { worldFor } from "../nights/ours.ts";
import { peakMemoryMb, processorMsFromNow } from "../nights/processes.ts";
import { at, keysOf, nightOf, people } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { atMost, type Line, type Measure } from "./measure.ts";

/** People that bring a whole night of all languages and operations to 10,086 requests. */
const manyPeople = 200;

export const nothingNew: Measure = {
  name: "nothing-new",
  about:
    "nothing new: a night of 10,086 requests that are all held and published; from its start to its report",
  boundSeconds: 360,
  async run({ rounds = 5, share, atEnd }): Promise<Line[]> {
    const site = { people: people(Math.round(manyPeople * share)) };
    const work = nightOf(site, { concurrency: 64, latencyMs: 0 });
    const temporal = await temporalForTests({}, atEnd);
    const world = await worldFor(work, temporal, atEnd);
    const configuration = configurationSchema.parse(work.site);
    await fill(world.folder, keysOf(work));
    const worker = await world.worker();
    const night = async () => (await world.nightly({ asOf: at.toISOString() })).result();
    const first = await night();
    if (first.state !== "done") throw new Error(`the first night ended as ${first.state}`);
    const plans: number[] = [];
    const nights: number[] = [];
    const processor: number[] = [];
    const before = await standing(world);
    for (let round = 0; round < rounds; round += 1) {
      const plannedMs = performance.now();
      const request = { asOf: at.toISOString() };
      const { due } = await planFor(
        { run: "bench", kind: "nightly", request },
        { configuration, vault: world.vault, site: world.site, now: () => at },
      );
      plans.push((performance.now() - plannedMs) / 1000);
      if (due.length > 0) throw new Error(`${due.length} requests are due although all are held`);
      const spent = processorMsFromNow(worker.pid);
      const startedMs = performance.now();
      await night();
      nights.push((performance.now() - startedMs) / 1000);
      processor.push(spent() / 1000);
    }
    const after = await standing(world);
    const memoryMb = peakMemoryMb(worker.pid);
    const done = `${after.calls - before.calls} calls, ${after.version - before.version} versions published`;
    const isStill = after.calls === before.calls && after.version === before.version;
    const aim = atMost(spreadOf(nights), 0.4, " s, no calls and no writes");
    return [
      {
        what: `${ourName}, plan only`,
        unit: "s",
        digits: 2,
        figures: plans,
        note: `${work.requests} requests`,
      },
      {
        what: `${ourName}, whole run`,
        unit: "s",
        digits: 2,
        figures: nights,
        note: done,
        ...(aim === undefined ? {} : { aim: { ...aim, holds: aim.holds && isStill } }),
      },
      { what: `${ourName}, worker CPU time`, unit: "s", digits: 2, figures: processor },
      {
        what: `${ourName}, worker memory`,
        unit: "MB",
        digits: 0,
        figures: [memoryMb],
        note: "peak, including the first run",
        aim: { words: "under 350 MB", holds: memoryMb < 350 },
      },
    ];
  },
};

async function standing({ sandbox, site }: World) {
  return { calls: (await sandbox.stats()).calls, version: (await readState(site))?.pointer.version ?? 0 };
}

/** Stores responses in the worker's own format. */
export async function fill(folder: string, keys: readonly RequestKey[]): Promise<void> {
  const limit = pLimit(32);
  await limit.map(keys, async (key) => {
    const request = requestOf(key);
    if (request === undefined) throw new Error(`${key} is no request`);
    const asked = "person" in request ? { ...request, birthNumber: 7 } : request;
    const draws = seededRandom(hashOf(key));
    const data = dataFor(asked, { translated: true, shape: undefined }, draws);
    const body = JSON.stringify(envelope(asked, data));
    const bodyHash = sha256(new TextEncoder().encode(body));
    const facts = { address: "http://127.0.0.1/", receivedAt: at.toISOString(), tries: 1, run: "bench" };
    const path = join(folder, "vault", layout.response(key));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify({ format: 1, key, ...facts, bodyHash, body, notes: [] }));
  });
}
