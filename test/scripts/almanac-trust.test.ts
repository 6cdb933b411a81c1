// Attacks by somebody who can write to the site's store, and a disk that loses writes. In each resulting state, the tests run the
// commands as an operator types them, and a client that has the key. No forged text is ever published as ours, a page can be
// withdrawn in every state, and `almanac repair` continues from our last state.
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ownOf } from "../support/places.ts";
import type { Pointer } from "../../site/manifest.schema.ts";
import { publish } from "../../publish/publish.ts";
import { canonical } from "../../vault/files.ts";
import { isSignedBy, publicHalf } from "../../publish/step/pointer.ts";
import { manifestPath, pointerPath, readState } from "../../publish/state/state.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { openFolder } from "../../store/folder.ts";
import { newSite } from "../publish/support/published-site.ts";
import { almanac } from "../support/cli.ts";
import { deep } from "../support/deep.ts";
import { forgedPaths, forgePart, forgery, forgeState, pointerOn, put } from "../support/forger.ts";
import { bytes, fill, keysOf, type Snapshot, snapshotOf, textAt } from "../support/stores.ts";
import { daysAgo } from "../support/noon.ts";
import { siteRecord, writeManifestCopy } from "../../publish/step/record.ts";
import { readKept } from "../../vault/note.ts";
import { changeRecord } from "../publish/support/commit-on.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const signingKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString().replaceAll("\n", "\\n");
const configuration = {
  languages: deep ? ["en", "hi"] : ["en"], // half the files for each command to read
  operations: ["daily-horoscope", "daily-tarot"],
  people: [],
  pairs: [],
} satisfies ConfigurationInput;

const [, added] = forgedPaths;
const leo = "en/daily/leo/index.html";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const day = (back: number) => daysAgo(back).toISOString();
const made = new Map<boolean, Promise<Snapshot>>();

/** Three nights: a text of the second is no longer on the third, and readers have seen version 3. */
async function threeNights(isSigned: boolean): Promise<Snapshot> {
  const site = newSite(configuration);
  await site.gather(day(4).slice(0, 10), day(-1).slice(0, 10));
  for (const back of [2, 1, 0]) {
    site.setClock(day(back));
    const { languages } = site.publishing.configuration;
    const input = { run: "almanac-nightly", asOf: day(back), languages };
    await publish(input, { ...site.publishing, signer: isSigned ? privateKey : undefined });
  }
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
}

type World = Awaited<ReturnType<typeof newWorld>>;

async function newWorld(isSigned: boolean) {
  const folder = await mkdtemp(join(tmpdir(), "almanac-trust-"));
  folders.push(folder);
  const publishing = { unusualShare: 0.5, publicKeys: isSigned ? [publicHalf(publicKey)] : [] };
  const settings = JSON.stringify({ ...configuration, publishing });
  await writeFile(join(folder, "almanac.config.ts"), `export default ${settings};\n`);
  const place = join(folder, ".almanac", "sandbox");
  const stores = { vault: openFolder(join(place, "vault")), site: openFolder(join(place, "site")) };
  const before = made.get(isSigned) ?? threeNights(isSigned);
  made.set(isSigned, before);
  await fill(stores, await before);
  const env: Record<string, string> = isSigned ? { ALMANAC_SIGNING_KEY: signingKey } : {};
  const published = newSite(configuration, stores);
  published.setClock(day(0));
  return {
    ...stores,
    published,
    run: (words: string) => almanac(words.split(" "), { cwd: folder, env }),
    night: () =>
      publish(
        { run: "almanac-nightly", asOf: day(0), languages: published.publishing.configuration.languages },
        { ...published.publishing, signer: isSigned ? privateKey : undefined },
      ),
    /** Pointer that a client with the key follows; without a key, a client follows any pointer. */
    async followed(): Promise<Pointer | undefined> {
      const pointer = await pointerOn(stores.site);
      return !isSigned || isSignedBy(pointer, [publicKey]) ? pointer : undefined;
    },
  };
}

function never(): never {
  throw new Error("nothing is published");
}

interface Harm {
  readonly name: string;
  readonly isSigned?: boolean;
  readonly does: (world: World) => Promise<void>;
  /** The publisher repairs it by itself; otherwise it stops and names the command. */
  readonly heals?: boolean;
}

