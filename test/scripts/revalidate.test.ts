// `almanac revalidate` as an operator types it, on a folder with two published days: it only reads, and with --apply it does the
// same as `render`. It has no Temporal server, service or credential.
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/calendar.ts";
import { type PublishedSite, requestAt } from "../publish/support/published-site.ts";
import { almanac, type Ran } from "../support/cli.ts";
import { siteInFolder } from "./site-in-folder.ts";
import { contentOf, damage } from "../support/stores.ts";
import { storedResponseOf, storedResponseWith } from "../support/stored-responses.ts";
import { testDate } from "../support/noon.ts";

const configuration: ConfigurationInput = {
  site: { id: "almanac", name: "Almanac", url: "https://almanac.example/stars" },
  languages: ["en"],
  operations: ["daily-horoscope"],
  zones: { en: "UTC" },
  quality: { rules: { short: "warn" } },
};
const today = testDate;
const yesterday = addDays(today, -1);
const keyOf = (sign: string, date = today) => `daily/${date}/en/daily-horoscope/${sign}`;

let root: string;
let folders = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "almanac-revalidate-"));
  const first = join(root, "first");
  await mkdir(first);
  const { site } = await siteInFolder(first, configuration);
  await site.gather(addDays(today, -2), today);
  const { vault } = site.publishing;
  const short = storedResponseOf(requestAt(keyOf("leo"))).body.replace(
    /"travel":"[^"]*"/,
    '"travel":"Stay."',
  );
  await vault.displace(keyOf("leo"));
  await vault.storeResponse(storedResponseWith(keyOf("leo"), short));
  await vault.displace(keyOf("virgo", yesterday));
  site.setClock(`${yesterday}T12:00:00Z`);
  await site.night();
  site.setClock(`${today}T00:00:30Z`);
  await site.night();
  await vault.quarantine({
    format: 1,
    key: keyOf("virgo", yesterday),
    type: "Unfit",
    rule: "language",
    reason: "it is in no language",
    at: `${yesterday}T03:00:00.000Z`,
    tries: 4,
    run: "almanac-nightly",
    address: "http://127.0.0.1/",
    body: storedResponseOf(requestAt(keyOf("virgo", yesterday))).body,
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface World {
  readonly site: PublishedSite;
  run(...words: string[]): Promise<Ran>;
}

/** A copy of the two days, under other settings. */
async function world(changed: ConfigurationInput = {}): Promise<World> {
  const folder = join(root, String((folders += 1)));
  await cp(join(root, "first"), folder, { recursive: true });
  const { site, env } = await siteInFolder(folder, { ...configuration, ...changed });
  return { site, run: (...words) => almanac(words, { env, cwd: folder }) };
}

async function bytesOf({ site }: World) {
  return [await contentOf(site.site), await contentOf(site.publishing.vault.store)];
}

test("says what a rule refuses now, what has become good and how pages change, and writes not one byte", async () => {
  const changed = await world({
    quality: { rules: {} },
    site: { id: "almanac", name: "Almanach", url: "https://almanac.example/stars" },
  });
  const before = await bytesOf(changed);
  const { code, stdout, stderr } = await changed.run("revalidate");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await bytesOf(changed)).toEqual(before);
  expect(stdout).toContain("validated: 35 stored responses, 1 in quarantine");
  expect(stdout).toContain(`would be rejected today: 1 response
  short: 1
    ${keyOf("leo")}
      travel has 4 letters, fewer than 25; received 2026-11-19 08:05 UTC, on
      /en/daily/leo/${today}/
next: published texts stay. To remove one: \`almanac withdraw
/en/daily/leo/${today}/ --reason`);
  expect(stdout).toContain(`in quarantine that would be accepted today: 1 response
    ${keyOf("virgo", yesterday)}
      quarantined: language: it is in no language`);
  expect(stdout).toContain("pages that would change: en: ");
  expect(stdout).toMatch(/\{lang\}\/daily\/\{sign\}\/\{key\}\/index\.html +\d+\n/);
  expect(stdout).toMatch(/- .*Almanac\b.*\n {2}\+ .*Almanach\b/);
  expect(stdout).toContain("nothing was written. To publish the changes, add --apply");
  // Whole for the first time, with the sign that has become good.
  const { pages } = JSON.parse((await changed.run("revalidate", "--json")).stdout);
  expect(pages.changes).toContainEqual({ path: `en/daily/virgo/${yesterday}/index.html`, reason: "new" });
  expect(await bytesOf(changed)).toEqual(before);
});

test("with --apply it keeps what has become good and publishes what it said, as render would", async () => {
  const one = await world();
  const { pages } = JSON.parse((await one.run("revalidate", "--json")).stdout);
  const applied = await one.run("revalidate", "--apply");
  expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: "" });
  expect(applied.stdout).toContain("accepted from quarantine: 1 response");
  expect(applied.stdout).toContain("published version 3");
  const { vault } = one.site.publishing;
  const stored = await vault.response(keyOf("virgo", yesterday));
  expect(stored?.notes).toEqual(["revalidated: language: it is in no language"]);
  expect(await vault.quarantined(keyOf("virgo", yesterday))).toBeUndefined();

  const twin = await world();
  await twin.site.publishing.vault.storeResponse(storedResponseOf(requestAt(keyOf("virgo", yesterday))));
  const before = await twin.site.paths();
  await twin.run("render", "--from", addDays(today, -2));
  const after = await twin.site.paths();
  const changedByRender = [...after].filter(([path, object]) => before.get(path) !== object);
  const isTimed = (path: string) => /sitemap|status|virgo|newsletter/.test(path); // when that text came is told there
  const untimed = (paths: string[]) => paths.filter((path) => !isTimed(path)).sort();
  expect(untimed(pages.changes.map(({ path }: { path: string }) => path))).toEqual(
    untimed(changedByRender.map(([path]) => path)),
  );
  const again = await one.run("revalidate");
  expect(again.stdout).toContain("rendered without changes");
});

