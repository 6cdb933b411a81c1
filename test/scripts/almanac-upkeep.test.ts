// The commands that keep a site sound, as an operator types them: what they print, what they do, and how they exit.
import { generateKeyPairSync } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Store, always } from "../../store/store.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { verify } from "../../publish/repair/verify.ts";
import { publicHalf } from "../../publish/step/pointer.ts";
import { manifestPath, objectPath, pointerPath, readState } from "../../publish/state/state.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { languages } from "../../readings/tables.ts";
import { localDate } from "../../readings/calendar.ts";
import { openFolder } from "../../store/folder.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { newSite, type PublishedSite } from "../publish/support/published-site.ts";
import { bytes, fill, keysOf, snapshotOf, textAt } from "../support/stores.ts";
import { startCollector } from "../support/collector.ts";
import { almanac, type Ran } from "../support/cli.ts";
import { daysAgo, testNow } from "../support/noon.ts";

const settings = {
  site: { name: "Renamed since it was published" },
  languages: ["en", "hi"],
  operations: ["daily-tarot"],
  people: [],
  pairs: [],
};
const front = "en/index.html";

interface Folder {
  readonly folder: string;
  readonly vault: Store;
  readonly site: Store;
  readonly published: PublishedSite;
  run(words: string, env?: Record<string, string>): Promise<Ran>;
  json(words: string): Promise<unknown>;
  object(path: string): Promise<string>;
}

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const day = (back: number) => daysAgo(back).toISOString();
const few = { operations: ["daily-tarot"], people: [], pairs: [] } satisfies ConfigurationInput;

/** Two nights, published once. */
const twoNights = (async () => {
  const site = newSite(few);
  await site.gather(day(3).slice(0, 10), day(-1).slice(0, 10));
  for (const back of [1, 0]) {
    site.setClock(day(back));
    await site.night();
  }
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
})();

/** The site in a separate folder, where the commands find it. */
async function newFolder(publicKeys: readonly string[] = []): Promise<Folder> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-upkeep-"));
  folders.push(folder);
  const configuration = { ...settings, publishing: { unusualShare: 0.1, publicKeys } };
  await writeFile(join(folder, "almanac.config.ts"), `export default ${JSON.stringify(configuration)};\n`);
  const place = join(folder, ".almanac", "sandbox");
  const stores = { vault: openFolder(join(place, "vault")), site: openFolder(join(place, "site")) };
  await fill(stores, await twoNights);
  const published = newSite(few, stores);
  const run = (words: string, env: Record<string, string> = {}) =>
    almanac(words.split(" "), { cwd: folder, env });
  return {
    ...stores,
    folder,
    published,
    run,
    json: async (words) => JSON.parse((await run(`${words} --json`)).stdout),
    object: async (path) => objectPath((await published.paths()).get(path) ?? "", path),
  };
}

async function put({ site }: Folder, key: string, content = "damaged"): Promise<void> {
  await site.write(key, bytes(content), { type: "text/plain" }, always);
}

