import { expect, test } from "vitest";
import { languageNames, languagesOf } from "../../readings/tables.ts";
import type { RenderedFile } from "../../site/edition.ts";
import { renderLanguage, renderedIn, settings, textOf, wholeEdition, withoutLeo } from "./editions.ts";

const attribute = (html: string, name: string) => new RegExp(` data-${name}="([^"]*)"`).exec(html)?.[1] ?? "";

/** The data of a sign, as the script on the front page finds it. */
function dataFor(files: RenderedFile[], language: string, root: string, sign: string): unknown {
  const folder = attribute(textOf(files, `${language}/index.html`), "texts");
  return JSON.parse(textOf(files, `${folder}${sign}.json`.replace(root, "")));
}

const withHoroscopes = languageNames.filter((language) => languagesOf("daily-horoscope").includes(language));

test.each(withHoroscopes)("the front page in %s names the data and the set of its own texts", (language) => {
  const files = renderedIn(language);
  const page = textOf(files, `${language}/index.html`);
  const set = attribute(page, "set");
  expect(set).toMatch(/^[0-9a-f]{64}$/);
  expect(dataFor(files, language, "/", "leo")).toMatchObject({ set, reading: { sign: "leo" } });
  expect(attribute(page, "pages")).toBe(`/${language}/daily/`);
});

test("the front page of a site below a folder, without daily texts and without Aries, names those of the week", () => {
  const edition = wholeEdition("en", ["weekly-horoscope"]);
  const sets = edition.sets.map((set) => ({
    ...set,
    readings: set.readings.filter(({ reading }) => !("sign" in reading) || reading.sign !== "aries"),
    withdrawn: ["aries" as const],
  }));
  const files = renderLanguage({ ...edition, sets }, { ...settings, url: "https://almanac.example/stars" });
  const page = textOf(files, "en/index.html");
  expect(attribute(page, "pages")).toBe("/stars/en/weekly/");
  expect(dataFor(files, "en", "/stars/", "leo")).toMatchObject({ set: attribute(page, "set") });
});

test("a correction or a withdrawal gives the front page another set", () => {
  const edition = wholeEdition("en", ["daily-horoscope"]);
  const before = renderLanguage(edition, settings);
  const after = renderLanguage({ ...edition, sets: edition.sets.map(withoutLeo) }, settings);
  const [one, other] = [before, after].map((files) => attribute(textOf(files, "en/index.html"), "set"));
  expect(other).not.toBe(one);
  expect(dataFor(after, "en", "/", "aries")).toMatchObject({ set: other });
});

test("a site without horoscopes has no choice of signs", () => {
  const page = textOf(renderLanguage(wholeEdition("en", ["daily-tarot"]), settings), "en/index.html");
  expect(page).not.toContain("<select");
});

test("the card of pairs becomes the reader's own only if every pair has a page", () => {
  const edition = wholeEdition("en", ["love-compatibility"]);
  const cards = (sets: typeof edition.sets) =>
    textOf(renderLanguage({ ...edition, sets }, settings), "en/cards/index.html");
  expect(cards(edition.sets)).toContain('<div data-names="aries=Aries&amp;taurus=Taurus&amp;');
  const others = cards(edition.sets.slice(1));
  expect(others).toContain('<a href="/en/love-compatibility/">');
  expect(others).not.toContain("data-names");
});
