// Pages under an HTML validator. html-validate knows the elements, their content, their attributes and the requirements of a
// document. `standard` is the HTML standard, `document` the rules for whole pages, `a11y` the accessibility rules that apply to
// markup.
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { describe, expect, test } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { deep } from "../support/deep.ts";
import { settings, wholeEdition, withoutLeo, renderLanguage } from "./editions.ts";
import { languageOfEachScript, oneOfEachKind, pagesIn, type Site, siteIn, textOfPage } from "./kinds.ts";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:standard", "html-validate:document", "html-validate:a11y"],
    // A figure with a role of its own may be named: this version of the validator does not look at the role.
    rules: { "aria-label-misuse": ["error", { allowAnyNamable: true }] },
  }),
);

/** Violations, each with its page and position. */
function faultsOf(pages: ReturnType<typeof pagesIn>): string[] {
  return pages.flatMap((page) =>
    validator
      .validateStringSync(textOfPage(page), page.path)
      .results.flatMap(({ messages }) =>
        messages.map(({ line, message, ruleId }) => `${page.path}:${line} ${ruleId}: ${message}`),
      ),
  );
}

/** The markup is the same in all scripts, except for its direction. */
const tried = deep ? languageOfEachScript : (["en", "ar", "hi", "zh"] as const);

describe("valid HTML", () => {
  test.each(tried)("is each kind of page in %s", (language) => {
    const pages = oneOfEachKind(siteIn([language]), language);
    expect(pages.length).toBeGreaterThanOrEqual(5);
    expect(faultsOf(pages)).toEqual([]);
  });

  test("includes the page of a withdrawn sign, and an empty front page", () => {
    const edition = wholeEdition("en", ["daily-horoscope"]);
    const sets = edition.sets.map(withoutLeo);
    const editions = [
      { ...edition, sets },
      { ...edition, sets: [] },
    ];
    for (const one of editions) {
      const site: Site = new Map(renderLanguage(one, settings).map((file) => [file.path, file]));
      const wanted = new Set(["en/index.html", "en/daily/leo/index.html"]);
      expect(faultsOf(pagesIn(site).filter(({ path }) => wanted.has(path)))).toEqual([]);
    }
  });

  test("includes the pages of operations that are no longer configured", () => {
    const edition = wholeEdition("en", ["weekly-horoscope"]);
    const ended = [{ kind: "daily" as const, month: "2026-11" }];
    const editions = [
      { ...edition, ended, months: [{ month: "2026-11" }] },
      { ...edition, ended: [{ kind: "daily" as const, month: undefined }], sets: [] },
    ];
    for (const one of editions) {
      const pages = renderLanguage(one, settings).filter(({ path }) => path === "en/daily/leo/index.html");
      expect(pages).toHaveLength(1);
      expect(faultsOf(pages)).toEqual([]);
    }
  });

  test.runIf(deep).each(languageNames)("is every page of a night in %s", (language) => {
    expect(faultsOf(pagesIn(siteIn([language])))).toEqual([]);
  });

  test.each([
    ["an element that is not closed", "</main>", ""],
    ["a block within a heading", "<h1>", "<h1><ul></ul>"],
    ["an id that stands twice", "<footer", '<footer id="text"'],
    ["a picture without a name", '<main id="text">', '<main id="text"><img src="/x.png">'],
    ["a page without a title", /<title>.*?<\/title>/s, ""],
  ])("is not %s", (_name, from, to) => {
    const [page] = oneOfEachKind(siteIn(["en"]), "en");
    if (page === undefined) throw new Error("no page");
    const bytes = new TextEncoder().encode(textOfPage(page).replace(from, to));
    expect(faultsOf([{ ...page, bytes }])).not.toEqual([]);
  });
});

test("an id is unique on a page, and every link within the page has a target", () => {
  for (const page of pagesIn(siteIn(["en", "ar"]))) {
    const html = textOfPage(page);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect([page.path, new Set(ids).size]).toEqual([page.path, ids.length]);
    for (const [, target] of html.matchAll(/href="#([^"]*)"/g))
      expect([page.path, ids]).toEqual([page.path, expect.arrayContaining([target])]);
  }
});
