// The folder of a page generator: the site's JSON, verified and from one state, whatever the site does meanwhile.
import { execFile } from "node:child_process";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { pull, type PullOptions } from "../../packages/client/almanac-pull.js";
import { pointerPath } from "../../publish/state/state.ts";
import { newKeys, newWorld, nights, owner, pointTo, type World } from "./support/world.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "almanac-pull-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function into(folder: string, world: World, more: Partial<PullOptions> = {}): ReturnType<typeof pull> {
  return pull({ url: world.url, folder, keys: [owner.open], now: () => world.now, ...more });
}

/** The folder's files by path, without the note. */
function filesIn(folder: string): Map<string, unknown> {
  const paths = globSync("v1/**/*.json", { cwd: folder }).toSorted();
  return new Map(paths.map((path) => [path, JSON.parse(readFileSync(join(folder, path), "utf8"))]));
}

async function published(world: World, isWanted: (path: string) => boolean): Promise<Map<string, unknown>> {
  const { files } = await world.client().state();
  const paths = Object.keys(files).filter(
    (path) => path.endsWith(".json") && path.startsWith("v1/") && isWanted(path),
  );
  return new Map(
    await Promise.all(paths.toSorted().map(async (path) => [path, await world.json(path)] as const)),
  );
}

const isDated = (path: string): boolean => /\/\d{4}/.test(path);
const isSchema = (path: string): boolean => path.startsWith("v1/schemas/") || path === "v1/openapi.json";

