// A copy of the published state for a host that takes a folder: whole, by every hash, and with nothing in it that leads to what is
// not there. The client, and whoever verifies, read it by its stable paths.
import { createPublicKey } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createAlmanac } from "../../client/almanac.js";
import { pressArchive } from "../../publish/archive.ts";
import { copyState, NotCopied, stateToCopy, type StateToCopy } from "../../publish/hosting/copied-state.ts";
import { CopySize, requireWithin } from "../../publish/hosting/host-limits.ts";
import { type Host, hosts } from "../../publish/hosting/hosts.ts";
import { storeSource } from "../../publish/mend/store-source.ts";
import { verify } from "../../publish/mend/verify.ts";
import { projectedHeaders } from "../../publish/state/headers.ts";
import { objectPath, readState } from "../../publish/state/state.ts";
import { pathAt } from "../../site/address.ts";
import { parsePath } from "../../site/paths.ts";
import { typeOf } from "../../site/draft.ts";
import { always, type Store } from "../../store/store.ts";
import { newKeys } from "../client/support/world.ts";
import { openMemory } from "../support/memory.ts";
import { contentOf, damage, keysOf } from "../support/stores.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

const url = "https://almanac.example/stars";
const owner = newKeys();
const operations = ["daily-horoscope", "weekly-horoscope", "yearly-horoscope", "daily-tarot"] as const;
let published: PublishedSite;
let state: StateToCopy;

/** Three weeks and a half in two languages. */
beforeAll(async () => {
  published = newSite({
    site: { url, security: { contact: "security@almanac.example" } },
    operations: [...operations],
  });
  await published.gather("2026-10-29", "2026-11-22");
  const signing = { ...published.publishing, signer: owner.secret };
  const dates = { from: "2026-10-29" };
  await pressArchive({ languages: ["en", "hi"], dates, evenMany: true }, signing);
  state = await openState();
});

async function openState(): Promise<StateToCopy> {
  const { site } = published;
  const pointer = (await readState(site))?.pointer;
  if (pointer === undefined) throw new Error("nothing was published");
  return stateToCopy(site, pointer);
}

async function copied(days?: number) {
  const copy = openMemory();
  const size = new CopySize();
  const put = async (path: string, bytes: Uint8Array): Promise<void> => {
    size.count(path, bytes.length);
    expect(await copy.write(path, bytes, { type: typeOf(path) }, always)).toMatchObject({ kind: "written" });
  };
  return { copy, size, ...(await copyState(state, { siteUrl: url, days, signer: owner.secret, put })) };
}

function found(copy: Store) {
  const publicKeys = [createPublicKey(owner.secret)];
  const now = () => new Date("2026-11-22T00:00:00Z");
  return verify(storeSource(copy), { publicKeys, now, withoutObjects: true });
}

/** The client before the copy on a web server. */
function reader(copy: Store) {
  const fetchCopy = async (address: string | URL | Request): Promise<Response> => {
    const { href } = new URL(address instanceof Request ? address.url : address);
    const stored = await copy.read(href.slice(url.length + 1));
    return stored === undefined
      ? new Response("", { status: 404 })
      : new Response(new Uint8Array(stored.body));
  };
  return createAlmanac({ url, keys: [owner.open], fetch: fetchCopy, now: () => Date.parse("2026-11-22") });
}

test("a whole copy is the published state byte for byte, without objects and states of before", async () => {
  const { copy, leftOut, manifest } = await copied();
  const [there, before] = [await contentOf(copy), await contentOf(published.site)];
  for (const [path, bytes] of there)
    expect(Buffer.compare(bytes, before.get(path) ?? bytes.subarray(1)), path).toBe(0);
  expect([leftOut, manifest]).toEqual([0, state.pointer.manifest]);
  const isRecord = (path: string): boolean => /^v1\/(?:objects|manifests)\/|^v1\/marker/.test(path);
  const stable = (paths: Iterable<string>): string[] =>
    [...paths].filter((path) => !isRecord(path)).toSorted();
  expect(stable(there.keys())).toEqual(stable(before.keys()));
  expect([...there.keys()].filter((path) => path.startsWith("v1/objects/"))).toEqual([]);
  expect((await found(copy)).findings).toEqual([]);
  const leo = { language: "en", period: "daily", sign: "leo" } as const;
  expect(await reader(copy).horoscope(leo)).toMatchObject({ stale: false, version: state.pointer.version });
});

