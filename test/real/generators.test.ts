// Site generators with the packages of packages/, as a stranger has them: installed from their lock files, run as programs on
// a site over HTTP, and their pages looked at in a browser.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { addDays } from "../../readings/calendar.ts";
import { openFolder } from "../../store/folder.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { newSite } from "../publish/support/published-site.ts";
import { settings } from "../site/editions.ts";
import { forge } from "../client/support/forgery.ts";
import { hostilePaths } from "../client/support/hostile-paths.ts";
import { newWorld, owner, publishAt, type World } from "../client/support/world.ts";
import { findBrowser } from "../support/chromium.ts";
import { fileEnd } from "../support/ends.ts";
import { recipeKey, recipeKeyFile } from "../support/recipe-key.ts";
import { hugo } from "./hugo.ts";

const run = promisify(execFile);
const packed = z.tuple([z.object({ filename: z.string() })]);
const root = fileURLToPath(new URL("../../", import.meta.url));
const atEnd = fileEnd();

interface Build {
  readonly example: string;
  readonly url: string;
  readonly out: string;
}

interface Generator {
  readonly name: string;
  /** Path of today's page for Leo in the generator's output. */
  readonly page: string;
  readonly build: (build: Build) => Promise<string>;
}

/** Disables telemetry. */
const silent = { ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1" };

/** Both output streams of a program. */
async function said(program: string, words: readonly string[], cwd: string, url: string): Promise<string> {
  const env = { ...process.env, ALMANAC: url, NODE_OPTIONS: "", ...silent };
  const { stdout, stderr } = await run(program, words, { cwd, env });
  return stdout + stderr;
}

/** Runs the command line of the integration's README that ends with that: a pull, and then the generator. */
async function saidByManual(
  name: string,
  end: string,
  generator: string,
  { example, url }: Pick<Build, "example" | "url">,
): Promise<string> {
  const line = manualText(name, "sh", end)
    .replace("https://almanac.example", url)
    .replace("almanac-pull.js", join(root, "packages/client/almanac-pull.js"))
    .replace(end, `&& ${generator}`);
  return said("bash", ["-euc", line], example, url);
}

/** A code block of the integration's README in that language, found by a word that no other block contains. */
function manualText(name: string, kind: string, word: string): string {
  const manual = readFileSync(join(root, "packages", name, "README.md"), "utf8");
  const texts = [...manual.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );
  const [text, ...others] = texts.filter((one) => one.includes(word));
  if (text === undefined || others.length > 0) throw new Error(`not one text of ${kind} has ${word}`);
  return text;
}

const installations = new Map<string, Promise<string>>();

/** Links the files of the generator, which is installed once for all tests, into the example. */
async function installed(example: string, name: string): Promise<void> {
  const modules = join(example, "node_modules");
  if (existsSync(modules)) return;
  const installation = installations.get(name) ?? install(name);
  installations.set(name, installation);
  await run("cp", ["-al", await installation, modules]);
}

/** The generator from the example's lock file, with our packages installed as npm would. */
async function install(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `almanac-${name}-installed-`));
  atEnd(async () => rmSync(folder, { recursive: true }));
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(root, "packages", name, "example", file), join(folder, file));
  await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
  const isPackage = existsSync(join(root, "packages", name, "package.json"));
  for (const own of ["client", ...(isPackage ? [name] : [])]) {
    const words = ["pack", "--json", "--pack-destination", folder];
    const { stdout } = await run("npm", words, { cwd: join(root, "packages", own) });
    const [{ filename }] = packed.parse(JSON.parse(stdout));
    const place = join(folder, "node_modules/@almanac", own);
    mkdirSync(place, { recursive: true });
    await run("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", place]);
  }
  return join(folder, "node_modules");
}

const generators: readonly Generator[] = [
  {
    name: "eleventy",
    page: "leo/",
    async build({ example, url, out }) {
      await installed(example, "eleventy");
      return said("npx", ["eleventy", `--output=${out}`], example, url);
    },
  },
  {
    name: "astro",
    page: "leo/",
    async build({ example, url, out }) {
      await installed(example, "astro");
      return said("npx", ["astro", "build", "--outDir", out], example, url);
    },
  },
  {
    name: "next",
    page: "leo/",
    async build({ example, url, out }) {
      await installed(example, "next");
      const words = await saidByManual("next", "&& next build", "npx next build", { example, url });
      cpSync(join(example, "out"), out, { recursive: true });
      return words;
    },
  },
  {
    name: "hugo",
    page: "horoscopes/en/daily/leo/",
    async build({ example, url, out }) {
      return saidByManual("hugo", "&& hugo", `${await hugo()} --destination ${out}`, { example, url });
    },
  },
];

