// `almanac rehearse` as an operator types it: there is no Temporal, no service and no store, and nothing is left behind.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { almanac } from "../support/cli.ts";

const configuration: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-horoscope", "daily-tarot"],
};
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-rehearse-"));
  await writeFile(join(folder, "almanac.config.ts"), `export default ${JSON.stringify(configuration)};\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rehearsed = (...words: string[]) =>
  almanac(["rehearse", "--as-of", "2026-11-21T00:00:00Z", "--days", "4", ...words], { cwd: folder });

test("answers each question in a sentence, with a row for each language", async () => {
  const { code, stdout, stderr } = await rehearsed("--rate", "2");
  expect(code, stderr).toBe(0);
  expect(stdout).toBe(`4 nights from 2026-11-21 03:05, in 2 languages, starting with an empty vault; 2
calls per second to each endpoint; all times in UTC

language  midnight  minimum lead  late  typical age  maximum age  lost  calls
en        05:00     1 h 55 min       0  24 h         24 h            0     65
hi        18:30     15 h 24 min      0  24 h         24 h            0     65

Is each edition ready before its readers' day begins?
  Yes: every edition was ready at least 1 h 55 min before its midnight (en,
  2026-11-21).
When must the nightly run start?
  By 04:59 UTC. It now starts at 03:05 (schedule.nightly). With 05:05, every
  edition would be ready at least 13 h 24 min before the next midnight in its
  time zone (shortest lead: hi).
Does each nightly run finish in time?
  Yes. A typical run takes 33 s and 26 calls. The longest (2026-11-21) takes 40
  s of its 6 h limit, and 52 calls.
Which readings are lost?
  None.
`);
  expect(await readdir(folder)).toEqual(["almanac.config.ts"]);
});

test("says what an outage costs, and when to start so that it costs nothing", async () => {
  const { code, stdout, stderr } = await rehearsed("--outage", "02:00-07:00", "--refuse", "daily-tarot");
  expect(code, stderr).toBe(0);
  const said = stdout.replaceAll(/\s+/g, " ");
  expect(said).toContain("outage 02:00-07:00 each day; daily-tarot rejected");
  expect(said).toContain("No: en was late every day, by up to 2 h");
  expect(said).toContain("always ready by 06:00 local time.");
  expect(said).toContain("Change schedule.nightly from 03:05 to 05:05 (UTC). Every edition is then ready");
  expect(said).toContain("What do the simulated faults cost? 4 additional late editions, by up to 2 h");
  // Readings of today and of each day except the last, in two languages.
  expect(said).toContain("Which readings are lost? 8 readings: en 4; hi 4.");
});

test("takes languages that the site does not have yet", async () => {
  const { code, stdout } = await rehearsed("--languages", "en,hi,ja,de", "--json");
  expect(code).toBe(0);
  const { languages } = z
    .object({ languages: z.array(z.object({ language: z.string() })) })
    .parse(JSON.parse(stdout));
  expect(languages.map(({ language }) => language)).toEqual(["en", "hi", "ja", "de"]);
});

test("gives the same bytes for the same seed, and others for another", async () => {
  const words = ["--outage", "02:00-07:00", "--refuse", "daily-tarot", "--json", "--seed"];
  const [one, again, other] = [
    await rehearsed(...words, "7"),
    await rehearsed(...words, "7"),
    await rehearsed(...words, "8"),
  ];
  expect(one.code, one.stderr).toBe(0);
  expect(again.stdout).toBe(one.stdout);
  expect(other.stdout).not.toBe(one.stdout);
});

test("writes a page that is valid and asks for nothing from elsewhere", async () => {
  const path = join(folder, "rehearsal.html");
  const outage = "2026-11-22T00:00/2026-11-24T00:00";
  const { code, stderr } = await rehearsed("--outage", outage, "--outage", "12:00-13:00", "--page", path);
  expect(stderr).toContain(path);
  expect(code).toBe(0);
  const page = await readFile(path, "utf8");
  await rm(path);
  expect(page).not.toMatch(/<script|<img|<link|url\(|https?:/);
  // One midnight per language and day; the outage affects one of each, and later texts are late.
  expect(page.match(/<rect class="(?:there|behind|missed)"/g)).toHaveLength(2 * 4);
  expect(page.match(/<rect class="missed"/g)).toHaveLength(2);
  const validator = new HtmlValidate(
    new StaticConfigLoader({
      extends: ["html-validate:standard", "html-validate:document", "html-validate:a11y"],
    }),
  );
  const { results } = validator.validateStringSync(page);
  expect(
    results.flatMap(({ messages }) => messages.map(({ message, line }) => `${line}: ${message}`)),
  ).toEqual([]);
});

const wrong: readonly (readonly [string[], string])[] = [
  [["--days", "0"], "--days must be a whole number from 1 to 366"],
  [["--days", "two"], "--days must be a whole number from 1 to 366"],
  [["--outage", "7-9"], "is not a time span. Use UTC: 02:00-07:00 for each day"],
  [["--outage", "25:00-26:00"], "is not a time span"],
  [["--outage", "02:00-02:00"], "is empty. For a whole day"],
  [["--outage", "2026-11-25T07:00/2026-11-25T02:00"], "ends before it begins"],
  [["--outage", "2026-02-30T07:00/2026-03-01T02:00"], "is not a time span"],
  [["--languages", "en,gr"], 'unknown language "gr"'],
  [["--refuse", "Hindy"], "Did you mean hi?"],
  [["--refuse", "ja"], "does not include ja. Choose en, hi"],
  [["--refuse", "daily-tarott"], "Did you mean daily-tarot?"],
  [["--rate", "0"], "--rate must be a number from 0.01 to 1000"],
  [["--rate", "1001"], "--rate must be a number from 0.01 to 1000"],
  [["--concurrency", "2.5"], "--concurrency must be a whole number from 1 to 1000"],
  [["--answers", "soon"], "--answers must be a number from 0.001 to 600"],
  [["--page", "/no/such/folder/page.html"], "cannot write /no/such/folder/page.html: ENOENT"],
  [["--seed", "-1"], "--seed must be a whole number"],
  [["--outages", "02:00-07:00"], 'unknown option "--outages"'],
];
test.each(wrong)("says what is wrong with %j", async (words, said) => {
  const { code, stdout, stderr } = await rehearsed(...words);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
  expect(stdout).toBe("");
});

test("docs/tune.md shows its output at the beginning of December", async () => {
  const page = await readFile(new URL("../../docs/tune.md", import.meta.url), "utf8");
  const examples = [...page.matchAll(/^\$ npx almanac (rehearse .*)\n([^`]*)^```$/gm)];
  expect(examples).toHaveLength(1);
  const cwd = join(folder, "with-defaults");
  await mkdir(cwd);
  await writeFile(join(cwd, "almanac.config.ts"), "export default {};\n");
  for (const [, words = "", shown = ""] of examples) {
    const ran = await almanac([...words.split(" "), "--as-of", "2026-12-01T00:00:00Z"], { cwd });
    expect(ran.code, ran.stderr).toBe(0);
    let from = 0;
    for (const part of shown.split(/^\.\.\.\n/m)) {
      const at = ran.stdout.indexOf(part, from);
      expect(at, part).toBeGreaterThanOrEqual(from);
      from = at + part.length;
    }
  }
});
