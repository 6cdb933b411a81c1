// The shell texts of docs/consumers.md that use curl, word for word but for the address, with the curl and jq of this machine.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { addDays } from "../../readings/periods.ts";
import { signs } from "../../readings/signs.ts";
import { startPublishedServer } from "../../worker/published-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { newSite } from "../publish/support/published-site.ts";
import { settings } from "../site/editions.ts";
import { fileEnd } from "../support/ends.ts";

const run = promisify(execFile);
const atEnd = fileEnd();
const page = await readFile(fileURLToPath(new URL("../../docs/consumers.md", import.meta.url)), "utf8");

/** Each shell text, by a word that only it has, and what it says of a site of today in English and Hindi. */
const recipes: Readonly<Record<string, RegExp>> = {
  "v1/status.json": /^$/,
  ".readings.leo": /^\d{4}-\d\d-\d\d\n\S.+\n/,
  "words.json": /^Leo, \S+, \S+ \d+, \d{4}\n$/,
  "almanac-pull.js": /^data\/almanac has version 1: \d+ files/,
  to_entries: new RegExp(`^${signs.map((sign) => `${sign}\\t\\S.*\\n`).join("")}$`),
  "v1/index.json |\n": /^en\tEnglish\t\d{4}-\d\d-\d\d\nhi\tहिन्दी\t\d{4}-\d\d-\d\d\n$/,
  "aries-leo": /^[A-Z ]+\n(upright|reversed)\n(\S.+\n)+$/,
  shuf: /^[A-Z ]+\n$/,
  sha256sum: /^latest\.json: OK\n$/,
  "letter.html": /^\S.+\n$/,
};
const texts = [...page.matchAll(/^```sh\n(.*?)^```$/gms)]
  .map(([, text = ""]) => text)
  .filter((text) => text.includes("curl"));
let url = "";

beforeAll(async () => {
  const [port = 0] = await freePorts([undefined]);
  url = `http://127.0.0.1:${port}`;
  const published = newSite({ site: { ...settings, url } });
  const now = new Date().toISOString();
  const today = now.slice(0, 10);
  published.setClock(now);
  await published.gather(addDays(today, -2), addDays(today, 1));
  await published.night();
  const server = await startPublishedServer(published.site, port);
  atEnd(() => server.close());
});

test.each(Object.entries(recipes))("the recipe with %j does what is said", async (word, said) => {
  const [text, ...others] = texts.filter((one) => one.includes(word));
  expect(others).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), "almanac-recipe-"));
  atEnd(() => rm(folder, { recursive: true }));
  const ours = (text ?? "exit 1").replaceAll("https://almanac.example", url);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", ours], { cwd: folder });
  expect(stdout).toMatch(said);
});

test("every text of the page that uses curl is among them", () => {
  const words = Object.keys(recipes);
  expect(texts.filter((text) => !words.some((word) => text.includes(word)))).toEqual([]);
});
