// A foreign site's minute under the true site's address, against readers that pin no key, and the way back to the true site.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { consumers, newProject, type Project } from "./support/consumers.ts";
import { forge } from "./support/forgery.ts";
import {
  bytesAfter,
  dayMs,
  newKeys,
  newStorage,
  newWorld,
  owner,
  pointTo,
  type World,
} from "./support/world.ts";
import { pointerPath } from "../../publish/state/state.ts";

const expires = "2099-01-01T00:00:00.000Z"; // a command has the machine's clock
const latest = "v1/en/daily/latest.json";
const leo = { language: "en", period: "daily", sign: "leo" } as const;
const highest = Number.MAX_SAFE_INTEGER;
const keys = [owner.open];

/** The true site, with an end that no clock of a machine has reached. */
async function trueWorld(night: 1 | 2 | 3 = 2): Promise<World> {
  const world = await newWorld(night);
  await pointTo(world, { expires }, owner.secret);
  return world;
}

const endlessly = (world: World) => pointTo(world, { expires }, owner.secret);

/** Another publisher's site under the same address: no signature, and another text of Leo. */
async function foreign(world: World, version = highest): Promise<void> {
  const { readings, set: _none, ...rest } = Object(await world.json(latest));
  const text = { ...readings.leo, sections: { ...readings.leo.sections, personal: ["Send money."] } };
  await forge(world, {
    files: { [latest]: { ...rest, readings: { leo: text } } },
    change: { version },
    expires,
  });
}

describe("the client without keys, after a minute of a foreign site of the highest version there is,", () => {
  test.each(["which it had read before", "which it reads for the first time"])(
    "reads the true site, %s",
    async (when) => {
      const [world, storage] = [await trueWorld(), newStorage()];
      const client = () => world.client({ keys: undefined, storage });
      if (when.includes("before"))
        expect(await client().horoscope(leo)).toMatchObject({ version: 2, stale: false });
      await foreign(world);
      expect(await client().horoscope(leo)).toMatchObject({ version: highest, stale: false });
      world.now += 60_000;
      await endlessly(world);
      for (let visit = 0; visit < 2; visit += 1)
        expect(await client().horoscope(leo)).toMatchObject({ version: 2, stale: false });
    },
  );

  test("reads the true site although an earlier version of the client remembered the foreign one", async () => {
    const [world, storage] = [await trueWorld(), newStorage()];
    await world.client({ keys: undefined, storage }).horoscope(leo);
    const [name = ""] = [...storage.items].find(([, text]) => !text.includes("data")) ?? [];
    storage.items.set(name, JSON.stringify({ version: highest }));
    expect(await world.client({ keys: undefined, storage }).horoscope(leo)).toMatchObject({
      version: 2,
      stale: false,
    });
  });
});

describe("the client without keys", () => {
  test("still refuses a state that is some publishes older than one that it saw", async () => {
    const [world, storage] = [await trueWorld(3), newStorage()];
    await world.client({ keys: undefined, storage }).horoscope(leo);
    world.lies.set(pointerPath, await bytesAfter(2, pointerPath));
    expect(await world.client({ keys: undefined, storage }).horoscope(leo)).toMatchObject({
      version: 3,
      stale: true,
      reason: { name: "RolledBack" },
    });
  });

  test("follows the true site from the 14th day on, although a foreign one took a plausible step", async () => {
    const [world, storage] = [await trueWorld(), newStorage()];
    const read = () => world.client({ keys: undefined, storage }).horoscope(leo);
    await read();
    await foreign(world, 500);
    expect(await read()).toMatchObject({ version: 500, stale: false });
    await endlessly(world);
    world.now += 14 * dayMs - 1;
    expect(await read()).toMatchObject({ version: 500, stale: true, reason: { name: "RolledBack" } });
    world.now += 1;
    expect(await read()).toMatchObject({ version: 2, stale: false });
  });

  test("remembers a thousand versions per day since it last looked, and no more", async () => {
    for (const [days, version, isSeen] of [
      [0, 1_001, true],
      [0, 1_003, false],
      [3, 4_001, true],
      [3, 4_003, false],
    ] as const) {
      const [world, storage] = [await trueWorld(), newStorage()];
      const read = () => world.client({ keys: undefined, storage }).horoscope(leo);
      await read();
      world.now += days * dayMs;
      await foreign(world, version);
      await read();
      await endlessly(world);
      expect(await read(), `${version} after ${days} days`).toMatchObject({ stale: isSeen });
    }
  });
});

const firstText = /Send money/;
const noteOf = ({ folder }: Project) => join(folder, "data/almanac/pulled.json");
const textIn = ({ folder }: Project) => readFileSync(join(folder, "data/almanac", latest), "utf8");
const inFolders = consumers.filter(({ name }) => !name.startsWith("Astro"));

