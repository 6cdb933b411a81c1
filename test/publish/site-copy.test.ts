// A copy of the published state for a host that takes a folder: whole, and checked by every hash. The client and `verify` read it by
// its public paths.
import { createPublicKey } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createAlmanac } from "../../packages/client/almanac.js";
import { renderArchive } from "../../publish/archive.ts";
import { type Host, hosts, copyState, NotCopied } from "../../publish/site-copy.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { verify } from "../../publish/repair/verify.ts";
import { projectedHeaders } from "../../publish/state/headers.ts";
import type { Pointer } from "../../site/manifest.schema.ts";
import { objectPath, readState } from "../../publish/state/state.ts";
import { addressOf } from "../../site/address.ts";
import { typeOf } from "../../site/edition.ts";
import { sha256 } from "../../vault/files.ts";
import { always, type Store } from "../../store/store.ts";
import { newKeys } from "../client/support/world.ts";
import { openMemory } from "../support/memory.ts";
import { contentOf, damage, keysOf } from "../support/stores.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

const url = "https://almanac.example/stars";
const owner = newKeys();
const operations = ["daily-horoscope", "weekly-horoscope", "yearly-horoscope", "daily-tarot"] as const;
let published: PublishedSite;
let pointer: Pointer;

/** Five days in two languages. */
beforeAll(async () => {
  published = newSite({
    site: { url, security: { contact: "security@almanac.example" } },
    operations: [...operations],
  });
  await published.gather("2026-11-18", "2026-11-22");
  const signing = { ...published.publishing, signer: owner.secret };
  const dates = { from: "2026-11-18" };
  await renderArchive({ languages: ["en", "hi"], dates, evenMany: true }, signing);
  const state = await readState(published.site);
  if (state === undefined) throw new Error("nothing was published");
  ({ pointer } = state);
});

async function copied(settings: { host?: Host; withObjects?: boolean } = {}) {
  const copy = openMemory();
  const put = async (path: string, bytes: Uint8Array): Promise<void> => {
    expect(await copy.write(path, bytes, { type: typeOf(path) }, always)).toMatchObject({ kind: "written" });
  };
  return { copy, ...(await copyState(published.site, pointer, { ...settings, put })) };
}

