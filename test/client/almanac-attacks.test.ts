// The attacks that The Update Framework names, played against the client by a web server that has everything but the
// site's own key: https://theupdateframework.io/docs/security/
import type { ServerResponse } from "node:http";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { canonical } from "../../vault/files.ts";
import { pointerPath } from "../../publish/state/state.ts";
import type { AlmanacErrorName } from "../../packages/client/almanac.js";
import { documents } from "../../site/data.schema.ts";
import { deep } from "../support/deep.ts";
import { type Forgery, forge as forgeState } from "./support/forgery.ts";
import {
  bytesAfter,
  dayMs,
  type Lie,
  newKeys,
  newStorage,
  newWorld,
  nights,
  owner,
  pointTo,
  type World,
} from "./support/world.ts";

const leo = { language: "hi", period: "daily", sign: "leo" } as const;
const path = "v1/hi/daily/latest.json";
const stranger = newKeys();
const steps = ["manifest", "part", "object"] as const;
const encoder = new TextEncoder();

type Attack = (world: World) => unknown;

/** A client with a good reading keeps it and gets an error; a client without one is refused. Afterwards everything works again. */
async function expectRefused(attack: Attack, name: AlmanacErrorName, options: Options = {}): Promise<void> {
  const world = await newWorld();
  const storage = newStorage();
  const client = (more = {}) => world.client({ ...options, ...more });
  const running = client({ storage });
  const good = await running.horoscope(leo);
  const stale = (reason: string) => ({
    ...good,
    stale: true,
    reason: expect.objectContaining({ name: reason }),
  });
  const was = world.now;
  await attack(world);
  expect(await client({ storage }).horoscope(leo)).toEqual(stale(name));
  await expect(client().horoscope(leo)).rejects.toMatchObject({ name });
  // This client may not even fetch: it does not read verified parts of this state again.
  expect([good, stale(name)]).toContainEqual(await running.horoscope(leo));
  world.lies.clear();
  world.now = was;
  // A number that the owner has signed counts as seen, whatever is wrong with the rest.
  const afterwards = options.isSeen === true ? stale("RolledBack") : good;
  expect(await running.horoscope(leo)).toEqual(afterwards);
  expect(await client({ storage }).horoscope(leo)).toEqual(afterwards);
}

interface Options {
  readonly keys?: undefined;
  readonly isSeen?: boolean;
}

async function bytesOf(world: World, file: string): Promise<Uint8Array> {
  const stored = await world.site.read(file);
  if (stored === undefined) throw new Error(`${file} is not there`);
  return stored.body;
}

describe("arbitrary content: a file is not the one that its hash names", () => {
  const changes: readonly [string, (bytes: Uint8Array) => Uint8Array][] = [
    [
      "with one letter changed",
      (bytes) => bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1),
    ],
    ["cut short", (bytes) => bytes.subarray(0, -1)],
    ["empty", () => new Uint8Array()],
    ["of a form that anybody could make", () => encoder.encode('{"files":{},"format":1,"version":2}')],
  ];
  const cases = steps.flatMap((step) => changes.map(([what, change]) => [step, what, change] as const));

  test.each(cases)("the %s, %s", async (step, _, change) => {
    await expectRefused(async (world) => {
      const file = (await world.placeOf(path))[step];
      world.lies.set(file, change(await bytesOf(world, file)));
    }, "Mixed");
  });

  test("a page of somebody's network in place of the pointer", async () => {
    const page: Lie = encoder.encode("<!doctype html><title>Please sign in</title>");
    await expectRefused((world) => world.lies.set(pointerPath, page), "UnknownFormat");
  });
});

describe("mix-and-match: files of different states together", () => {
  test.each(["manifest", "part"] as const)("yesterday's %s in the place of today's", async (step) => {
    const old = (await (await newWorld(1)).placeOf(path))[step];
    await expectRefused(async (world) => {
      world.lies.set((await world.placeOf(path))[step], await bytesAfter(1, old));
    }, "Mixed");
  });

  test("yesterday's reading in the place of today's", async () => {
    const before = await newWorld(1);
    const text = await bytesOf(before, (await before.placeOf(path)).object);
    await expectRefused(async (world) => {
      const { object, size } = await world.placeOf(path);
      world.lies.set(object, text.subarray(0, size));
    }, "Mixed");
  });

  test("another language's part", async () => {
    await expectRefused(async (world) => {
      const { part } = await world.placeOf(path);
      world.lies.set(part, await bytesOf(world, (await world.placeOf("v1/en/daily/latest.json")).part));
    }, "Mixed");
  });

  test("a pointer that gives an earlier manifest a later number, even with the key", async () => {
    await expectRefused((world) => pointTo(world, { version: 9 }, owner.secret), "Mixed");
  });

  test("the readings of two nights under the name of one, even with the key", async () => {
    const before = documents.signs.parse(await (await newWorld(1)).json(path));
    await expectRefused(
      async (world) => {
        const today = documents.signs.parse(await world.json(path));
        const readings = { ...today.readings, aries: before.readings.aries };
        await forge(world, { ...today, readings }, { signer: owner.secret });
      },
      "Mixed",
      { isSeen: true },
    );
  });
});

