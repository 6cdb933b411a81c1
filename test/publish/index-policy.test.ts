// Robots tags, canonical addresses, sitemaps, links between translations and feeds agree under every index policy, in every state of
// a site; and a page is rendered again only if the policy decides otherwise on it.
import fc from "fast-check";
import { z } from "zod";
import { describe, expect, test } from "vitest";
import { renderArchive } from "../../publish/archive.ts";
import { objectPath } from "../../publish/state/state.ts";
import { publishApproved, recordReview } from "../../publish/review.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { canonicalPages, indexedPages, type IndexRule } from "../../readings/index-rules.ts";
import { periodKinds } from "../../readings/calendar.ts";
import type { Language } from "../../readings/tables.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { documents } from "../../site/data.schema.ts";
import { indexPolicy } from "../../site/index-policy.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import { tree, type TreePath } from "../../site/tree.ts";
import { deep } from "../support/deep.ts";
import { fill, inMemory, type Snapshot, snapshotOf } from "../support/stores.ts";
import { disagreements, indexedSite, isListed, type SeenTexts } from "./support/indexed-site.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";

const languages = ["en", "hi", "ar"] as const;
const configured: ConfigurationInput = {
  languages: [...languages],
  operations: ["daily-horoscope", "weekly-horoscope", "daily-tarot", "love-compatibility"],
  pairs: [["leo", "pisces"]],
  people: [],
};
/** A night in each of four months, and two more to come. */
const nights = ["2026-08-12", "2026-09-16", "2026-10-14", "2026-11-18"] as const;
const later = ["2026-12-02", "2027-01-06"] as const;

let made: Promise<Snapshot> | undefined;

/** The site after the four nights. */
async function published(more: ConfigurationInput = {}): Promise<PublishedSite> {
  made ??= publishedOnce();
  const stores = inMemory();
  await fill(stores, await made);
  const site = newSite({ ...configured, ...more }, stores);
  site.setClock(noon(nights[3]));
  return site;
}

async function publishedOnce(): Promise<Snapshot> {
  const stores = inMemory();
  const site = newSite(configured, stores);
  for (const date of [...nights, ...later]) await site.gather(date);
  for (const date of nights) {
    site.setClock(noon(date));
    await site.night();
    await settle(site);
    if (date !== nights[1]) await approve(site, date, ["en", "hi"]);
  }
  return snapshotOf(stores);
}

/** Approves Leo's daily horoscopes, the cards of the day and the pair. */
async function approve(site: PublishedSite, date: string, approved: readonly Language[]): Promise<void> {
  const paths = approved.flatMap((language) => [
    [documents.sign, `v1/${language}/daily/${date}/leo.json`] as const,
    [documents.card, `v1/${language}/daily-tarot/${date}.json`] as const,
    [documents.pair, `v1/${language}/love-compatibility/leo-pisces.json`] as const,
  ]);
  const there = await site.paths();
  const known = paths.filter(([, path]) => there.has(path));
  const texts = await Promise.all(known.map(async ([schema, path]) => schema.parse(await site.json(path))));
  await recordReview("approve", texts, { by: "editor" }, site.publishing);
  await publishApproved(texts, site.publishing);
}

function noon(date: string) {
  return `${date}T12:00:00Z`;
}

/** Publishes until nothing is due. Returns how often. */
async function settle(site: PublishedSite, between: () => Promise<void> = async () => undefined) {
  let version = -1;
  for (let steps = 0; ; steps += 1) {
    expect(steps).toBeLessThan(30);
    const next = await site.publishDue();
    if (next === version) return steps;
    version = next;
    await between();
  }
}

