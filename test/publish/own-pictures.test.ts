// Copies of the cards' pictures: published with the pages that link to them, never removed, and never delaying a publish.
import { describe, expect, test } from "vitest";
import type { ObjectHeaders, Store } from "../../store/store.ts";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { publish } from "../../publish/publish.ts";
import { repair } from "../../publish/repair/repair.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { objectPath } from "../../publish/state/state.ts";
import { renderArchive } from "../../publish/archive.ts";
import { createMirror, type MirrorSettings } from "../../service/pictures/mirror.ts";
import { keptPictures } from "../../service/pictures/kept-pictures.ts";
import { sha256 } from "../../vault/files.ts";
import { catalogue } from "../../readings/catalogue.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { parsePath } from "../../site/paths.ts";
import { openMemory } from "../support/memory.ts";
import { type PictureServer, pictureServer, png } from "../support/pictures.ts";
import { newSite, recordOf, requestAt, type PublishedSite } from "./support/published-site.ts";
import { contentOf, damage, textAt, watched } from "../support/stores.ts";
import { requestKey } from "../../readings/request.ts";
import { storedResponseOf, storedResponseWith } from "../support/stored-responses.ts";

const operations = ["daily-tarot", "wisdom-reading", "which-animal-are-you-reading"] as const;

interface World {
  readonly site: PublishedSite;
  readonly server: PictureServer;
  readonly writes: string[];
  readonly headers: Map<string, ObjectHeaders>;
  readonly publishing: (more?: Partial<MirrorSettings>) => Publishing;
  readonly night: (publishing: Publishing) => Promise<number>;
}

/** A site whose cards have their pictures on a server of ours. */
async function world(): Promise<World> {
  const server = await pictureServer();
  const writes: string[] = [];
  const headers = new Map<string, ObjectHeaders>();
  const memory = openMemory();
  const store: Store = {
    ...watched(memory, (call, key) => void (call === "write" && writes.push(key))),
    async write(key, body, how, when) {
      writes.push(key);
      headers.set(key, how);
      return memory.write(key, body, how, when);
    },
  };
  const site = newSite(
    { languages: ["en"], operations: [...operations], pairs: [] },
    { site: store, vault: openMemory() },
  );
  const { vault, configuration } = site.publishing;
  const dates = { from: "2026-11-20", to: "2026-11-22" };
  for (const { requests } of catalogue(configuration, new Date("2026-11-21T12:00:00Z"), {}, dates)) {
    for (const request of requests) {
      const body = storedResponseOf(request).body.replaceAll("https://cards.example", server.url);
      await vault.storeResponse(storedResponseWith(requestKey(request), body));
    }
  }
  const publishing = (more: Partial<MirrorSettings> = {}): Publishing => {
    const { log, now } = site.publishing;
    const settings = {
      hosts: ["cards.example"],
      mostBytes: 1_000,
      loopback: true,
      store: vault.store,
      log,
      now,
    };
    return { ...site.publishing, pictures: createMirror({ ...settings, ...more }) };
  };
  return { site, server, writes, headers, publishing, night: nightAt };
}

async function nightAt(place: Publishing): Promise<number> {
  const { languages } = place.configuration;
  const asOf = place.now().toISOString();
  return (await publish({ run: "almanac-nightly", asOf, languages }, place)).version;
}

