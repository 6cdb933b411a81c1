import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { renderArchive } from "../../publish/archive.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { objectPath } from "../../publish/state/state.ts";
import { withdraw } from "../../publish/withdraw.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { languageNames, operationNames } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import { deep } from "../support/deep.ts";
import { childOf, type Element, readXml } from "../site/xml.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { contentOf } from "../support/stores.ts";

const schema = readFileSync(
  fileURLToPath(new URL("schema/sitemap.xsd", import.meta.resolve("sitemap/package.json"))),
  "utf8",
);

/** The schema of the index is in a separate file that no package contains: its elements, with the protocol's types. */
const withIndex = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
  xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9">
  <xsd:include schemaLocation="sitemap.xsd"/>
  <xsd:element name="sitemapindex">
    <xsd:complexType><xsd:sequence>
      <xsd:element name="sitemap" maxOccurs="unbounded">
        <xsd:complexType><xsd:sequence>
          <xsd:element name="loc" type="tLoc"/>
          <xsd:element name="lastmod" type="tLastmod" minOccurs="0"/>
        </xsd:sequence></xsd:complexType>
      </xsd:element>
    </xsd:sequence></xsd:complexType>
  </xsd:element>
</xsd:schema>`;

/** Violations of the schema, each with its file and line. */
async function faultsBySchema(sitemaps: ReadonlyMap<string, string>): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [...sitemaps].map(([path, contents]) => ({ fileName: path.replaceAll("/", "_"), contents })),
    schema: { fileName: "siteindex.xsd", contents: withIndex },
    preload: { fileName: "sitemap.xsd", contents: schema },
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

async function published(site: PublishedSite, from: string, to: string): Promise<PublishedSite> {
  await site.gather(addDays(from, -1), to);
  await site.nights(from, to);
  return site;
}

const horoscopes: ConfigurationInput = { languages: ["en"], operations: ["daily-horoscope"] };

/** Entries of a sitemap, parsed strictly: stricter than the protocol's schema, which `faultsBySchema` checks. */
function listedIn(xml: string, root: "urlset" | "sitemapindex"): Map<string, string | undefined> {
  const document = readXml(xml);
  expect(document.name).toBe(root);
  expect(document.attributes).toEqual({ xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" });
  expect(document.text.trim()).toBe("");
  const entries = document.children.map((entry): [string, string | undefined] => {
    expect(entry.name).toBe(root === "urlset" ? "url" : "sitemap");
    expect([["loc"], ["loc", "lastmod"]]).toContainEqual(entry.children.map(({ name }) => name));
    const [loc, lastmod] = [childOf(entry, "loc"), childOf(entry, "lastmod")].map(textIn);
    expect(loc).toMatch(/^https:\/\/almanac\.example\//);
    return [loc ?? "", lastmod];
  });
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.length).toBeLessThanOrEqual(50_000);
  expect(xml.length).toBeLessThanOrEqual(52_428_800);
  expect(new Set(entries.map(([loc]) => loc)).size).toBe(entries.length);
  return new Map(entries);
}

function textIn(element: Element | undefined): string | undefined {
  return element === undefined ? undefined : element.text;
}

/** From an address to the path of the published page. */
function pathOf(address: string): string {
  const path = new URL(address).pathname.slice(1);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

function newestOf(listed: ReadonlyMap<string, string | undefined>): string | undefined {
  return [...listed.values()].reduce((one, other) => ((other ?? "") > (one ?? "") ? other : one), undefined);
}

/** Every sitemap that the index names, read. */
async function allListed(site: PublishedSite): Promise<Map<string, Map<string, string | undefined>>> {
  const texts = new Map([["sitemap.xml", await site.text("sitemap.xml")]]);
  const index = listedIn(texts.get("sitemap.xml") ?? "", "sitemapindex");
  const sitemaps = new Map<string, Map<string, string | undefined>>();
  for (const [address, lastmod] of index) {
    const text = await site.text(pathOf(address));
    texts.set(pathOf(address), text);
    const listed = listedIn(text, "urlset");
    expect([address, lastmod]).toEqual([address, newestOf(listed)]);
    // A sitemap may list only pages below its own folder.
    const folder = address.slice(0, address.lastIndexOf("/") + 1);
    expect([...listed.keys()].filter((one) => !one.startsWith(folder))).toEqual([]);
    sitemaps.set(pathOf(address), listed);
  }
  expect(await faultsBySchema(texts)).toEqual([]);
  return sitemaps;
}

/** Errors of the sitemaps: unwanted, missing and duplicate entries. */
async function wrongIn(site: PublishedSite): Promise<string[]> {
  const addresses = [...(await allListed(site)).values()].flatMap((listed) => [...listed.keys()]);
  const listed = new Set(addresses);
  const wrong = addresses.length === listed.size ? [] : ["a page is listed twice"];
  for (const [path, object] of await site.paths()) {
    if (!path.endsWith("/index.html") && path !== "index.html") continue;
    const page = new TextDecoder().decode((await site.site.read(objectPath(object, path)))?.body);
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(page)?.[1];
    const isFound = canonical !== undefined && pathOf(canonical) === path;
    if (isFound !== listed.delete(`https://almanac.example/${path.replace(/index\.html$/, "")}`))
      wrong.push(`${path}: ${isFound ? "missing" : "listed"}, its canonical is ${canonical}`);
  }
  return [...wrong, ...[...listed].map((address) => `${address} is no page`)];
}

