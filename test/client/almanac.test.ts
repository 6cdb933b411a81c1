// Ordinary use of the client: the current readings and those of a date as published, during publishes, and the readings that it
// still shows when the site is unreachable.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import { merge } from "../../publish/render/merged-state.ts";
import { manifestPath, pointerPath } from "../../publish/state/state.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import type * as Client from "../../packages/client/almanac.js";
import { type Language, type Sign, signs } from "../../readings/tables.ts";
import type { PeriodKind } from "../../readings/calendar.ts";
import type { CardReading, Documents } from "../../site/data.schema.ts";
import { recordOf, requestAt } from "../publish/support/published-site.ts";
import {
  bytesAfter,
  dayMs,
  exampleIn,
  newStorage,
  newWorld,
  nights,
  owner,
  pointTo,
  type World,
} from "./support/world.ts";
import { atPath } from "../support/at-path.ts";
import { commitOn, renewOn } from "../publish/support/commit-on.ts";

const leo = { language: "hi", period: "daily", sign: "leo" } as const;

describe("the client gives", () => {
  test("the current text of a sign, as the site has it, and what is said of it", async () => {
    const world = await newWorld();
    const shown = await world.client().horoscope(leo);
    const { $schema: _schema, ...published } = await documentAt(world, "v1/hi/daily/2026-11-21/leo.json");
    expect(shown.data).toEqual({ ...published, receivedAt: shown.data.receivedAt });
    expect(shown).toMatchObject({ version: 2, stale: false, key: owner.open });
  });

  test.each([
    [
      "horoscopes",
      "v1/en/weekly/latest.json",
      (it: Client.Almanac) => it.horoscopes({ language: "en", period: "weekly" }),
    ],
    [
      "cards",
      "v1/hi/daily-tarot/latest.json",
      (it: Client.Almanac) => it.cards({ language: "hi", operation: "daily-tarot" }),
    ],
    ["words", "v1/hi/words.json", (it: Client.Almanac) => it.words({ language: "hi" })],
    [
      "dated cards",
      "v1/en/daily-tarot/2026-11-20.json",
      (it: Client.Almanac) => it.cards({ language: "en", operation: "daily-tarot", date: "2026-11-20" }),
    ],
    [
      "a pair",
      "v1/en/love-compatibility/aries-leo.json",
      (it: Client.Almanac) => it.pair({ language: "en", sign1: "aries", sign2: "leo" }),
    ],
    [
      "a sign's own file",
      "v1/hi/daily/2026-11-20/leo.json",
      (it: Client.Almanac) => it.document("v1/hi/daily/2026-11-20/leo.json"),
    ],
    ["the index", "v1/index.json", (it: Client.Almanac) => it.document("v1/index.json")],
    ["a language's own index", "v1/hi/index.json", (it: Client.Almanac) => it.document("v1/hi/index.json")],
    ["a schema", "v1/schemas/sign.json", (it: Client.Almanac) => it.document("v1/schemas/sign.json")],
    ["a feed", "en/feed.json", (it: Client.Almanac) => it.document("en/feed.json")],
  ])("%s as published", async (_, path, ask) => {
    const world = await newWorld();
    expect(await ask(world.client())).toMatchObject({ data: await world.json(path), stale: false });
  });

  test("the whole of what is published, of one state whatever is published meanwhile", async () => {
    const world = await newWorld();
    const state = await world.client().state();
    const { files } = await world.client().state((part) => part === "hi/current");
    await world.night(nights[2]);
    expect(state).toMatchObject({
      version: 2,
      key: owner.open,
      expires: expect.stringMatching(/^2026-12-05T/),
    });
    expect(state.files["v1/en/daily/latest.json"]?.type).toMatch(/^application\/json/);
    expect(await state.document("v1/hi/daily/latest.json")).toMatchObject({
      readings: { leo: { period: "2026-11-21" } },
    });
    await expect(state.document("v1/hi/nothing.json")).rejects.toThrow(
      expect.objectContaining({ name: "NotPublished" }),
    );
    expect(Object.keys(state.files)).toEqual(expect.arrayContaining(Object.keys(files)));
    expect(Object.keys(files).filter((path) => !/^(?:v1\/)?hi\//.test(path))).toEqual([]);
  });

  test.each([
    ["daily", "2026-11-20", "2026-11-20"],
    ["weekly", "2026-11-21", "2026-11-15"],
    ["weekly", "2026-11-15", "2026-11-15"],
    ["weekly", "2026-11-22", "2026-11-22"],
    ["monthly", "2026-11-21", "2026-11"],
    ["monthly", "2026-11", "2026-11"],
    ["yearly", "2026-11-21", "2026"],
    ["yearly", "2026", "2026"],
  ] as const)("the %s text that holds on %s: that of %s", async (period, date, key) => {
    const { data } = await (await newWorld(3)).client().horoscope({ ...leo, period, date });
    expect(data.reading).toMatchObject({
      sign: "leo",
      language: "hi",
      period: key,
      operation: `${period}-horoscope`,
    });
  });

  test("today by each language's home zone, not by the reader's", async () => {
    const world = await newWorld(3); // 20:00 UTC: India's next day
    const almanac = world.client();
    const [english, hindi] = await Promise.all([
      almanac.horoscope({ ...leo, language: "en" }),
      almanac.horoscope(leo),
    ]);
    expect(english.data).toMatchObject({
      reading: { period: "2026-11-22" },
      nextAt: "2026-11-23T05:00:00.000Z",
    });
    expect(hindi.data).toMatchObject({
      reading: { period: "2026-11-23" },
      nextAt: "2026-11-23T18:30:00.000Z",
    });
  });

  test("what a site under a path of its own has, with or without a slash at its end", async () => {
    const world = await newWorld();
    for (const url of [world.url, world.url.slice(0, -1), new URL(world.url)]) {
      expect(await world.client({ url }).horoscope(leo)).toMatchObject({ stale: false });
    }
    const fetched: string[] = [];
    const almanac = world.client({
      url: "https://almanac.example/stars",
      fetch: (url, init) => {
        fetched.push(url);
        return fetch(url.replace("https://almanac.example/stars/", world.url), init);
      },
    });
    expect(await almanac.horoscope(leo)).toMatchObject({ stale: false });
    expect(fetched[0]).toBe("https://almanac.example/stars/v1/pointer.json");
  });

  test("what stands in the second file of a part that was too large for one", async () => {
    const world = await newWorld();
    const paths = signs.flatMap((sign) =>
      Array.from({ length: 200 }, (_, index) => {
        const [kind, day] = index < 100 ? ["weekly", index] : ["monthly", index - 100];
        return `hi/${kind}/${sign}/2026-11-${String(day).padStart(2, "0")}/index.html`;
      }),
    );
    const files = paths.map((path) => {
      return {
        path,
        at: atPath(path),
        bytes: new TextEncoder().encode(path),
        type: "text/html; charset=utf-8",
      };
    });
    const { publishing } = world.published;
    await commitOn(
      { ...publishing, signer: owner.secret },
      { run: "test", asOf: "2026-11-21T12:00:00Z" },
      (base, reader) => merge(base?.manifest, files, [], reader),
    );
    const { parts } = (await world.state()).manifest;
    expect((await world.placeOf("v1/hi/daily/2026-11-21.json")).part).toBe(
      manifestPath(parts["hi/2026-11~2"] ?? ""),
    );
    const ask = { ...leo, date: "2026-11-21" };
    expect(await world.client().horoscope(ask)).toMatchObject({ version: 3, stale: false });
  });
});

describe("what is not there is named and never guessed", () => {
  test.each([
    ["a date that was not published", { ...leo, date: "2026-10-01" }],
    ["a date that is none", { ...leo, date: "tomorrow" }],
    ["a week that is none", { ...leo, period: "weekly", date: "" }],
    ["a language that the site does not have", { ...leo, language: "fr" }],
  ] as const)("%s", async (_, ask) => {
    await expect((await newWorld()).client().horoscope(ask)).rejects.toMatchObject({ name: "NotPublished" });
  });

  // Arguments of a program without types.
  const anything = (text: string | undefined) => JSON.parse(JSON.stringify({ text })).text;

  test.each(["ophiuchus", "constructor", "__proto__", "leo/", "", undefined])("the sign %s", async (sign) => {
    const asked = (await newWorld()).client().horoscope({ ...leo, sign: anything(sign) });
    await expect(asked).rejects.toMatchObject({ name: "NotPublished" });
  });

  test.each(["xx", "__proto__", "../en", "", "shared"])("the language '%s'", async (language) => {
    const asked = (await newWorld()).client().horoscope({ ...leo, language: anything(language) });
    await expect(asked).rejects.toMatchObject({ name: "NotPublished" });
  });

  test.each(["tea-leaves", "which-animal-are-you-reading", "latest"])(
    "the operation %s",
    async (operation) => {
      const asked = (await newWorld()).client().cards({ language: "en", operation: anything(operation) });
      await expect(asked).rejects.toMatchObject({ name: "NotPublished" });
    },
  );

  test("a text that the publisher has withdrawn, which was shown before and is not again, until it comes back", async () => {
    const world = await newWorld();
    const storage = newStorage();
    const almanac = world.client({ storage });
    await almanac.horoscope(leo);
    const key = "daily/2026-11-21/hi/daily-horoscope/leo";
    const place = { ...world.published.publishing, signer: owner.secret };
    await withdraw(recordOf(key), requestAt(key), place);
    await expect(almanac.horoscope(leo)).rejects.toMatchObject({
      name: "NotPublished",
      message: "leo was withdrawn",
    });
    const twelve = await almanac.horoscopes(leo);
    expect(twelve.data).toMatchObject({ withdrawn: ["leo"] });
    expect(Object.keys(twelve.data.readings)).toEqual(signs.filter((sign) => sign !== "leo"));
    await world.unplug();
    for (const reader of [almanac, world.client({ storage })]) {
      await expect(reader.horoscope(leo)).rejects.toMatchObject({ name: "Unreachable" });
    }
    expect([...storage.items.values()].join()).not.toContain('"sign":"leo"');
  });

  test("and a text that comes back is shown again", async () => {
    const world = await newWorld();
    const almanac = world.client();
    const before = await almanac.horoscope(leo);
    const key = "daily/2026-11-21/hi/daily-horoscope/leo";
    const place = { ...world.published.publishing, signer: owner.secret };
    await withdraw(recordOf(key), requestAt(key), place);
    await expect(almanac.horoscope(leo)).rejects.toMatchObject({ name: "NotPublished" });
    await bringBack(requestAt(key), { by: "editor" }, place);
    expect((await almanac.horoscope(leo)).data.reading).toEqual(before.data.reading);
  });
});

describe("while nights are published", () => {
  test.each(["pointer", "manifest", "part", "object"] as const)(
    "a reader sees one state whole, the publish falling before its %s",
    async (moment) => {
      const world = await newWorld();
      const path = "v1/hi/daily/latest.json";
      const places = { pointer: pointerPath, ...(await world.placeOf(path)) };
      const old = await documentAt(world, path);
      world.before = async (asked) => {
        if (asked !== places[moment]) return;
        world.before = async () => undefined;
        await world.night("2026-11-22T12:00:00Z");
      };
      const almanac = world.client();
      const shown = await almanac.horoscopes(leo);
      const current = await documentAt(world, path);
      expect(current).not.toEqual(old);
      const expected = moment === "pointer" ? { data: current, version: 3 } : { data: old, version: 2 };
      expect(shown).toMatchObject({ ...expected, stale: false });
      expect(await almanac.horoscopes(leo)).toMatchObject({ data: current, version: 3, stale: false });
    },
  );

  test("what is asked together is from one state, with one look at the pointer", async () => {
    const world = await newWorld();
    let published = false;
    world.before = async (asked) => {
      if (asked === pointerPath || published) return;
      published = true;
      await world.night("2026-11-22T12:00:00Z");
    };
    const almanac = world.client();
    const all = await Promise.all([
      almanac.horoscope(leo),
      almanac.cards({ language: "en", operation: "daily-tarot" }),
      almanac.pair({ language: "hi", sign1: "aries", sign2: "leo" }),
    ]);
    expect(all.map(({ version }) => version)).toEqual([2, 2, 2]);
    expect(world.asked.filter((path) => path === pointerPath)).toHaveLength(1);
    expect(await almanac.horoscope(leo)).toMatchObject({ version: 3 });
  });

  test("manifests and parts are read once a state; a second question costs the pointer and an object", async () => {
    const world = await newWorld();
    const almanac = world.client();
    await almanac.horoscope(leo);
    world.asked.length = 0;
    await almanac.horoscope({ ...leo, sign: "virgo" });
    expect(world.asked).toEqual([pointerPath, (await world.placeOf("v1/hi/daily/latest.json")).object]);
  });

  test("a state that was given a new life is not taken for an old copy", async () => {
    const world = await newWorld();
    const almanac = world.client();
    const before = await almanac.horoscope(leo);
    world.now += 10 * dayMs;
    const place = { ...world.published.publishing, now: () => new Date(world.now), signer: owner.secret };
    await renewOn(place);
    world.now += 10 * dayMs;
    expect(await almanac.horoscope(leo)).toEqual(before);
  });
});

describe("a site without objects, on a host with few files,", () => {
  const path = "v1/hi/daily/latest.json";
  const newHost = async () => {
    const world = await newWorld();
    world.lies.set((await world.placeOf(path)).object, (response) => void response.writeHead(404).end());
    return world;
  };

  test("is read by its public paths", async () => {
    const world = await newHost();
    expect(await world.client().horoscope(leo)).toMatchObject({
      data: { reading: { period: "2026-11-21" } },
      stale: false,
    });
  });

  test("is believed by the same hashes: other bytes there are refused, and the last good reading is shown", async () => {
    const world = await newHost();
    const almanac = world.client();
    const good = await almanac.horoscope(leo);
    const { size } = await world.placeOf(path);
    for (const lie of [new Uint8Array(size).fill(32), await bytesAfter(1, path)]) {
      world.lies.set(path, lie);
      expect(await almanac.horoscope(leo)).toMatchObject({ data: good.data, stale: true });
      await expect(world.client().horoscope(leo)).rejects.toThrow(
        expect.objectContaining({ name: expect.stringMatching(/^(?:Mixed|TooLarge)$/) }),
      );
    }
  });
});

describe("when the network is gone", () => {
  test("the last good reading is shown, and said to be that", async () => {
    const world = await newWorld();
    const almanac = world.client();
    const good = await almanac.horoscope(leo);
    await world.unplug();
    const shown = await almanac.horoscope(leo);
    expect(shown).toEqual({ ...good, stale: true, reason: expect.objectContaining({ name: "Unreachable" }) });
    expect(shown.stale && shown.reason.message).toContain(pointerPath);
  });

  test("nothing is made up: what was not had before is an error", async () => {
    const world = await newWorld();
    const almanac = world.client();
    await almanac.horoscope(leo);
    await world.unplug();
    await expect(almanac.horoscope({ ...leo, sign: "virgo" })).rejects.toMatchObject({ name: "Unreachable" });
    await expect(almanac.horoscope({ ...leo, date: "2026-11-20" })).rejects.toMatchObject({
      name: "Unreachable",
    });
  });

  test.each([500, 404, 403])("the same holds for a site that answers %s", async (status) => {
    const world = await newWorld();
    const almanac = world.client();
    await almanac.horoscope(leo);
    world.lies.set(pointerPath, (response) => void response.writeHead(status).end());
    expect(await almanac.horoscope(leo)).toMatchObject({ stale: true, reason: { name: "Unreachable" } });
  });

  test("the next page has it too, through the storage it was given, which may take its time", async () => {
    const world = await newWorld();
    const { items } = newStorage();
    const storage = {
      getItem: async (name: string) => items.get(name),
      setItem: async (name: string, value: string) => items.set(name, value),
    };
    const good = await world.client({ storage }).horoscope(leo);
    await world.unplug();
    expect(await world.client({ storage }).horoscope(leo)).toMatchObject({ data: good.data, stale: true });
    await expect(world.client().horoscope(leo)).rejects.toMatchObject({ name: "Unreachable" });
  });

  test("a storage that is full, forbidden or has nonsense in it costs nothing but its memory", async () => {
    const world = await newWorld();
    const wrong = () => {
      throw new DOMException("the quota has been exceeded", "QuotaExceededError");
    };
    const almanac = world.client({ storage: { getItem: wrong, setItem: wrong } });
    const good = await almanac.horoscope(leo);
    const nonsense = world.client({ storage: { getItem: () => "{", setItem: () => undefined } });
    expect(await nonsense.horoscope(leo)).toEqual(good);
    await world.unplug();
    expect(await almanac.horoscope(leo)).toMatchObject({ data: good.data, stale: true });
  });

  test("a caller's changes to a reading do not change the stored one", async () => {
    const world = await newWorld();
    const almanac = world.client();
    const good = await almanac.horoscope(leo);
    const before = structuredClone(good.data);
    good.data.reading.sections.personal.length = 0;
    await world.unplug();
    expect((await almanac.horoscope(leo)).data).toEqual(before);
  });
});

describe("what is published as the client", () => {
  const load = async (world: World) => {
    const code = await (await fetch(`${world.url}assets/almanac.js`)).text();
    const module: typeof Client = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    return { code, module };
  };

  test("is at most 3,900 bytes by gzip and stands alone", async () => {
    const { code } = await load(await newWorld());
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(3_900);
    expect(code).not.toMatch(/\bimport\b|\brequire\(/);
  });

  test("reads the site that it came from", async () => {
    const world = await newWorld();
    const { module } = await load(world);
    const almanac = module.createAlmanac({ url: world.url, keys: [owner.open], now: () => world.now });
    expect(await almanac.horoscope(leo)).toMatchObject({ version: 2, stale: false });
  });

  test("does what the manual says, as a program of its own", async () => {
    const world = await newWorld();
    await pointTo(world, { expires: "2099-01-01T00:00:00.000Z" }, owner.secret); // it has the machine's clock
    const folder = mkdtempSync(join(tmpdir(), "almanac-client-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { code } = await load(world);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "almanac.js"), code);
    writeFileSync(join(folder, "today.js"), exampleIn("node", world));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, "today.js")]);
    const { data } = await world.client().horoscope(leo);
    expect(stdout).toBe(`2026-11-21 ${data.reading.sections.personal.join("\n")}\n`);
    expect(stderr).toBe("");
  });

  test("names its requirements if a page has no Web Crypto, even if readings are stored", async () => {
    const world = await newWorld();
    const storage = newStorage();
    await world.client({ storage }).horoscope(leo);
    vi.stubGlobal("crypto", {});
    try {
      await expect(world.client({ storage }).horoscope(leo)).rejects.toMatchObject({
        name: "Unsupported",
        message: expect.stringContaining("https"),
      });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("declares exactly what is published", () => {
    expectTypeOf<Client.Horoscopes>().toEqualTypeOf<Documents["signs"]>();
    expectTypeOf<Client.Horoscope>().toEqualTypeOf<Omit<Documents["sign"], "$schema">>();
    expectTypeOf<Client.PairText>().toEqualTypeOf<Documents["pair"]>();
    expectTypeOf<Client.Cards>().toEqualTypeOf<Documents["card"]>();
    expectTypeOf<Client.Words>().toEqualTypeOf<Documents["words"]>();
    expectTypeOf<Client.CardOperation>().toEqualTypeOf<CardReading["operation"]>();
    expectTypeOf<Client.Language>().toEqualTypeOf<Language>();
    expectTypeOf<Client.Sign>().toEqualTypeOf<Sign>();
    expectTypeOf<Client.Period>().toEqualTypeOf<PeriodKind>();
  });
});

async function documentAt(world: World, path: string): Promise<Record<string, unknown>> {
  return { ...Object(await world.json(path)) };
}
