// Rows for several workers on a production-like Temporal: one process per role, with a PostgreSQL server. Everything runs on this
// machine, so the rows show the cost per reading there, not the speed of more machines.
import { createPostgres } from "../../test/fleet/postgres.ts";
import { createTemporalCluster } from "../../test/fleet/temporal-cluster.ts";
import { withEnds } from "../../test/support/ends.ts";
import { ourName } from "../nights/contender.ts";
import { ourNight, worldFor } from "../nights/ours.ts";
import { processorMsFromNow } from "../nights/processes.ts";
import type { Work } from "../nights/work.ts";
import { nightOfPeople } from "./growth-nights.ts";
import { linesOfLimited, limitedAbout } from "./limited-workers.ts";
import { type Line, type Measure, medianOf, type Settings } from "./measure.ts";

/** Time to build Temporal's server from its Go modules, unless it exists. */
const buildSeconds = 2_400;

export const postgresLimited: Measure = {
  name: "postgres-limited-20",
  about: `on PostgreSQL: ${limitedAbout}`,
  boundSeconds: buildSeconds + 240,
  long: true,
  async run({ rounds = 1, share, atEnd }): Promise<Line[]> {
    const { cluster } = await onPostgres(atEnd);
    return linesOfLimited(cluster, share, rounds);
  },
};

export const postgresWorkers: Measure = {
  name: "postgres-workers",
  about:
    "on PostgreSQL: a night of 2,000 requests with 1, 2 and 4 workers on the same machine; seconds for each thousand of them, and what a reading costs each part",
  boundSeconds: buildSeconds + 900,
  long: true,
  async run({ rounds = 1, share, atEnd }): Promise<Line[]> {
    const servers = await onPostgres(atEnd);
    const work = nightOfPeople(2_000 * share);
    const lines: Line[] = [];
    let alone: readonly number[] | undefined;
    for (const workers of [1, 2, 4]) {
      const all: Costs[] = [];
      for (let round = 0; round < rounds; round += 1)
        all.push(await withEnds((end) => costsOf(servers, work, workers, end)));
      const what = `${ourName}, ${workers} worker${workers === 1 ? "" : "s"}`;
      const figures = all.map(({ secondsAThousand }) => secondsAThousand);
      const ratios = alone?.map((one, round) => (figures[round] ?? Number.NaN) / one);
      lines.push({ what, unit: "s", digits: 2, figures, ratios, note: noteOf(all) });
      if (alone === undefined) lines.push(...linesOfOne(all));
      alone ??= figures;
    }
    return lines;
  },
};

type Servers = Awaited<ReturnType<typeof onPostgres>>;

async function onPostgres(atEnd: Settings["atEnd"]) {
  const postgres = await createPostgres(atEnd);
  return { postgres, cluster: await createTemporalCluster("127.0.0.1", postgres.port, atEnd) };
}

/** Costs per reading, except those of the first. */
interface Costs {
  readonly secondsAThousand: number;
  readonly workerMs: number;
  readonly temporalMs: number;
  readonly postgresMs: number;
  /** Volume of PostgreSQL's write-ahead log. */
  readonly logKb: number;
  readonly transactions: number;
}

const log = "select pg_current_wal_lsn() - '0/0'";
const committed = "select sum(xact_commit) from pg_stat_database";

async function costsOf(
  { cluster, postgres }: Servers,
  work: Work,
  workers: number,
  atEnd: Settings["atEnd"],
): Promise<Costs> {
  const world = await worldFor(work, cluster, atEnd);
  const started = await Promise.all(Array.from({ length: workers }, () => world.worker()));
  const [logBefore, committedBefore] = [await postgres.ask(log), await postgres.ask(committed)];
  const byWorkers = processorMsFromNow(...started.map(({ pid }) => pid));
  const byTemporal = processorMsFromNow(...cluster.pids());
  const byPostgres = processorMsFromNow(postgres.pid());
  const { tookMs } = await ourNight(world, work);
  return {
    secondsAThousand: tookMs / work.requests,
    workerMs: byWorkers() / work.requests,
    temporalMs: byTemporal() / work.requests,
    postgresMs: byPostgres() / work.requests,
    logKb: ((await postgres.ask(log)) - logBefore) / 1024 / work.requests,
    transactions: ((await postgres.ask(committed)) - committedBefore) / work.requests,
  };
}

const words = {
  workerMs: ["processor: a worker", "ms", 2],
  temporalMs: ["processor: Temporal", "ms", 2],
  postgresMs: ["processor: PostgreSQL", "ms", 2],
  logKb: ["PostgreSQL's log", "KB", 2],
  transactions: ["its transactions", "", 2],
} as const;
const names = ["workerMs", "temporalMs", "postgresMs", "logKb", "transactions"] as const;

/** One line per cost, from the night with one worker. */
function linesOfOne(all: readonly Costs[]): Line[] {
  return names.map((name) => {
    const [what, unit, digits] = words[name];
    const figures = all.map((one) => one[name]);
    return { what, unit, digits, figures, note: "per reading, with one worker" };
  });
}

function noteOf(all: readonly Costs[]): string {
  const median = (name: keyof Costs) => medianOf(all.map((one) => one[name])).toFixed(1);
  return `CPU per reading: ${median("workerMs")} ms workers, ${median("temporalMs")} ms Temporal, ${median("postgresMs")} ms PostgreSQL`;
}