/** Pages that were not rendered by the policy as it is now. */
async function outdated(site: PublishedSite, date: string, seen: SeenTexts): Promise<string[]> {
  const { indexing, operations } = site.publishing.configuration;
  const { pages } = await indexedSite(site, seen);
  const newest = new Map<string, Readonly<Record<string, string>>>();
  for (const language of languages)
    newest.set(language, summarySchema.parse(await site.json(`v1/${language}/index.json`)).newest);
  const isEnded = (at: TreePath) => at.row === "signPage" && !operations.includes(`${at.kind}-horoscope`);
  const exists = (at: TreePath) => pages.has(pathOf(at)) && !isEnded(at);
  return [...pages].flatMap(([path, { isNoIndex, isReviewed, canonical }]) => {
    const at = parsePath(path);
    if (at === undefined || tree[at.row].isListed !== true) return isNoIndex ? [] : [path];
    const isCurrent = at.row === "datedPage" && newest.get(at.language)?.[`${at.kind}-horoscope`] === at.key;
    const facts = { at, date, isCurrent, isEnded: isEnded(at), reviewed: isReviewed };
    const decision = indexPolicy(facts, indexing, exists);
    const wanted = typeof decision === "object" ? pathOf(decision) : decision;
    const is = isNoIndex ? "noindex" : canonical === path ? "listed" : canonical;
    return is === wanted ? [] : [`${path} is ${is}, not ${wanted}`];
  });
}

const summarySchema = z.object({ newest: z.record(z.string(), z.string()) });

/** The changed and new pages of a piece of work. */
async function changesBy(site: PublishedSite, work: () => Promise<unknown>): Promise<string[]> {
  const before = await site.paths();
  await work();
  const after = await site.paths();
  return [...after].flatMap(([path, object]) => (before.get(path) === object ? [] : [path])).sort();
}

const dated = (month: string) => new RegExp(`^\\w+/\\w+/[a-z]+/${month}-\\d\\d/index\\.html$`);
const inMonth = (paths: readonly string[], month: string) =>
  paths.filter((path) => path.includes(`${month}-`));

describe("a month's pages", () => {
  test("are rendered again once, when the month passes the age, and other nights render no old page", async () => {
    const site = newSite({ languages: ["en"], operations: ["daily-horoscope"] });
    const days = ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01", "2026-12-31"];
    for (const date of [...days, "2027-01-01"]) await site.gather(date);
    const nightOf = (date: string) => changesBy(site, () => site.nights(date, date));
    const changes = new Map<string, string[]>();
    for (const date of days) changes.set(date, await nightOf(date));
    expect(changes.get("2026-12-01")?.filter((path) => dated("2026-10").test(path))).toHaveLength(12);
    expect(inMonth(changes.get("2026-12-31") ?? [], "2026-11")).toEqual([]);
    expect(isListed(await indexedSite(site), "en/daily/leo/2026-11-30/index.html")).toBe(true);
    const first = await nightOf("2027-01-01");
    expect(inMonth(first, "2026-11").filter((path) => !dated("2026-11").test(path))).toEqual([]);
    expect(inMonth(first, "2026-11")).toHaveLength(2 * 12);
    expect(inMonth(first, "2026-10")).toEqual([]);
    const seen = await indexedSite(site);
    expect(disagreements(seen)).toEqual([]);
    expect([...seen.listed.keys()].filter((path) => dated("2026-11").test(path))).toEqual([]);
    expect((await site.paths()).has("en/sitemap-2026-11.xml")).toBe(false);
    expect(await changesBy(site, () => site.night())).toEqual([]);
    const all = { languages: ["en" as const], evenMany: false, dates: { from: "2026-10-30" } };
    expect(await changesBy(site, () => renderArchive(all, site.publishing))).toEqual([]);
  });

  test("keep the published texts, and need nothing of the vault's responses", async () => {
    const site = await published();
    const key = "daily/2026-10-14/en/daily-horoscope/leo";
    await site.keep(key, "Other words.");
    site.setClock(noon(later[0]));
    const changes = await changesBy(site, () => site.night());
    expect(changes.filter((path) => dated("2026-10").test(path))).toHaveLength(3 * 24);
    expect(await site.filesWith("Other words.")).toEqual([]);
    expect(disagreements(await indexedSite(site))).toEqual([]);
  });

  test("with a damaged page stop no night", async () => {
    const site = await published();
    const path = "v1/en/daily/2026-10-14/leo.json";
    await site.site.remove([objectPath((await site.paths()).get(path) ?? "", path)]);
    site.setClock(noon(later[0]));
    await site.night();
    const seen = await indexedSite(site);
    expect(disagreements(seen)).toEqual([]);
    expect(seen.pages.get("en/daily/leo/2026-10-14/index.html")?.isNoIndex).toBe(false);
    expect(seen.pages.get("en/weekly/leo/2026-10-11/index.html")?.isNoIndex).toBe(true);
  });
});

