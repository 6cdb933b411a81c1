// All published files checked against their hashes: each kind of damage is found and reported with its remedy, in the store and
// over HTTP.
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createVault } from "../../vault/vault.ts";
import { type Store, always } from "../../store/store.ts";
import { openLiveSite, SiteAway } from "../../publish/repair/live-site.ts";
import { serverUrl } from "../../site/address.ts";
import { merge } from "../../publish/render/merged-state.ts";
import { isOwnPath } from "../../site/paths.ts";
import type { PublishContext } from "../../publish/state/publish-context.ts";
import type { SiteFinding } from "../../publish/repair/site-source.ts";
import { manifestPath, objectPath, pointerPath, readState } from "../../publish/state/state.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { type Verified, verify, type VerifySettings } from "../../publish/repair/verify.ts";
import { sha256 } from "../../vault/files.ts";
import { renderShared } from "../../site/render.ts";
import { openMemory } from "../support/memory.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { renderedIn, settings, summaryOf } from "../site/editions.ts";
import { bytes } from "../support/stores.ts";
import { publishSketch } from "./support/sketch.ts";
import { commitOn, renewOn } from "./support/commit-on.ts";

const json = { type: "application/json" };
const now = () => new Date("2026-11-21T12:00:00Z");

interface World {
  readonly site: Store;
  readonly place: PublishContext;
  verify(more?: Partial<VerifySettings>): Promise<Verified>;
  /** Findings by path. */
  findings(more?: Partial<VerifySettings>): Promise<Map<string, SiteFinding>>;
  entry(path: string): Promise<{ object: string; key: string; size: number }>;
  put(key: string, text: string): Promise<void>;
}

async function newWorld(dates = ["2026-11-19", "2026-11-20", "2026-11-21"]): Promise<World> {
  const site = openMemory(now);
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const place = {
    site,
    vault: createVault(openMemory(now), "almanac"),
    now,
    log: silent,
    fingerprint: `sha256-${"f".repeat(64)}`,
  };
  for (const date of dates) await publishSketch(place, { run: date, date, languages: ["en", "de"] });
  const check = (more: Partial<VerifySettings> = {}) =>
    verify(storeSource(site), { publicKeys: [], now, ...more });
  return {
    site,
    place,
    verify: check,
    findings: async (more) => byPath((await check(more)).findings),
    async entry(path) {
      const stored = await site.read(path);
      if (stored === undefined) throw new Error(`${path} is not there`);
      const object = sha256(stored.body);
      return { object, key: objectPath(object, path), size: stored.body.length };
    },
    put: async (key, text) => void (await site.write(key, bytes(text), json, always)),
  };
}

function byPath(findings: readonly SiteFinding[]): Map<string, SiteFinding> {
  return new Map(findings.map((finding) => [finding.path, finding]));
}

const front = "en/index.html";

