import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createAlmanac } from "../../packages/client/almanac.js";
import { typeOf } from "../../site/edition.ts";
import { groupAt, isTreePath, parsePath, pathOf, rowNames } from "../../site/paths.ts";
import { renderShared } from "../../site/render.ts";
import { type RowName, slots, tree, type TreePath } from "../../site/tree.ts";
import { groupOf } from "../../publish/state/parts.ts";
import { renderedIn, settings, summaryOf, textOf } from "./editions.ts";

const domains = new Map<string, RegExp | readonly string[]>(Object.entries(slots));

function slotsIn(row: RowName): string[] {
  return [...tree[row].path.matchAll(/\{(\w+)\}/g)].map(([, slot = ""]) => slot);
}

/** The names that a pattern leaves out at its beginning are dropped here, because the generator cannot read that. */
function matching(pattern: RegExp): fc.Arbitrary<string> {
  const whole = new RegExp(pattern.source.replace(/\(\?!\(\?:[^)]*\)\$\)/, ""));
  return fc.stringMatching(whole).filter((text) => pattern.test(text));
}

/** A path of a row, with whatever its slots take. */
function pathOfRow(row: RowName): fc.Arbitrary<TreePath> {
  const values = slotsIn(row).map((slot) => {
    const domain = domains.get(slot) ?? [];
    const value = domain instanceof RegExp ? matching(domain) : fc.constantFrom(...domain);
    return [slot, value] as const;
  });
  return fc.record({ row: fc.constant(row), ...Object.fromEntries(values) }).filter(isTreePath);
}

const anyPath = fc.constantFrom(...rowNames).chain(pathOfRow);

/** An independent implementation of building a row's path from its text. */
function formOf(row: RowName): RegExp {
  const form = tree[row].path.replaceAll(".", String.raw`\.`).replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
    const domain = domains.get(slot) ?? [];
    return domain instanceof RegExp ? domain.source.slice(1, -1) : `(?:${domain.join("|")})`;
  });
  return new RegExp(`^${form}$`);
}
const forms = rowNames.map((row) => [row, formOf(row)] as const);

describe("a path of the published tree", () => {
  test.each(rowNames)("is read as what it was made of, and by one row alone: %s", (row) => {
    fc.assert(
      fc.property(pathOfRow(row), (at) => {
        const path = pathOf(at);
        expect(parsePath(path)).toEqual(at);
        expect(forms.filter(([, form]) => form.test(path)).map(([name]) => name)).toEqual([row]);
      }),
    );
  });

  test("can be built from its parsed form, and nothing else can be parsed", () => {
    const word = fc.constantFrom(
      "v1",
      "en",
      "daily",
      "leo",
      "index.html",
      "2026",
      "latest.json",
      "",
      "..",
      "x",
    );
    const text = anyPath.chain((at) => {
      const words = pathOf(at).split("/");
      return fc
        .tuple(fc.nat(words.length), fc.nat(2), word)
        .map(([from, taken, put]) => words.toSpliced(from, taken, put).join("/"));
    });
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (path) => {
        const at = parsePath(path);
        const rows = forms.filter(([, form]) => form.test(path)).map(([row]) => row);
        expect(rows).toEqual(at === undefined ? [] : [at.row]);
        expect(at === undefined ? path : pathOf(at)).toBe(path);
      }),
      { numRuns: 1_000 },
    );
  });

  test("has a content type of the site, and never leads out of the tree", () => {
    fc.assert(
      fc.property(anyPath, (at) => {
        expect(pathOf(at)).toMatch(/^(?:\.well-known\/)?[\w-]+(?:[./][\w-]+)*$/);
        if (at.row !== "object") expect(typeOf(pathOf(at), at)).not.toBe("application/octet-stream");
      }),
    );
  });

  test("is in the same part for a version that does not know its row", () => {
    fc.assert(
      fc.property(anyPath, (at) => {
        const { row } = at;
        fc.pre(row !== "monthSitemap" && row !== "personPage"); // a month within a word; an id that may look like a year
        const stranger = pathOf(at).replace(/(?=\.[a-z.]+$)/, "-of-another-version");
        fc.pre(parsePath(stranger) === undefined && !/\d-of-another-version/.test(stranger));
        expect(groupOf(stranger)).toBe(groupAt(at));
      }),
    );
  });
});

const pages = renderedIn("en");
const shared = renderShared([summaryOf(pages, "en")], settings);

test("every rendered file carries its parsed path", () => {
  for (const { path, at } of [...pages, ...shared]) {
    expect(pathOf(at)).toBe(path);
    expect(parsePath(path)).toEqual(at);
  }
});

test("every kind of path is rendered, except those that publishing adds", () => {
  const rendered = new Set([...pages, ...shared].map(({ at }) => at.row));
  expect(rowNames.filter((row) => !rendered.has(row))).toEqual([
    "pointer",
    "manifest",
    "object",
    "marker",
    "accessibilityPage",
    "ownPage",
    "sitemap",
    "monthSitemap",
    "sitemapIndex",
    "securityText",
    "indexNowKey",
    "themeFile",
    "cardPicture",
    "rootFile",
    "wellKnownFile",
  ]);
});