const harms: readonly Harm[] = [
  {
    name: "a page added to a part",
    heals: false,
    does: ({ site }) => forgePart(site),
  },
  {
    name: "a state of somebody else's, unsigned",
    async does({ site }) {
      await forgeState(site, ({ signature: _old, ...pointer }) => pointer);
    },
  },
  {
    name: "a state of somebody else's under our signature",
    async does({ site }) {
      await forgeState(site, (pointer) => pointer);
    },
  },
  {
    name: "a state of somebody else's where nothing is signed",
    isSigned: false,
    async does({ site }) {
      await forgeState(site, (pointer) => pointer);
    },
  },
  {
    name: "an older state of ours put back",
    isSigned: false,
    async does({ site }) {
      const { manifest } = (await readState(site)) ?? never();
      const { parent } = manifest;
      if (parent === null) never();
      await put(site, pointerPath, canonical({ ...(await pointerOn(site)), manifest: parent, version: 2 }));
    },
  },
  {
    name: "a damaged manifest that still parses",
    heals: true,
    async does({ site }) {
      const key = manifestPath((await pointerOn(site)).manifest);
      await put(
        site,
        key,
        bytes(((await textAt(site, key)) ?? "").replace("almanac-nightly", "almanac-nightlx")),
      );
    },
  },
  {
    name: "the current manifest deleted",
    heals: true,
    does: async ({ site }) => site.remove([manifestPath((await pointerOn(site)).manifest)]),
  },
  {
    name: "one bit of the pointer's hash changed",
    async does({ site }) {
      const pointer = await pointerOn(site);
      const manifest = (pointer.manifest.startsWith("0") ? "1" : "0") + pointer.manifest.slice(1);
      await put(site, pointerPath, canonical({ ...pointer, manifest }));
    },
  },
  { name: "the pointer deleted", does: ({ site }) => site.remove([pointerPath]) },
  { name: "the pointer cut off", does: ({ site }) => put(site, pointerPath, bytes('{"format":1,"man')) },
];

/** One of each kind, because each test starts several programs; `npm run test:deep` has all. */
const quickly = new Set([
  "a state of somebody else's, unsigned",
  "the current manifest deleted",
  "one bit of the pointer's hash changed",
]);

/** No text of the forger under anything that the pointer reaches. */
async function requireOurs(world: World): Promise<void> {
  const pointer = await world.followed();
  expect(pointer).toBeDefined();
  expect(await world.published.filesWith(forgery)).toEqual([]);
  expect((await world.published.paths()).has(added)).toBe(false);
}

/** Including the public paths. */
async function requireRepaired(world: World): Promise<void> {
  await requireOurs(world);
  for (const path of forgedPaths) expect((await textAt(world.site, path)) ?? "").not.toContain(forgery);
}

describe.each(deep ? harms : harms.filter(({ name }) => quickly.has(name)))(
  "$name:",
  ({ does, heals, isSigned = true }) => {
    const hurtWorld = async () => {
      const world = await newWorld(isSigned);
      await does(world);
      return { ...world, harmed: await textAt(world.site, pointerPath) };
    };

    test("verify names it", async () => {
      const world = await hurtWorld();
      const { code, stdout } = await world.run("verify");
      expect(code).toBe(1);
      expect(stdout).toContain("next: ");
      expect(stdout).toContain("`almanac repair`");
    });

    test("a night, a publish, render and rollback build nothing on it", async () => {
      const world = await hurtWorld();
      if (heals === true) {
        await world.night();
        expect(await world.run("verify")).toMatchObject({ code: 0 });
        return requireOurs(world);
      }
      await expect(world.night()).rejects.toThrow("`almanac repair`");
      for (const command of ["render", "render --yes", "rollback 2"]) {
        const { code, stdout, stderr } = await world.run(command);
        expect(code, command).not.toBe(0);
        expect(stdout + stderr, command).toContain("`almanac repair`");
      }
      if (heals === undefined) await expect(world.published.publishDue()).rejects.toThrow("`almanac repair`");
      expect(await textAt(world.site, pointerPath)).toBe(world.harmed);
    });

    test("withdraw removes a page nevertheless", async () => {
      const world = await hurtWorld();
      expect(await world.run(`withdraw /${leo} --reason complaint --dry-run`)).toMatchObject({ code: 0 });
      expect(await world.run("repair --dry-run --yes")).toMatchObject({ code: 0 });
      expect(await textAt(world.site, pointerPath)).toBe(world.harmed);
      const { code, stdout, stderr } = await world.run(`withdraw /${leo} --reason complaint`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.anything() });
      expect(stdout).toContain("withdrawn: published version");
      await requireOurs(world);
      expect((await world.followed())?.version).toBeGreaterThan(3);
      const [, date] = /daily\/([-\d]+)\/en\/daily-horoscope\/leo withdrawn/.exec(stdout) ?? [];
      const paths = await world.published.paths();
      expect(paths.has(`v1/en/daily/${date}/leo.json`)).toBe(false);
      expect(paths.has(`v1/en/daily/${date}/virgo.json`)).toBe(true);
      expect(await world.run("repair --yes")).toMatchObject({ code: 0 });
      expect(await world.run("verify")).toMatchObject({ code: 0 });
      await requireRepaired(world);
    });

    test("repair continues from our last state, and the next night from there", async () => {
      const world = await hurtWorld();
      const seen = Number(/"version":(\d+)/.exec(world.harmed ?? "")?.[1] ?? 3);
      expect(await world.run("repair --yes")).toMatchObject({ code: 0 });
      const sound = await world.run("verify");
      expect(sound).toMatchObject({ code: 0 });
      await requireRepaired(world);
      const { version } = (await world.followed()) ?? {};
      expect(version).toBeGreaterThanOrEqual(Math.max(3, seen));
      world.published.setClock(day(-1));
      await world.published.gather(day(-2).slice(0, 10));
      await world.night();
      await requireOurs(world);
      expect(await world.run("verify")).toMatchObject({ code: 0 });
    });
  },
);

