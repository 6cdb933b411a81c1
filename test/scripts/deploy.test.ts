// `almanac deploy` as an operator types it: what it refuses, and that nothing of anybody's is lost by it.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { objectPath } from "../../publish/state/state.ts";
import { sha256 } from "../../vault/sha256.ts";
import { almanac } from "../support/cli.ts";
import { damage } from "../support/stores.ts";
import { startNetlify } from "../worker/support/netlify-server.ts";
import { siteInFolder } from "./site-in-folder.ts";

const configuration = {
  site: { url: "https://stars.example" },
  languages: ["en" as const],
  operations: ["daily-horoscope" as const],
};
const token = "nfp_secret-token-0123456789";

async function world() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-deploy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { site, env } = await siteInFolder(folder, configuration);
  const run = (words: string, more: Readonly<Record<string, string>> = {}) =>
    almanac(words.split(" "), { cwd: folder, env: { ...env, ...more } });
  const publishNight = async (): Promise<void> => {
    await site.gather("2026-11-20", "2026-11-21");
    await site.night();
  };
  return { folder, site, run, publishNight };
}

test("a copy takes the place of the one before, and of nothing else", async () => {
  const { folder, site, run, publishNight } = await world();
  const early = await run("deploy folder public");
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringContaining("nothing is published yet: `almanac local` or `almanac nightly` does it"),
  ]);
  await publishNight();
  const made = await run("deploy folder public --json");
  expect(made.code, made.stderr).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({ host: "folder", folder: "public", version: 1, leftOut: 0 });
  expect((await run("deploy github-pages public --days 7")).code).toBe(0);
  expect(await readFile(join(folder, "public/.nojekyll"), "utf8")).toBe("");
  const before = await readFile(join(folder, "public/en/index.html"), "utf8");

  await damage(site.site, objectPath(sha256(Buffer.from(before)), "en/index.html"));
  const broken = await run("deploy folder public");
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("`almanac repair` mends it")]);
  expect(await readFile(join(folder, "public/en/index.html"), "utf8")).toBe(before);

  await mkdir(join(folder, "mine"));
  await writeFile(join(folder, "mine/letter.txt"), "mine");
  for (const place of ["mine", "site"]) {
    const refused = await run(`deploy folder ${place}`);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("name a folder that is empty or new"),
    ]);
  }
  expect(await readFile(join(folder, "mine/letter.txt"), "utf8")).toBe("mine");
  expect((await readdir(folder)).filter((name) => name.includes(".next"))).toEqual([]);
});

test("netlify wants a site and a token, and shows neither", async () => {
  const { run, publishNight } = await world();
  await publishNight();
  expect(await run("deploy netlify")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--site is the site's id at netlify"),
  });
  expect(await run("deploy folder")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("almanac deploy folder public"),
  });
  expect(await run("deploy nowhere public")).toMatchObject({ code: 2 });
  for (const words of ["verify --without-objects", "verify https://stars.example --all --without-objects"])
    expect(await run(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--without-objects takes the address of a copy"),
    });
  expect(await run("deploy netlify --site s")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not set, nor ALMANAC_NETLIFY_TOKEN_FILE"),
  });
  const server = await startNetlify(onTestFinished, "stars", token);
  const env = { ALMANAC_NETLIFY_TOKEN: token, ALMANAC_NETLIFY_URL: server.url, NO_PROXY: "127.0.0.1" };
  const { code, stdout, stderr } = await run("deploy netlify --site stars --json", env);
  expect(code, stderr).toBe(0);
  expect(stdout + stderr).not.toContain(token);
  expect(JSON.parse(stdout)).toMatchObject({ host: "netlify", folder: null, deployed: { id: "d1" } });
  expect(server.live().get("v1/pointer.json")).toBeDefined();
  const wrong = await run("deploy netlify --site stars", { ...env, ALMANAC_NETLIFY_TOKEN: "another" });
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining("ALMANAC_NETLIFY_TOKEN is no personal access token that is valid now"),
  ]);
});