test("every document names a schema of its row, and every row with a schema has a description", () => {
  const documents = [...pages, ...shared].filter(({ at }) => tree[at.row].schemas !== undefined);
  expect(new Set(documents.map(({ at }) => at.row)).size).toBe(12);
  for (const { path, at } of documents) {
    const { $schema } = z
      .object({ $schema: z.string() })
      .parse(JSON.parse(textOf([...pages, ...shared], path)));
    const schemas = tree[at.row].schemas?.map(
      (shape) => `${settings.url}/${pathOf({ row: "schema", shape })}`,
    );
    expect([path, schemas]).toEqual([path, [$schema]]);
  }
});

/** packages/client/almanac.js is a single file and cannot read the table. */
describe("the published client", () => {
  test("requests every document on its path of the table", async () => {
    const data = rowNames.filter((row) => tree[row].schemas !== undefined && tree[row].shows !== "record");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...data).chain(pathOfRow), async (at) => {
        const found = await clientOn(at).document(pathOf(at));
        expect(found).toMatchObject({ data: { on: pathOf(at) }, stale: false });
      }),
    );
  });

  test.each([
    [{ row: "currentSigns", language: "hi", kind: "daily" }],
    [{ row: "signsData", language: "hi", kind: "weekly", key: "2026-11-15" }],
    [{ row: "signsData", language: "hi", kind: "yearly", key: "2026" }],
  ] as const satisfies readonly (readonly [TreePath])[])("asks for $row where it stands", async (at) => {
    const ask = { language: "hi", period: at.kind, ...("key" in at ? { date: "2026-11-20" } : {}) } as const;
    expect(await clientOn(at).horoscopes(ask)).toMatchObject({ data: { on: pathOf(at) } });
  });

  test("requests words on their path", async () => {
    const words: TreePath = { row: "words", language: "hi" };
    expect(await clientOn(words).words({ language: "hi" })).toMatchObject({ data: { on: pathOf(words) } });
  });

  test("requests cards and pairs on their paths", async () => {
    const language = "en";
    const operation = "daily-tarot";
    const cards: TreePath = { row: "cardsData", language, operation, date: "2026-11-20" };
    expect(await clientOn(cards).cards({ language, operation, date: "2026-11-20" })).toMatchObject({
      data: { on: pathOf(cards) },
    });
    const pair: TreePath = { row: "pairData", language, sign1: "leo", sign2: "aries" };
    expect(await clientOn(pair).pair({ language, sign1: "leo", sign2: "aries" })).toMatchObject({
      data: { on: pathOf(pair) },
    });
  });
});

/** A client of a site that has this one document. */
function clientOn(at: TreePath) {
  const files = new Map<string, string>();
  const hashed = (content: object) => {
    const text = JSON.stringify(content);
    const hash = createHash("sha256").update(text).digest("hex");
    return { text, hash, size: text.length };
  };
  const { text, hash: object, size } = hashed({ on: pathOf(at) });
  files.set(pathOf({ row: "object", hash: object, ending: "json" }), text);
  const part = hashed({ files: { [pathOf(at)]: { object, size, type: "application/json" } } });
  const manifest = hashed({ format: 1, version: 1, parts: { [groupAt(at)]: part.hash } });
  for (const one of [part, manifest]) files.set(pathOf({ row: "manifest", hash: one.hash }), one.text);
  const expires = "2027-01-01T00:00:00.000Z";
  const pointer = JSON.stringify({ format: 1, version: 1, manifest: manifest.hash, expires });
  files.set(pathOf({ row: "pointer" }), pointer);
  const url = "https://almanac.example/";
  return createAlmanac({
    url,
    now: () => Date.parse("2026-11-21T12:00:00Z"),
    fetch: (address) => {
      const found = files.get(address.slice(url.length));
      return Promise.resolve(new Response(found, { status: found === undefined ? 404 : 200 }));
    },
  });
}

/** Files that may parse text that looks like a path, or that are not part of the tree, with the reasons. */
const exceptions: Readonly<Record<string, string>> = {
  "site/tree.ts": "the table",
  "site/paths.ts": "makes and reads paths by the table",
  "site/address.ts": "a page's folder and its file, of whatever path",
  "site/open-api.ts": "takes the table's own texts apart",
  "publish/state/parts.ts":
    "the names of parts; the files of other versions, of which the table knows nothing",
  "publish/step/public-paths.ts": "how deep a row's text lies",
  "publish/backup/snapshots.ts": "the folders of a backup, of whatever key",
  "publish/site-copy.ts": "the patterns of a host's own rules",
  "insight/unread-files.ts": "the folders of the vault",
  "scripts/rehearse/rehearse.ts": "the two instants of an outage",
};

test("no other source file parses or builds a path by hand", () => {
  const rooms = ["site", "service", "publish", "insight", "activities", "workflows", "worker", "scripts"];
  const byHand =
    /split\("\/"\)|["`/^]v1(?:\/|\\\/)|index\\?\.html|feed\\?\.(?:json|xml)|`\$\{\w*[lL]anguage\}\//;
  const found = rooms.flatMap((room) =>
    readdirSync(new URL(`../../${room}`, import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${room}/${file}`)
      .filter((file) => {
        const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
        const code = source.replaceAll(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, "");
        return byHand.test(code);
      }),
  );
  expect(found.filter((file) => exceptions[file] === undefined)).toEqual([]);
});