describe("rollback: an older state than one that was seen", () => {
  test("is refused, its signature good and its end not come, by the page that saw it and the next one", async () => {
    const world = await newWorld();
    const storage = newStorage();
    const almanac = world.client({ storage });
    const good = await almanac.horoscope(leo);
    world.lies.set(pointerPath, await bytesAfter(1, pointerPath));
    const refused = {
      ...good,
      stale: true,
      reason: expect.objectContaining({ name: "RolledBack", message: "1 after 2" }),
    };
    expect(await almanac.horoscope(leo)).toEqual(refused);
    expect(await world.client({ storage }).horoscope(leo)).toEqual(refused);
    // A reading that was never fetched is not taken from the older state.
    await expect(almanac.horoscope({ ...leo, sign: "virgo" })).rejects.toMatchObject({ name: "RolledBack" });
    // A client that never saw a newer state can't know, until the old one expires.
    expect(await world.client().horoscope(leo)).toMatchObject({ version: 1, stale: false });
    world.now = Date.parse(nights[0]) + 15 * dayMs;
    await expect(world.client().horoscope(leo)).rejects.toMatchObject({ name: "Frozen" });
  });

  test("by the owner is a new state with an old tree, and is followed", async () => {
    const world = await newWorld();
    const almanac = world.client();
    await almanac.horoscope(leo);
    const place = { ...world.published.publishing, signer: owner.secret };
    const choice = { site: world.site, now: new Date(world.now), keepDays: 90 };
    await rollback({ to: await chooseState("1", choice), evenMany: true, by: { by: "editor" } }, place);
    const shown = await almanac.horoscope(leo);
    expect(shown).toMatchObject({ version: 3, stale: false, data: { reading: { period: "2026-11-20" } } });
  });
});

describe("fast-forward: a number so high that the true site looks old", () => {
  test("is not believed without the key, and not remembered", async () => {
    await expectRefused((world) => pointTo(world, { version: 1_000_000 }), "Forged");
  });

  test("is not accepted as a true state either if no key is known", async () => {
    await expectRefused((world) => pointTo(world, { version: 1_000_000 }), "Mixed", { keys: undefined });
  });

  test("of a whole forged site is only seen with a key; without one, it is shown and not remembered", async () => {
    const world = await newWorld();
    const storage = newStorage();
    const almanac = world.client({ keys: undefined, storage });
    await forge(world, await world.json(path), { change: { version: 1_000_000 } });
    expect(await almanac.horoscope(leo)).toMatchObject({ version: 1_000_000, stale: false });
    world.lies.clear();
    expect(await almanac.horoscope(leo)).toMatchObject({ version: 2, stale: false });
    // A client that pins keys from now on trusts nothing that was stored without them.
    expect(await world.client({ storage }).horoscope(leo)).toMatchObject({ version: 2, stale: false });
  });
});

describe("indefinite freeze: the same old state for ever", () => {
  test("is refused once that has expired", async () => {
    await expectRefused((world) => (world.now += 14 * dayMs + 1), "Frozen");
  });

  test("and just before it is not", async () => {
    const world = await newWorld();
    world.now += 14 * dayMs - 1;
    expect(await world.client().horoscope(leo)).toMatchObject({ stale: false });
  });

  test("an expiry that was extended without the key is invalid", async () => {
    await expectRefused((world) => pointTo(world, { expires: "2099-01-01T00:00:00.000Z" }), "Forged");
  });

  test.each([["never"], [null], [undefined]])("an end that is none, %s, has come", async (expires) => {
    await expectRefused((world) => pointTo(world, { expires }, owner.secret), "Frozen");
  });
});