/** Dated today, so a program with the real clock finds it current. */
async function worldOfToday(): Promise<World> {
  const world = await newWorld();
  const now = new Date().toISOString();
  world.published.setClock(now);
  const today = now.slice(0, 10);
  await world.published.gather(addDays(today, -1), today); // it is yesterday in New York until the morning
  await world.night(now);
  return world;
}

const set = z.object({
  readings: z.object({
    leo: z.object({ period: z.string(), sections: z.object({ personal: z.array(z.string()) }) }),
  }),
});

async function leoOf(world: World): Promise<{ heading: string; texts: string[] }> {
  const { leo } = set.parse(await world.json("v1/en/daily/latest.json")).readings;
  return { heading: `leo, ${leo.period}`, texts: leo.sections.personal };
}

/** The pages that are other bytes in the second folder. */
function changedPages(before: string, after: string): string[] {
  const pages = globSync("**/*.html", { cwd: after });
  return pages.filter((page) => {
    const [one, other] = [join(before, page), join(after, page)];
    return !existsSync(one) || !readFileSync(one).equals(readFileSync(other));
  });
}

async function inBrowser<Seen>(url: string, look: (tab: Page) => Promise<Seen>): Promise<Seen> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    await tab.goto(url);
    return await look(tab);
  } finally {
    await browser.close();
  }
}

async function madeIn<Seen>(out: string, page: string, look: (tab: Page) => Promise<Seen>): Promise<Seen> {
  const server = await startPublishedServer(openFolder(out), 0);
  try {
    return await inBrowser(server.url + page, look);
  } finally {
    await server.close();
  }
}

const seenIn = (out: string, page: string): Promise<{ heading: string; texts: string[] }> =>
  madeIn(out, page, async (tab) => {
    return { heading: await tab.locator("h1").innerText(), texts: await tab.locator("p").allInnerTexts() };
  });

