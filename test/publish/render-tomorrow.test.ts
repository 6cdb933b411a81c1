// Tomorrow's texts, published a day ahead where the owner of a site wishes it.
import { expect, test } from "vitest";
import { withdraw } from "../../publish/withdraw.ts";
import { configured, newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";

const leo = "en/daily/leo/index.html";
const page = (date: string) => `en/daily/leo/${date}/index.html`;

async function onThe21st(tomorrow: boolean, upTo = "2026-11-22"): Promise<PublishedSite> {
  const site = newSite({ languages: ["en", "hi"], site: { ...configured.site, tomorrow } });
  await site.gather("2026-11-19", upTo);
  await site.nights("2026-11-20", "2026-11-21");
  return site;
}

test("tomorrow's text has a page with links to it, and today's stays the current one", async () => {
  const site = await onThe21st(true);
  expect(await site.text(leo)).toContain('<a href="/en/daily/leo/2026-11-22/">Tomorrow</a>');
  expect(await site.text(page("2026-11-22"))).toContain('aria-current="page">Tomorrow');
  expect(await site.json("v1/en/daily/latest.json")).toMatchObject({
    readings: { leo: { period: "2026-11-21" } },
  });
  expect(await site.text("en/feed.xml")).not.toContain("/2026-11-22/");
  expect(await site.deadLinks()).toEqual([]);

  await site.nights("2026-11-22", "2026-11-22");
  expect(await site.text(leo)).toContain('<a href="/en/daily/leo/2026-11-21/">Yesterday</a>');
  expect(await site.text(page("2026-11-21"))).not.toContain(">Tomorrow<");
  expect(await site.deadLinks()).toEqual([]);
});

test("nothing is published ahead unless the owner enables it and the set is complete", async () => {
  for (const site of [await onThe21st(false), await onThe21st(true, "2026-11-21")]) {
    expect((await site.paths()).has(page("2026-11-22"))).toBe(false);
    expect(await site.text(leo)).not.toContain(">Tomorrow<");
  }
});

test("a withdrawn text of tomorrow disappears at once, with the links to it", async () => {
  const site = await onThe21st(true);
  const key = "daily/2026-11-22/en/daily-horoscope/leo";
  await withdraw(recordOf(key), requestAt(key), site.publishing);
  expect((await site.paths()).has(page("2026-11-22"))).toBe(false);
  expect((await site.paths()).has("en/daily/aries/2026-11-22/index.html")).toBe(true);
  expect(await site.deadLinks()).toEqual([]);
});
