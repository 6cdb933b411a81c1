// Calculated cost of a million requests per night, from the figures per reading on Temporal with PostgreSQL, a site's month, and
// list prices. Nobody has run such a night.
import { table, withPart } from "../docs/reference/markdown.ts";
import { storePrices, temporalPrices } from "./prices.ts";
import { actionsPerReading, dollars, fileAt, nights, quoted, siteMonth, whole } from "./site-month.ts";

const page = "bench/README.md";
const requests = 1_000_000;
/** Hours from a plan's first call to one hour before the midnight when its texts are due. */
const hours = 20;
const seconds = hours * 3600;
/** Call rate that services have sustained at each of their endpoints. */
const callsASecond = 20;

/** Demand of one reading for a resource, and the resource's capacity per second. */
interface Needs {
  readonly of: string;
  readonly each: number;
  readonly unit: string;
  readonly aSecond: number;
  /** Rate within a night: "13.9 calls a second". */
  readonly inWords: (night: number) => string;
}

const core = (of: string, each: number): Needs => ({
  of,
  each,
  unit: "ms",
  aSecond: 1000,
  inWords: (night) => `${(night / 3_600_000).toFixed(1)} hours of a core`,
});

function needs(): readonly Needs[] {
  const row = (what: string) => quoted(page, new RegExp(`${what} +\\| ([\\d.]+) `))[0] ?? Number.NaN;
  return [
    {
      of: `calls to one endpoint, ${callsASecond} per second`,
      each: 1,
      unit: "call",
      aSecond: callsASecond,
      inWords: (night) => `${(night / callsASecond / 3600).toFixed(1)} hours`,
    },
    core("a worker's processor", row("processor: a worker")),
    core("Temporal's processor, four processes", row("processor: Temporal")),
    core("PostgreSQL's processor", row("processor: PostgreSQL")),
  ];
}

/** The page with the needs of a million requests, and the first limit that they would reach. */
export function renewedMillion(): readonly [path: string, text: string] {
  const [log = 0] = quoted(page, /PostgreSQL's log +\| ([\d.]+) KB/);
  const [transactions = 0] = quoted(page, /its transactions +\| ([\d.]+)/);
  const rows = needs().map(({ of, each, unit, aSecond, inWords }) => [
    of,
    `${each} ${unit}`,
    inWords(each * requests),
    `${whole((aSecond * seconds) / each / 1000)},000`,
  ]);
  const more = [
    ["PostgreSQL's log of changes", `${log} KB`, `${((log * requests) / 1e6).toFixed(1)} GB`, ""],
    [
      "PostgreSQL's transactions",
      `${transactions}`,
      `${whole((transactions * requests) / seconds)} per second`,
      "",
    ],
  ];
  const walls = table(
    ["resource", "per reading", "a million", `limit in ${hours} hours`],
    [...rows, ...more],
  );
  return [page, withPart(page, fileAt(page).toString(), "million", `${walls}\n\n${costs()}`)];
}

function costs(): string {
  const month = siteMonth();
  const times = (requests * nights) / month.requests;
  const [perReading = 0] = quoted("docs/performance.md", actionsPerReading);
  const actions = perReading * requests * nights;
  const { aMillionWrites, aMillionReads, aGigabyteMonth } = storePrices["Amazon S3"];
  const rows = [
    [
      "Temporal Cloud, instead of your own server",
      `${whole(actions / 1e6)} million actions`,
      dollars((actions / 1e6) * temporalPrices.aMillionActions * (1 + temporalPrices.planShare)),
    ],
    [
      "Amazon S3, writes and listings",
      `${whole((month.writes * times) / 1e6)} million`,
      dollars((month.writes * times * aMillionWrites) / 1e6),
    ],
    [
      "Amazon S3, reads",
      `${whole((month.reads * times) / 1e6)} million`,
      dollars((month.reads * times * aMillionReads) / 1e6),
    ],
    [
      "Amazon S3, storage of a month's writes",
      `${whole(month.gigabytes * times)} GB`,
      dollars(month.gigabytes * times * aGigabyteMonth),
    ],
  ];
  return table([`${nights} such nights, over ${whole(times)} usual sites`, "amount", "list price"], rows);
}
