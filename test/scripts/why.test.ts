// `almanac why` as an operator types it, on a folder with two published days: its output and exit codes. It has no Temporal server,
// service or credential.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/calendar.ts";
import type { PublishedSite } from "../publish/support/published-site.ts";
import { almanac, type Ran } from "../support/cli.ts";
import { siteInFolder } from "./site-in-folder.ts";
import { contentOf, damage } from "../support/stores.ts";
import { testDate } from "../support/noon.ts";

const configuration: ConfigurationInput = {
  site: { id: "almanac", name: "Almanac", url: "https://almanac.example/stars" },
  languages: ["en"],
  operations: ["daily-horoscope"],
  zones: { en: "UTC" },
};
const today = testDate;
const yesterday = addDays(today, -1);
const tomorrow = addDays(today, 1);
const page = `en/daily/leo/${today}/index.html`;

let folder: string;
let site: PublishedSite;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-why-"));
  ({ site, env } = await siteInFolder(folder, configuration));
  await site.gather(addDays(today, -2), tomorrow);
  await site.publishing.vault.displace(`daily/${tomorrow}/en/daily-horoscope/virgo`);
  site.setClock(`${yesterday}T12:00:00Z`);
  await site.night();
  site.setClock(`${today}T00:00:30Z`);
  await site.night();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function ask(...words: string[]): Promise<Ran> {
  return almanac(["why", ...words], { env, cwd: folder });
}

async function json(...words: string[]): Promise<unknown> {
  return JSON.parse((await ask(...words, "--json")).stdout);
}

test("leads from a page back to manifest, set, reading, answer, run and rules, and changes nothing", async () => {
  const before = [await contentOf(site.site), await contentOf(site.publishing.vault.store)];
  const { code, stdout, stderr } = await ask(`/en/daily/leo/${today}/`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const plain = stdout
    .replace(/[0-9a-f]{64}/, "{sha256}")
    .replace(/manifest [0-9a-f]{12}/, "manifest {hash}")
    .replace(/\d+ bytes/, "{size} bytes");
  expect(plain).toBe(`${page}

shows       daily-horoscope, leo, en, ${today}
published   version 2 since ${today} 00:00 UTC, manifest {hash}
part        en/${today.slice(0, 7)}
since       version 2, as of ${today} 00:00 UTC, by almanac-nightly
object      v1/objects/{sha256}.html
            {size} bytes, text/html; charset=utf-8
set         daily/${today}/en/daily-horoscope: 12 of 12 readings in the vault
reading     daily/${today}/en/daily-horoscope/leo
            v1/en/daily/${today}/leo.json
shown from  ${today} 00:00 UTC
response    responses/daily/${today}/en/daily-horoscope/leo.json
received    2026-11-19 08:05 UTC, after 1 attempt
from        http://127.0.0.1/
run         almanac-nightly: also the workflow ID
rules       passed: sign, period, empty, short, long, characters, markup,
            address, formula, mixed-script, invisible, template, error-text,
            language, another-sign, previous-period
`);
  expect([await contentOf(site.site), await contentOf(site.publishing.vault.store)]).toEqual(before);
});

test("says of what is not there why, with what it waits for and the next step", async () => {
  const { code, stdout } = await ask(`https://almanac.example/stars/en/daily/leo/${tomorrow}/?from=mail#top`);
  expect(code).toBe(0);
  expect(stdout).toContain(
    [
      `en/daily/leo/${tomorrow}/index.html is not on the site`,
      "",
      `expected    daily-horoscope, leo, en, ${tomorrow}`,
      "reason      waiting for its set",
      "            only complete sets are published, and the vault contains 11 of its",
      "            12 readings",
      `missing     daily/${tomorrow}/en/daily-horoscope/virgo`,
      "            due: it is not in the vault yet; it can be requested until",
    ].join("\n"),
  );
  expect(stdout).toContain(`response    responses/daily/${tomorrow}/en/daily-horoscope/leo.json\n`);
});

test("takes a path, an address, an entry's id with or without its feed, and a request alike", async () => {
  const key = `daily/${today}/en/daily-horoscope/leo`;
  const id = `urn:almanac:almanac:daily-horoscope:en:leo:${today}`;
  const feed = `https://almanac.example/stars/en/feed.json#${id}`;
  const response = { about: "response", is: `responses/${key}.json` };
  const entry = { about: "entry", is: id, words: expect.stringMatching(/^in (?:\S+, ){3}\S+$/) };
  for (const words of [`en/daily/leo/${today}`, `https://almanac.example/stars/${page}`, id, feed, key]) {
    const found = await json(words);
    const facts = expect.arrayContaining(words.includes("/leo/") ? [response] : [entry, response]);
    expect(found).toMatchObject({ path: page, facts });
    expect(JSON.stringify(found)).not.toMatch(/"about":"(?:damaged|differs|superseded)"/);
  }
  const shows = { about: "shows", words: expect.stringContaining("all twelve signs") };
  expect(await json("/en/feed.json")).toMatchObject({ facts: expect.arrayContaining([shows]) });
});

test("names a damaged stored response, goes on without it, and exits with 3", async () => {
  const file = `responses/daily/${yesterday}/en/daily-horoscope/leo.json`;
  await damage(site.publishing.vault.store, file);
  const { code, stdout } = await ask(`v1/en/daily/${yesterday}.json`);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^aries +2026-11-19 08:05 UTC, 1 attempt, almanac-nightly, passed$/m);
  expect(stdout).toMatch(/^leo +unreadable$/m);
  expect(stdout).toContain(`damaged     ${file}\n            the stored response of daily/`);
  const alone = await ask(`v1/en/daily/${yesterday}/leo.json`);
  expect(alone.code).toBe(3);
  expect(alone.stdout).toMatch(/^response {4}unreadable$/m);
  expect(alone.stdout).not.toContain("no longer in the vault");
});

test.each([
  ["en/dialy/leo/", '"dialy" is not a section. Did you mean daily?'],
  ["gr/daily/leo/", '"gr" is not a language. Did you mean el?'],
  [
    "https://elsewhere.example/en/",
    "is not a URL of this site. Its URLs begin with https://almanac.example/stars",
  ],
  [
    "urn:almanac:other:daily-horoscope:en:leo:2026-11-21",
    "is not a feed entry of this site. Entry IDs have the form",
  ],
])("%s is wrong usage, and what was looked for is said", async (words, said) => {
  const { code, stdout, stderr } = await ask(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("error: ");
  expect(stderr).toContain(said);
});