test("read-only commands show it, and report that it is not ours", async () => {
  const world = await newWorld(true);
  const words = { log: "log --limit 1", why: `why /${leo}`, status: "status", check: "check" };
  const ours = await Promise.all([world.run(words.log), world.run(words.why)]);
  expect(ours.map(({ code }) => code)).toEqual([0, 0]);
  await forgeState(world.site, ({ signature: _old, ...pointer }) => pointer);
  for (const [command, line] of Object.entries(words)) {
    const { code, stdout, stderr } = await world.run(line);
    const told = (stdout + stderr).replaceAll(/\s+/g, " ");
    expect(told, command).toContain("but this vault did not publish it");
    expect(told, command).toContain("next: `almanac repair` continues from version 3");
    if (command !== "status") expect(code, command).not.toBe(0);
  }
  expect(JSON.parse((await world.run("log --json")).stdout)).toMatchObject({
    states: expect.any(Array),
    refused: { remedy: expect.stringContaining("`almanac repair`") },
  });
});

describe("a vault restored from a copy made before the last two nights", () => {
  const restored = async (isSigned: boolean) => {
    const world = await newWorld(isSigned);
    const { states } = (await readKept(ownOf(world.vault), siteRecord)).value;
    const current = states.find(({ version }) => version === 1) ?? never();
    const { empty } = siteRecord;
    await changeRecord(ownOf(world.vault), () => ({
      ...empty,
      highest: 1,
      current,
      written: current,
      states: [current],
    }));
    await world.vault.remove(await keysOf(world.vault, "sites/almanac/manifests/"));
    const manifest = await world.site.read(manifestPath(current.manifest));
    await writeManifestCopy(ownOf(world.vault), current, manifest?.body ?? never());
    return world;
  };

  test("accepts the state after the operator confirms the printed command, and the site stays as it is", async () => {
    const world = await restored(true);
    const before = await world.published.paths();
    const { code, stderr } = await world.run("render");
    expect(code).toBe(1);
    expect(stderr).toContain("which is signed by this site's key, but this vault did not publish it");
    const [, words = ""] = /`almanac (repair --accept \w+)`/.exec(stderr.replaceAll(/\s+/g, " ")) ?? [];
    const wrong = await world.run(words.replace(/\w{4}$/, "0000"));
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(await world.run(words)).toMatchObject({ code: 0 });
    expect(await world.published.paths()).toEqual(before);
    expect(await world.run("verify")).toMatchObject({ code: 0 });
    expect(await world.run("render")).toMatchObject({ code: 0 });
  });

  test("accepts no foreign state that way", async () => {
    const world = await restored(true);
    await forgeState(world.site, ({ signature: _old, ...pointer }) => pointer);
    const { manifest } = await pointerOn(world.site);
    const { code, stderr } = await world.run(`repair --accept ${manifest}`);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("is not signed by a key of publishing.publicKeys");
  });
});
