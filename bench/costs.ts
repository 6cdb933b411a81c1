// `npm run bench:costs`: monthly costs of sites in Temporal Cloud and on Amazon S3, and the costs of a million requests per night,
// from figures that other commands have measured and the pages quote. It writes its tables into docs/deployment.md and
// bench/README.md.
import { writeFileSync } from "node:fs";
import { table, withPart } from "../docs/reference/markdown.ts";
import { renewedMillion } from "./million.ts";
import { storePrices, temporalPrices } from "./prices.ts";
import { dollars, fileAt, place, siteMonth, whole } from "./site-month.ts";

const page = "docs/deployment.md";

/** The page with the costs for several numbers of sites. */
export function renewedCosts(): string {
  return withPart(page, fileAt(page).toString(), "costs", costsTable([1, 10, 100]));
}

function costsTable(counts: readonly number[]): string {
  const site = siteMonth();
  const { aMillionWrites, aMillionReads, aGigabyteMonth } = storePrices["Amazon S3"];
  const cloud = (site.actions / 1e6) * temporalPrices.aMillionActions * (1 + temporalPrices.planShare);
  const calls = (site.writes * aMillionWrites + site.reads * aMillionReads) / 1e6;
  const kept = site.gigabytes * aGigabyteMonth;
  const rows = counts.map((sites) => [
    `${sites}`,
    whole(sites * site.requests),
    whole(sites * site.actions),
    dollars(sites * cloud),
    whole(sites * site.writes),
    whole(sites * site.reads),
    dollars(sites * (calls + kept)),
    dollars(sites * (cloud + calls + kept)),
  ]);
  const head = [
    "sites",
    "readings per month",
    "Temporal actions",
    "Temporal Cloud",
    "S3 writes and lists",
    "S3 reads",
    "S3 cost",
    "total",
  ];
  return table(head, rows);
}

if (import.meta.main) {
  for (const [path, text] of [[page, renewedCosts()] as const, renewedMillion()]) {
    writeFileSync(place(path), text);
    console.log(`${path} has the costs of today's figures`);
  }
}