describe.each(consumers)("$name without a key", ({ take }) => {
  test.each(["after an earlier build", "in its first build"])(
    "takes the true site again after a minute of a foreign one, which it met %s",
    async (when) => {
      const [project, world] = [newProject(), await trueWorld()];
      if (when.includes("earlier")) expect(await take(project, world)).toMatchObject({ code: 0 });
      await foreign(world);
      expect(await take(project, world)).toMatchObject({ code: 0 });
      await endlessly(world);
      expect(await take(project, world)).toMatchObject({ code: 0, err: "" });
    },
  );
});

describe.each(inFolders)("$name", ({ take }) => {
  test("has the true site's text after a minute of a foreign one", async () => {
    const [project, world] = [newProject(), await trueWorld()];
    await foreign(world);
    await take(project, world);
    expect(textIn(project)).toMatch(firstText);
    await endlessly(world);
    await take(project, world);
    expect(textIn(project)).not.toMatch(firstText);
  });
});

describe.each(consumers)("$name with a key", ({ name, take }) => {
  test.each([
    ["RolledBack", async (world: World) => world.lies.set(pointerPath, await bytesAfter(1, pointerPath))],
    ["Forged", (world: World) => pointTo(world, { version: 4, expires }, newKeys().secret)],
    [
      "Frozen",
      (world: World) => pointTo(world, { version: 4, expires: "2020-01-01T00:00:00Z" }, owner.secret),
    ],
    ["UnknownFormat", (world: World) => pointTo(world, { version: 4, format: 2, expires }, owner.secret)],
  ])("keeps its files and fails if the site is %s, which does not pass by itself", async (reason, attack) => {
    const [project, world] = [newProject(), await trueWorld()];
    await take(project, world, keys);
    const before = project.added();
    await attack(world);
    const ran = await take(project, world, keys);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining(reason) });
    expect(project.added()).toEqual(before);
  });

  test("prints no control character of the site", async () => {
    const world = await trueWorld();
    const escape = "\u001B[2J\u202E";
    const attacks = [
      () => pointTo(world, { format: escape }, owner.secret),
      () => pointTo(world, { version: 4, expires: escape }, owner.secret),
      async () => void world.lies.set(pointerPath, new TextEncoder().encode(escape)),
    ];
    for (const attack of attacks) {
      await attack();
      const { code, out, err } = await take(newProject(), world, keys);
      expect([code, /(?!\n)\p{C}/u.exec(out + err)]).toEqual([1, null]);
    }
  });

  test("fails during an outage if none of its keys signed its files", async () => {
    const [project, world] = [newProject(), await trueWorld()];
    await foreign(world);
    expect(await take(project, world)).toMatchObject({ code: 0 });
    await world.unplug();
    expect(await take(project, world, keys)).toMatchObject({
      code: 1,
      err: expect.stringContaining("Unreachable"),
    });
    expect(await take(project, world)).toMatchObject({ code: 0 });
  });

  test("keeps its files and succeeds during an outage", async () => {
    const [project, world] = [newProject(), await trueWorld()];
    await take(project, world, keys);
    await world.unplug();
    expect(await take(project, world, keys), name).toMatchObject({
      code: 0,
      err: expect.stringContaining("Unreachable"),
    });
  });
});

describe.each(inFolders)("the folder of $name", ({ take }) => {
  test("fails a build in the third week of an outage", async () => {
    const [project, world] = [newProject(), await trueWorld()];
    await take(project, world, keys);
    const note = JSON.parse(readFileSync(noteOf(project), "utf8"));
    await world.unplug();
    for (const [days, code] of [
      [13, 0],
      [15, 1],
    ] as const) {
      writeFileSync(noteOf(project), JSON.stringify({ ...note, pulledAt: note.pulledAt - days * dayMs }));
      expect(await take(project, world, keys), `${days} days`).toMatchObject({ code });
    }
  });
});

describe("node almanac-pull.js --reset", () => {
  const pull = ({ run }: Project, { url }: World, ...more: string[]) =>
    run(["node_modules/@almanac/client/almanac-pull.js", url, "data/almanac", "--key", owner.open, ...more]);

  test("accepts an older state, which is what the message says to do", async () => {
    const [project, world] = [newProject(), await trueWorld(3)];
    await pull(project, world);
    await forge(world, { files: {}, change: { version: 1 }, expires, signer: owner.secret });
    const refused = await pull(project, world);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/RolledBack: 1 after 3\. .*This needs a fix.*--reset/),
    });
    expect(await pull(project, world, "--reset")).toMatchObject({ code: 0, err: "" });
    expect(await pull(project, world)).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("version 1"),
    });
  });

  test("accepts another address, and still nothing that the key has not signed", async () => {
    const [project, world, other] = [newProject(), await trueWorld(), await trueWorld(3)];
    await pull(project, world);
    expect(await pull(project, other)).toMatchObject({
      code: 1,
      err: expect.stringContaining("another folder"),
    });
    expect(await pull(project, other, "--reset")).toMatchObject({ code: 0 });
    await foreign(other);
    expect(await pull(project, other, "--reset")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Forged"),
    });
  });
});