describe("verify, on the store", () => {
  test("finds nothing in a sound site, and reports how much it checked", async () => {
    const world = await newWorld();
    const shown: string[] = [];
    const verified = await world.verify({ onProgress: (done, of) => void shown.push(`${done}/${of}`) });
    expect(verified).toMatchObject({ files: 14, states: 1, findings: [] });
    expect(verified.pointer?.version).toBe(3);
    expect(shown).toHaveLength(verified.files + verified.objects);
    expect(shown.at(-1)).toBe(`${shown.length}/${shown.length}`);
  });

  test("finds a missing object, and a damaged one of the right size", async () => {
    const world = await newWorld();
    const [missing, damaged] = [await world.entry(front), await world.entry("de/index.html")];
    await world.site.remove([missing.key]);
    await world.put(damaged.key, "x".repeat(damaged.size));
    const findings = await world.findings();
    expect([...findings.keys()].toSorted()).toEqual([missing.key, damaged.key].toSorted());
    expect(findings.get(missing.key)).toEqual({
      path: missing.key,
      expected: `sha256 ${missing.object} (${missing.size} bytes)`,
      seen: "nothing",
      remedy: "`almanac repair`",
    });
    expect(findings.get(damaged.key)?.seen).toMatch(
      new RegExp(`^sha256 [0-9a-f]{64} \\(${damaged.size} bytes\\)$`),
    );
  });

  test("finds a public path that is missing, changed, or shows an earlier version", async () => {
    const world = await newWorld();
    const older = await world.site.read("v1/en/index.json");
    await publishSketch(world.place, { run: "next", date: "2026-11-22", languages: ["en"] });
    await world.site.write("v1/en/index.json", older?.body ?? bytes(""), json, always);
    await world.site.remove([front]);
    await world.put("index.html", "changed");
    const findings = await world.findings();
    expect([...findings.keys()]).toEqual([front, "index.html", "v1/en/index.json"]);
    expect(findings.get(front)?.seen).toBe("nothing");
    expect(findings.get("v1/en/index.json")?.seen).toMatch(/, as in version 3$/);
    expect(findings.get("v1/en/index.json")?.remedy).toContain("unless a publish is writing it now");
    expect(findings.get("index.html")?.seen).not.toContain("version");
  });

  test("finds orphaned files under the site's own paths, and names every unknown file", async () => {
    const world = await newWorld();
    const own = ["en/daily/leo/1999-01-01/index.html", "v1/fr/daily/latest.json", "hi/feed.xml"];
    const others = [
      "favicon.ico.txt",
      "en/promotion/index.html",
      "ads.txt",
      "assets/logo.svg",
      "v1/other.json",
      "responses/daily/2026-11-21/en/daily-horoscope/leo.json",
    ];
    for (const key of [...own, ...others, ".well-known/acme-challenge/token.txt"]) await world.put(key, "x");
    const findings = await world.findings();
    expect([...findings.keys()].toSorted()).toEqual([...own, ...others].toSorted());
    expect(findings.get("ads.txt")?.remedy).toContain("readers can fetch it");
    expect(findings.get("hi/feed.xml")).toMatchObject({
      expected: "nothing: the manifest does not contain it",
    });
  });

  test("finds a missing or damaged part once, and continues with the rest", async () => {
    const world = await newWorld();
    const parts = (await readState(world.site))?.manifest.parts ?? {};
    await world.site.remove([manifestPath(parts["en/current"] ?? "")]);
    await world.put(manifestPath(parts["shared"] ?? ""), '{"files":{}}');
    const findings = await world.findings();
    const [current, shared] = [parts["en/current"] ?? "", parts["shared"] ?? ""];
    expect(findings.get(manifestPath(current))).toMatchObject({
      expected: `the part en/current, sha256 ${current}`,
      seen: "nothing",
    });
    expect(findings.get(manifestPath(shared))?.seen).toMatch(/^sha256 [0-9a-f]{64} \(12 bytes\)$/);
  });

  test.each([
    ["missing", async ({ site }: World) => site.remove([pointerPath]), pointerPath, "nothing"],
    [
      "damaged",
      async (world: World) => world.put(pointerPath, "{"),
      pointerPath,
      "v1/pointer.json is not JSON",
    ],
    [
      "of a newer version",
      async (world: World) => world.put(pointerPath, '{"format":2}'),
      pointerPath,
      "v1/pointer.json has format 2, but this version reads format 1. Use the newer Almanac that wrote it",
    ],
  ])("finds a pointer that is %s", async (_, hurt, path, seen) => {
    const world = await newWorld();
    await hurt(world);
    const { findings, pointer } = await world.verify();
    expect(pointer).toBeUndefined();
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ path });
    expect(findings[0]?.seen).toContain(seen);
  });

  test("finds a missing or damaged manifest", async () => {
    const world = await newWorld();
    const key = manifestPath((await readState(world.site))?.pointer.manifest ?? "");
    await world.put(key, "{}");
    expect((await world.findings()).get(key)?.expected).toMatch(/^the state's manifest, sha256 /);
    await world.site.remove([key]);
    expect((await world.findings()).get(key)?.seen).toBe("nothing");
  });

  test("finds an expired pointer", async () => {
    const world = await newWorld();
    const later = () => new Date("2026-12-06T12:00:00Z");
    expect(await world.findings({ now: later })).toEqual(
      new Map([
        [
          pointerPath,
          {
            path: pointerPath,
            expected: "a version that has not expired at 2026-12-06T12:00:00.000Z",
            seen: "expired 2026-12-05T12:00:00.000Z",
            remedy: "`almanac publish` renews it. Check that the schedule and a worker are running",
          },
        ],
      ]),
    );
  });

  test("asks for a signature by one of the keys, and only where keys are configured", async () => {
    const world = await newWorld();
    const [one, other] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
    const seen = async (keys: readonly (typeof one)[]) =>
      (await world.findings({ publicKeys: keys.map(({ publicKey }) => publicKey) })).get(pointerPath)?.seen;
    expect(await seen([])).toBeUndefined();
    expect(await seen([one])).toBe("no signature");
    const state = await readState(world.site);
    if (state === undefined) throw new Error("nothing is published");
    await renewOn({ ...world.place, signer: one.privateKey });
    expect(await seen([one])).toBeUndefined();
    expect(await seen([other, one])).toBeUndefined();
    expect(await seen([other])).toBe("a signature by another key");
    const pointer = await world.site.read(pointerPath);
    await world.put(
      pointerPath,
      new TextDecoder().decode(pointer?.body).replace('"version":3', '"version":4'),
    );
    expect(await seen([one])).toBe("a signature by another key");
  });

  test("with --all also checks earlier states, and names the state that needs each file", async () => {
    const world = await newWorld(["2026-11-19", "2026-11-20"]);
    const earlier = await world.entry(front);
    await publishSketch(world.place, { run: "next", date: "2026-11-21", languages: ["en", "de"] });
    await world.site.remove([earlier.key]);
    expect(await world.findings()).toEqual(new Map());
    const since = new Date("2026-11-01T00:00:00Z");
    const verified = await world.verify({ since });
    expect(verified.states).toBe(3);
    expect(verified.findings).toHaveLength(1);
    expect(verified.findings[0]).toMatchObject({ path: earlier.key, seen: "nothing, needed by version 2" });
    expect((await world.verify({ since: new Date("2026-11-22T00:00:00Z") })).states).toBe(1);
  });

  test("starts again if somebody publishes meanwhile, and reports no difference that a publish made", async () => {
    const world = await newWorld();
    let hasPublished = false;
    const beside: Store = {
      ...world.site,
      async read(key) {
        if (key === front && !hasPublished) {
          hasPublished = true;
          await publishSketch(world.place, { run: "beside", date: "2026-11-22", languages: ["en"] });
        }
        return world.site.read(key);
      },
    };
    const verified = await verify(storeSource(beside), { publicKeys: [], now });
    expect(verified.pointer?.version).toBe(4);
    expect(verified.findings).toEqual([]);
  });
});

