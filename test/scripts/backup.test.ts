// `almanac backup` and `almanac restore` as an operator types them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openFolder } from "../../store/folder.ts";
import { nightsOn, drilled, shownOn } from "../publish/support/drill.ts";
import { identify } from "../../vault/installation.ts";
import { almanac } from "../support/cli.ts";
import { contentOf, damage, keysOf } from "../support/stores.ts";
import { siteInFolder } from "./site-in-folder.ts";

async function worldIn() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { site, env } = await siteInFolder(folder, drilled);
  const at = (name: string) => pathToFileURL(join(folder, name)).href;
  const run = (words: string, more: Record<string, string> = {}) =>
    almanac(words.split(" "), { cwd: folder, env: { ...env, ...more } });
  return { folder, site, at, run, backup: openFolder(join(folder, "copies")) };
}

test("a drill: backup, loss of both stores, restore, and a sound site", async () => {
  const { folder, site, at, run, backup } = await worldIn();
  await nightsOn(site, 20, 21);
  const stores = { site: site.site, vault: site.publishing.vault.store };
  const before = await shownOn(stores);
  const responses = [...(await contentOf(stores.vault))].filter(([key]) => key.startsWith("responses/"));
  const first = await run(`backup ${at("copies")}`);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stdout).toMatch(
    /^saved snapshot 1 of .* to .*: \d+ files of the vault and version 2 of the site\ncopied \d+ new files/,
  );
  const second = JSON.parse((await run(`backup ${at("copies")} --json`)).stdout);
  expect(second).toMatchObject({ added: { files: 0 }, damaged: [], snapshot: { number: 2, version: 2 } });
  expect((await run(`backup ${at("copies")} --check`)).stdout).toMatch(
    /snapshot 2 of .*: \d+ copies\nsound\n$/,
  );

  for (const name of ["vault", "site"]) await rm(join(folder, name), { recursive: true });
  const told = await run(`restore ${at("copies")} --dry-run`);
  expect(told).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/files of the site would be restored, 0 files already/),
  });
  expect(await keysOf(stores.vault)).toEqual([]);
  const listed = JSON.parse((await run(`restore ${at("copies")} --list --json`)).stdout);
  expect(listed.snapshots).toMatchObject([{ number: 2 }, { number: 1 }]);
  const done = await run(`restore ${at("copies")}`);
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stdout).toMatch(/the site is at version 10\d\d: /);
  expect((await shownOn(stores)).tree).toBe(before.tree);
  expect([...(await contentOf(stores.vault))].filter(([key]) => key.startsWith("responses/"))).toEqual(
    responses,
  );
  expect(await run("verify")).toMatchObject({ code: 0 });

  const [copy = ""] = await keysOf(backup, "copies/");
  await damage(backup, copy);
  const checked = await run(`backup ${at("copies")} --check`);
  expect(checked.code).toBe(1);
  expect(checked.stdout.replaceAll(/\s+/g, " ")).toContain(`${copy} of the backup is damaged`);
});

test("a lost vault is restored, and nothing is published until an operator decides which state is right", async () => {
  const { folder, site, at, run } = await worldIn();
  await nightsOn(site, 20, 21);
  await identify({ vault: site.publishing.vault, site: site.site });
  expect(await run(`backup ${at("copies")}`)).toMatchObject({ code: 0 });
  await nightsOn(site, 22);
  await rm(join(folder, "vault"), { recursive: true });
  expect(await run(`restore ${at("copies")} --dry-run`)).toMatchObject({ code: 0 });
  const done = await run(`restore ${at("copies")}`);
  expect(done.code, done.stdout + done.stderr).toBe(3);
  const words = done.stderr.replaceAll(/\s+/g, " ");
  expect(words).toContain(
    "`almanac repair` returns to version 2. To keep version 3, check its pages, then run `almanac repair --accept ",
  );
  expect((await keysOf(site.publishing.vault.store, "responses/")).length).toBeGreaterThan(0);
});

test("reports a wrong location: the site itself, another site's backup, nothing there, too early", async () => {
  const { folder, site, at, run, backup } = await worldIn();
  await nightsOn(site, 20);
  const told = async (words: string, more: Record<string, string> = {}) => {
    const { code, stderr } = await run(words, more);
    expect(code, words).toBe(2);
    return stderr.replaceAll(/\s+/g, " ");
  };
  expect(await told(`backup ${at("site/copies")}`)).toContain("is inside the site");
  expect(await told(`backup ${pathToFileURL(folder).href}`)).toContain("contains the vault");
  expect(await told("backup ./copies")).toContain("Did you mean file:./copies?");
  expect(await told(`restore ${at("copies")}`)).toContain("(backup.json not found). Check the path");
  expect(await run(`backup ${at("copies")}`)).toMatchObject({ code: 0 });
  expect(await told(`restore ${at("copies")} --at 2020-01-01T00:00:00Z`)).toContain("the first one is of 20");
  const other = { ALMANAC_CONFIG: join(folder, "other.config.ts") };
  await writeFile(other.ALMANAC_CONFIG, `export default ${JSON.stringify({ site: { id: "other" } })};\n`);
  expect(await told(`backup ${at("copies")}`, other)).toContain('the backup of the site "almanac"');
  expect((await keysOf(backup, "snapshots/")).length).toBe(1);
});
