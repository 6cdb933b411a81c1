// A manifest's paths against every consumer that keeps files or names by them: a path is untrusted, whoever signed it.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { consumers, linkElsewhere, newProject, type Project } from "./support/consumers.ts";
import { forge, type Forgery } from "./support/forgery.ts";
import { hostilePaths } from "./support/hostile-paths.ts";
import { newWorld, owner, type World } from "./support/world.ts";

const expires = "2099-01-01T00:00:00.000Z"; // a command has the machine's clock
const latest = "v1/en/daily/latest.json";
const keys = [owner.open];

async function signedWorld(forgery: Partial<Forgery> = {}): Promise<World> {
  const world = await newWorld();
  await forge(world, { files: {}, expires, signer: owner.secret, ...forgery });
  return world;
}

const documents = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, { polluted: "yes" }]));

/** Sites that the consumers only read. */
let hostile: World;
const tooLarge: World[] = [];
beforeAll(async () => {
  hostile = await signedWorld({ files: documents(hostilePaths) });
  const many = documents(Array.from({ length: 1_300 }, (_, n) => `v1/en/daily/${n}.json`));
  const wide = documents(Array.from({ length: 1_300 }, (_, n) => `v1/en/daily/p${n}.json`));
  for (const forgery of [
    { files: many, names: 1_000 },
    { files: wide, sizeBytes: 2 ** 22 },
    { files: wide, sizeBytes: Number.MAX_SAFE_INTEGER },
  ])
    tooLarge.push(await signedWorld(forgery));
});

describe.each(consumers)("$name", ({ name, take, has }) => {
  test("keeps published files and nothing under a hostile path, even if the owner's key signed it", async () => {
    const [project, world] = [newProject(), hostile];
    const ran = await take(project, world, keys);
    project.added();
    expect(ran).toMatchObject({ code: 0 });
    const paths = has(project, ran);
    expect(paths).toContain(latest);
    expect(paths.filter((path) => hostilePaths.includes(path) || !/^v1\/[\w/.-]+\.json$/.test(path))).toEqual(
      [],
    );
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  });

  test("accepts no sign name that would write a page elsewhere", async () => {
    const project = newProject();
    const world = await newWorld();
    const { readings, set: _none, ...rest } = Object(await world.json(latest));
    const sign = "../../../victim";
    for (const wrong of [
      { ...rest, readings: { [sign]: readings.leo } },
      { ...rest, readings: { leo: { ...readings.leo, sign } } },
      { ...rest, readings: { leo: { ...readings.leo, period: sign } } },
      { ...rest, readings: { leo: { ...readings.leo, language: "javascript:alert(1)//" } } },
      { ...rest, readings: { leo: { ...readings.leo, operation: ["../victim"] } } },
    ]) {
      await forge(world, { files: { [latest]: wrong }, expires, signer: owner.secret });
      const ran = await take(project, world, keys);
      expect(ran.code, ran.out + ran.err).toBe(1);
      expect(ran.err).toContain("UnknownFormat");
      expect(project.added()).toEqual([]);
    }
  });

  test("accepts no such name in a document that a generator merges with the readings", async () => {
    const project = newProject();
    const world = await newWorld();
    const { leo } = Object(await world.json(latest)).readings;
    const sign = "../../../victim";
    for (const [path, document] of Object.entries({
      "v1/en/daily/latest/readings/leo.json": { ...leo, sign },
      "v1/en/decks.json": { daily: [{ latest: { ...leo, sign: [sign] } }] },
      "v1/index.json": { daily: { latest: { readings: { [sign]: leo } } } },
    })) {
      await forge(world, { files: { [path]: document }, expires, signer: owner.secret });
      const ran = await take(project, world, keys);
      expect([path, ran.code], ran.out + ran.err).toEqual([path, 1]);
      expect(ran.err).toContain("UnknownFormat");
      expect(project.added()).toEqual([]);
    }
  });

  test("gives no object a property, whatever paths are below a file's name", async () => {
    const [project, world] = [newProject(), await newWorld()];
    const files = documents(["v1/en/a.json", "v1/en/a/constructor/prototype/polluted.json"]);
    for (const order of [Object.entries(files), Object.entries(files).toReversed()]) {
      await forge(world, { files: Object.fromEntries(order), expires, signer: owner.secret });
      expect(await take(project, world, keys)).toMatchObject({ code: 0 });
    }
  });

  test("refuses a state with more files or bytes than a site can have", async () => {
    expect(tooLarge).toHaveLength(3);
    for (const world of tooLarge) {
      const project = newProject();
      world.asked.length = 0;
      const ran = await take(project, world, keys);
      expect(ran.code, name).toBe(1);
      expect(ran.err).toContain("TooLarge");
      expect(world.asked.filter((path) => path.startsWith("v1/objects/"))).toEqual([]);
      expect(project.added()).toEqual([]);
    }
  });
});

