import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { labelsIn } from "../../site/labels.ts";
import { tree } from "../../site/tree.ts";
import { renderShared } from "../../site/render.ts";
import type { LanguageEdition } from "../../site/edition.ts";
import {
  date,
  firstSetAt,
  renderedIn,
  settings,
  summaryOf,
  textOf,
  wholeEdition,
  withoutLeo,
  renderLanguage,
} from "./editions.ts";
import { deep } from "../support/deep.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("render-hash.ts", import.meta.url));

afterEach(() => {
  vi.useRealTimers();
});

describe("equal readings", () => {
  test.each(deep ? (["ar", "mr"] as const) : (["ar"] as const))(
    "give equal bytes in %s under another zone, locale and input order",
    async (language) => {
      const hashOf = async (environment: Record<string, string>, order: string) => {
        const { PATH, NODE_COMPILE_CACHE } = process.env;
        const env = { PATH, NODE_COMPILE_CACHE, ...environment };
        const { stdout } = await run(process.execPath, [script, language, order], { env });
        return stdout;
      };
      const hashes = await Promise.all([
        hashOf({ TZ: "UTC", LC_ALL: "C" }, "given"),
        hashOf({ TZ: "Pacific/Apia", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" }, "reversed"),
        ...(deep
          ? [hashOf({ TZ: "America/St_Johns", LC_ALL: "ar_EG.UTF-8", LANG: "ar_EG.UTF-8" }, "given")]
          : []),
      ]);
      expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set(hashes).size).toBe(1);
    },
  );

  test("give equal bytes at any other time", () => {
    const edition = wholeEdition("hi");
    const now = renderLanguage(edition, settings);
    vi.useFakeTimers({ now: new Date("1999-12-31T23:59:59Z") });
    expect(renderLanguage(edition, settings)).toEqual(now);
  });
});

describe("the files of an edition", () => {
  test("are on paths of the published tree", () => {
    const paths = renderedIn("en").map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        "en/index.html",
        "en/about/index.html",
        "en/daily/aries/index.html",
        "en/daily/aries/2026-11-21/index.html",
        "en/daily/aries/2026-11-20/index.html",
        "en/weekly/leo/2026-11-15/index.html",
        "en/monthly/leo/2026-11/index.html",
        "en/yearly/leo/2026/index.html",
        "en/daily-tarot/index.html",
        "en/love-compatibility/index.html",
        "en/love-compatibility/aries-pisces/index.html",
        "en/people/example/index.html",
        "en/feed.json",
        "en/feed.xml",
        "en/daily/leo/feed.json",
        "en/daily/leo/feed.xml",
        "en/newsletter/2026-11-21.html",
        "en/newsletter/2026-11-21.txt",
        "en/newsletter/2026-11-21.json",
        "en/newsletter/2026-11-21/leo.html",
        "en/newsletter/2026-11-21/leo.txt",
        "en/newsletter/2026-11-20.html",
        "v1/en/index.json",
        "v1/en/daily/2026-11-21/aries.json",
        "v1/en/daily/2026-11-21.json",
        "v1/en/daily/latest.json",
        "v1/en/wisdom-reading/2026-11-21.json",
        "v1/en/wisdom-reading/2026-11-20.json",
        "v1/en/wisdom-reading/latest.json",
        "v1/en/love-compatibility/aries-pisces.json",
      ]),
    );
    expect(paths).not.toContain("en/daily-tarot/2026-11-20/index.html");
    expect(paths).toEqual(paths.toSorted());
  });

  test("name the order in which they have to be written", () => {
    const stages = new Map(renderedIn("en").map(({ path, at }) => [path, tree[at.row].stage]));
    expect(stages.get("en/daily/aries/2026-11-21/index.html")).toBe("dated");
    expect(stages.get("v1/en/daily/2026-11-21.json")).toBe("dated");
    expect(stages.get("en/newsletter/2026-11-21.json")).toBe("dated");
    expect(stages.get("en/newsletter/2026-11-21/leo.txt")).toBe("dated");
    expect(stages.get("en/daily/aries/index.html")).toBe("latest");
    expect(stages.get("v1/en/daily/latest.json")).toBe("latest");
    expect(stages.get("en/index.html")).toBe("front");
    expect(stages.get("en/feed.xml")).toBe("front");
    expect(stages.get("v1/en/index.json")).toBe("front");
    expect(tree.icon.stage).toBe("dated");
    expect(tree.schema.stage).toBe("dated");
    expect(tree.sitemapIndex.stage).toBe("front");
  });

  test("have content types that web servers know", () => {
    const types = new Set(languageNames.flatMap((name) => renderedIn(name).map(({ type }) => type)));
    expect([...types].sort()).toEqual([
      "application/feed+json; charset=utf-8",
      "application/json; charset=utf-8",
      "application/manifest+json",
      "application/rss+xml; charset=utf-8",
      "image/png",
      "text/html; charset=utf-8",
      "text/plain; charset=utf-8",
    ]);
  });

  test("do not change with the date when their reading is the same", () => {
    const edition = wholeEdition("en", ["yearly-horoscope", "love-compatibility"]);
    const today = renderLanguage(edition, settings);
    const tomorrow = renderLanguage({ ...edition, date: "2026-11-22" }, settings);
    const changed = tomorrow.filter(({ bytes }, index) => {
      const before = today[index]?.bytes ?? new Uint8Array();
      return Buffer.compare(bytes, before) !== 0;
    });
    expect(changed.map(({ path }) => path)).toEqual(["en/index.html", "v1/en/index.json"]);
  });
});

