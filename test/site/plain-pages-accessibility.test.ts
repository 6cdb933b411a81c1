// The accessibility statement in every language, if the owner enables it, and only then.
import { expect, test } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { statementsIn } from "../../site/labels.ts";
import { newSite } from "../publish/support/published-site.ts";
import { settings } from "./editions.ts";

const configured = {
  languages: ["en" as const, "ar" as const],
  operations: ["daily-horoscope" as const],
  people: [],
};

test("statement and notice are published in each language, with links from every page, and removed when disabled", async () => {
  const said = { ...settings, accessibility: { contact: "help@stars.example" }, machineMade: true };
  const site = newSite({ ...configured, site: said });
  await site.gather("2026-11-21");
  await site.night();
  const statement = await site.text("ar/accessibility/index.html");
  expect(statement).toContain(`<h1>${statementsIn("ar").title}</h1>`);
  expect(statement).toContain('<bdi><a href="mailto:help@stars.example">help@stars.example</a></bdi>');
  expect(statement).toContain('hreflang="en" href="https://almanac.example/en/accessibility/"');
  const leo = await site.text("ar/daily/leo/index.html");
  expect(leo).toContain(`<a href="/ar/accessibility/">${statementsIn("ar").title}</a>`);
  expect(leo).toContain(statementsIn("ar").machineMade);
  expect(leo).toContain('"digitalSourceType":"https://schema.org/TrainedAlgorithmicMediaDigitalSource"');
  expect(await site.text("ar/about/index.html")).not.toContain(statementsIn("ar").machineMade);
  expect(await site.deadLinks()).toEqual([]);
  const later = site.with({ site: settings });
  await later.night();
  expect([...(await later.paths()).keys()].filter((path) => path.includes("accessibility"))).toEqual([]);
  expect(await later.text("ar/daily/leo/index.html")).not.toContain("digitalSourceType");
  expect(await later.deadLinks()).toEqual([]);
});

test("every language has its own wording", () => {
  const titles = languageNames.map((language) => statementsIn(language).machineMade);
  expect(new Set(titles).size).toBe(languageNames.length);
});