function found(copy: Store, withoutObjects: boolean) {
  const publicKeys = [createPublicKey(owner.secret)];
  const now = () => new Date("2026-11-22T00:00:00Z");
  return verify(storeSource(copy), { publicKeys, now, withoutObjects });
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

test.each([false, true])(
  "a copy is the published state byte for byte, with objects: %s",
  async (withObjects) => {
    const { copy, files, bytes } = await copied({ withObjects });
    const [there, before] = [await contentOf(copy), await contentOf(published.site)];
    for (const [path, content] of there)
      expect(Buffer.compare(content, before.get(path) ?? content.subarray(1)), path).toBe(0);
    const isRecord = (path: string): boolean => /^v1\/(?:objects|manifests)\/|^v1\/marker/.test(path);
    const stable = (paths: Iterable<string>): string[] =>
      [...paths].filter((path) => !isRecord(path)).toSorted();
    expect(stable(there.keys())).toEqual(stable(before.keys()));
    expect([...there.keys()].some((path) => path.startsWith("v1/objects/"))).toBe(withObjects);
    expect(there.has("v1/marker.json")).toBe(false);
    expect([files, bytes]).toEqual([there.size, there.values().reduce((sum, { length }) => sum + length, 0)]);
    expect((await found(copy, !withObjects)).findings).toEqual([]);
    const leo = { language: "en", period: "daily", sign: "leo" } as const;
    expect(await reader(copy).horoscope(leo)).toMatchObject({ stale: false, version: pointer.version });
  },
);

test("a copy stops at a lost or damaged object, and has no pointer", async () => {
  const { site } = published;
  const path = "en/index.html";
  const before = (await site.read(path))?.body ?? new Uint8Array();
  const key = objectPath(sha256(before), path);
  await damage(site, key);
  await expect(copied()).rejects.toThrow(
    `${key} of the published version is damaged. Run \`almanac repair\``,
  );
  await site.remove([key]);
  const seen: string[] = [];
  const put = async (one: string): Promise<void> => void seen.push(one);
  await expect(copyState(site, pointer, { put })).rejects.toThrow("is missing. Run `almanac repair`");
  expect(seen).not.toContain("v1/pointer.json");
  await site.write(key, before, { type: typeOf(path) }, always);
});

test("a copy that exceeds the limits of a host is refused before a file is copied", async () => {
  const limits = { mostFiles: 100, mostFilesInFolder: 10, mostBytes: 1_000, mostFileBytes: 100 };
  const seen: string[] = [];
  const put = async (one: string): Promise<void> => void seen.push(one);
  const refusal = copyState(published.site, pointer, { host: { name: "Tiny", files: {}, ...limits }, put });
  await expect(refusal).rejects.toThrow(NotCopied);
  await expect(refusal).rejects.toThrow(
    /^the copy has [\d,]+ files, but Tiny allows 100; \d+ files in one folder, but Tiny allows 10; [\d,]+ bytes, but Tiny allows 1,000; [\d,]+ bytes in one file, but Tiny allows 100\. Choose another host/,
  );
  expect(seen).toEqual([]);
  const own = { files: { "own.txt": "own" } };
  const { copy, files } = await copied({ host: { name: "Any", ...own } });
  expect(await keysOf(copy)).toContain("own.txt");
  await expect(copied({ host: { name: "Exact", ...own, mostFiles: files } })).resolves.toBeDefined();
  await expect(copied({ host: { name: "Less", ...own, mostFiles: files - 1 } })).rejects.toThrow(NotCopied);
});

/** Matches rules like Cloudflare's manual: `*` matches anything, `:name` all but a slash, and all matching rules apply. */
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

/** Applies rules like the hosts: the first one that fits, with `:name` for all but a slash and `*` for anything. */
function redirectAt(address: string, rules: string): string | undefined {
  for (const rule of rules.trim().split("\n")) {
    const [source = "", target = "", status] = rule.split(" ");
    const form = source.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)").replaceAll("*", ".*");
    const match = new RegExp(`^${form}/?$`).exec(address);
    if (match !== null)
      return `${status} ${target.replaceAll(/:(\w+)/g, (_, name: string) => match.groups?.[name] ?? "")}`;
  }
  return undefined;
}

test("Netlify answers for a dated page that has left the site with 410, for any other with 404, each in its language", () => {
  const { _redirects: rules } = hosts.netlify.files;
  expect(redirectAt("/hi/daily/leo/2025-01-31/", rules)).toBe("410 /hi/410.html");
  expect(redirectAt("/en/archive/leo/2025-01/", rules)).toBe("410 /en/410.html");
  expect(redirectAt("/en/newsletter/2025-01-31.html", rules)).toBe("410 /en/410.html");
  expect(redirectAt("/en/nothing/", rules)).toBe("404 /en/404.html");
});

test("Cloudflare Pages leads pages of earlier months to the current ones, and no existing file anywhere", async () => {
  const copy = new Map<string, Uint8Array>();
  const put = async (path: string, file: Uint8Array): Promise<void> => void copy.set(path, file);
  await copyState(published.site, pointer, { host: hosts["cloudflare-pages"], put });
  const rules = new TextDecoder().decode(copy.get("_redirects"));
  expect(rules.trim().split("\n").length).toBeLessThan(100);
  expect([...copy.keys()].filter((path) => redirectAt(`/${addressOf(path)}`, rules) !== undefined)).toEqual(
    [],
  );
  for (const [address, to] of [
    ["/en/daily/leo/2026-10-31/", "/en/daily/leo/"],
    ["/hi/weekly/leo/2024-12-29/", "/hi/weekly/leo/"],
    ["/en/monthly/leo/2025-06/", "/en/monthly/leo/"],
    ["/en/archive/leo/2025-06/", "/en/archive/"],
  ] as const)
    expect(redirectAt(address, rules), address).toBe(`302 ${to}`);
  expect(redirectAt("/v1/en/daily/2025-06-01.json", rules)).toBeUndefined();
});

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