/** The packages next to one another in a separate folder; the example pins the test site's key. */
function copied(name: string): Omit<Build, "url"> {
  const folder = mkdtempSync(join(tmpdir(), `almanac-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const isOurs = (path: string): boolean =>
    !["node_modules", ".astro", "_site", ".next", "out"].includes(basename(path));
  for (const part of ["client", name])
    cpSync(join(root, "packages", part), join(folder, "packages", part), { recursive: true, filter: isOurs });
  const example = join(folder, "packages", name, "example");
  for (const path of globSync("{*.js,src/*.ts}", { cwd: example }).map((one) => join(example, one)))
    writeFileSync(path, readFileSync(path, "utf8").replace(recipeKey, owner.open));
  writeFileSync(join(example, recipeKeyFile), owner.open);
  return { example, out: join(folder, "out") };
}

/** A generator builds three times. */
const timeoutMs = 600_000;

describe.each(generators)("$name", ({ name, page, build }) => {
  test(
    "shows today's text, then a corrected one, and goes on with it where the site is away",
    async () => {
      const [world, place] = [await worldOfToday(), copied(name)];
      await build({ ...place, url: world.url });
      expect(await seenIn(place.out, page)).toEqual(await leoOf(world));
      const before = `${place.out}-before`;
      cpSync(place.out, before, { recursive: true });
      const { heading } = await leoOf(world);
      await world.published.keep(`daily/${heading.slice(-10)}/en/daily-horoscope/leo`, "Corrected.");
      await world.night(new Date().toISOString());
      await build({ ...place, url: world.url });
      const corrected = await leoOf(world);
      expect(corrected.texts.join()).toContain("Corrected.");
      expect(await seenIn(place.out, page)).toEqual(corrected);
      expect(changedPages(before, place.out)).toEqual([`${page}index.html`]);
      await world.unplug();
      expect(await build({ ...place, url: world.url })).toMatch(/Unreachable/);
      expect(await seenIn(place.out, page)).toEqual(corrected);
    },
    timeoutMs,
  );

  test(
    "of a hostile site shows texts as texts, and writes nothing under its paths",
    async () => {
      const [world, place] = [await worldOfToday(), copied(name)];
      await build({ ...place, url: world.url });
      const before = filesOf(place);
      const text =
        '<script>document.title = "attacked"</script><img src=x onerror=alert(1)> {{ 7 * 7 }} ${7 * 7} <%= 7 %>';
      const { set: _none, ...latest } = Object(await world.json(latestPath));
      const { leo } = latest.readings;
      const personal = [text, ...leo.sections.personal.slice(1)];
      const readings = { ...latest.readings, leo: { ...leo, sections: { ...leo.sections, personal } } };
      const files = Object.fromEntries(hostilePaths.map((path) => [path, { polluted: "yes" }]));
      await forge(world, {
        files: { ...files, [latestPath]: { ...latest, readings } },
        expires,
        signer: owner.secret,
      });
      await build({ ...place, url: world.url });
      const seen = await seenIn(place.out, page);
      expect(seen.texts).toContain(text);
      expect(filesOf(place)).toEqual(before);
    },
    timeoutMs,
  );

  test(
    "stops a first build where the site is away, and says why",
    async () => {
      const [world, place] = [await newWorld(), copied(name)];
      await world.unplug();
      await expect(build({ ...place, url: world.url })).rejects.toThrow(/Unreachable/);
    },
    timeoutMs,
  );
});

const latestPath = "v1/en/daily/latest.json";
const expires = "2099-01-01T00:00:00.000Z"; // a generator has the machine's clock

/** Hashes of all project files and of the names of pulled files, without files that an installation or a build writes. */
function filesOf({ example }: Omit<Build, "url">): Record<string, string> {
  const folder = join(example, "../../..");
  const written =
    /(?:^|\/)(?:node_modules|\.astro|\.next|out|resources|next-env\.d\.ts|\.hugo_build\.lock)(?:\/|$)/;
  const files = globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !written.test(path));
  const hash = (path: string) =>
    path.includes("data/almanac/")
      ? "pulled"
      : createHash("sha256")
          .update(readFileSync(join(folder, path)))
          .digest("hex");
  return Object.fromEntries(files.map((path) => [path, hash(path)]));
}

/** A site of today in Arabic. */
async function arabicSite(): Promise<string> {
  const [port = 0] = await freePorts([undefined]);
  const url = `http://127.0.0.1:${port}`;
  const published = newSite({ site: { ...settings, url }, languages: ["ar"] });
  const now = new Date().toISOString();
  published.setClock(now);
  await published.gather(addDays(now.slice(0, 10), -1), addDays(now.slice(0, 10), 1));
  await publishAt(published, now, owner.secret);
  const server = await startPublishedServer(published.site, port);
  onTestFinished(() => server.close());
  return url;
}

/** Words on a page that are not part of the reading. */
async function wordsOn(tab: Page) {
  return {
    language: await tab.locator("html").getAttribute("lang"),
    direction: await tab.locator("html").getAttribute("dir"),
    sign: await tab.locator("h1").innerText(),
    date: await tab.locator("time").first().innerText(),
    sections: await tab.locator("h2:has(+ p)").allInnerTexts(),
  };
}

test(
  "an Arabic page is built of the site's words, with no table of its own, and says what the site's own page says",
  async () => {
    const [url, { example, out }] = [await arabicSite(), copied("eleventy")];
    const configuration = join(example, "eleventy.config.js");
    const text = readFileSync(configuration, "utf8");
    expect(text).toContain('["en"]');
    writeFileSync(configuration, text.replace('["en"]', '["ar"]'));
    const template = manualText("eleventy", "html", "almanac.ar.words");
    expect(template).not.toMatch(/\p{Script=Arabic}/u);
    writeFileSync(join(example, "sign.njk"), template);
    await installed(example, "eleventy");
    await said("npx", ["eleventy", `--output=${out}`], example, url);
    const built = await madeIn(out, "leo/", wordsOn);
    expect(built).toEqual(await inBrowser(`${url}/ar/daily/leo/`, wordsOn));
    expect(built).toMatchObject({ direction: "rtl", sign: "الأسد" });
    expect(built.sections).toHaveLength(5);
  },
  timeoutMs,
);

test.each([
  ["astro", "ts", "almanacLoader", "example/src/content.config.ts"],
  ["eleventy", "js", "addPlugin", "example/eleventy.config.js"],
  ["next", "tsx", "generateStaticParams", "example/app/[sign]/page.tsx"],
])("the README of %s shows the %s lines with %s that are built here", (name, kind, word, path) => {
  const plain = (text: string): string =>
    text.replaceAll(/ \/\/ in .*$|process\.env\.ALMANAC \?\? |\s+/gm, "").replaceAll(",}", "}");
  const example = plain(readFileSync(join(root, "packages", name, path), "utf8"));
  const lines = manualText(name, kind, word).trim().split("\n");
  expect(lines.filter((line) => !example.includes(plain(line)))).toEqual([]);
  expect(lines.filter((line) => !line.includes(recipeKey)).length).toBeLessThanOrEqual(4);
});

test("the examples are short", () => {
  const lines = (path: string): number =>
    readFileSync(join(root, "packages", path), "utf8")
      .trim()
      .split("\n").length;
  for (const path of [
    "eleventy/example/eleventy.config.js",
    "eleventy/example/sign.njk",
    "astro/example/src/content.config.ts",
    "astro/example/src/pages/[sign].astro",
    "next/example/app/[sign]/page.tsx",
    "next/example/next.config.ts",
    "hugo/example/layouts/horoscopes/page.html",
  ])
    expect(lines(path), path).toBeLessThanOrEqual(14);
});