test("nothing in a copy with eight days of the archive leads to what is not there", async () => {
  const { copy, leftOut } = await copied(8);
  const there = new Set(await keysOf(copy));
  const lost: string[] = [];
  for (const [path, bytes] of await contentOf(copy)) {
    if (!/\.(?:html|xml|json|txt|webmanifest)$/.test(path) || path.startsWith("v1/manifests/")) continue;
    const text = new TextDecoder().decode(bytes).replaceAll(String.raw`\/`, "/");
    const links = [...text.matchAll(/(?:href|src)="(?:https:\/\/almanac\.example)?\/stars\/([^"#?]*)/g)];
    const addresses = [...text.matchAll(/https:\/\/almanac\.example\/stars\/([\w./-]*)/g)];
    for (const [, address = ""] of [...links, ...addresses]) {
      const target = pathAt(address);
      if (parsePath(target) !== undefined && !there.has(target)) lost.push(`${path} -> ${target}`);
    }
  }
  expect(lost).toEqual([]);
  expect(leftOut).toBeGreaterThan(1_500);
  expect(there.has("en/daily/leo/2026-11-14/index.html")).toBe(true);
  expect(there.has("en/daily/leo/2026-11-13/index.html")).toBe(false);
  // What held on one of these days stays, whenever it began.
  for (const path of [
    "en/yearly/leo/2026/index.html",
    "v1/en/weekly/2026-11-08.json",
    "en/archive/leo/2026-11/index.html",
  ])
    expect([path, there.has(path)]).toEqual([path, true]);
  for (const path of [
    "v1/en/weekly/2026-11-01.json",
    "en/archive/leo/2026-10/index.html",
    "en/sitemap-2026-10.xml",
  ])
    expect([path, there.has(path)]).toEqual([path, false]);
});

test("such a copy is a sound state of its own, under the owner's key", async () => {
  const { copy, version, manifest } = await copied(8);
  const { findings, pointer, files } = await found(copy);
  expect(findings).toEqual([]);
  expect([pointer?.version, pointer?.manifest, pointer?.expires]).toEqual([
    version,
    manifest,
    state.pointer.expires,
  ]);
  expect(manifest).not.toBe(state.pointer.manifest);
  expect(files).toBeLessThan((await keysOf(published.site)).length);
  const almanac = reader(copy);
  const leo = { language: "hi", period: "daily", sign: "leo" } as const;
  expect(await almanac.horoscope({ ...leo, date: "2026-11-15" })).toMatchObject({ stale: false });
  await expect(almanac.horoscope({ ...leo, date: "2026-11-05" })).rejects.toMatchObject({
    name: "NotPublished",
  });
  expect((await copied(8)).manifest).toBe(manifest);
});

test("a signed site is not cut where the key is not, and is copied whole there", async () => {
  const put = async (): Promise<void> => undefined;
  const without = { siteUrl: url, signer: undefined, put };
  await expect(copyState(state, { ...without, days: 8 })).rejects.toThrow(
    "it has to be signed anew: run it where ALMANAC_SIGNING_KEY is set, or without --days",
  );
  expect(await copyState(state, { ...without, days: undefined })).toMatchObject({ leftOut: 0 });
});

test("a copy ends at an object that is lost or damaged", async () => {
  const { site } = published;
  const path = "en/index.html";
  const key = objectPath(state.groups.get("en/current")?.[path]?.object ?? "", path);
  const before = (await site.read(key))?.body ?? new Uint8Array();
  await damage(site, key);
  await expect(copied()).rejects.toThrow(
    `${key} of the published state is damaged: \`almanac repair\` mends it`,
  );
  await site.remove([key]);
  await expect(copied(8)).rejects.toThrow("is not there: `almanac repair` mends it");
  await site.write(key, before, { type: typeOf(path) }, always);
});

test("what a host does not take is told with the days that would fit, and they do", async () => {
  const small: Host = { name: "Small", mostFiles: 3_000, files: hosts.netlify.files };
  const refusal = await requireWithin(small, undefined, state).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NotCopied);
  const form =
    /^the copy has [\d,]+ files, and Small takes 3,000: --days (\d+) would fit, with ([\d,]+) files$/;
  const [, days = "0", files = ""] = form.exec(refusal instanceof Error ? refusal.message : "") ?? [];
  await requireWithin(small, Number(days), state);
  await expect(requireWithin(small, Number(days) + 1, state)).rejects.toThrow(NotCopied);
  const { size } = await copied(Number(days));
  const most = Number(files.replaceAll(",", "")) - Object.keys(small.files).length;
  expect(size.files).toBeLessThanOrEqual(most);
  expect(size.files).toBeGreaterThan(most - 50); // parts and sitemaps of months that went

  const limits = { mostFilesInFolder: 10, mostBytes: 1_000, mostFileBytes: 100 };
  await expect(requireWithin({ name: "Tiny", files: {}, ...limits }, undefined, state)).rejects.toThrow(
    /files in one folder, and Tiny takes 10; .* bytes, and .* bytes in one file, .*: it is too small for this site, also with --days 7/,
  );
});

/** As Cloudflare's manual has it: `*` takes anything, `:name` all but a slash; every rule that fits is used. */
function headersAt(address: string): Map<string, string> {
  const given = new Map<string, string>();
  let fits = false;
  for (const line of hosts.netlify.files._headers.split("\n")) {
    if (line.startsWith("/")) {
      const source = line.replaceAll(/[.+?^$()[\]{}|\\]/g, String.raw`\$&`).replaceAll("*", ".*");
      fits = new RegExp(`^${source.replaceAll(/:[a-zA-Z]\w*/g, "[^/]+")}$`).test(address);
    } else if (fits && line !== "") {
      const [, name = "", value = ""] = /^ {2}([\w-]+): (.+)$/.exec(line) ?? [];
      expect(given.has(name), `${name} twice at ${address}`).toBe(false); // they would be put together
      given.set(name, value);
    }
  }
  return given;
}

test("the hosts' file of headers gives feeds, types and manifests what a bucket gives them, and opens data to all", async () => {
  expect(hosts.netlify.files._headers.split("\n").filter((line) => line.startsWith("/")).length).toBeLessThan(
    100,
  );
  for (const path of await keysOf((await copied()).copy)) {
    const headers = headersAt(`/${path}`);
    expect(headers.get("Access-Control-Allow-Origin"), path).toBe(
      /^(?:v1|assets)\//.test(path) ? "*" : undefined,
    );
    expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
    const { type, cacheControl } = projectedHeaders(typeOf(path), path);
    if (/feed\.(?:xml|json)$|\.d\.ts$|\.webmanifest$/.test(path))
      expect(headers.get("Content-Type"), path).toBe(type);
    else expect(headers.has("Content-Type"), path).toBe(false);
    expect([undefined, cacheControl], path).toContain(headers.get("Cache-Control"));
    if (path.startsWith("v1/manifests/")) expect(headers.get("Cache-Control")).toMatch(/immutable/);
  }
});
