// A night's handling of stored responses damaged by a disk, seen from outside: the vault's files, and commands.
import { expect, test } from "vitest";
import { z } from "zod";
import { always, type Store } from "../../store/store.ts";
import { layout } from "../../vault/files.ts";
import { almanac } from "../support/cli.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, type World } from "../support/night.ts";
import { bytes, damage, keysOf, textAt } from "../support/stores.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

const told = z.object({
  planned: z.number(),
  damaged: z.array(z.object({ key: z.string(), reason: z.string() })).optional(),
});

async function night(world: World) {
  const ran = await almanac(["nightly", "--wait", "--json"], { env: world.env, cwd: world.folder });
  return { ...told.parse(JSON.parse(ran.stdout)), code: ran.code };
}

async function gathered(): Promise<World> {
  const operations = ["daily-horoscope", "daily-tarot"] as const;
  const world = await createWorld(temporal, {
    languages: ["en"],
    operations: [...operations],
    service: quickService,
  });
  await world.sharedWorker();
  expect(await night(world)).toEqual({ planned: 26, code: 0 });
  await world.sandbox.clearStats();
  return world;
}

function put(store: Store, key: string, text: string) {
  return store.write(key, bytes(text), { type: "application/json" }, always);
}

async function calls(world: World): Promise<string[]> {
  return Object.keys((await world.sandbox.stats()).byRequest);
}

/** The stored response of this sign in English on the first or the last day that the vault has. */
async function storedResponseOf(world: World, sign: string, day: "first" | "last"): Promise<string> {
  const keys = (await world.held()).filter((key) => key.endsWith(`/daily-horoscope/${sign}`)).sort();
  const key = day === "first" ? keys[0] : keys.at(-1);
  if (key === undefined) throw new Error(`no stored response of ${sign}`);
  return key;
}

test("damaged stored responses, of today and of tomorrow, are asked for again by the next night, which keeps their bytes; one of a newer version stays, and the night is not whole", async () => {
  const world = await gathered();
  const { store } = world.vault;
  const at = layout.response;
  const leo = await storedResponseOf(world, "leo", "first");
  const virgo = await storedResponseOf(world, "virgo", "last");
  const libra = await storedResponseOf(world, "libra", "first");
  const harmed = ((await textAt(store, at(virgo))) ?? "").replace(/"body": "./, '"body": "x');
  const whole = (await textAt(store, at(libra))) ?? "";
  const newer = JSON.stringify({ format: 2, request: libra });
  await damage(store, at(leo));
  await put(store, at(virgo), harmed);
  await put(store, at(libra), newer);

  const verified = await almanac(["verify", "--vault"], { env: world.env, cwd: world.folder });
  expect(verified.code).toBe(1);
  expect(verified.stdout).toContain(`${at(leo)}\n  expected  the file as it was stored`);
  expect(verified.stdout).toMatch(/vault has \d+ files, [\d.]+ kB\n2 findings\n$/);

  const second = await night(world);
  expect(second).toMatchObject({ planned: 2, code: 3 });
  expect(second.damaged?.map(({ key }) => key)).toEqual([libra]);
  expect((await calls(world)).sort()).toEqual([leo, virgo].sort());
  for (const key of [leo, virgo]) expect(await world.vault.response(key)).toMatchObject({ key });
  expect(await textAt(store, at(libra))).toBe(newer);
  const copies = await keysOf(store, "damaged/");
  expect(copies).toHaveLength(2);
  expect(await Promise.all(copies.map((key) => textAt(store, key)))).toEqual(
    copies.map((key) => (key.includes("/leo/") ? "damaged" : harmed)),
  );

  const { stdout } = await almanac(["status"], { env: world.env, cwd: world.folder });
  expect(stdout).toContain("1 stored response unreadable");
  expect(stdout).toContain(libra);
  expect(stdout).not.toContain(leo);
  await world.sandbox.clearStats();
  await put(store, at(libra), whole);
  expect(await night(world)).toEqual({ planned: 0, code: 0 });
  expect(await calls(world)).toEqual([]);
});

test("a night that requests a damaged response again, stores it and publishes it is whole, and exits with 0", async () => {
  const world = await gathered();
  const virgo = await storedResponseOf(world, "virgo", "last");
  await damage(world.vault.store, layout.response(virgo));

  expect(await night(world)).toEqual({ planned: 1, code: 0 });
  expect(await calls(world)).toEqual([virgo]);
  expect(await world.vault.response(virgo)).toMatchObject({ key: virgo });
  const { stdout } = await almanac(["status"], { env: world.env, cwd: world.folder });
  expect(stdout).not.toContain("unreadable");
  expect(await keysOf(world.vault.store, "damaged/")).toHaveLength(1);
});
