// `almanac upgrade --check`, against a version that has something other of each kind: an option, a setting, a word on a few pages.
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { neededFiles } from "../../deploy/package/package.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { almanac } from "../support/cli.ts";
import { siteInFolder } from "./site-in-folder.ts";
import { testDate } from "../support/noon.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const today = testDate;
const few: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-tarot"],
  people: [],
  pairs: [],
};
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-upgrade-"));
  folders.push(folder);
  return folder;
}

/** A checkout of another version, with these changes; each takes the place of words that are there. */
async function checkoutWith(changes: readonly (readonly [path: string, before: string, after: string])[]) {
  const folder = await newFolder();
  for (const path of [...neededFiles(), "scripts/almanac.js"]) await cp(join(root, path), join(folder, path));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [path, before, after] of changes) {
    const text = await readFile(join(folder, path), "utf8");
    expect(text, path).toContain(before);
    await writeFile(join(folder, path), text.replace(before, after));
  }
  return folder;
}

let next = "";
let later = "";
beforeAll(async () => {
  const version = ["package.json", `"version": "${packageJson.version}"`, '"version": "9.9.9"'] as const;
  next = await checkoutWith([
    version,
    ["scripts/plan.ts", '"--all"', '"--whole"'],
    ["readings/configuration.schema.ts", "    tomorrow: z", "    dayAhead: z"],
    ["site/labels/en.json", '"daily-tarot": "Daily tarot"', '"daily-tarot": "Tarot of the day"'],
  ]);
  later = await checkoutWith([version]);
});

/** A site that is published as this code would. */
async function publishedSite(more: ConfigurationInput = {}) {
  const folder = await newFolder();
  const { site, env } = await siteInFolder(folder, { ...few, ...more });
  site.setClock(`${today}T12:00:00Z`);
  await site.gather(today);
  await site.night();
  const run = (...words: string[]) => almanac(["upgrade", ...words], { cwd: folder, env });
  await almanac(["render"], { cwd: folder, env }); // with this code's own settings
  return { folder, env, run };
}

async function hashesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const hashed = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return `${path} ${createHash("sha256")
      .update(await readFile(path))
      .digest("hex")}`;
  });
  return (await Promise.all(hashed)).sort();
}

test("lists refused settings, removed and new names and the kinds of pages to render again, and writes nothing", async () => {
  const { folder, run } = await publishedSite();
  const before = await hashesIn(folder);
  const told = await run("--check", "--to", next, "--json");
  expect(await hashesIn(folder)).toEqual(before);
  expect(told.code).toBe(0);
  const found = JSON.parse(told.stdout);
  expect(found).toMatchObject({ from: packageJson.version, to: "9.9.9", refused: [] });
  expect(found.install).toBe("git checkout v9.9.9 && npm ci");
  expect(found.gone).toEqual(["commands: plan --all", "settings: site.tomorrow"]);
  expect(found.new).toEqual(["commands: plan --whole", "settings: site.dayAhead"]);
  // The other word is on English pages only.
  expect(found.rendered).toContainEqual({ kind: "{lang}/daily-tarot/index.html", files: 1 });
  expect(found.rendered.every(({ files }: { files: number }) => files === 1)).toBe(true);

  const { code, stdout } = await run("--check", "--to", next);
  expect(code).toBe(0);
  expect(stdout).toContain(`from ${packageJson.version} to 9.9.9\nrejected, or warned of: nothing\n`);
  expect(stdout).toContain("removed names:\n  commands: plan --all\n  settings: site.tomorrow\nnew names:\n");
  expect(stdout).toContain("\n  {lang}/daily-tarot/index.html: 1 file\n");
  expect(stdout).toMatch(/\nnext: git checkout v9\.9\.9 && npm ci\n$/);
});

test("a setting that the other version refuses is named", async () => {
  const { run } = await publishedSite({ site: { tomorrow: true } });
  const { code, stdout } = await run("--check", "--to", next);
  expect(code).toBe(3);
  expect(stdout).toContain('rejected, or warned of:\n  site: "tomorrow" is not a setting');
  expect(stdout).toContain(
    "rendered again: unknown, because nothing is published or nothing can be rendered",
  );
});

test("a version that only has another number changes nothing, and an error of this version too is left to check", async () => {
  const { folder, env, run } = await publishedSite();
  expect((await run("--check", "--to", later)).stdout).toContain(
    "rejected, or warned of: nothing\nremoved names: nothing\nnew names: nothing\nrendered again: nothing\n",
  );
  await writeFile(join(folder, "almanac.config.ts"), 'export default { languages: ["klingon"] };\n');
  // A separate process, because a process reads its configuration only once.
  const wrong = await almanac(["upgrade", "--check", "--to", later], { cwd: folder, env, ownProcess: true });
  expect(wrong.code).toBe(0);
  expect(wrong.stdout).toContain("rejected, or warned of: nothing\n");
});

test("files of the vault that the other version can't read are named", async () => {
  const { folder, run } = await publishedSite();
  const key = `vault/responses/daily/${today}/en/daily-tarot/reading.json`;
  const newer = (await readFile(join(folder, key), "utf8")).replace(/"format": ?1/, '"format":2');
  await writeFile(join(folder, key), newer);
  const { stdout } = await run("--outlook", "--json");
  expect(JSON.parse(stdout).refused).toContainEqual(
    `vault: ${key.replace("vault/", "")}: only a newer version reads its format`,
  );
});

test("a file or folder without Almanac is refused, and nothing is installed", async () => {
  const { folder, run } = await publishedSite();
  for (const words of [[], ["--check"]]) {
    const bare = await run(...words);
    expect(bare).toMatchObject({ code: 2 });
    expect(bare.stderr).toContain(
      "missing option --to. Give the package of the new version, such as `almanac upgrade --to ",
    );
  }
  await writeFile(join(folder, "notes.txt"), "");
  for (const place of ["notes.txt", "nowhere.tgz"])
    expect(await run("--check", "--to", place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--to ${place} is neither a package file nor a folder with Almanac`),
    });
  const other = await newFolder();
  await cp(join(root, "scripts/almanac.js"), join(other, "scripts/almanac.js"));
  await writeFile(join(other, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(other, "scripts/almanac.ts"),
    'console.log(JSON.stringify({ error: { message: "unknown command" } }));\n',
  );
  expect((await run("--check", "--to", other)).stderr).toContain(
    `cannot read the changes of ${other}: unknown command`,
  );
});