/** Consumers that store files in a folder, with a note about them. */
describe.each(consumers.filter(({ name }) => !name.startsWith("Astro")))(
  "the folder of $name",
  ({ take, has }) => {
    const noteOf = ({ folder }: Project) => join(folder, "data/almanac/pulled.json");

    test("loses only published files, whatever its note says of an earlier pull", async () => {
      const [project, world] = [newProject(), await signedWorld()];
      const good = has(project, await take(project, world, keys));
      const note = JSON.parse(readFileSync(noteOf(project), "utf8"));
      const more = Object.fromEntries(
        [
          "../victim.json",
          "../../package.json",
          "v1/../../victim.json",
          "v1/en/../../../victim.json",
          ...hostilePaths,
        ].map((path) => [path, "0".repeat(64)]),
      );
      writeFileSync(noteOf(project), JSON.stringify({ ...note, files: { ...note.files, ...more } }));
      const ran = await take(project, world, keys);
      expect(ran).toMatchObject({ code: 0 });
      expect(has(project, ran)).toEqual(good);
    });

    test("loses only published files, whatever the note of an interrupted pull says", async () => {
      const [project, world] = [newProject(), await signedWorld()];
      const good = has(project, await take(project, world, keys));
      const note = JSON.parse(readFileSync(noteOf(project), "utf8"));
      const next = join(project.folder, "data/almanac/.pulled-next");
      const victim = "../victim.json";
      for (const left of [
        { ...note, removed: [victim, "../../package.json", "v1/../../victim.json"] },
        { ...note, files: { [victim]: "0".repeat(64), "../../../victim.json": "0".repeat(64) }, removed: [] },
        { ...note, removed: "v1" },
        { removed: [] },
        [],
        null,
      ]) {
        mkdirSync(next, { recursive: true });
        writeFileSync(join(next, "pulled.json"), JSON.stringify(left));
        writeFileSync(join(next, "victim.json"), "not mine");
        const ran = await take(project, world, keys);
        expect(ran, JSON.stringify(left)?.slice(0, 80)).toMatchObject({ code: 0 });
        expect(has(project, ran)).toEqual(good);
      }
    });

    test.each(["v1", "v1/en", "v1/en/daily"])(
      "writes and deletes nothing through a link in place of %s",
      async (place) => {
        const [project, world] = [newProject(), await signedWorld()];
        await take(project, world, keys);
        linkElsewhere(project, join("data/almanac", place));
        const removed = Object.keys(documents([latest]));
        await forge(world, { files: documents(["v1/en/daily/2026.json"]), expires, signer: owner.secret });
        const ran = await take(project, world, keys);
        expect(project.added().filter((path) => path.startsWith("elsewhere"))).toEqual([]);
        expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("is not a folder")]);
        expect(removed).toHaveLength(1);
      },
    );

    test("has hardly more bytes than the site, however deep a document is", async () => {
      const [project, world] = [newProject(), await newWorld()];
      const text = "[".repeat(900) + "0,".repeat(9_000) + "0" + "]".repeat(900);
      const path = "v1/en/deep.json";
      await forge(world, { files: { [path]: JSON.parse(text) }, expires, signer: owner.secret });
      expect(await take(project, world, keys)).toMatchObject({ code: 0 });
      const { size } = statSync(join(project.folder, "data/almanac", path));
      expect(size).toBeLessThan(2 * text.length);
    });

    test("is not written through a link in place of its note", async () => {
      const [project, world] = [newProject(), await signedWorld()];
      const folder = join(project.folder, "data/almanac");
      mkdirSync(folder, { recursive: true });
      for (const name of ["pulled.json", "pulled.json~"]) linkElsewhere(project, `data/almanac/${name}`);
      const ran = await take(project, world, keys);
      expect(project.added().filter((path) => path.startsWith("elsewhere"))).toEqual([]);
      expect(ran.code).toBeLessThan(2);
      expect(dirname(noteOf(project))).toBe(folder);
    });
  },
);