describe("almanac verify", () => {
  test("says sound and exits 0; names every finding and exits 1; repair repairs them, and says so before", async () => {
    const world = await newFolder();
    const sound = await world.run("verify");
    expect(sound).toMatchObject({ code: 0, stderr: "" });
    expect(sound.stdout).toMatch(
      /^file:\/\/.*\/site has version 2, published .*: checked \d+ paths, \d+ objects, 1 version\n/,
    );
    expect(sound.stdout).toContain("signature not checked: publishing.publicKeys contains no key\nsound\n");

    const lost = await world.object("hi/index.html");
    await put(world, front);
    await world.site.remove([lost]);
    await put(world, "en/daily/leo/1999-01-01/index.html");
    await put(world, "promotion.txt");
    const found = await world.run("verify");
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(
      /^en\/daily\/leo\/1999-01-01\/index.html\n {2}expected {2}nothing: the manifest does not contain it\n {2}seen {6}7 bytes, written .*\n {2}next: `almanac repair` deletes it\nen\/index.html\n/,
    );
    expect(found.stdout).toContain("\npromotion.txt\n  expected  no file: Almanac did not publish it\n");
    expect(found.stdout).toMatch(/\n4 findings\n$/);

    const told = await world.run("repair --dry-run");
    expect(told.stdout).toBe(
      [
        `restored   ${lost}  (missing; copied from hi/index.html)`,
        "written    en/index.html  (different from the manifest)",
        "removed    en/daily/leo/1999-01-01/index.html  (not in the manifest)",
        "version 2: 3 files would be repaired\n",
      ].join("\n"),
    );
    expect(await textAt(world.site, front)).toBe("damaged");
    const done = await world.run("repair");
    expect(done).toEqual({
      code: 0,
      stderr: "",
      stdout: told.stdout.replace("would be repaired", "repaired"),
    });
    // A file that nobody published is reported, and left to its owner.
    expect(await world.json("verify")).toMatchObject({
      sound: false,
      version: 2,
      findings: [{ path: "promotion.txt" }],
    });
    expect(await textAt(world.site, "promotion.txt")).toBe("damaged");
    await world.site.remove(["promotion.txt"]);
    expect(await world.json("verify")).toMatchObject({ sound: true, version: 2, findings: [] });
  });

  test("checks a live site over HTTP, and refuses an address without a site", async () => {
    const world = await newFolder();
    const preview = await startPublishedServer(world.site, 0);
    onTestFinished(() => preview.close());
    const earlier = new TextDecoder().decode((await world.site.read(front))?.body);
    world.published.setClock(day(-1));
    await world.published.night();
    await put(world, front, earlier);
    const [found, wrong] = await Promise.all([
      world.run(`verify ${preview.url} --json`),
      world.run("verify http://almanac.example"),
    ]);
    expect(found.code).toBe(1);
    const { findings } = z
      .object({ findings: z.array(z.record(z.string(), z.string())) })
      .parse(JSON.parse(found.stdout));
    expect(findings).toMatchObject([{ path: front, remedy: expect.stringContaining("purge it, or wait") }]);
    expect(findings[0]?.["seen"]).toContain("as in version 2");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain(
      'error: "http://almanac.example" is not the https URL of a site. Did you mean https://almanac.example?',
    );
  });
});

describe("almanac repair", () => {
  test("exits with 1 if files are lost, with the remedy, and asks for confirmation if necessary", async () => {
    const world = await newFolder();
    const yesterday = localDate(languages.en.zone, new Date(day(1))); // differs from the UTC date early in the morning
    const page = `v1/en/daily-tarot/${yesterday}.json`;
    const lost = await world.object(page);
    await world.site.remove([lost, page]);
    await world.vault.remove(await keysOf(world.vault, `responses/daily/${yesterday}/en/`));
    for (let date = 10; date < 30; date += 1) {
      await put(world, `en/daily/leo/1999-01-${date}/index.html`);
    }
    const { code, stdout, stderr } = await world.run("repair");
    expect(code).toBe(1);
    expect(stdout).toContain(`${lost}\n  expected  sha256`);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      `next: ${page} needs it, and its text is no longer in the vault`,
    );
    expect(stdout).toMatch(/1 file could not be repaired\n$/);
    expect(stderr).toMatch(/^this would remove 20 of \d+ files, .*If this is intended, add --yes\n$/);
    const meant = await world.run("repair --yes --json");
    expect(meant.code).toBe(1);
    expect(JSON.parse(meant.stdout)).toMatchObject({ dryRun: false, unusual: null, lost: [{ path: lost }] });
    expect(await keysOf(world.site, "en/daily/leo/1999")).toEqual([]);
  });
});

