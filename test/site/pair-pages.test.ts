import { describe, expect, test } from "vitest";
import { signs } from "../../readings/tables.ts";
import { linksIn } from "../publish/support/published-site.ts";
import { renderedIn, settings, textOf, wholeEdition, withReadings, renderLanguage } from "./editions.ts";

const pairs = "en/love-compatibility";
const textIn = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

describe("two signs", () => {
  test("are chosen in two steps of plain links", () => {
    const files = renderedIn("en");
    expect(linksIn(textOf(files, `${pairs}/index.html`))).toContain(`${pairs}/aries/index.html`);
    const second = textOf(files, `${pairs}/aries/index.html`);
    for (const partner of signs) expect(linksIn(second)).toContain(`${pairs}/aries-${partner}/index.html`);
    expect(textIn(second)).toContain("You · Aries Choose your partner’s sign");
  });

  test("say whose sign is whose, and link to the other order", () => {
    const files = renderedIn("en");
    const rolesOn = (pair: string) => {
      const [, roles = ""] =
        /<div class="medals roles">(.*?)<\/div>/s.exec(textOf(files, `${pairs}/${pair}/index.html`)) ?? [];
      return textIn(roles);
    };
    expect(rolesOn("aries-taurus")).toBe("You Aries Your partner Taurus");
    expect(rolesOn("taurus-aries")).toBe("You Taurus Your partner Aries");
    const page = textOf(files, `${pairs}/aries-taurus/index.html`);
    expect(page).toContain(
      '<a href="/en/love-compatibility/taurus-aries/"><small>Swap the signs</small>Taurus and Aries</a>',
    );
    expect(textOf(files, `${pairs}/leo-leo/index.html`)).not.toContain("Swap the signs");
  });

  test("are offered only if the pair is published", () => {
    const edition = wholeEdition("en", ["love-compatibility"]);
    const sets = edition.sets.filter(({ readings }) =>
      readings.every(
        ({ reading }) => reading.family === "pair" && reading.sign1 === "aries" && reading.sign2 === "leo",
      ),
    );
    const files = renderLanguage({ ...edition, sets }, settings);
    const first = linksIn(textOf(files, `${pairs}/index.html`));
    expect(first).toContain(`${pairs}/aries/index.html`);
    expect(first).not.toContain(`${pairs}/taurus/index.html`);
    const none = textOf(files, `${pairs}/taurus/index.html`);
    expect(linksIn(none).filter((link) => link.includes("taurus-"))).toEqual([]);
  });
});

describe("the scores of pairs", () => {
  const tableOf = (general: (place: number) => number) => {
    let place = 0;
    const edition = withReadings(wholeEdition("en", ["love-compatibility"]), (reading) => {
      place += 1;
      return reading.family === "pair" ? { ...reading, scores: { general: general(place) } } : reading;
    });
    const [, table = ""] =
      /<tbody>(.*)<\/tbody>/s.exec(textOf(renderLanguage(edition, settings), `${pairs}/index.html`)) ?? [];
    return [...table.matchAll(/>([\d.]+)<\/a/g)].map(([, number]) => number);
  };

  test("all have a decimal, or none has", () => {
    expect(new Set(tableOf((place) => (place === 1 ? 7.5 : 8)))).toEqual(new Set(["7.5", "8.0"]));
    expect(new Set(tableOf(() => 8))).toEqual(new Set(["8"]));
  });
});