const inMonth = "en/sitemap-2026-11.xml";
const dated = (date: string) => `https://almanac.example/en/daily/leo/${date}/`;

describe("the protocol's schema", () => {
  const urls = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  const index = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  const loc = "<loc>https://almanac.example/en/</loc>";
  const when = "<lastmod>2026-11-19T08:05:17.000Z</lastmod>";

  test("accepts a sitemap and an index, with and without dates", async () => {
    const fit = [
      `${urls}<url>${loc}${when}</url><url>${loc}</url></urlset>`,
      `${index}<sitemap>${loc}${when}</sitemap><sitemap>${loc}</sitemap></sitemapindex>`,
    ];
    expect(await faultsBySchema(new Map(fit.map((text, at) => [`${at}.xml`, text])))).toEqual([]);
  });

  test("refuses invalid sitemaps, whatever the error", async () => {
    const unfit = new Map([
      ["another-name-space", `<urlset xmlns="https://almanac.example/"><url>${loc}</url></urlset>`],
      ["no-address", `${urls}<url>${when}</url></urlset>`],
      ["date-first", `${urls}<url>${when}${loc}</url></urlset>`],
      ["short-address", `${urls}<url><loc>http://a.b</loc></url></urlset>`],
      ["no-such-day", `${urls}<url>${loc}<lastmod>2026-02-30</lastmod></url></urlset>`],
      ["page-in-index", `${index}<url>${loc}</url></sitemapindex>`],
      ["empty-index", `${index}</sitemapindex>`],
      ["no-date", `${index}<sitemap>${loc}<lastmod>now</lastmod></sitemap></sitemapindex>`],
    ]);
    const faults = await faultsBySchema(unfit);
    expect([...unfit.keys()].filter((name) => !faults.some((fault) => fault.startsWith(name)))).toEqual([]);
  });
});

