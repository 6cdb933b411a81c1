// Newsletters in mail programs: checked against caniemail.com's data on Gmail, Outlook and Apple Mail, and with an HTML validator.
// newsletter.test.ts checks their sizes, tables, and allowed contents.
import { Parser } from "htmlparser2";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import postcss, { type Root } from "postcss";
import { describe, expect, test } from "vitest";
import { languagesOf } from "../../readings/tables.ts";
import type { RenderedFile } from "../../site/edition.ts";
import { renderedIn } from "./editions.ts";
import { languageOfEachScript, textOfPage } from "./kinds.ts";
import programs from "./mail-programs.json" with { type: "json" };

/** The newsletter of all signs and that of one. */
function newslettersIn(files: readonly RenderedFile[]): RenderedFile[] {
  return files.filter(({ path }) => /\/newsletter\/2026-11-21(?:\/leo)?\.html$/.test(path));
}

/**
 * Features that some mail program does not support, and the reason why the newsletter works without them. Any other unsupported
 * feature fails the test, because fewer readers could read such a newsletter.
 */
const unknownSomewhere: Readonly<Record<string, string>> = {
  "<style> element": "holds the dark colours alone",
  "@media": "holds the dark colours alone",
  "color-scheme CSS property": "offers the dark colours",
  "color-scheme meta tag": "offers the dark colours",
  "<body> element": "becomes another element; its colours stand on every table as well",
  "display:none":
    "hides the preheader, as the next three do and its size of nothing: every program knows some",
  "max-height property": "hides the preheader",
  opacity: "hides the preheader",
  overflow: "hides the preheader",
  "overflow-wrap": "breaks a word too long for the line; `word-break` stands beside it",
  "word-break": "breaks a word too long for the line; `overflow-wrap` stands beside it",
  "role attribute": "tells a screen reader that a table is no data",
};

type Known = Readonly<Record<string, string>>;
const { elements, attributes, atRules, functions, units, properties, values } = programs;

/** Titles of the features in this HTML, its styles included, that some program doesn't support. */
function unsupportedIn(html: string): Set<string> {
  const found = new Set<string>();
  const add = (table: Known, names: Iterable<string>): void => {
    for (const name of names) if (table[name] !== undefined) found.add(table[name]);
  };
  const addStyle = (style: Root): void => {
    style.walkAtRules(({ name, params }) => add(atRules, [name, `${name} ${params}`]));
    style.walkDecls(({ prop, value }) => {
      add(
        properties,
        Object.keys(properties).filter((one) => prop === one || prop.startsWith(`${one}-`)),
      );
      add(values, [`${prop}:${value}`]);
      add(
        functions,
        Array.from(value.matchAll(/([a-z-]+)\(/g), ([, name = ""]) => name),
      );
      add(
        units,
        Array.from(value.matchAll(/\d([a-z]+)/g), ([, unit = ""]) => unit),
      );
    });
  };
  let inStyle = false;
  const parser = new Parser({
    onopentag(name, given) {
      inStyle = name === "style";
      add(elements, [name]);
      add(attributes, Object.keys(given));
      if (name === "meta" && given["name"] === "color-scheme") found.add("color-scheme meta tag");
      if (given["style"] !== undefined) addStyle(postcss.parse(given["style"]));
    },
    ontext(text) {
      if (inStyle) addStyle(postcss.parse(text));
    },
    onclosetag() {
      inStyle = false;
    },
  });
  parser.end(html);
  return found;
}

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:standard", "html-validate:document", "html-validate:a11y"],
    // Outlook supports only obsolete HTML: `align`, `bgcolor`, `cellpadding`, `width` and the like.
    rules: { "no-deprecated-attr": "off", "no-inline-style": "off" },
  }),
);

describe.each(languageOfEachScript.filter((language) => languagesOf("daily-horoscope").includes(language)))(
  "the newsletter in %s",
  (language) => {
    const newsletters = newslettersIn(renderedIn(language));

    test("uses nothing that Gmail, Outlook or Apple Mail does not know, but for what they can do without", () => {
      expect(newsletters).toHaveLength(2);
      for (const newsletter of newsletters) {
        const missing = [...unsupportedIn(textOfPage(newsletter))].filter(
          (title) => !(title in unknownSomewhere),
        );
        expect([newsletter.path, missing]).toEqual([newsletter.path, []]);
      }
    });

    test("is valid HTML but for the attributes that Outlook wants", () => {
      for (const { path, ...newsletter } of newsletters) {
        const { results } = validator.validateStringSync(textOfPage({ path, ...newsletter }), path);
        const faults = results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
        );
        expect([path, faults]).toEqual([path, []]);
      }
    });
  },
);

test("the checker knows what a mail program does not", () => {
  const titles = [
    ...unsupportedIn(
      '<p style="display:grid;position:fixed;width:5vw">x</p><video></video><div hidden></div>',
    ),
  ];
  expect(titles).toEqual(
    expect.arrayContaining(["<video> element", "position", "display:grid", "vw unit", "hidden attribute"]),
  );
});
