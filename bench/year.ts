// `npm run year`: how much room a site takes in a year of nights, with `almanac gc` each week and `almanac backup` each night. It
// prints a row per four weeks, with what belongs to dated pages apart: that grows with each day, the rest must not. The last columns
// are the space that the site takes on the disk, with all of its folders. `--languages en,hi` simulates every operation in these
// languages, and `--archive-days` a limit of the archive.
import { lstat, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openFolder } from "../store/folder.ts";
import { languageNames, operationNames } from "../readings/tables.ts";
import type { Store } from "../store/store.ts";
import { simulatedYear, type YearRow } from "./simulated-year.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "365" },
    languages: { type: "string" },
    "archive-days": { type: "string" },
  },
});
const { languages, "archive-days": archiveDays } = values;
const all = languages && {
  languages: languageNames.filter((language) => languages.split(",").includes(language)),
  operations: [...operationNames],
  people: [],
  ...(archiveDays !== undefined && { archive: { days: Number(archiveDays) } }),
};
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

/** Inodes and allocated bytes of a folder; a hard link takes none. */
async function onDisk(folder: string) {
  const known = new Set<number>();
  let bytes = 0;
  const look = async (path: string): Promise<void> => {
    const { ino, blocks } = await lstat(path);
    if (!known.has(ino)) bytes += blocks * 512;
    known.add(ino);
  };
  await look(folder);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await look(join(entry.parentPath, entry.name));
  return { inodes: known.size, bytes };
}

const cell = ({ files, bytes }: YearRow["site"]["all"]) =>
  `${files.toLocaleString("en")} files, ${megabytes(bytes)}`;

function megabytes(bytes: number) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

try {
  const heads = columns.flatMap((name) => [name, `${name}, not dated`]);
  console.log(`| day | ${heads.join(" | ")} | site on disk |`);
  console.log(`| ${["day", ...heads, "on disk"].map(() => "---:").join(" | ")} |`);
  const nights = { days: Number(values.days), keepDays: 30, open: folderAt };
  for await (const row of simulatedYear({ ...nights, ...(all && { configuration: all }) })) {
    if (row.day % 28 !== 0 && row.day !== Number(values.days)) continue;
    const found = columns.flatMap((name) => [cell(row[name].all), cell(row[name].lasting)]);
    const { inodes, bytes } = await onDisk(join(root, "site"));
    const disk = `${inodes.toLocaleString("en")} inodes, ${megabytes(bytes)}`;
    console.log(`| ${row.day} | ${found.join(" | ")} | ${disk} |`);
  }
} finally {
  await rm(root, { recursive: true });
}
