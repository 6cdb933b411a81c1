// `almanac deploy folder` as an operator types it: its refusals, and that no file of anybody's is lost.
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { objectPath } from "../../publish/state/state.ts";
import { identify } from "../../vault/installation.ts";
import { sha256 } from "../../vault/files.ts";
import { almanac } from "../support/cli.ts";
import { damage } from "../support/stores.ts";
import { siteInFolder } from "./site-in-folder.ts";

const configuration = {
  site: { url: "https://stars.example" },
  languages: ["en" as const],
  operations: ["daily-horoscope" as const],
};

async function world() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-deploy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { site, env } = await siteInFolder(folder, configuration);
  const run = (words: string) => almanac(words.split(" "), { cwd: folder, env });
  const publishNight = async (): Promise<void> => {
    await site.gather("2026-11-20", "2026-11-21");
    await site.night();
    await identify({ vault: site.publishing.vault, site: site.site }); // same step as at a worker's start
  };
  return { folder, site, run, publishNight };
}

test("a copy replaces the previous one, and nothing else", async () => {
  const { folder, site, run, publishNight } = await world();
  const early = await run("deploy folder public");
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringContaining("nothing is published yet. Run `almanac local` or `almanac nightly`"),
  ]);
  await publishNight();
  const made = await run("deploy folder public --json");
  expect(made.code, made.stderr).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({ host: null, folder: "public", version: 1 });
  expect((await run("deploy folder public --host github-pages --with-objects")).code).toBe(0);
  expect(await readFile(join(folder, "public/.nojekyll"), "utf8")).toBe("");
  const linksOf = async (path: string) => (await stat(join(folder, path, "en/index.html"))).nlink;
  expect([await linksOf("site"), await linksOf("public")]).toEqual([2, 1]);
  expect((await run("deploy folder public --host netlify")).code).toBe(0);
  expect(await readdir(join(folder, "public"))).toEqual(expect.arrayContaining(["_headers", "_redirects"]));
  expect(await readdir(join(folder, "public"))).not.toContain(".nojekyll");
  const before = await readFile(join(folder, "public/en/index.html"), "utf8");

  await damage(site.site, objectPath(sha256(Buffer.from(before)), "en/index.html"));
  const broken = await run("deploy folder public");
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("Run `almanac repair`")]);
  expect(await readFile(join(folder, "public/en/index.html"), "utf8")).toBe(before);

  await mkdir(join(folder, "mine"));
  await writeFile(join(folder, "mine/letter.txt"), "mine");
  await mkdir(join(folder, "public/.git"));
  for (const place of ["mine", "site", "public"]) {
    const refused = await run(`deploy folder ${place}`);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("Name a new or empty folder"),
    ]);
  }
  expect(await readFile(join(folder, "mine/letter.txt"), "utf8")).toBe("mine");
  expect((await readdir(folder)).filter((name) => name.includes(".next"))).toEqual([]);
});

test("a copy fills the folder that a link names, and a killed command's copy is back if the next command fails", async () => {
  const { folder, site, run, publishNight } = await world();
  await publishNight();
  await mkdir(join(folder, "disk/stars"), { recursive: true });
  await symlink("disk/stars", join(folder, "public"));
  expect((await run("deploy folder public")).code).toBe(0);
  const page = await readFile(join(folder, "disk/stars/en/index.html"), "utf8");
  expect((await lstat(join(folder, "public"))).isSymbolicLink()).toBe(true);

  await rename(join(folder, "disk/stars"), join(folder, "disk/.stars.next-old"));
  await mkdir(join(folder, "disk/.stars.next-killed"));
  await damage(site.site, objectPath(sha256(Buffer.from(page)), "en/index.html"));
  expect((await run("deploy folder disk/stars")).code).toBe(1);
  expect(await readFile(join(folder, "disk/stars/en/index.html"), "utf8")).toBe(page);
  expect(await readdir(join(folder, "disk"))).toEqual(["stars"]);
});

test("a folder and a known host are required, and --without-objects requires the URL of a copy", async () => {
  const { run } = await world();
  for (const words of ["deploy folder", "deploy nowhere public", "deploy folder public --host nowhere"])
    expect(await run(words), words).toMatchObject({ code: 2 });
  for (const words of ["verify --without-objects", "verify https://stars.example --all --without-objects"])
    expect(await run(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--without-objects needs the URL of a copy"),
    });
});
