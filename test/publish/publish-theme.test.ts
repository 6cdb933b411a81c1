// A changed theme is published by the next publish, which writes the files whose bytes are others and no more.
import { expect, test } from "vitest";
import { fingerprintOf } from "../../publish/render/fingerprint.ts";
import { publish, publishDue } from "../../publish/publish.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { type FolderFiles, themeOf } from "../support/theme-folder.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

const instant = "2026-11-21T12:00:00Z";

async function siteOfOneDay(): Promise<PublishedSite> {
  const site = newSite({ languages: ["en", "hi"], operations: ["daily-horoscope"], people: [] });
  await site.gather("2026-11-21");
  await site.night();
  return site;
}

async function themed(
  { publishing }: PublishedSite,
  theme: ThemeInput,
  files: FolderFiles,
): Promise<Publishing> {
  const loaded = await themeOf(theme, files);
  const fingerprint = fingerprintOf(siteSettingsOf(publishing.configuration, loaded));
  return { ...publishing, theme: loaded, fingerprint };
}

async function changedBy(site: PublishedSite, work: () => Promise<unknown>): Promise<string[]> {
  const before = await site.paths();
  await work();
  const after = await site.paths();
  return [...after].filter(([path, object]) => before.get(path) !== object).map(([path]) => path);
}

const slots: ThemeInput["slots"] = {
  footer: { file: "footer.html", pages: ["aboutPage"], languages: ["hi"] },
};
const night = { run: "almanac-nightly", asOf: instant, languages: ["en", "hi"] as const };

test("a slot for one kind of page in one language changes only that page", async () => {
  const site = await siteOfOneDay();
  const place = await themed(site, { slots }, { "footer.html": "{{ours}}<footer>हमारा</footer>" });
  expect(await changedBy(site, () => publish(night, place))).toEqual(["hi/about/index.html"]);
  expect(await site.text("hi/about/index.html")).toContain("</footer><footer>हमारा</footer>");
});

test("the next publish publishes a changed theme, with its files, and another publish writes nothing", async () => {
  const site = await siteOfOneDay();
  const place = await themed(
    site,
    { slots, icon: "icon.png" },
    { "footer.html": '<footer><img src="{{asset icon.png}}" alt="" /></footer>', "icon.png": "icon" },
  );
  const changed = await changedBy(site, () => publishDue(place));
  expect(changed).toContain("hi/about/index.html");
  expect(changed.filter((path) => path.startsWith("assets/theme/"))).toHaveLength(1);
  expect(await changedBy(site, () => publishDue(place))).toEqual([]);
});
