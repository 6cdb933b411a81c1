// A site named as the vault, a vault named as the site, or both, and a vault that an earlier version made. Every command says so,
// and writes nothing.
import { existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeOn } from "../support/places.ts";
import { openFolder } from "../../store/folder.ts";
import { identify } from "../../vault/installation.ts";
import { layout } from "../../vault/files.ts";
import { almanac, type Ran } from "../support/cli.ts";
import { openMemory } from "../support/memory.ts";
import { testClock, testDate } from "../support/noon.ts";
import { bytes, keysOf, snapshotOf } from "../support/stores.ts";
import { always } from "../../store/store.ts";
import { siteInFolder } from "./site-in-folder.ts";

let folder: string;
let env: Record<string, string>;
const storesAt = () => ({ vault: openFolder(join(folder, "vault")), site: openFolder(join(folder, "site")) });
const service = {
  READING_SERVICE_URL: "https://127.0.0.1:1",
  READING_SERVICE_TRANSLATOR_URL: "https://127.0.0.1:1",
  READING_SERVICE_TOKEN: "token-1",
  READING_SERVICE_API_KEY: "key-1",
  TEMPORAL_ADDRESS: "127.0.0.1:1",
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-exchanged-"));
  const made = await siteInFolder(folder, {
    site: { url: "https://almanac.example" },
    languages: ["en"],
    operations: ["daily-tarot"],
  });
  env = { ...made.env, ...service };
  made.site.setClock(`${testDate}T12:00:00Z`);
  await made.site.gather(testDate, testDate);
  await made.site.night();
  await identify(placeOn(storesAt()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command with these folders as vault and site. */
function at(line: string, vault: string, site: string, more: Record<string, string> = {}): Promise<Ran> {
  const named = (name: string) => pathToFileURL(join(folder, name)).href;
  return almanac(line.split(" "), {
    env: { ...env, ...testClock, ALMANAC_VAULT: named(vault), ALMANAC_SITE: named(site), ...more },
    cwd: folder,
  });
}

const lines = [
  "verify",
  "repair",
  "gc --yes",
  "render",
  "status",
  "plan",
  "nightly",
  "publish",
  "worker",
  "log",
  "rollback",
  "withdraw en/daily/leo/index.html",
  "backup ./copy",
  "quarantine list",
  "schedule apply",
];

test.each(lines)("%s refuses a vault and a site that are exchanged, and writes nothing", async (line) => {
  const before = await snapshotOf(storesAt());
  const { code, stderr } = await at(line, "site", "vault");
  expect(stderr).toContain("ALMANAC_VAULT names a published site, and ALMANAC_SITE a private vault");
  expect(stderr).toContain("Swap the two settings");
  expect(code).toBe(2);
  expect(await snapshotOf(storesAt())).toEqual(before);
});

test.each([
  "publish",
  "withdraw --list",
  "journal",
  "quarantine list",
  "quarantine show daily/2026-11-21/en/daily-tarot/reading",
  "review list",
  "review page --language en --out page.html",
  "plan",
  "backup file:./copy",
])("%s reports a lost vault instead of listing or saving nothing", async (line) => {
  const before = await snapshotOf(storesAt());
  const { code, stdout, stderr } = await at(line, "lost", "site");
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("the vault is empty, although the site was published");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(existsSync(join(folder, "copy"))).toBe(false);
  expect(await snapshotOf(storesAt())).toEqual(before);
});

/** Copies vault and site as an earlier version made them: without the file that is new. */
async function storesOfEarlierVersion() {
  for (const name of ["vault", "site"])
    await cp(join(folder, name), join(folder, `earlier-${name}`), { recursive: true });
  const old = join(folder, "earlier-vault");
  await rename(join(old, layout.vault), join(old, "marker.json"));
  return { vault: openFolder(old), site: openFolder(join(folder, "earlier-site")) };
}

test("every command refuses a vault that an earlier version made, and writes nothing", async () => {
  const stores = await storesOfEarlierVersion();
  const before = await snapshotOf(stores);
  for (const line of [...lines, "check", "reading wisdom-reading"]) {
    const { code, stdout, stderr } = await at(line, "earlier-vault", "earlier-site");
    const said = (line === "check" ? stdout : stderr).replaceAll(/\s+/g, " ");
    expect(said, line).toContain("the vault has the layout of an earlier version of Almanac (marker.json)");
    expect(said, line).toMatch(/set ALMANAC_VAULT and ALMANAC_SITE to empty locations/i);
    expect(code, line).toBe(line === "check" ? 1 : 2);
  }
  expect(await snapshotOf(stores)).toEqual(before);
}, 120_000);

test("check reports the exchange instead of advice on the folders, and writes nothing", async () => {
  const before = await snapshotOf(storesAt());
  const { code, stdout } = await at("check", "site", "vault");
  expect(stdout).toMatch(/wrong +vault and site +ALMANAC_VAULT names a published site/);
  expect(stdout).toMatch(/next: swap the two settings/);
  expect(stdout).not.toContain("chmod");
  expect(code).toBe(1);
  expect(await snapshotOf(storesAt())).toEqual(before);
});

test("check reports the vault of another site with its own remedy", async () => {
  await identify(placeOn({ vault: openFolder(join(folder, "others-vault")), site: openMemory() }));
  // A site at a loopback URL is not read over HTTP.
  const text = `export default { site: { url: "http://127.0.0.1:8080" }, languages: ["en"], operations: ["daily-tarot"] };`;
  const ALMANAC_CONFIG = join(folder, "loopback.config.ts");
  await writeFile(ALMANAC_CONFIG, text);
  const { code, stdout } = await at("check", "others-vault", "site", { ALMANAC_CONFIG });
  const told = stdout.replaceAll(/\s+/g, " ");
  expect(told).toMatch(/wrong vault and site the vault [0-9a-f]{16} belongs to the site/);
  expect(told).toContain("next: correct ALMANAC_VAULT or ALMANAC_SITE. If");
  expect(code).toBe(1);
});

test("one of the two in place of the other is refused too, but an empty folder is accepted for either", async () => {
  expect((await at("verify", "site", "nothing")).stderr).toContain("ALMANAC_VAULT names a published site");
  expect((await at("verify", "nothing", "vault")).stderr).toContain("ALMANAC_SITE names a private vault");
  const unpublished = await at("plan", "nothing", "nothing-either");
  expect(unpublished.stderr).toBe("");
  expect(unpublished.code).toBe(0);
});

test("verify names the stored responses that an exchange has left in a site", async () => {
  const { vault, site } = storesAt();
  const [response = ""] = await keysOf(vault, "responses/");
  await site.write(response, bytes("a stored response"), { type: "application/json" }, always);
  await site.write(layout.dayCalls("2026-11-21"), bytes("{}"), { type: "application/json" }, always);
  const { code, stdout } = await at("verify", "vault", "site");
  expect(stdout).toContain(`${response}\n  expected  no file: Almanac did not publish it`);
  expect(stdout).toContain(layout.dayCalls("2026-11-21"));
  expect(stdout).toMatch(/2 findings\n$/);
  expect(code).toBe(1);
});