describe("a folder into which a site is pulled", () => {
  test("has the current JSON of all languages, as published, and says what it is", async () => {
    const [world, folder] = [await newWorld(), newFolder()];
    const pulled = await into(folder, world);
    const current = await published(world, (path) => !isDated(path) && !isSchema(path));
    expect(filesIn(folder)).toEqual(current);
    expect(current.size).toBeGreaterThan(10);
    expect(pulled).toEqual({
      version: 2,
      stale: false,
      files: current.size,
      changed: expect.any(Array),
      removed: [],
      unpublished: [],
    });
    expect(pulled.changed.toSorted()).toEqual([...current.keys()]);
    const note = JSON.parse(readFileSync(join(folder, "pulled.json"), "utf8"));
    expect(note).toMatchObject({ format: 1, url: world.url, version: 2, key: owner.open });
    expect(globSync("{.next,**/*~}", { cwd: folder })).toEqual([]);
  });

  test("has what was asked for: languages, and the texts of dates from one on", async () => {
    const [world, folder] = [await newWorld(), newFolder()];
    await into(folder, world, { languages: ["hi"], since: "2026-11-21" });
    const isWanted = (path: string): boolean =>
      !isSchema(path) && !path.startsWith("v1/en/") && !/\/2026-11-(?:1\d|20)/.test(path);
    expect(filesIn(folder)).toEqual(await published(world, isWanted));
    const { removed } = await into(folder, world, { languages: ["hi"] });
    expect(removed.length).toBeGreaterThan(0);
    expect([...filesIn(folder).keys()].filter(isDated)).toEqual([]);
  });

  test("gets only what changed, keeps other files as they are, and loses what was withdrawn", async () => {
    const [world, folder] = [await newWorld(), newFolder()];
    await into(folder, world);
    const pair = join(folder, "v1/en/love-compatibility/aries-leo.json");
    const before = statSync(pair, { bigint: true });
    const old = join(folder, ".pulled-next-killed");
    for (const [place, at] of [
      [old, 0],
      [join(folder, ".next"), 0],
      [`${old}-now`, Date.now()],
    ] as const) {
      mkdirSync(join(place, "v1"), { recursive: true });
      utimesSync(place, at / 1000, at / 1000);
    }
    expect(await into(folder, world)).toMatchObject({ changed: [], removed: [] });
    expect(readdirSync(folder).toSorted()).toEqual([".next", ".pulled-next-killed-now", "pulled.json", "v1"]);
    await world.night(nights[2]);
    world.asked.length = 0;
    const { version, changed } = await into(folder, world);
    expect([version, changed.includes("v1/hi/daily/latest.json")]).toEqual([3, true]);
    expect(world.asked.filter((path) => path.startsWith("v1/objects/"))).toHaveLength(changed.length);
    expect(statSync(pair, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
    rmSync(pair);
    expect((await into(folder, world)).changed).toEqual(["v1/en/love-compatibility/aries-leo.json"]);
  });

  test.each([
    ["is away", "Unreachable", async (world: World) => world.unplug()],
    ["has expired", "Frozen", async (world: World) => void (world.now += 400 * 86_400_000)],
    [
      "is signed by somebody else",
      "Forged",
      async (world: World) => pointTo(world, { version: 3 }, newKeys().secret),
    ],
    [
      "is not JSON",
      "UnknownFormat",
      async (world: World) => void world.lies.set(pointerPath, new TextEncoder().encode("<html>")),
    ],
  ])("stays as it was where the site %s", async (_, reason, happen) => {
    const [world, folder] = [await newWorld(), newFolder()];
    await into(folder, world);
    const before = filesIn(folder);
    await happen(world);
    expect(await into(folder, world)).toMatchObject({
      version: 2,
      stale: true,
      reason: { name: reason },
      changed: [],
    });
    expect(filesIn(folder)).toEqual(before);
    await expect(into(newFolder(), world)).rejects.toThrow(expect.objectContaining({ name: reason }));
  });

  test("stays unchanged if the newest file can't be fetched, or if the site goes back", async () => {
    const [world, folder] = [await newWorld(3), newFolder()];
    await into(folder, world);
    const before = filesIn(folder);
    const old = await newWorld(2);
    await expect(into(folder, old)).rejects.toThrow(expect.objectContaining({ name: "OtherSite" }));
    const note = join(folder, "pulled.json");
    writeFileSync(note, readFileSync(note, "utf8").replace(world.url, old.url));
    expect(await into(folder, old)).toMatchObject({
      version: 3,
      stale: true,
      reason: { name: "RolledBack" },
    });
    expect(filesIn(folder)).toEqual(before);
    const other = newFolder();
    world.lies.set((await world.placeOf("v1/hi/daily/latest.json")).object, new TextEncoder().encode("{}"));
    await expect(into(other, world)).rejects.toThrow(expect.objectContaining({ name: "Mixed" }));
    expect(filesIn(other)).toEqual(new Map());
  });

  test.each([
    ["fails", () => Promise.reject(new Error("down"))],
    ["succeeds", fetch],
  ] as const)("has all files of one version if another pull %s at the same time", async (_, read) => {
    const [world, folder] = [await newWorld(), newFolder()];
    await into(folder, world);
    await world.night(nights[2]);
    const { changed } = await into(newFolder(), world);
    const last = await world.placeOf(changed.at(-1) ?? "");
    let isFirst = true;
    const other: PullOptions["fetch"] = (url, init) => (/objects/.test(url) ? read : fetch)(url, init);
    await into(folder, world, {
      async fetch(url, init) {
        if (isFirst && url.includes(last.object)) {
          isFirst = false;
          await into(folder, world, { fetch: other, now: () => world.now + 1 });
        }
        return fetch(url, init);
      },
    });
    expect(isFirst).toBe(false);
    const { files } = JSON.parse(readFileSync(join(folder, "pulled.json"), "utf8"));
    const expected = await published(world, (path) => Object.hasOwn(files, path));
    expect(filesIn(folder)).toEqual(expected);
    expect(readdirSync(folder).toSorted()).toEqual(["pulled.json", "v1"]);
  });

  test("is completed by the next pull after a pull was killed while it moved files, even if the site is down", async () => {
    const [world, folder] = [await newWorld(), newFolder()];
    await into(folder, world);
    const [path = ""] = filesIn(folder).keys();
    const note = JSON.parse(readFileSync(join(folder, "pulled.json"), "utf8"));
    mkdirSync(join(folder, ".pulled-next", dirname(path)), { recursive: true });
    renameSync(join(folder, path), join(folder, ".pulled-next", path));
    writeFileSync(
      join(folder, ".pulled-next", "pulled.json"),
      JSON.stringify({ ...note, version: 3, removed: ["v1/status.json"] }),
    );
    await world.unplug();
    expect(await into(folder, world)).toMatchObject({ version: 3, stale: true });
    expect([...filesIn(folder).keys()]).toContain(path);
    expect([...filesIn(folder).keys()]).not.toContain("v1/status.json");
  });
});

describe("node almanac-pull.js", () => {
  const script = fileURLToPath(new URL("../../packages/client/almanac-pull.js", import.meta.url));
  const run = (...words: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      execFile(process.execPath, [script, ...words], (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });

  test("pulls before a build, and lets the build continue if the site is down", async () => {
    const [world, folder] = [await newWorld(), newFolder()];
    await world.night(new Date().toISOString()); // its clock is the true one
    expect(await run(world.url, folder, "--key", owner.open, "--languages", "en")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/has version 3: \d+ files, \d+ changed, 0 removed\n$/),
    });
    expect(await run(world.url, folder, "--languages", "en,gu,de")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/0 changed, 0 removed\. The site does not publish gu, de\n$/),
    });
    await world.unplug();
    expect(await run(world.url, folder, "--languages", "en")).toMatchObject({
      code: 0,
      err: expect.stringContaining("keeps version 3, because"),
    });
    expect((await run(world.url, folder, "--strict")).code).toBe(1);
    expect(await run(world.url, join(folder, "other"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("nothing was downloaded: Unreachable"),
    });
  });

  test("prints its usage if the arguments are wrong", async () => {
    const both = await Promise.all([
      run(),
      run("here", "there"),
      run("https://almanac.example", "x", "--since", "now"),
      run("--what"),
      run("https://almanac.example", "x", "--key", "missing.pem"),
    ]);
    expect(both.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    expect(both.at(-1)?.err).toMatch(/^cannot read the key missing\.pem\. Name a PEM file/);
    expect((await run("--help")).out).toContain("--languages");
  });
});
