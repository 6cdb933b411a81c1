// Site generators with the packages of integrations/, as a stranger has them: installed from their lock files, run as programs on
// a site over HTTP, and their pages looked at in a browser.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openFolder } from "../../store/folder.ts";
import { startPublishedServer } from "../../worker/published-server.ts";
import { newWorld, type World } from "../client/support/world.ts";
import { findBrowser } from "../support/chromium.ts";
import { hugo } from "./hugo.ts";

const run = promisify(execFile);
const packed = z.tuple([z.object({ filename: z.string() })]);
const root = fileURLToPath(new URL("../../", import.meta.url));

interface Build {
  readonly example: string;
  readonly url: string;
  readonly out: string;
}

interface Generator {
  readonly name: string;
  /** Where Leo of the day lies in what it makes. */
  readonly page: string;
  readonly build: (build: Build) => Promise<string>;
}

/** What a program says on both ways out. */
async function said(program: string, words: readonly string[], cwd: string, url: string): Promise<string> {
  const env = { ...process.env, ALMANAC: url, ASTRO_TELEMETRY_DISABLED: "1", NODE_OPTIONS: "" };
  const { stdout, stderr } = await run(program, words, { cwd, env });
  return stdout + stderr;
}

/** The generator by the example's lock file; beside it our packages, as npm would put them there. */
async function installed(example: string, name: string): Promise<void> {
  if (existsSync(join(example, "node_modules"))) return;
  await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: example });
  for (const [from, to] of [
    ["client", "client"],
    [`integrations/${name}`, name],
  ] as const) {
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", example], {
      cwd: join(root, from),
    });
    const [{ filename }] = packed.parse(JSON.parse(stdout));
    const place = join(example, "node_modules/@almanac", to);
    mkdirSync(place, { recursive: true });
    await run("tar", ["-xzf", join(example, filename), "--strip-components=1", "-C", place]);
  }
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
    name: "hugo",
    page: "horoscopes/en/daily/leo/",
    async build({ example, url, out }) {
      const pulled = await said(
        "node",
        [join(root, "client/almanac-pull.js"), url, "data/almanac"],
        example,
        url,
      );
      return pulled + (await said(await hugo(), ["--destination", out], example, url));
    },
  },
];

/** Of the true day, so that a program with the true clock finds it fresh. */
async function worldOfToday(): Promise<World> {
  const world = await newWorld();
  const now = new Date().toISOString();
  world.published.setClock(now);
  await world.published.gather(now.slice(0, 10));
  await world.night(now);
  return world;
}

const sheet = z.object({
  readings: z.object({
    leo: z.object({ period: z.string(), sections: z.object({ personal: z.array(z.string()) }) }),
  }),
});

async function leoOf(world: World): Promise<{ heading: string; texts: string[] }> {
  const { leo } = sheet.parse(await world.json("v1/en/daily/latest.json")).readings;
  return { heading: `leo, ${leo.period}`, texts: leo.sections.personal };
}

async function seenIn(out: string, page: string): Promise<{ heading: string; texts: string[] }> {
  const server = await startPublishedServer(openFolder(out), 0);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    await tab.goto(server.url + page);
    return { heading: await tab.locator("h1").innerText(), texts: await tab.locator("p").allInnerTexts() };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** The packages as they lie beside one another, in a folder of their own. */
function copied(name: string): Omit<Build, "url"> {
  const folder = mkdtempSync(join(tmpdir(), `almanac-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const isOurs = (path: string): boolean => !["node_modules", ".astro", "_site"].includes(basename(path));
  for (const part of ["client", `integrations/${name}`])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: isOurs });
  return { example: join(folder, "integrations", name, "example"), out: join(folder, "out") };
}

describe.each(generators)("$name", ({ name, page, build }) => {
  test("shows today's text, then a corrected one, and goes on with it where the site is away", async () => {
    const [world, place] = [await worldOfToday(), copied(name)];
    await build({ ...place, url: world.url });
    expect(await seenIn(place.out, page)).toEqual(await leoOf(world));
    const { heading } = await leoOf(world);
    await world.published.keep(`daily/${heading.slice(-10)}/en/daily-horoscope/leo`, "Corrected.");
    await world.night(new Date().toISOString());
    await build({ ...place, url: world.url });
    const corrected = await leoOf(world);
    expect(corrected.texts.join()).toContain("Corrected.");
    expect(await seenIn(place.out, page)).toEqual(corrected);
    await world.unplug();
    expect(await build({ ...place, url: world.url })).toMatch(/Unreachable/);
    expect(await seenIn(place.out, page)).toEqual(corrected);
  });

  test("stops a first build where the site is away, and says why", async () => {
    const [world, place] = [await newWorld(), copied(name)];
    await world.unplug();
    await expect(build({ ...place, url: world.url })).rejects.toThrow(/Unreachable/);
  });
});

test("the examples are short", () => {
  const lines = (path: string): number =>
    readFileSync(join(root, "integrations", path), "utf8")
      .trim()
      .split("\n").length;
  for (const path of [
    "eleventy/example/eleventy.config.js",
    "eleventy/example/sign.njk",
    "astro/example/src/content.config.ts",
    "astro/example/src/pages/[sign].astro",
    "hugo/example/layouts/horoscopes/page.html",
  ])
    expect(lines(path), path).toBeLessThanOrEqual(14);
});
