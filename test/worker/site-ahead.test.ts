// Tomorrow's site before it is published: the bytes that the publishes at the languages' midnights then write, and no write by itself.
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { publishAhead, siteAhead } from "../../worker/live/site-ahead.ts";
import { onTrial } from "../../worker/publisher.ts";
import { newSite, requestAt } from "../publish/support/published-site.ts";
import { changeTo, correctableText, recordCorrection } from "../../publish/correct.ts";
import { html } from "../../site/html.ts";
import { sandboxProse } from "../support/prose.ts";
import { contentOf, inMemory, snapshotOf, watched } from "../support/stores.ts";
import "../support/equal-bytes.ts";

/** In the order of their midnights. */
const languages = ["zh", "hi", "ar", "en"] as const;
const configuration = {
  languages: [...languages],
  operations: [
    "daily-horoscope",
    "weekly-horoscope",
    "monthly-horoscope",
    "yearly-horoscope",
    "daily-tarot",
    "love-compatibility",
  ],
  people: [],
} satisfies ConfigurationInput;

/** A day on which a week, a month, a year and a season begin. */
const date = "2023-01-01";
const eve = "2022-12-31";
const midnights = [`${eve}T16:00:00Z`, `${eve}T18:30:00Z`, `${eve}T22:00:00Z`, `${date}T05:00:00Z`];

test("the files have the bytes that publishes at the midnights then write, and neither vault nor site is written to", async () => {
  const stores = inMemory();
  const site = newSite(configuration, stores);
  site.setClock(`${eve}T12:00:00Z`);
  await site.gather(eve, date);
  await site.night();
  const before = await snapshotOf(stores);
  const changes: string[] = [];
  const note = (doing: string, key: string) => {
    if (doing === "write" || doing === "remove") changes.push(`${doing} ${key}`);
  };
  const readOnly = newSite(configuration, {
    site: watched(stores.site, note),
    vault: watched(stores.vault, note),
  });
  readOnly.setClock(`${eve}T12:00:00Z`);
  const { publishing } = onTrial(readOnly.publishing, false);
  await publishAhead(() => date, publishing);
  const ahead = await contentOf(publishing.site);
  expect(changes).toEqual([]);
  expect(await snapshotOf(stores)).toEqual(before);
  expect([...(await site.paths()).keys()]).not.toContain(`hi/daily/leo/${date}/index.html`);

  for (const midnight of midnights) {
    site.setClock(midnight);
    await site.publishDue();
  }
  for (const language of languages)
    expect(await site.json(`v1/${language}/index.json`)).toMatchObject({ language, date });
  const published = await contentOf(site.site);
  const paths = new Set([...ahead.keys(), ...published.keys()]);
  const isSame = (path: string) =>
    Buffer.from(ahead.get(path) ?? []).equals(published.get(path) ?? Buffer.of());
  expect([...paths].filter((path) => !isSame(path))).toEqual([]);
});

test("the bar names a correction that no longer applies, on the pages of its operation", async () => {
  const site = newSite({ languages: ["en"], operations: ["daily-horoscope"] });
  await site.gather("2026-11-21", "2026-11-22");
  await site.night();
  const key = "daily/2026-11-22/en/daily-horoscope/leo";
  const text = await correctableText(requestAt(key), "personal", site.publishing);
  const change = await changeTo(sandboxProse("en")[3] ?? "", undefined, text, {});
  await recordCorrection(change, text, { by: "editor", reason: "better" }, site.publishing);
  const barOn = async (path: string) => {
    const ahead = await siteAhead(() => "2026-11-22", onTrial(site.publishing, false).publishing);
    return html`${(await (await ahead.file(path))?.bar()) ?? ""}`.toString();
  };
  expect(await barOn("en/daily/leo/index.html")).toContain("All texts are ready");
  await site.keep(key, "Other words:");
  expect(await barOn("en/daily/leo/index.html")).toMatch(
    /On this page.*the correction of sections\.personal no longer applies.*almanac correct daily\/2026-11-22/s,
  );
});