test("shows how a text differs that a repaired reader, or another answer, would make", async () => {
  const changed = await world();
  await changed.site.keep(keyOf("aries"), "Repaired words are here.");
  const { stdout } = await changed.run("revalidate", "--languages", "en", "--from", today);
  expect(stdout).toContain(`v1/en/daily/${today}/aries.json`);
  expect(stdout).toMatch(/\+ .*Repaired words are here\./);
});

test("names a damaged answer, judges the rest and exits with 3", async () => {
  const damaged = await world();
  await damage(damaged.site.publishing.vault.store, `responses/${keyOf("aries")}.json`);
  const { code, stdout } = await damaged.run("revalidate", "--no-pages");
  expect(code).toBe(3);
  expect(stdout).toContain("validated: 34 stored responses, 1 in quarantine");
  expect(stdout).toContain(`skipped because unreadable: 1 file
    responses/${keyOf("aries")}.json
      responses/${keyOf("aries")}.json is not JSON`);
});

test("refuses languages, dates and options that make no sense, with a sentence", async () => {
  const one = await world();
  const wrong = async (...words: string[]) => {
    const { code, stderr } = await one.run("revalidate", ...words);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await wrong("--languages", "xx")).toContain('unknown language "xx"');
  expect(await wrong("--languages", "hi")).toContain('hi is not in "languages" of almanac.config.ts');
  expect(await wrong("--from", "2026-02-30")).toContain("is not a date");
  expect(await wrong("--to", today)).toContain("needs --from");
  expect(await wrong("--apply", "--no-pages")).toContain("Remove one of them");
});

test("leaves a language that was rolled back as it is, and says how that ends", async () => {
  const held = await world({ site: { id: "almanac", name: "Other", url: "https://almanac.example/stars" } });
  await held.run("rollback", "--yes");
  const before = await bytesOf(held);
  const { code, stdout } = await held.run("revalidate", "--apply");
  expect(stdout).toMatch(
    /^en was skipped, because the rollback of .* UTC pins it\. To remove the pin: `almanac render --languages en`$/m,
  );
  expect({ code, same: (await bytesOf(held))[0] }).toEqual({ code: 3, same: before[0] });
});