describe("almanac gc", () => {
  async function age(world: Folder, days: number) {
    const root = join(world.folder, ".almanac", "sandbox", "site", "v1");
    const old = daysAgo(days);
    for (const folder of ["objects", "manifests"]) {
      for (const name of await readdir(join(root, folder))) await utimes(join(root, folder, name), old, old);
    }
  }

  test("lists each file with its reason, frees any share of the site that is older than keepDays, and leaves the site sound", async () => {
    const world = await newFolder();
    await age(world, 40);
    const named = {
      ALMANAC_VAULT: pathToFileURL(join(world.folder, ".almanac/sandbox/vault")).href,
      ALMANAC_SITE: pathToFileURL(join(world.folder, ".almanac/sandbox/site")).href,
    };
    const before = (await keysOf(world.site, "")).length;
    const [listed, wrong] = await Promise.all([world.run("gc --dry-run"), world.run("gc --grace-hours 1")]);
    const lines = listed.stdout.split("\n").filter((line) => line.startsWith("v1/"));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      expect(line).toMatch(/^v1\/\S+ {2}\S+ \S+ {2}\(no version since .* needs it, written .*\)$/);
    }
    expect(listed.stdout).toContain(`to delete: ${lines.length} files, `);
    expect(lines.length).toBeGreaterThan(0.1 * (await filesOfStates(world)));
    expect(listed.stdout).not.toContain("unusual");
    expect(listed.code).toBe(0);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(await keysOf(world.site, "")).toHaveLength(before);

    // It asks no service and signs nothing, so it needs only the stores, not the service's credentials or the key.
    const elsewhere = { ALMANAC_SIGNING_KEY_FILE: join(world.folder, "key-of-the-workers") };
    const done = await world.run("gc --json", { ...named, ...elsewhere });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(done.stdout)).toMatchObject({
      planned: { files: lines.length },
      freed: { files: lines.length, spared: 0 },
      kept: [{ version: 2, supersededAt: null }],
    });
    expect(await keysOf(world.site, "")).toHaveLength(before - lines.length);
    const { findings } = await verify(storeSource(world.site), { publicKeys: [], now: testNow });
    expect(findings).toEqual([]);
  });

  test("asks for --yes if an unusual share was written within keepDays, as after damage of the history", async () => {
    const world = await newFolder();
    const { manifest } = (await readState(world.site)) ?? {};
    await world.site.remove([manifestPath(manifest?.parent ?? "")]);
    await age(world, 20);
    const before = (await keysOf(world.site, "")).length;
    const [listed, asked] = await Promise.all([world.run("gc --dry-run"), world.run("gc")]);
    const count = listed.stdout.split("\n").filter((line) => line.startsWith("v1/")).length;
    expect(count).toBeGreaterThan(10);
    expect(listed.stdout).toContain("an unusual share of these files was written within publishing.keepDays");
    expect(asked).toMatchObject({ code: 1, stdout: "" });
    expect(asked.stderr).toContain(`error: this would remove ${count} of`);
    expect(await keysOf(world.site, "")).toHaveLength(before);
    expect(await world.run("gc --yes")).toMatchObject({ code: 0 });
    expect(await keysOf(world.site, "")).toHaveLength(before - count);
  });

  async function filesOfStates({ site }: Folder) {
    return (await keysOf(site, "v1/objects/")).length + (await keysOf(site, "v1/manifests/")).length;
  }
});

describe("the webhook that rebuilds sites", () => {
  test("is notified after an outage of all changes meanwhile, in a single message", async () => {
    const world = await newFolder();
    const builder = await startCollector(onTestFinished);
    const env = {
      ALMANAC_VAULT: pathToFileURL(join(world.folder, ".almanac/sandbox/vault")).href,
      ALMANAC_SITE: pathToFileURL(join(world.folder, ".almanac/sandbox/site")).href,
      ALMANAC_PUBLISHED_URL: `${builder.url}/build?key=very-secret`,
    };
    builder.statuses.push(500, 502, 503);
    const refused = await world.run("rollback", env);
    expect(refused).toMatchObject({ code: 0 });
    expect(builder.received).toHaveLength(3);
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain("Each publish tries again");

    await world.run("gc", env); // it publishes nothing
    const told = builder.received.slice(3).map(({ body }) => published.parse(JSON.parse(body)));
    expect(told).toHaveLength(1);
    const version = (await readState(world.site))?.pointer.version;
    expect(told[0]).toMatchObject({ version, paths: expect.arrayContaining(["/en/", "/v1/pointer.json"]) });
    await world.run("gc", env);
    expect(builder.received).toHaveLength(4);
  });

  const published = z.object({
    kind: z.literal("published"),
    version: z.number(),
    paths: z.array(z.string()),
  });
});