describe("endless data and slow retrieval", () => {
  /** The client hangs up: how much it took is in `sent`. */
  function endless(): { readonly lie: Lie; readonly over: () => Promise<number> } {
    const piece = new Uint8Array(64 * 1024).fill(32);
    let sent = 0;
    const { promise, resolve } = Promise.withResolvers<number>();
    const pour = (response: ServerResponse): void => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return;
      }
    };
    const lie = (response: ServerResponse): void => {
      response.on("drain", () => pour(response)).on("close", () => resolve(sent));
      pour(response);
    };
    return { lie, over: () => promise };
  }

  test.each(["pointer", ...steps] as const)(
    "a %s that does not end is aborted at the limit",
    async (step) => {
      const world = await newWorld();
      const places = { pointer: pointerPath, ...(await world.placeOf(path)) };
      const { lie, over } = endless();
      world.lies.set(places[step], lie);
      await expect(world.client().horoscope(leo)).rejects.toMatchObject({
        name: "TooLarge",
        message: places[step],
      });
      expect(await over()).toBeLessThan(16 * 2 ** 20); // includes the system's socket buffers
    },
  );

  test("a size announced by the attacker does not raise the limit", async () => {
    const world = await newWorld();
    await forge(world, await world.json(path), { sizeBytes: 2 ** 40 });
    const { lie, over } = endless();
    const { hash } = await forgedObject(world);
    world.lies.set(hash, lie);
    await expect(world.client({ keys: undefined }).horoscope(leo)).rejects.toMatchObject({
      name: "TooLarge",
    });
    expect(await over()).toBeLessThan(32 * 2 ** 20);
  });

  test("a file one byte larger than the manifest says is refused", async () => {
    await expectRefused(async (world) => {
      const { object } = await world.placeOf(path);
      world.lies.set(object, Buffer.concat([await bytesOf(world, object), Buffer.from("\n")]));
    }, "TooLarge");
  });

  test.each(["pointer", ...steps] as const)("a %s that comes too slowly counts as none", async (step) => {
    const world = await newWorld();
    const places = { pointer: pointerPath, ...(await world.placeOf(path)) };
    world.lies.set(places[step], (response) => {
      const drip = setInterval(() => response.write(" "), 10);
      onTestFinished(() => clearInterval(drip));
    });
    const asked = world.client({ timeoutMs: 200 }).horoscope(leo);
    await expect(asked).rejects.toMatchObject({ name: "Unreachable" });
  });

  async function forgedObject(world: World): Promise<{ hash: string }> {
    const almanac = world.client({ keys: undefined });
    await almanac.horoscope(leo);
    return { hash: world.asked.findLast((asked) => asked.startsWith("v1/objects/")) ?? "" };
  }
});

describe("forgery: nobody but the owner can show a state", () => {
  test.each([
    ["another number", { version: 3 }],
    ["another manifest", { manifest: "a".repeat(64) }],
    ["another instant", { publishedAt: "2026-11-21T12:00:01.000Z" }],
    ["one more field", { comment: "nothing to see here" }],
    ["no signature", { signature: undefined }],
    ["an empty signature", { signature: "" }],
    ["a signature that is no text", { signature: 5 }],
    ["a signature of nothing", { signature: `${"A".repeat(86)}==` }],
    ["half a signature", { signature: "AAAA" }],
  ])("%s", async (_, change) => {
    await expectRefused((world) => pointTo(world, change), "Forged");
  });

  test("the same state signed by a stranger is refused", async () => {
    await expectRefused((world) => pointTo(world, {}, stranger.secret), "Forged");
  });

  test("a whole forged site, unsigned or signed by a stranger, is refused", async () => {
    const document = { reading: { sections: { personal: ["Send money."] } } };
    await expectRefused((world) => forge(world, document), "Forged");
    await expectRefused((world) => forge(world, document, { signer: stranger.secret }), "Forged");
  });

  test("an empty list of keys trusts nobody", async () => {
    await expect((await newWorld()).client({ keys: [] }).horoscope(leo)).rejects.toMatchObject({
      name: "Forged",
    });
  });

  test("without keys, an unsigned site is read like a signed one", async () => {
    const world = await newWorld();
    await pointTo(world, { signature: undefined });
    expect(await world.client({ keys: undefined }).horoscope(leo)).toMatchObject({
      version: 2,
      stale: false,
    });
  });
});