describe("the paths that verify and repair take for ours", () => {
  test("are all that this version renders", () => {
    const pages = renderedIn("en");
    const all = [...pages, ...renderShared([summaryOf(pages, "en")], settings)];
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter(({ path }) => !isOwnPath(path))).toEqual([]);
  });

  test.each([
    "v1/pointer.json",
    `v1/objects/${"a".repeat(64)}.html`,
    `v1/manifests/${"a".repeat(64)}.json`,
    "probe/0c58f649d61268f3.json",
    "en/daily/aries/archive.html",
    "en/daily/ophiuchus/index.html",
    "xx/index.html",
    "en.html",
    "robots.txt.bak",
  ])("never are %s", (path) => {
    expect(isOwnPath(path)).toBe(false);
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A server in front of the site that may answer by itself, like a cache or a CDN. */
async function live(site: Store, before: Answer = () => false) {
  const preview = await startPublishedServer(site, 0);
  const server = createServer((request, response) => {
    if (before(request, response)) return;
    void passOn(new URL(request.url ?? "/", preview.url), response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await preview.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function passOn(url: URL, response: ServerResponse): Promise<void> {
  const answer = await fetch(url);
  response.writeHead(answer.status);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

async function verifyLive(
  address: string,
  answerMs = 2_000,
  how: Partial<Parameters<typeof verify>[1]> = {},
): Promise<Verified> {
  const url = serverUrl(address);
  if (url === undefined) throw new Error(`${address} is no site's address`);
  const source = openLiveSite(url, undefined, { answerMs, pausesMs: [1, 1] });
  onTestFinished(() => source.close());
  return verify(source, { publicKeys: [], now, ...how });
}

describe("verify, over HTTP", () => {
  test("finds nothing if readers get the store's files, and requests them as browsers do", async () => {
    const { site } = await newWorld();
    const asked = new Set<string>();
    const { address } = await live(site, ({ url }) => {
      asked.add(url ?? "");
      return false;
    });
    expect(await verifyLive(address)).toMatchObject({ files: 14, findings: [] });
    expect(asked.has("/en/daily/aries/")).toBe(true);
    expect(asked.has("/en/daily/aries/index.html")).toBe(false);
  });

  test("finds a stale cache by its version, and a cache that changes files", async () => {
    const world = await newWorld();
    const stale = await world.site.read(front);
    await publishSketch(world.place, { run: "next", date: "2026-11-22", languages: ["en"] });
    const { address } = await live(world.site, ({ url }, response) => {
      if (url === "/en/") response.end(stale?.body);
      else if (url === "/de/") response.end("<html>with a tracker</html>");
      else return false;
      return true;
    });
    const { findings } = await verifyLive(address);
    expect(findings.map(({ path }) => path)).toEqual(["de/index.html", front]);
    expect(findings[0]?.remedy).toContain("disable features that rewrite files");
    expect(findings[1]?.seen).toMatch(/, as in version 3$/);
    expect(findings[1]?.remedy).toBe("a cache has an older copy: purge it, or wait until it expires");
  });

  test("finds nothing more after the stale files were purged", async () => {
    const world = await newWorld();
    const { key: old } = await world.entry(front);
    await publishSketch(world.place, { run: "next", date: "2026-11-22", languages: ["en", "de"] });
    const { pointer } = (await readState(world.site)) ?? {};
    if (pointer === undefined) throw new Error("nothing is published");
    const cache = new Map<string, string>();
    const { address } = await live(world.site, ({ url = "" }, response) => {
      const kept = cache.get(url);
      if (kept !== undefined) response.end(kept);
      return kept !== undefined;
    });
    const since = new Date("2026-11-01T00:00:00Z");
    const there = "a cache or proxy serves a changed or old copy: purge it there";
    const found = async (path: string) => {
      cache.set(`/${path}`, "<html>a portal</html>");
      const { findings } = await verifyLive(address, 2_000, { since });
      cache.clear(); // follows the remedy
      expect((await verifyLive(address, 2_000, { since })).findings).toEqual([]);
      return findings[0]?.remedy;
    };
    const sound = "run `almanac verify` to check the store. If it is sound, ";
    expect(await found(manifestPath(pointer.manifest))).toBe(`${sound}${there}`);
    expect(await found(old)).toBe(`current pages do not need it; ${sound}${there}`);
  });

  test("finds removed files that are still served", async () => {
    const world = await newWorld();
    const { manifest, pointer } = (await readState(world.site)) ?? {};
    if (manifest === undefined || pointer === undefined) throw new Error("nothing is published");
    const left = await world.site.read(front);
    await commitOn(world.place, { run: "drop", asOf: now().toISOString() }, (base, reader) =>
      merge(base?.manifest, [], [front], reader),
    );
    expect(await world.findings()).toEqual(new Map());
    const { address } = await live(world.site, ({ url }, response) => {
      if (url === "/en/") response.end(left?.body);
      return url === "/en/";
    });
    const { findings } = await verifyLive(address);
    expect(findings).toMatchObject([{ path: front, expected: "nothing: the site no longer contains it" }]);
    expect(findings[0]?.remedy).toBe("a cache still serves a removed file: purge it");
  });

  test("finds an expired or unsigned copy, and prints the remedy", async () => {
    const { address } = await live((await newWorld()).site);
    const { publicKey } = generateKeyPairSync("ed25519");
    const remedies = async (how: Partial<Parameters<typeof verify>[1]>) =>
      (await verifyLive(address, 2_000, how)).findings.map(({ remedy }) => remedy);
    const later = () => new Date("2026-12-06T12:00:00Z");
    expect(await remedies({ now: later })).toEqual([
      expect.stringMatching(/^an expired copy is served; run `almanac verify` .*: purge it there$/),
    ]);
    expect(await remedies({ publicKeys: [publicKey] })).toEqual([
      expect.stringMatching(/^a copy without a valid signature is served; run .*: investigate this first$/),
    ]);
  });

  test.each([
    ["a redirect", 302, "HTTP 302, a redirect, which is not followed"],
    ["a refusal", 403, "HTTP 403"],
    ["an error that stays", 500, "HTTP 500"],
  ])("finds %s, and goes no further by it", async (_, status, seen) => {
    const { site } = await newWorld();
    const { address } = await live(site, ({ url }, response) => {
      if (url !== "/en/") return false;
      response.writeHead(status, { location: "/de/" }).end();
      return true;
    });
    const { findings } = await verifyLive(address);
    expect(findings).toMatchObject([{ path: front, seen }]);
  });

  test("retries after a broken connection, and finds nothing then", async () => {
    const { site } = await newWorld();
    const broken = new Set<string>();
    const { address } = await live(site, ({ url = "" }, response) => {
      if (broken.has(url)) return false;
      broken.add(url);
      response.destroy();
      return true;
    });
    expect((await verifyLive(address)).findings).toEqual([]);
    expect(broken.size).toBeGreaterThan(14);
  });

  test("finds a body that never ends, and one with an unrequested encoding", async () => {
    const { site } = await newWorld();
    const sound = await live(site, () => false);
    const beganMs = performance.now();
    expect((await verifyLive(sound.address)).findings).toEqual([]);
    // Far more for one body than all bodies took, however slow the machine is.
    const bodyMs = Math.ceil((performance.now() - beganMs) / 100) * 1_000;
    const { address } = await live(site, ({ url }, response) => {
      if (url === "/en/") response.writeHead(200).write("begun");
      else if (url === "/de/") response.writeHead(200, { "content-encoding": "gzip" }).end("x");
      else return false;
      return true;
    });
    const { findings } = await verifyLive(address, bodyMs);
    expect(findings.map(({ seen }) => seen)).toEqual([
      "a body encoded with gzip, although no encoding was accepted",
      `no response: no complete response within ${bodyMs / 1000} s, after 5 bytes of the body`,
    ]);
  });

  test("stops if the site disappears halfway, and reports that", async () => {
    const world = await newWorld();
    for (let day = 1; day <= 9; day += 1) {
      await publishSketch(world.place, {
        run: `${day}`,
        date: `2026-12-0${day}`,
        languages: ["en", "de", "ar"],
      });
    }
    const { address } = await live(world.site, ({ url }, response) => {
      const isNote = url === "/v1/pointer.json" || url?.startsWith("/v1/manifests/") === true;
      if (!isNote) response.destroy();
      return !isNote;
    });
    await expect(verifyLive(address)).rejects.toThrow(SiteAway);
    await expect(verifyLive(address)).rejects.toThrow("stopped answering: 20 requests in a row failed");
  });

  test("reports that there is no site if nothing responds", async () => {
    const { address, close } = await live((await newWorld()).site);
    close();
    const { findings } = await verifyLive(address);
    expect(findings).toMatchObject([{ path: pointerPath }]);
    expect(findings[0]?.seen).toContain("the connection was refused");
  });

  test.each([
    ["https://almanac.example", "https://almanac.example/"],
    ["https://almanac.example/stars", "https://almanac.example/stars/"],
    ["http://127.0.0.1:8420", "http://127.0.0.1:8420/"],
    ["http://almanac.example", undefined],
    ["https://user:word@almanac.example", undefined],
    ["https://almanac.example/?a=b", undefined],
    ["almanac.example", undefined],
    ["ftp://almanac.example", undefined],
  ])("takes %s for the address %s", (text, href) => {
    expect(serverUrl(text)?.href).toBe(href);
  });
});
