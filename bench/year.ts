// `npm run year`: how much room a site takes in a year of nights, with `almanac gc` each week and `almanac backup` each night. It
// prints a row per four weeks, with what belongs to dated pages apart: that grows with each day, the rest must not.
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openFolder } from "../store/folder.ts";
import type { Store } from "../store/store.ts";
import { simulatedYear, type YearRow } from "./simulated-year.ts";

const { values } = parseArgs({ options: { days: { type: "string", default: "365" } } });
const root = await mkdtemp(join(tmpdir(), "almanac-year-"));
const columns = ["site", "vault", "backup"] as const;

/** A folder whose files are as old as the clock says. */
function folderAt(name: string, now: () => Date): Store {
  const place = join(root, name);
  const store = openFolder(place);
  const age = (key: string) => utimes(join(place, key), now(), now());
  return {
    ...store,
    async write(key, body, headers, when) {
      const result = await store.write(key, body, headers, when);
      if (result.kind === "written") await age(key);
      return result;
    },
    async link(from, key) {
      const isLinked = (await store.link?.(from, key)) === true;
      if (isLinked) await age(key);
      return isLinked;
    },
  };
}

const cell = ({ files, bytes }: YearRow["site"]["all"]) =>
  `${files.toLocaleString("en")} files, ${megabytes(bytes)}`;

function megabytes(bytes: number) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

try {
  const heads = columns.flatMap((name) => [name, `${name}, not dated`]);
  console.log(`| day | ${heads.join(" | ")} |`);
  console.log(`| ${["day", ...heads].map(() => "---:").join(" | ")} |`);
  for await (const row of simulatedYear({ days: Number(values.days), keepDays: 30, open: folderAt })) {
    if (row.day % 28 !== 0 && row.day !== Number(values.days)) continue;
    const found = columns.flatMap((name) => [cell(row[name].all), cell(row[name].lasting)]);
    console.log(`| ${row.day} | ${found.join(" | ")} |`);
  }
} finally {
  await rm(root, { recursive: true });
}