describe("a changed policy", () => {
  const change = async (indexing: readonly IndexRule[]) => {
    const before = await published();
    const site = before.with({ indexing: [...indexing] });
    const changed: string[][] = [];
    let paths = await before.paths();
    const note = async () => {
      const now = await site.paths();
      const pages = [...now].filter(([path, object]) => path.endsWith(".html") && paths.get(path) !== object);
      changed.push(pages.map(([path]) => path));
      paths = now;
    };
    await settle(site, note);
    expect(disagreements(await indexedSite(site))).toEqual([]);
    return { site, changed: changed.filter((pages) => pages.length > 0) };
  };

  test("on calendars renders only these again, a month of each language at a time", async () => {
    const { changed } = await change([{ pages: ["archivePage"], as: "listed" }]);
    expect(changed.flat().filter((path) => !path.includes("/archive/"))).toEqual([]);
    expect(changed.map((pages) => pages.length)).toEqual(nights.map(() => 3 * 12));
  });

  test("on a language renders its pages again, and the current ones of others, which name it", async () => {
    const { changed } = await change([{ languages: ["hi"], as: "noindex" }]);
    const others = changed.flat().filter((path) => !path.startsWith("hi/"));
    expect(others.filter((path) => tree[parsePath(path)?.row ?? "embed"].stage === "dated")).toEqual([]);
    expect(others).toContain("en/daily/leo/index.html");
    expect(changed.flat().filter((path) => dated("2026-11").test(path))).toHaveLength(24);
  });

  test("leaves no link to a page that is not listed any more, not even before the last step of a run", async () => {
    const site = (await published()).with({ indexing: [{ languages: ["hi"], as: "noindex" }] });
    await site.night(["hi"]);
    expect(disagreements(await indexedSite(site), false).slice(0, 5)).toEqual([]);
  });

  test("without an effect renders nothing again", async () => {
    expect((await change([{ pages: ["frontPage"], as: "listed" }])).changed).toEqual([]);
  });

  test("names no canonical page whose operation is dropped", async () => {
    const indexing: IndexRule[] = [{ pages: ["datedPage"], as: "canonical" }];
    const { site } = await change(indexing);
    const weekly = "en/weekly/leo/2026-10-11/index.html";
    expect((await indexedSite(site)).pages.get(weekly)?.canonical).toBe("en/weekly/leo/index.html");
    const left = site.with({ operations: ["daily-horoscope", "daily-tarot"], indexing });
    await left.night();
    await settle(left);
    const seen = await indexedSite(left);
    expect(seen.pages.get(weekly)).toMatchObject({ isNoIndex: true, canonical: undefined });
    expect(disagreements(seen)).toEqual([]);
  });
});