describe("a key that is replaced", () => {
  const next = newKeys();

  test("is followed without a gap by who knows both while one takes over from the other", async () => {
    const world = await newWorld();
    const almanac = world.client({ keys: [owner.open, next.open] });
    expect(await almanac.horoscope(leo)).toMatchObject({ version: 2, key: owner.open, stale: false });
    await world.night("2026-11-22T12:00:00Z", next.secret);
    expect(await almanac.horoscope(leo)).toMatchObject({ version: 3, key: next.open, stale: false });
    await expect(world.client({ keys: [owner.open] }).horoscope(leo)).rejects.toMatchObject({
      name: "Forged",
    });
    expect(await world.client({ keys: [next.open] }).horoscope(leo)).toMatchObject({ version: 3 });
  });

  test("leaves nothing behind: what a stolen one signed is neither shown nor counted any more", async () => {
    const world = await newWorld();
    const storage = newStorage();
    const text = await world.json(path);
    // The thief's: his text, and a number so high that the owner's next ones look old.
    await forge(world, text, { change: { version: 1_000_000 }, signer: owner.secret });
    expect(await world.client({ storage }).horoscope(leo)).toMatchObject({
      version: 1_000_000,
      stale: false,
    });
    const keys = [next.open];
    await expect(world.client({ keys, storage }).horoscope(leo)).rejects.toMatchObject({ name: "Forged" });
    world.lies.clear();
    await world.night("2026-11-22T12:00:00Z", next.secret);
    expect(await world.client({ keys, storage }).horoscope(leo)).toMatchObject({ version: 3, stale: false });
  });

  test("may be given in PEM form too", async () => {
    const pem = `-----BEGIN PUBLIC KEY-----\n${owner.open}\n-----END PUBLIC KEY-----\n`;
    expect(await (await newWorld()).client({ keys: [pem] }).horoscope(leo)).toMatchObject({
      key: owner.open,
    });
  });

  test.each([
    ["a private key", stranger.secret.export({ type: "pkcs8", format: "pem" }).toString()],
    ["half a key", owner.open.slice(0, 40)],
    ["a text", "abcdefghijklmnopqrstuvwxyz0123456789ABCD"],
    ["no base64", "correct horse battery staple!"],
  ])("is named where it is %s, without a word of it, and nothing is shown", async (_, wrong) => {
    const world = await newWorld();
    const error: unknown = await world
      .client({ keys: [wrong] })
      .horoscope(leo)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "Unsupported" });
    expect(String(error)).not.toContain(wrong.slice(-30, -10));
  });
});

describe("what this client can't read is not read half", () => {
  test.each([
    ["a pointer of a newer form", (world: World) => pointTo(world, { format: 2 }, owner.secret)],
    ["a pointer without a number", (world: World) => pointTo(world, { version: "7" }, owner.secret)],
    ["a pointer with half a number", (world: World) => pointTo(world, { version: 7.5 }, owner.secret)],
    ["null", (world: World) => world.lies.set(pointerPath, encoder.encode("null"))],
    ["an empty object", (world: World) => world.lies.set(pointerPath, canonical({}))],
    ["a list", (world: World) => world.lies.set(pointerPath, canonical([]))],
    ["half a pointer", (world: World) => world.lies.set(pointerPath, encoder.encode('{"format":1,'))],
    [
      "a manifest of a newer form",
      (world: World) => forge(world, {}, { change: { format: 2 }, signer: owner.secret }),
    ],
    [
      "a manifest without parts",
      (world: World) => forge(world, {}, { change: { parts: undefined }, signer: owner.secret }),
    ],
  ])("%s", async (_, attack) => {
    await expectRefused(attack, "UnknownFormat");
  });

  test.each([
    ["a document that is none", null],
    ["a document without readings", {}],
  ])("%s", async (_, document) => {
    const attack = (world: World) => forge(world, document, { signer: owner.secret });
    await expectRefused(attack, "UnknownFormat", { isSeen: true });
  });
});

const changes = deep ? 300 : 60;
test(`no byte of what is read can be changed so that another reading is shown, in ${changes} tries`, async () => {
  const world = await newWorld();
  const good = await world.client().horoscope(leo);
  const places = [
    pointerPath,
    ...Object.values(await world.placeOf(path)).filter((file) => typeof file === "string"),
  ];
  const files = await Promise.all(places.map(async (file) => ({ file, bytes: await bytesOf(world, file) })));
  let refused = 0;
  const change = fc.record({
    place: fc.constantFrom(...files),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    flip: fc.integer({ min: 1, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ place: { file, bytes }, at, flip }) => {
      const index = Math.floor(at * bytes.length);
      world.lies.clear();
      world.lies.set(file, bytes.with(index, (bytes[index] ?? 0) ^ flip));
      try {
        expect(await world.client().horoscope(leo)).toEqual(good);
      } catch (error) {
        if (!(error instanceof Error) || error.constructor.name !== "AlmanacError") throw error;
        refused += 1;
      }
    }),
    { numRuns: changes },
  );
  expect(refused).toBeGreaterThan(changes - 10);
});

/** A whole new state with another document under the path. */
function forge(world: World, document: unknown, more: Omit<Forgery, "files"> = {}): Promise<void> {
  return forgeState(world, { files: { [path]: document }, ...more });
}
