import { describe, expect, test } from "vitest";
import { languagesOf, signs } from "../../readings/tables.ts";
import { signNames } from "../../readings/sign-names.ts";
import { labelsIn } from "../../site/labels.ts";
import { renderedIn, settings, textOf, wholeEdition, withoutLeo, renderLanguage } from "./editions.ts";

describe("the embeddable card of a sign", () => {
  test.each(languagesOf("daily-horoscope"))(
    "in %s exists for each sign, with the beginning of the day's text",
    (language) => {
      const files = renderedIn(language);
      for (const sign of signs) {
        const card = textOf(files, `${language}/embed/${sign}/index.html`);
        expect(card).toContain(
          `<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}" class="${sign}">`,
        );
        expect(card).toContain(`<h1>${signNames[language][sign]}</h1>`);
        expect(card).toContain('<time datetime="2026-11-21">');
        expect(card).toContain(`href="/${language}/daily/${sign}/" target="_blank" rel="noopener"`);
        expect(card.length).toBeLessThan(textOf(files, `${language}/daily/${sign}/index.html`).length);
      }
    },
  );

  test("may be framed anywhere, loads nothing, and is hidden from search engines", () => {
    const card = textOf(renderedIn("en"), "en/embed/leo/index.html");
    const policy = /http-equiv="content-security-policy" content="([^"]+)"/.exec(card)?.[1];
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toContain("frame-ancestors");
    expect(card).toContain('<meta name="robots" content="noindex, follow"');
    expect(card).not.toContain('rel="canonical"');
    expect(card).not.toMatch(/<script|<img|<form|src=|cookie/);
    // Otherwise a page would open in the frame.
    expect(card.match(/<a /g)).toHaveLength(card.match(/target="_blank" rel="noopener"/g)?.length ?? 0);
  });

  test("shows only the current day", () => {
    const paths = renderedIn("en").map(({ path }) => path);
    expect(paths.filter((path) => path.includes("/embed/"))).toHaveLength(12);
    const weekly = renderLanguage(wholeEdition("en", ["weekly-horoscope"]), settings);
    expect(weekly.filter(({ path }) => path.includes("/embed/"))).toEqual([]);
  });

  test("stays without its text if that was withdrawn", () => {
    const edition = wholeEdition("ta", ["daily-horoscope"]);
    const sets = edition.sets.map(withoutLeo);
    const card = textOf(renderLanguage({ ...edition, sets }, settings), "ta/embed/leo/index.html");
    expect(card).toContain(`<p>${labelsIn("ta").withdrawn}</p>`);
    expect(card).not.toContain(labelsIn("ta").readOn);
  });
});
