import { describe, expect, test } from "vitest";
import { z } from "zod";
import { languageNames } from "../../readings/tables.ts";
import { documents, shapeNames } from "../../site/data.schema.ts";
import { renderShared } from "../../site/render.ts";
import { deep } from "../support/deep.ts";
import {
  firstSetAt,
  renderedIn,
  settings,
  summaryOf,
  textOf,
  wholeEdition,
  withReadings,
  renderLanguage,
} from "./editions.ts";
import { languageOfEachScript } from "./kinds.ts";

const shared = renderShared(
  languageNames.map((language) => summaryOf(renderedIn(language), language)),
  settings,
);

function documentsOf(files: ReturnType<typeof renderLanguage>): { path: string; content: unknown }[] {
  return files
    .filter(({ path }) => /^v1\/(?!schemas\/)|\/newsletter\/.*\.json$/.test(path))
    .map(({ path }) => ({ path, content: JSON.parse(textOf(files, path)) }));
}

const named = z.object({ $schema: z.string() });
const timed = z.object({
  set: z.string(),
  validFrom: z.string(),
  validUntil: z.string(),
  nextAt: z.string(),
  receivedAt: z.string(),
});

describe("the published data", () => {
  // The published file, validated as a consumer would.
  const published = shapeNames.map((name) => {
    const path = `v1/schemas/${name}.json`;
    const schema = z.fromJSONSchema(JSON.parse(textOf(shared, path)));
    return { name: `https://almanac.example/${path}`, schema };
  });
  const validators = new Map(published.map(({ name, schema }) => [name, schema]));

  test.each(deep ? languageNames : languageOfEachScript)(
    "in %s names a schema that is published, and fits it",
    (language) => {
      const all = documentsOf(renderedIn(language));
      expect(all.length).toBeGreaterThan(3);
      for (const { path, content } of all) {
        const validator = validators.get(named.parse(content).$schema);
        // The path is in the comparison so that a failure names it.
        expect({ path, error: validator?.safeParse(content).error }).toEqual({ path, error: undefined });
        expect(validator).toBeDefined();
      }
    },
  );

  test("has an index that fits its schema and lists every language with what is newest", () => {
    const index = documents.index.parse(JSON.parse(textOf(shared, "v1/index.json")));
    expect(index.languages.map(({ language }) => language)).toEqual(languageNames);
    const hindi = index.languages.find(({ language }) => language === "hi");
    expect(hindi).toMatchObject({
      name: "हिन्दी",
      direction: "ltr",
      zone: "Asia/Kolkata",
      date: "2026-11-21",
      nextAt: "2026-11-21T18:30:00.000Z",
      newest: {
        "daily-horoscope": "2026-11-21",
        "weekly-horoscope": "2026-11-15",
        "yearly-horoscope": "2026",
      },
    });
  });

  test("a schema refuses a document of another kind", () => {
    const card = JSON.parse(textOf(renderedIn("en"), "v1/en/daily-tarot/latest.json"));
    expect(validators.get("https://almanac.example/v1/schemas/sign.json")?.safeParse(card).success).toBe(
      false,
    );
  });
});

describe("a document says", () => {
  const read = (path: string, files = renderedIn("en")) => timed.parse(JSON.parse(textOf(files, path)));

  test("when it holds, from midnight to midnight in its language's home zone, the summer time's end included", () => {
    const edition = firstSetAt(wholeEdition("en", ["daily-horoscope"]), "2026-11-01");
    const document = read("v1/en/daily/2026-11-01/leo.json", renderLanguage(edition, settings));
    expect(document).toMatchObject({
      validFrom: "2026-11-01T04:00:00.000Z",
      validUntil: "2026-11-02T05:00:00.000Z",
      nextAt: "2026-11-02T05:00:00.000Z",
    });
  });

  test("for a pair, that it holds from its own night to the one in the next season", () => {
    const { validFrom, validUntil } = read("v1/en/love-compatibility/leo-pisces.json");
    expect(validFrom).toBe("2026-11-09T05:00:00.000Z");
    expect(validUntil).toBe("2027-02-09T05:00:00.000Z");
  });

  test("the same set in one sign, in all twelve and in the latest, and another one the day before", () => {
    const { set } = read("v1/en/daily/2026-11-21/leo.json");
    expect(set).toMatch(/^[0-9a-f]{64}$/);
    expect(read("v1/en/daily/2026-11-21/aries.json").set).toBe(set);
    expect(read("v1/en/daily/2026-11-21.json").set).toBe(set);
    expect(read("v1/en/daily/latest.json").set).toBe(set);
    expect(read("v1/en/daily/2026-11-20.json").set).not.toBe(set);
  });

  test("another set as soon as one word of one sign is another", () => {
    const edition = wholeEdition("en", ["daily-horoscope"]);
    const before = read("v1/en/daily/latest.json", renderLanguage(edition, settings));
    const changed = withReadings(edition, (reading) =>
      reading.family === "horoscope" && reading.sign === "leo"
        ? { ...reading, sections: { ...reading.sections, travel: ["Stay at home."] } }
        : reading,
    );
    const after = read("v1/en/daily/latest.json", renderLanguage(changed, settings));
    expect(after.set).not.toBe(before.set);
    expect(after.validFrom).toBe(before.validFrom);
  });

  test("when the newest of its twelve was received", () => {
    expect(read("v1/en/daily/latest.json").receivedAt).toBe("2026-11-20T08:11:17.000Z");
    expect(read("v1/en/daily/2026-11-21/aries.json").receivedAt).toBe("2026-11-20T08:00:17.000Z");
  });
});