describe("almanac check", () => {
  const checks = z.object({
    ok: z.boolean(),
    checks: z.array(
      z.object({ name: z.string(), ok: z.boolean(), seen: z.string(), remedy: z.string().optional() }),
    ),
  });

  test("queries the stores for real, accepts a missing Temporal, and exits with 0, or with 1 or 2 and a remedy for each problem", async () => {
    const world = await newFolder();
    const [right, away, wrong, misspelt] = await Promise.all([
      world.run("check --json"),
      world.run("check --json", { TEMPORAL_ADDRESS: "127.0.0.1:1" }), // waits 10 s for it
      world.run("check", {
        READING_SERVICE_TOKEN: "token-hidden",
        READING_SERVICE_API_KEY: "key-hidden",
        READING_SERVICE_URL: "https://readings.example",
        ALMANAC_SITE: "file:/dev/null/site",
        ALMANAC_SIGNING_KEY: "signing-hidden",
      }),
      world.run("check", { ALMANAC_SIET: "x" }),
    ]);
    const all = checks.parse(JSON.parse(right.stdout));
    expect(right.code).toBe(0);
    expect(all.ok).toBe(true);
    expect(all.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "environment",
        "configuration",
        "credentials",
        "signing key",
        "Temporal",
        "vault: conditional write",
        "site: write",
      ]),
    );
    expect(all.checks.find(({ name }) => name === "Temporal")?.seen).toContain("`almanac local` starts one");
    expect(await keysOf(world.site, "probe/")).toEqual([]);

    expect(away.code).toBe(1);
    expect(checks.parse(JSON.parse(away.stdout)).checks.filter(({ ok }) => !ok)).toMatchObject([
      {
        name: "Temporal",
        seen: expect.stringContaining("127.0.0.1:1 does not answer"),
        remedy: expect.any(String),
      },
    ]);

    expect(wrong.code).toBe(2);
    const said = wrong.stdout.replaceAll(/\s+/g, " ");
    expect(said).toContain("wrong service: translator READING_SERVICE_TRANSLATOR_URL is not set");
    expect(said).toContain("wrong signing key ALMANAC_SIGNING_KEY: it is not an Ed25519 private key");
    expect(said).toContain("wrong site: write a file that Almanac did not write is in the way");
    expect(wrong.stdout + wrong.stderr).not.toContain("hidden");

    expect(misspelt).toMatchObject({ code: 2, stderr: "" });
    expect(misspelt.stdout).toContain("ALMANAC_SIET: unknown variable. Did you mean ALMANAC_SITE?");
  });
});

test("why says how to restore a damaged pointer", async () => {
  const world = await newFolder();
  await put(world, pointerPath);
  const { code, stderr } = await world.run("why /en/");
  expect(code).toBe(1);
  expect(stderr).toContain("v1/pointer.json is damaged\nnext: `almanac repair` restores it\n");
});

describe("the signing key", () => {
  test("signs the output of publishing commands, is required by verify, and is never printed", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const core = pem.split("\n")[1] ?? "";
    const world = await newFolder([publicHalf(publicKey)]);
    await world.site.remove([pointerPath]);
    const fixed = await world.run("repair", { ALMANAC_SIGNING_KEY: pem.replaceAll("\n", "\\n") });
    expect(fixed).toMatchObject({ code: 0 });
    expect((await readState(world.site))?.pointer.signature).toMatch(/^[A-Za-z0-9+/]{86}==$/);

    const other = generateKeyPairSync("ed25519")
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString();
    const [sound, refused, checked, verbose] = await Promise.all([
      world.run("verify", { ALMANAC_SIGNING_KEY: pem }),
      world.run("repair", { ALMANAC_SIGNING_KEY: other }),
      world.run("check --json", { ALMANAC_SIGNING_KEY: pem }),
      world.run("repair --verbose --json", { ALMANAC_SIGNING_KEY: pem.slice(0, -40) }),
    ]);
    expect(sound).toMatchObject({ code: 0 });
    expect(sound.stdout).not.toContain("not checked");
    expect(checked).toMatchObject({ code: 0 });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("is not in publishing.publicKeys");
    expect(verbose.code).toBe(2);
    const secrets = [core, other.split("\n")[1] ?? "", core.slice(0, 24)];
    for (const { stdout, stderr } of [fixed, sound, refused, checked, verbose]) {
      for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
    }
    for (const entry of await readdir(world.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = await text(createReadStream(join(entry.parentPath, entry.name)));
      for (const secret of secrets) expect(content.includes(secret), entry.name).toBe(false);
    }
    expect(await readFile(join(world.folder, "almanac.config.ts"), "utf8")).toContain(publicHalf(publicKey));
    const before = await world.site.read(pointerPath);
    const publish = await world.run("publish");
    expect(publish).toMatchObject({ code: 2, stdout: "" });
    expect(publish.stderr.replaceAll(/\s+/g, " ")).toContain("`almanac schedule trigger publish`");
    expect(await world.site.read(pointerPath)).toEqual(before);
    const unsigned = await world.run("render");
    expect(unsigned.stderr.replaceAll(/\s+/g, " ")).toContain(
      "To sign it at once, set ALMANAC_SIGNING_KEY_FILE",
    );
  });
});
