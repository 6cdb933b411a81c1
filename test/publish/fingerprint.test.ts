// Changed templates of a site, and a lost pointer, which does not mean a new site.
import { expect, test } from "vitest";
import { workingsOf } from "../../publish/render/fingerprint.ts";
import { publish, publishDue } from "../../publish/publish.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { newSite } from "./support/published-site.ts";

const fingerprint = "sha256-of-other-templates";

test("the fingerprint covers each package's version, and everything that Node ships", () => {
  const { versions } = process;
  const seen = new Set([workingsOf()]);
  const others = ["node", "icu", "tz", "cldr", "unicode"].map((part) => ({ ...versions, [part]: "another" }));
  for (const other of others) seen.add(workingsOf(other));
  expect(seen.size).toBe(1 + others.length);
});

test("changed templates cause the next publish to render all languages, once", async () => {
  const site = newSite();
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const newer = { ...site.publishing, fingerprint };

  const first = await publishDue(newer);
  expect(first.languages).toEqual(["en", "hi"]);
  expect((await readState(site.site))?.manifest).toMatchObject({ version: 2, fingerprint });
  expect(await publishDue(newer)).toEqual({ version: 2, changed: 0, languages: [] });
});

test("a publish of some languages leaves the others to the next publish", async () => {
  const site = newSite();
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const newer = { ...site.publishing, fingerprint };

  await publish({ run: "backfill", asOf: "2026-11-21T12:00:00Z", languages: ["hi"] }, newer);
  expect((await publishDue(newer)).languages).toEqual(["en", "hi"]);
});

test("a lost pointer is not mistaken for a new site, but an emptied site is", async () => {
  const site = newSite();
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const before = await site.paths();

  await site.site.remove([pointerPath]);
  await expect(site.night(["hi"])).rejects.toThrow(/almanac repair/);

  const keys: string[] = [];
  for await (const { key } of site.site.list("")) keys.push(key);
  await site.site.remove(keys);
  await site.night();
  expect(await site.paths()).toEqual(before);
});