/** The addresses of pictures on a page, and in its data. */
async function namedIn({ site }: Pick<World, "site">): Promise<{ page: string[]; data: string[] }> {
  const page = await site.text("en/wisdom-reading/index.html");
  const data = await site.text("v1/en/wisdom-reading/latest.json");
  return {
    page: [...page.matchAll(/<img src="([^"]+)"/g)].map(([, address = ""]) => address),
    data: [...data.matchAll(/"images":\["([^"]+)"/g)].map(([, address = ""]) => address),
  };
}

const copies = async ({ site }: Pick<World, "site">) =>
  [...(await site.paths()).keys()].filter((path) => parsePath(path)?.row === "cardPicture");

test("pages and data link to the copies, which are published under their own hash and cached without limit", async () => {
  const all = await world();
  await all.night(all.publishing());
  const { page, data } = await namedIn(all);
  expect(page).toHaveLength(2);
  for (const address of page) expect(address).toMatch(/^\/assets\/pictures\/[0-9a-f]{64}\.png$/);
  expect(data).toEqual(page.map((address) => `https://almanac.example${address}`));
  const paths = await all.site.paths();
  for (const path of await copies(all)) {
    const bytes = (await all.site.site.read(path))?.body ?? new Uint8Array();
    expect(path).toBe(`assets/pictures/${sha256(bytes)}.png`);
    expect(paths.get(path)).toBe(sha256(bytes));
    expect(all.headers.get(path)).toEqual({
      type: "image/png",
      cacheControl: "public, max-age=31536000, immutable",
    });
  }
  expect(await all.site.deadLinks()).toEqual([]);
  expect(await all.site.filesWith(all.server.url)).toEqual([]);
  expect(await all.site.text("en/decks/daily-tarot/index.html")).toContain('<img src="/assets/pictures/');
});

test("each picture is downloaded once, and an identical night writes nothing", async () => {
  const all = await world();
  expect(await all.night(all.publishing())).toBe(1);
  expect(all.server.asked.length).toBeGreaterThan(2);
  expect(new Set(all.server.asked).size).toBe(all.server.asked.length);
  const [asked, written] = [all.server.asked.length, all.writes.length];
  const place = all.publishing(); // another worker, which remembers nothing
  expect(await all.night(place)).toBe(1);
  expect([all.server.asked.length, all.writes.length]).toEqual([asked, written]);
});

test("a copy stays if the picture later fails at the service", async () => {
  const all = await world();
  await all.night(all.publishing());
  const before = await namedIn(all);
  const asked = all.server.asked.length;
  for (const path of all.server.asked) all.server.answers.set(path, (response) => response.destroy());
  await all.night(all.publishing());
  expect(await namedIn(all)).toEqual(before);
  expect(all.server.asked).toHaveLength(asked);
});

describe("a picture that can't be downloaded", () => {
  test("is left out, and a later night tries it again", async () => {
    const all = await world();
    const broken = "/wisdom/";
    for (const path of await addressesIn(all)) {
      if (path.startsWith(broken)) all.server.answers.set(path, (response) => response.end("<svg/>"));
    }
    const place = all.publishing();
    await all.night(place);
    expect(await namedIn(all)).toEqual({ page: [], data: [] });
    expect(await all.site.filesWith(all.server.url)).toEqual([]);
    expect(all.site.said.join()).toContain("cannot mirror pictures");
    const isBroken = (path: string) => path.startsWith(broken);
    const tries = all.server.asked.filter(isBroken).length;
    await all.night(place); // the same night's next publish
    expect(all.server.asked.filter(isBroken)).toHaveLength(tries);
    all.server.answers.clear();
    all.site.setClock("2026-11-22T01:00:00Z");
    await all.night(place);
    expect(all.server.asked.filter(isBroken).length).toBeGreaterThan(tries);
    expect((await namedIn(all)).page).toHaveLength(2);
    for (const address of (await namedIn(all)).page) expect(address).toMatch(/^\/assets\/pictures\//);
  });

  test("changes no byte of files without it", async () => {
    const all = await world();
    const gone = (response: { destroy(): unknown }): void => void response.destroy();
    await all.night(all.site.publishing);
    const before = await contentOf(all.site.site);
    for (const path of await addressesIn(all)) all.server.answers.set(path, gone);
    await all.night(all.publishing());
    expect(await contentOf(all.site.site)).toEqual(before);
  });

  test("costs a publish no more than its share of time, and the next publish downloads the rest", async () => {
    const all = await world();
    await all.night(all.site.publishing);
    for (const path of await addressesIn(all)) all.server.answers.set(path, () => undefined); // never
    const place = all.publishing({ mostMs: 200 });
    await all.night(place); // without its share it would wait for each of them in turn
    expect(await copies(all)).toEqual([]);
    all.server.answers.clear();
    await all.night(place); // out of time is no failure of theirs
    expect((await copies(all)).length).toBeGreaterThan(2);
  });

  test("costs a failing host only a few attempts, then the host is skipped for an hour", async () => {
    const all = await world();
    const mirror = all.publishing().pictures;
    const many = Array.from({ length: 40 }, (_, index) => `/many/${index}.jpg`);
    for (const path of many) all.server.answers.set(path, (response) => response.writeHead(503).end());
    const addresses = many.map((path) => all.server.url + path);
    await mirror?.pathsOf(addresses);
    await mirror?.pathsOf(addresses);
    const asked = all.server.asked.length;
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThan(10);
    all.server.answers.clear();
    all.site.setClock("2026-11-21T13:00:01Z");
    expect((await mirror?.pathsOf(addresses))?.size).toBe(40 - asked); // the others failed today
    all.site.setClock("2026-11-22T01:00:00Z");
    expect((await mirror?.pathsOf(addresses))?.size).toBe(40);
  });
});

/** Paths on the server of all pictures that the service names. */
async function addressesIn(all: World): Promise<string[]> {
  const addresses = await addressesKept(all.site);
  return addresses.filter((one) => one.startsWith(all.server.url)).map((one) => new URL(one).pathname);
}

/** The addresses of pictures in the answers that the vault keeps. */
async function addressesKept({ publishing: { vault } }: PublishedSite): Promise<string[]> {
  const found = new Set<string>();
  for await (const { key } of vault.store.list("responses/")) {
    const text = (await textAt(vault.store, key)) ?? "";
    for (const [address] of text.matchAll(/https?:\/\/[^"\\]+\.png/g)) found.add(address);
  }
  return [...found];
}

/** A site whose cards have pictures on a listed host, with a vault that has copies of all of them. */
async function listedWorld() {
  const site = newSite({ languages: ["en"], operations: [...operations], pairs: [] });
  const { vault, log, now } = site.publishing;
  await site.gather("2026-11-20", "2026-11-22");
  const pictures = keptPictures(vault.store, log);
  const addresses = await addressesKept(site);
  for (const address of addresses)
    await pictures.keep(
      address,
      { bytes: Buffer.concat([png, Buffer.from(sha256(Buffer.from(address)))]), ending: "png" },
      now(),
    );
  return { site, addresses, place: { ...site.publishing, pictures } };
}

const listed = "https://cards.example/";

describe("commands", () => {
  test("use the stored copies, and download none", async () => {
    const all = await world();
    await all.night(all.publishing());
    const asked = all.server.asked.length;
    const { vault, log } = all.site.publishing;
    const place = { ...all.site.publishing, pictures: keptPictures(vault.store, log) };
    const input = {
      languages: ["en" as const],
      dates: { from: "2026-11-20", to: "2026-11-21" },
      evenMany: false,
    };
    await renderArchive(input, place);
    expect(all.server.asked).toHaveLength(asked);
    const old = await all.site.text("v1/en/wisdom-reading/2026-11-20.json");
    expect(old).toMatch(/"images":\["(?:https:\/\/almanac\.example\/assets\/pictures\/|http:\/\/127)/);
    expect((await namedIn(all)).page[0]).toMatch(/^\/assets\/pictures\//);
    expect(await all.site.deadLinks()).toEqual([]);
  });

  test("the clean-up keeps the copies, and a repair restores a lost one from the vault", async () => {
    const all = await world();
    const place = all.publishing();
    await all.night(place);
    all.site.setClock("2027-03-01T12:00:00Z");
    await cleanUpSite(place, await planCleanUp(place, { keepDays: 1, graceMs: 0 }));
    const [path = ""] = await copies(all);
    const object = objectPath((await all.site.paths()).get(path) ?? "", path);
    expect(await all.site.site.read(object)).toBeDefined();
    await damage(all.site.site, object);
    await all.site.site.remove([path]);
    expect((await repair(place, false)).lost).toEqual([]);
    for (const key of [object, path]) {
      const bytes = (await all.site.site.read(key))?.body ?? new Uint8Array();
      expect(path).toContain(sha256(bytes));
    }
  });

  test("a rollback to a state without copies leaves no page that links to one", async () => {
    const { site, place } = await listedWorld();
    await site.night();
    await nightAt(place);
    expect(await copies({ site })).not.toEqual([]);
    const to = await chooseState(undefined, { site: site.site, now: place.now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, place);
    expect(await copies({ site })).toEqual([]);
    expect((await namedIn({ site })).page[0]).toContain(listed);
    expect(await site.deadLinks()).toEqual([]);
  });

  test("a rollback that renders pages again, for a withdrawn text, restores the copies that they link to", async () => {
    const { site, place } = await listedWorld();
    await site.night();
    await nightAt(place);
    const key = "daily/2026-11-21/en/daily-tarot/reading";
    await withdraw(recordOf(key), requestAt(key), place);
    const to = await chooseState("1", { site: site.site, now: place.now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, place);
    expect((await namedIn({ site })).page[0]).toMatch(/^\/assets\/pictures\//);
    expect(await site.deadLinks()).toEqual([]);
  });
});

describe("a vault that was damaged", () => {
  test("loses only the copies that are not published yet, and fails no publish", async () => {
    const { site, place, addresses } = await listedWorld();
    const { store } = site.publishing.vault;
    await site.night();
    const paths = await place.pictures.pathsOf(addresses);
    expect(paths.size).toBe(addresses.length);
    for await (const { key } of store.list("pictures/files/")) await damage(store, key);
    expect(await nightAt(place)).toBe(1);
    expect((await namedIn({ site })).page[0]).toContain(listed);
  });

  test("downloads a picture again if its note can't be read", async () => {
    const all = await world();
    const { store } = all.site.publishing.vault;
    await all.night(all.publishing());
    const before = await namedIn(all);
    const asked = all.server.asked.length;
    for await (const { key } of store.list("pictures/addresses/")) await damage(store, key);
    for (const round of [1, 2]) {
      expect(await all.night(all.publishing())).toBe(1);
      expect(await namedIn(all)).toEqual(before);
      expect(all.server.asked.length, `round ${round}`).toBe(asked * 2);
    }
  });

  test("loses nothing that is published", async () => {
    const all = await world();
    const { store } = all.site.publishing.vault;
    await all.night(all.publishing());
    const before = await namedIn(all);
    for await (const { key } of store.list("pictures/files/")) await damage(store, key);
    expect(await all.night(all.publishing())).toBe(1);
    expect(await namedIn(all)).toEqual(before);
  });
});

test("with copies enabled, no link to another host remains, even if a copy fails or an earlier page had the link", async () => {
  const { site } = await listedWorld();
  await site.night();
  expect(await site.filesWith(listed)).not.toEqual([]);
  const configuration = configurationSchema.parse({
    ...site.publishing.configuration,
    pictures: { mirror: {} },
  });
  const { vault, log } = site.publishing;
  for await (const { key } of vault.store.list("pictures/addresses/")) {
    if ((await textAt(vault.store, key))?.includes("/wisdom/")) await vault.store.remove([key]);
  }
  const pictures = keptPictures(vault.store, log);
  const place = { ...site.publishing, configuration, fingerprint: "other", pictures };
  await nightAt(place);
  const dates = { from: "2026-11-20", to: "2026-11-21" };
  await renderArchive({ languages: ["en"], dates, evenMany: false }, place);
  expect(await site.filesWith(listed)).toEqual([]);
  expect(await namedIn({ site })).toEqual({ page: [], data: [] });
  expect(await site.text("en/daily-tarot/index.html")).toContain('<img src="/assets/pictures/');
  expect(await site.text("en/daily-tarot/index.html")).toContain("img-src 'self';");
});

test("readings shown from the site itself keep their copies", async () => {
  const all = await world();
  const place = all.publishing();
  await all.night(place);
  const before = await namedIn(all);
  const { vault } = all.site.publishing;
  for await (const { key } of vault.store.list("responses/")) {
    if (key.includes("wisdom-reading")) await vault.store.remove([key]);
  }
  await all.night(place);
  expect(await namedIn(all)).toEqual(before);
});