describe("render refuses", () => {
  const only = (operation: "daily-horoscope" | "daily-tarot" | "love-compatibility") =>
    wholeEdition("en", [operation]);

  test("two files on one path", () => {
    const edition = only("daily-tarot");
    expect(() => renderLanguage({ ...edition, sets: [...edition.sets, ...edition.sets] }, settings)).toThrow(
      "two files at one path: v1/en/daily-tarot/2026-11-21.json",
    );
  });

  test("a set with a missing sign, which it names", () => {
    const edition = only("daily-horoscope");
    const sets = edition.sets.map((set) => ({ ...withoutLeo(set), withdrawn: [] }));
    expect(() => renderLanguage({ ...edition, sets }, settings)).toThrow("lacks leo");
  });

  test("a reading of another language or period than its set's", () => {
    const edition = only("daily-tarot");
    expect(() => renderLanguage({ ...edition, language: "de" }, settings)).toThrow(
      "contains a reading of en daily-tarot",
    );
    const sets = edition.sets.map((set) => ({ ...set, period: "2026-11-19" }));
    expect(() => renderLanguage({ ...edition, sets }, settings)).toThrow(
      "contains a reading of en daily-tarot 2026-11",
    );
  });

  test("a period that would lead out of the tree", () => {
    const edition = firstSetAt(only("daily-tarot"), "../../index");
    expect(() => renderLanguage(edition, settings)).toThrow("is not in the published tree");
  });
});

describe("a sign whose text was withdrawn", () => {
  const edition = wholeEdition("ar", ["daily-horoscope", "weekly-horoscope"]);
  const sets = edition.sets.map((set) =>
    set.current && set.operation === "daily-horoscope" ? withoutLeo(set) : set,
  );
  const whole = renderLanguage(edition, settings);
  const files = renderLanguage({ ...edition, sets }, settings);

  test("has no dated page or data, and its current page says so", () => {
    const gone = whole
      .filter(({ path }) => !files.some((file) => file.path === path))
      .map(({ path }) => path);
    expect(gone).toEqual([
      "ar/daily/leo/2026-11-21/index.html",
      "ar/newsletter/2026-11-21/leo.html",
      "ar/newsletter/2026-11-21/leo.txt",
      "v1/ar/daily/2026-11-21/leo.json",
    ]);
    const page = textOf(files, "ar/daily/leo/index.html");
    expect(page).toContain(`<p>${labelsIn("ar").withdrawn}</p>`);
    expect(page).toContain('href="/ar/weekly/leo/"');
    expect(page).not.toContain('<time datetime="2026-11-20T');
    for (const { path } of files)
      expect([path, textOf(files, path).includes("leo/2026-11-21")]).toEqual([path, false]);
  });

  test("stays on the front page without a text", () => {
    const cell = /<li class="hue leo">[^]*?<\/li>/.exec(textOf(files, "ar/index.html"))?.[0] ?? "";
    expect(cell).toContain('href="/ar/daily/leo/"');
    expect(cell).not.toMatch(/<p>/);
  });

  test("is named in the data of the others", () => {
    expect(JSON.parse(textOf(files, "v1/ar/daily/latest.json"))).toMatchObject({ withdrawn: ["leo"] });
    expect(JSON.parse(textOf(whole, "v1/ar/daily/latest.json"))).not.toHaveProperty("withdrawn");
    expect(JSON.parse(textOf(files, "v1/ar/weekly/latest.json"))).not.toHaveProperty("withdrawn");
  });
});

test("pages link to dated pages that are already on the site", () => {
  const edition = wholeEdition("en", ["daily-horoscope"]);
  const before = "en/daily/leo/2026-11-19/index.html";
  const page = (others: string[]) =>
    textOf(renderLanguage(edition, settings, others), "en/daily/leo/2026-11-20/index.html");
  expect(page([before])).toContain('rel="prev" href="/en/daily/leo/2026-11-19/"');
  expect(page([])).not.toContain('rel="prev"');
});

describe("files without a language", () => {
  const summaries = languageNames.map((language) => summaryOf(renderedIn(language), language));

  test("are made from the languages' summaries, in any order after the first", () => {
    const shared = renderShared(summaries, settings);
    const [first, ...others] = summaries;
    expect(
      renderShared(
        [first, ...others.toReversed()].filter((one) => one !== undefined),
        settings,
      ),
    ).toEqual(shared);
    expect(shared.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "404.html",
        "assets/almanac.d.ts",
        "assets/almanac.js",
        "assets/icon.svg",
        "index.html",
        "robots.txt",
        "v1/index.json",
      ]),
    );
    const chooser = textOf(shared, "index.html");
    for (const { language, name } of summaries) {
      expect(chooser).toContain(`lang="${language}"`);
      expect(chooser).toContain(name);
    }
  });

  test.each([
    [["de", "ar"], 'lang="de" dir="ltr"'],
    [["ar", "de"], 'lang="ar" dir="rtl"'],
    [["hi", "en"], 'lang="hi" dir="ltr"'],
  ])("is in the first language of the site: %j", (order, attributes) => {
    const own = order.flatMap((name) => summaries.filter(({ language }) => language === name));
    for (const path of ["index.html", "404.html"])
      expect(textOf(renderShared(own, settings), path)).toContain(`<html ${attributes}`);
  });

  test("don't exist for a site without languages", () => {
    expect(renderShared([], settings)).toEqual([]);
  });
});

test("a site below a path has it in every address", () => {
  const edition: LanguageEdition = wholeEdition("en", ["daily-tarot"]);
  const page = textOf(
    renderLanguage(edition, { ...settings, url: "https://almanac.example/stars" }),
    "en/index.html",
  );
  expect(page).toContain('href="/stars/en/daily-tarot/"');
  expect(page).toContain('rel="canonical" href="https://almanac.example/stars/en/"');
  expect(edition.date).toBe(date);
});
