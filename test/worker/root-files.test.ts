// The owner's files for the site's root, through the commands that an owner types.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addDays } from "../../readings/calendar.ts";
import { robotsProblems } from "../../worker/theme/own-files.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { almanac } from "../support/cli.ts";
import { testDate, testNow } from "../support/noon.ts";
import { folderWithFiles, writeInto } from "../support/theme-folder.ts";

async function publishedSite() {
  const folder = folderWithFiles({});
  mkdirSync(join(folder, "theme"));
  const site = { url: "https://stars.example" };
  const configuration = {
    site,
    languages: ["en" as const],
    operations: ["daily-horoscope" as const],
    people: [],
  };
  const { site: own, env } = await siteInFolder(folder, configuration);
  own.setClock(testNow().toISOString());
  await own.gather(addDays(testDate, -1), addDays(testDate, 1));
  await own.night();
  const run = async (...words: string[]) => {
    const ran = await almanac(words, { env, cwd: folder });
    expect(ran, `${words.join(" ")}: ${ran.stdout}${ran.stderr}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  const text = (path: string, within = "site") => {
    const file = join(folder, within, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  const save = (files: Record<string, string>) => writeInto(join(folder, "theme/root"), files);
  return { folder, env, run, text, save };
}

test("the files of theme/root/ are published, verified, deployed, rolled back and removed", async () => {
  const { folder, run, text, save } = await publishedSite();
  const files = {
    "ads.txt": "stars.example, 1, DIRECT\n",
    "google0123456789abcdef.html": "google-site-verification: google0123456789abcdef.html\n",
    ".well-known/assetlinks.json": "[]\n",
  };
  save({ ...files, ".DS_Store": "\0" });
  await run("render");
  for (const [path, content] of Object.entries(files)) expect([path, text(path)]).toEqual([path, content]);
  await run("verify");
  await run("deploy", "folder", join(folder, "copy"));
  for (const [path, content] of Object.entries(files))
    expect([path, text(path, "copy")]).toEqual([path, content]);

  await run("rollback", "--yes");
  expect(Object.keys(files).map((path) => text(path))).toEqual([undefined, undefined, undefined]);
  await run("render");
  rmSync(join(folder, "theme/root/ads.txt"));
  await run("render");
  expect([text("ads.txt"), text(".well-known/assetlinks.json")]).toEqual([undefined, "[]\n"]);
  writeInto(join(folder, "site"), { "by-hand.txt": "hand" });
  await run("repair");
  expect(text("by-hand.txt")).toBe("hand");
});

test("robots.txt of theme/root/ replaces ours, with the line of the sitemaps, once it was examined", async () => {
  const { env, folder, run, text, save } = await publishedSite();
  /** The check reads the theme, and needs no service for it: without the places it takes those of invented texts. */
  const check = () => almanac(["check"], { env: { ALMANAC_CONFIG: env.ALMANAC_CONFIG }, cwd: folder });
  const unwrapped = ({ stdout, stderr }: Awaited<ReturnType<typeof check>>) =>
    `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
  expect(text("robots.txt")).toBe("User-agent: *\nAllow: /\nSitemap: https://stars.example/sitemap.xml\n");
  save({ "robots.txt": "User-agent: *\r\nDisallow: /en/archive/\r\n" });
  expect(unwrapped(await check())).not.toMatch(/wrong (?:theme|environment)/);
  await run("render");
  const published = "User-agent: *\nDisallow: /en/archive/\nSitemap: https://stars.example/sitemap.xml\n";
  expect(text("robots.txt")).toBe(published);
  await run("repair");
  expect(text("robots.txt")).toBe(published);

  save({ "robots.txt": "User-agent: *\nDissallow: /\n", "index.html": "mine" });
  for (const told of [await check(), await almanac(["render"], { env, cwd: folder })]) {
    expect(told.code).not.toBe(0);
    const output = unwrapped(told);
    expect(output).toContain('root/robots.txt:2: crawlers do not know the field "dissallow".');
    expect(output).toContain("root/index.html: Almanac publishes /index.html itself. Remove the file");
  }
  expect(text("robots.txt")).toBe(published);
});

test.each([
  ["", []],
  ["# nothing\n\nUser-agent: *\nDisallow:\nSitemap: https://stars.example/a.xml\n", []],
  ["Disallow: /", [1]],
  ["User-agent: *\nDisallow: drafts\nnonsense\nSitemap: /a.xml", [2, 3, 4]],
])("of %j the faults are found by their lines", (text, lines) => {
  expect(robotsProblems(text).map(({ line }) => line)).toEqual(lines);
});
