// nginx and Caddy before a site in a folder: readers get from them what they get from a bucket, and what a bucket can't give.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { manifestHeaders, pointerHeaders, projectedHeaders } from "../../publish/state/headers.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { typeOf } from "../../site/edition.ts";
import { openFolder } from "../../store/folder.ts";
import type { ObjectHeaders } from "../../store/store.ts";
import { sha256 } from "../../vault/files.ts";
import { newSite } from "../publish/support/published-site.ts";
import { storesIn } from "../publish/support/resettable.ts";
import { fileEnd } from "../support/ends.ts";
import { startWebServer, webServers } from "./web-server.ts";

const atEnd = fileEnd();
let folder = "";
let siteFolder = "";
const paths: string[] = [];
const nothing = new Uint8Array();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-servers-"));
  atEnd(() => rm(folder, { recursive: true }));
  siteFolder = join(folder, "site");
  const site = openFolder(siteFolder);
  const published = newSite(
    { site: { security: { contact: "security@almanac.example" } } },
    { vault: openFolder(join(folder, "vault")), site },
  );
  await published.gather("2026-11-19", "2026-11-22");
  await published.night();
  for await (const { key } of site.list("")) paths.push(key);
  await writeFile(join(siteFolder, ".secret"), "not for readers");
  await writeFile(join(siteFolder, ".well-known/.secret"), "not for readers");
});

/** A feed's object has the extension `.xml` like a sitemap's, so a folder can't show its type. */
function asInABucket(path: string): ObjectHeaders {
  if (path === pointerPath) return pointerHeaders;
  if (path.startsWith("v1/manifests/")) return manifestHeaders;
  return projectedHeaders(typeOf(path), path);
}

function addressOf(path: string): string {
  return `/${path.replace(/(^|\/)index\.html$/, "$1")}`;
}

describe.each(webServers)("$name", (server) => {
  let url = "";
  beforeAll(async () => {
    url = await startWebServer(server, siteFolder, folder, atEnd);
  });
  const get = (address: string, more: RequestInit = {}): Promise<Response> =>
    fetch(url + address, { redirect: "manual", ...more });

  test("gives every file of the site with a bucket's type and cache, and its very bytes", async () => {
    const site = openFolder(siteFolder);
    expect(paths.length).toBeGreaterThan(500);
    expect(paths).toEqual(
      expect.arrayContaining([".well-known/security.txt", "favicon.ico", "manifest.webmanifest"]),
    );
    for (const path of paths) {
      const response = await get(addressOf(path));
      const { type, cacheControl } = asInABucket(path);
      const seen = {
        status: response.status,
        type: response.headers.get("content-type"),
        cacheControl: response.headers.get("cache-control"),
      };
      expect(seen, path).toEqual({ status: 200, type, cacheControl });
      expect(sha256(await response.bytes()), path).toBe(sha256((await site.read(path))?.body ?? nothing));
    }
  });

  test("lets other sites' pages read data and assets, and frame nothing but the cards made for that", async () => {
    for (const path of paths) {
      const { headers } = await get(addressOf(path), {
        method: "HEAD",
        headers: { origin: "https://other.example" },
      });
      const seen = [headers.get("access-control-allow-origin"), headers.get("content-security-policy")];
      const isShared = /^(?:v1|assets)\//.test(path);
      const isCard = /^[a-z]+\/embed\//.test(path);
      expect(seen, path).toEqual([isShared ? "*" : null, isCard ? null : "frame-ancestors 'self'"]);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    }
  });

  test("compresses text and leaves pictures as they are", async () => {
    const encoded = async (path: string): Promise<(string | null)[]> => {
      const { headers } = await get(addressOf(path), { headers: { "accept-encoding": "gzip" } });
      return [headers.get("content-encoding"), headers.get("vary")];
    };
    for (const path of ["en/index.html", "v1/index.json", "en/feed.xml", "en/feed.json", "assets/almanac.js"])
      expect(await encoded(path), path).toEqual(["gzip", expect.stringMatching(/accept-encoding/i)]);
    expect(await encoded("assets/pictures/leo.png")).toEqual([null, null]);
  });

  test("answers with 304 to who has the file", async () => {
    const etag = (await get("/v1/pointer.json")).headers.get("etag") ?? "";
    const again = await get("/v1/pointer.json", { headers: { "if-none-match": etag } });
    expect([again.status, again.headers.get("cache-control")]).toEqual([304, "public, max-age=5"]);
  });

  test("gives what a rollback shows again to readers with the newer page, by either validator", async () => {
    const own = await mkdtemp(join(folder, "rollback-"));
    const published = newSite({ operations: ["daily-tarot"] }, storesIn(own));
    const { site, now, configuration } = published.publishing;
    await published.gather("2026-11-19", "2026-11-22");
    await published.nights("2026-11-20", "2026-11-20");
    const page = `${await startWebServer(server, join(own, "site"), own, atEnd)}/en/`;
    const earlier = await (await fetch(page)).text();
    await pause(1_100); // times in headers are whole seconds
    await published.nights("2026-11-21", "2026-11-21");
    const newer = await fetch(page);
    expect(await newer.text()).not.toBe(earlier);
    await pause(1_100);
    const { keepDays } = configuration.publishing;
    const to = await chooseState("1", { site, now: now(), keepDays });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, published.publishing);
    const validators = {
      "if-none-match": newer.headers.get("etag") ?? "",
      "if-modified-since": newer.headers.get("last-modified") ?? "",
    };
    for (const headers of Object.entries(validators)) {
      const response = await fetch(page, { headers: [headers] });
      expect([response.status, await response.text()], headers[0]).toEqual([200, earlier]);
    }
  });

  test("leads an address without its last slash to the page", async () => {
    const { status, headers } = await get("/en/daily/aries");
    expect([301, 308]).toContain(status);
    expect(headers.get("location")).toBe("/en/daily/aries/");
  });

  test.each([
    "/hi/nothing/here",
    "/nothing",
    "/v1/objects/",
    "/v1/nothing.json",
    "/.secret",
    "/en/.secret",
    "/.well-known/.secret",
  ])("says of %s that it is not there, in a page that no cache keeps", async (address) => {
    const response = await get(address);
    const { status, headers } = response;
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      404,
      "text/html; charset=utf-8",
      null,
    ]);
    expect(await response.text()).toContain("<h1>");
  });

  test.each([
    "/hi/daily/leo/2025-01-31/",
    "/en/daily/leo/2025-01-31",
    "/en/weekly/leo/2025-01-26/index.html",
    "/en/monthly/leo/2025-01/",
    "/en/yearly/leo/2025/",
    "/en/archive/leo/2025-01/",
    "/en/newsletter/2025-01-31.html",
    "/en/newsletter/2025-01-31/leo.html",
  ])(
    "says of the dated page %s that it has left the site, and leads to the current ones",
    async (address) => {
      const response = await get(address);
      const { status, headers } = response;
      expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
        410,
        "text/html; charset=utf-8",
        null,
      ]);
      const [, language = ""] = address.split("/");
      expect(await response.text()).toContain(`href="/${language}/daily/leo/"`);
    },
  );

  test("takes nothing but GET and HEAD", async () => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await get("/en/", { method })).status, method).toBe(405);
  });
});