describe("the sitemaps", () => {
  test("list every page once under its canonical URL, with the date when its text was first shown", async () => {
    const site = await published(newSite(), "2026-10-31", "2026-11-02");
    const sitemaps = await allListed(site);
    expect([...sitemaps.keys()]).toEqual([
      "en/sitemap-2026-10.xml",
      "en/sitemap-2026-11.xml",
      "en/sitemap.xml",
      "hi/sitemap-2026-10.xml",
      "hi/sitemap-2026-11.xml",
      "hi/sitemap.xml",
      "sitemap-site.xml",
    ]);
    expect(await wrongIn(site)).toEqual([]);
    expect(sitemaps.get("en/sitemap.xml")?.get("https://almanac.example/en/daily/leo/")).toBe(
      "2026-11-02T12:00:00.000Z",
    );
    expect(sitemaps.get(inMonth)?.get(dated("2026-11-01"))).toBe("2026-11-01T12:00:00.000Z");
    expect(sitemaps.get(inMonth)?.has(dated("2026-11-02"))).toBe(false);
    expect(await site.text("robots.txt")).toContain("Sitemap: https://almanac.example/sitemap.xml\n");
    for (const path of sitemaps.keys()) expect((await site.text(path)).length).toBeLessThan(256 * 1024);
  });

  test.runIf(deep)("list every page of all languages and operations, by the protocol's schema", async () => {
    const all = { languages: [...languageNames], operations: [...operationNames], pairs: undefined };
    const site = await published(newSite(all), "2026-11-01", "2026-11-02");
    const sitemaps = await allListed(site);
    expect(languageNames.filter((language) => !sitemaps.has(`${language}/sitemap.xml`))).toEqual([]);
    expect(await wrongIn(site)).toEqual([]);
  });

  test("of past months are not read again, and an identical night writes nothing", async () => {
    const site = await published(newSite(horoscopes), "2026-10-30", "2026-11-02");
    const before = await contentOf(site.site);
    await site.night();
    expect(await contentOf(site.site)).toEqual(before);
    const object = (await site.paths()).get("en/sitemap-2026-10.xml") ?? "";
    await site.site.remove([objectPath(object, "sitemap.xml")]);
    await published(site, "2026-11-03", "2026-11-03");
    expect([...listedIn(await site.text("sitemap.xml"), "sitemapindex").keys()].map(pathOf)).toContain(
      "en/sitemap-2026-10.xml",
    );
  });

  test("list a dated page again if days without a complete set follow it", async () => {
    const site = newSite(horoscopes);
    await site.gather("2026-11-09", "2026-11-10");
    await site.gather("2026-11-17");
    for (const date of ["2026-11-10", "2026-11-11", "2026-11-17"]) {
      site.setClock(`${date}T12:00:00Z`);
      await site.night();
    }
    expect(await wrongIn(site)).toEqual([]);
    expect(listedIn(await site.text(inMonth), "urlset").has(dated("2026-11-10"))).toBe(true);
  });

  test("include a language's months again after a rollback, and no withdrawn text", async () => {
    const site = await published(newSite({ operations: ["daily-horoscope"] }), "2026-10-31", "2026-11-03");
    const to = await chooseState("3", { site: site.site, now: site.publishing.now(), keepDays: 60 });
    await rollback({ to, languages: ["hi"], evenMany: true, by: { by: "editor" } }, site.publishing);
    expect(await wrongIn(site)).toEqual([]);
    const key = "daily/2026-11-02/en/daily-horoscope/leo";
    await withdraw(recordOf(key), requestAt(key), site.publishing);
    expect(listedIn(await site.text(inMonth), "urlset").has(dated("2026-11-02"))).toBe(false);
    expect(await wrongIn(site)).toEqual([]);
    await site.with({ languages: ["en"], operations: ["daily-horoscope"] }).night();
    expect([...(await allListed(site)).keys()].some((path) => path.startsWith("hi/"))).toBe(false);
    expect(await wrongIn(site)).toEqual([]);
  });

  test("of a site without sitemaps list its pages at once, and their dates once they are rendered", async () => {
    const site = await published(newSite(horoscopes), "2026-11-01", "2026-11-04");
    // Its sitemap was lost, so nothing says when its pages changed.
    await site.site.remove([objectPath((await site.paths()).get(inMonth) ?? "", inMonth)]);
    await published(site, "2026-11-05", "2026-11-05");
    expect(await wrongIn(site)).toEqual([]);
    expect(listedIn(await site.text(inMonth), "urlset").get(dated("2026-11-02"))).toBeUndefined();
    await renderArchive(
      { languages: ["en"], evenMany: false, dates: { from: "2026-11-01" } },
      site.publishing,
    );
    expect(listedIn(await site.text(inMonth), "urlset").get(dated("2026-11-02"))).toBeDefined();
    expect(await wrongIn(site)).toEqual([]);
  });
});