test("a page with an approved text is listed where texts without review are not", async () => {
  const rule: IndexRule = { languages: ["hi"], reviewed: false, as: "noindex" };
  const site = (await published()).with({ indexing: [rule] });
  await settle(site);
  const listed = async (paths: readonly string[]) => {
    const seen = await indexedSite(site);
    expect(disagreements(seen)).toEqual([]);
    return paths.filter((path) => isListed(seen, path));
  };
  const current = ["hi/daily/leo/index.html", "hi/daily/aries/index.html", "hi/daily-tarot/index.html"];
  expect(await listed(current)).toEqual([current[0], current[2]]);
  const before = ["leo", "aries"].map((sign) => `hi/daily/${sign}/${nights[3]}/index.html`);
  site.setClock(noon(later[0]));
  await site.night();
  expect(await listed(before)).toEqual([before[0]]);
  expect(await listed(current)).toEqual([]);
  await approve(site, later[0], ["hi"]);
  expect(await listed(current)).toEqual([current[0], current[2]]);
});

describe("under any policy", () => {
  const someOf = <Item>(items: readonly Item[], maxLength: number) =>
    fc.option(fc.subarray([...items], { minLength: 1, maxLength }), { nil: undefined });
  const rule = fc
    .record({
      pages: someOf(indexedPages, 5),
      periods: fc.option(someOf(periodKinds, 2), { nil: undefined, freq: 3 }),
      languages: someOf(languages, 2),
      reviewed: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
      minAgeMonths: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined, freq: 2 }),
      as: fc.constantFrom("listed", "noindex", "canonical"),
    })
    .map((one): IndexRule => {
      const pages = one.as === "canonical" ? one.pages?.filter((page) => page in canonicalPages) : one.pages;
      return { ...one, pages: pages?.length === 0 ? undefined : pages };
    });
  const policy = fc.array(rule, { maxLength: 4 });
  const step = fc.oneof(
    { weight: 8, arbitrary: policy.map((indexing) => ({ kind: "policy" as const, indexing })) },
    { weight: 1, arbitrary: fc.constant({ kind: "month" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "withdraw" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "render" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "approve" as const }) },
    { weight: 1, arbitrary: fc.boolean().map((weekly) => ({ kind: "weekly" as const, weekly })) },
  );

  test("robots tags, canonical pages, sitemaps, translations and feeds agree in every state", async () => {
    let policies = 0;
    const seen: SeenTexts = new Map();
    const play = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
      let site = await published();
      const months = [...later];
      let date: string = nights[3];
      const agree = async (isSettled: boolean) => {
        const found = disagreements(await indexedSite(site, seen), isSettled);
        expect(found.slice(0, 5)).toEqual([]);
      };
      for (const one of steps) {
        if (one.kind === "policy") {
          site = site.with({ indexing: one.indexing });
          policies += 1;
        }
        if (one.kind === "month") {
          date = months.shift() ?? later[1];
          site.setClock(noon(date));
        }
        if (one.kind === "weekly") {
          const { operations = [] } = configured;
          site = site.with({
            operations: operations.filter((name) => one.weekly || name !== "weekly-horoscope"),
          });
        }
        if (one.kind === "withdraw") {
          const key = `daily/${nights[1]}/en/daily-horoscope/leo` as const;
          await withdraw(recordOf(key), requestAt(key), site.publishing);
        }
        if (one.kind === "approve") await approve(site, date, ["ar"]);
        if (one.kind === "render") {
          const dates = { from: "2026-09-01", to: "2026-09-30" };
          await renderArchive({ languages: ["hi"], dates, evenMany: true }, site.publishing);
        }
        await agree(false);
        await site.night();
        await settle(site, () => agree(false));
        await agree(true);
        expect((await outdated(site, date, seen)).slice(0, 5)).toEqual([]);
      }
    };
    const seed = Date.now() % 1_000_000;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: deep ? 12 : 6, maxLength: deep ? 12 : 6 }), play),
      {
        seed,
        numRuns: deep ? 150 : 1,
        endOnFailure: true,
      },
    );
    console.log(`index policy: seed ${seed}, ${policies} policies`);
    expect(policies).toBeGreaterThan(deep ? 1_000 : 0);
  }, 3_600_000);
});
