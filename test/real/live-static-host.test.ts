// docs/live-static-host.md, followed: folders within the limits of their hosts, Netlify before a stand-in that checks every call, and
// the copy on a web server as its readers get it.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createAlmanac } from "../../client/almanac.js";
import { pressArchive } from "../../publish/archive.ts";
import { addDays } from "../../readings/periods.ts";
import { openFolder } from "../../store/folder.ts";
import { startPublishedServer } from "../../worker/published-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { fileEnd } from "../support/ends.ts";
import { startNetlify } from "../worker/support/netlify-server.ts";
import { type LivePage, openLivePage } from "./live-page.ts";

const atEnd = fileEnd();
const token = "nfp_secret-token-0123456789";
const netlifySite = "3970e0fe-8564-4903-9a55-c5f8de49fb8b";
const today = new Date().toISOString().slice(0, 10);
const longAgo = addDays(today, -31);
let folder = "";
let page: LivePage;
let url = "https://stars.example";
let netlify: Awaited<ReturnType<typeof startNetlify>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-live-"));
  atEnd(() => rm(folder, { recursive: true }));
  netlify = await startNetlify(atEnd, netlifySite, token);
  await writeFile(join(folder, "netlify-token"), `${token}\n`);
  const { site, env } = await siteInFolder(folder, {
    site: { url },
    languages: ["en"],
    operations: ["daily-horoscope", "weekly-horoscope"],
  });
  site.setClock(new Date().toISOString());
  await site.gather(longAgo, addDays(today, 1));
  const dates = { from: longAgo };
  await pressArchive({ languages: ["en"], dates, evenMany: true }, site.publishing);
  page = await openLivePage("live-static-host.md", {
    folder,
    ours: () => [["https://stars.example", url]],
    env: { ...env, ALMANAC_NETLIFY_URL: netlify.url },
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
    /^public has version 1: [\d,]+ files, [\d.]+ MB\n$/,
  );
  const whole = await filesIn("public");
  expect(whole).toContain(`en/daily/leo/${longAgo}/index.html`);
  expect(whole.filter((path) => path.startsWith("v1/objects/"))).toEqual([]);

  expect((await page.follow("deploy cloudflare-pages")).stdout).toMatch(
    /^public has version 1: [\d,]+ files of at most 20,000, [\d.]+ MB\n[\d,]+ files of the archive left out\n$/,
  );
  const recent = await filesIn("public");
  expect(recent.length).toBeLessThan(whole.length);
  expect(recent).toContain("_headers");
  expect(recent).not.toContain(`en/daily/leo/${longAgo}/index.html`);

  const { stdout, stderr } = await page.follow("deploy netlify");
  expect(stdout).toMatch(/^Netlify has version 1: .*\ndeployed, [\d,]+ files uploaded: https:\/\/\S+\n$/);
  expect(stdout + stderr).not.toContain(token);
  const live = netlify.live();
  expect([...live.keys()].toSorted()).toEqual([...whole, "_headers", "_redirects"].toSorted());
  const front = await readFile(join(folder, "public/en/index.html"), "utf8");
  expect(live.get("en/index.html")?.toString()).toBe(front);

  const [port = 0] = await freePorts([undefined]);
  const server = await startPublishedServer(openFolder(join(folder, "public")), port);
  atEnd(() => server.close());
  url = server.url.replace(/\/$/, "");
  expect((await page.follow("verify --without-objects")).stdout).toMatch(/\nsound\n$/);
  expect(page.left()).toEqual([]);
  const leo = await createAlmanac({ url }).horoscope({ language: "en", period: "daily", sign: "leo" });
  expect(leo).toMatchObject({ stale: false, version: 1 });
});
