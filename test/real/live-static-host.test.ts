// docs/hosting.md on static hosts, followed: folders within the limits of their hosts, and a copy on a web server as its readers get it.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createAlmanac } from "../../packages/client/almanac.js";
import { renderArchive } from "../../publish/archive.ts";
import { addDays } from "../../readings/calendar.ts";
import { openFolder } from "../../store/folder.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { fileEnd } from "../support/ends.ts";
import { type LivePage, openLivePage } from "./live-page.ts";

const atEnd = fileEnd();
const today = new Date().toISOString().slice(0, 10);
const longAgo = addDays(today, -31);
let folder = "";
let page: LivePage;
let url = "https://stars.example";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-live-"));
  atEnd(() => rm(folder, { recursive: true }));
  const { site, env } = await siteInFolder(folder, {
    site: { url },
    languages: ["en"],
    operations: ["daily-horoscope", "weekly-horoscope"],
  });
  site.setClock(new Date().toISOString());
  await site.gather(longAgo, addDays(today, 1));
  const dates = { from: longAgo };
  await renderArchive({ languages: ["en"], dates, evenMany: true }, site.publishing);
  page = await openLivePage("hosting.md", {
    section: "Deploy to a static host",
    folder,
    ours: () => [["https://stars.example", url]],
    env,
  });
}, 300_000);

async function filesIn(place: string): Promise<string[]> {
  const all = await readdir(join(folder, place), { recursive: true, withFileTypes: true });
  return all
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(join(folder, place).length + 1));
}

test("leads to copies that hosts take, and to readers who get them whole", { timeout: 300_000 }, async () => {
  expect((await page.follow("deploy folder public\n")).stdout).toMatch(
    /^copied version 1 to public: [\d,]+ files, [\d.]+ MB\n$/,
  );
  const whole = await filesIn("public");
  expect(whole).toContain(`en/daily/leo/${longAgo}/index.html`);
  expect(whole.filter((path) => path.startsWith("v1/objects/"))).toEqual([]);

  expect((await page.follow("--host cloudflare-pages")).stdout).toMatch(
    /^copied version 1 to public: [\d,]+ files, [\d.]+ MB\n$/,
  );
  expect((await filesIn("public")).toSorted()).toEqual([...whole, "_headers", "_redirects"].toSorted());

  const [port = 0] = await freePorts([undefined]);
  const server = await startPublishedServer(openFolder(join(folder, "public")), port);
  atEnd(() => server.close());
  url = server.url.replace(/\/$/, "");
  expect((await page.follow("verify --without-objects")).stdout).toMatch(/\nsound\n$/);
  expect(page.left()).toEqual([]);
  const leo = await createAlmanac({ url }).horoscope({ language: "en", period: "daily", sign: "leo" });
  expect(leo).toMatchObject({ stale: false, version: 1 });
});
