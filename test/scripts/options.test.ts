// Languages, dates and instants as people type them: accepted if unambiguous, otherwise refused with a suggestion.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { guessLanguage, languageNames, namedLanguage } from "../../readings/tables.ts";
import { outageIn } from "../../scripts/rehearse/rehearse.ts";
import { WrongUsage } from "../../scripts/terminal/errors.ts";
import { languagesIn, operationsIn, pathIn } from "../../scripts/terminal/options.ts";
import { dateToCome, instantIn, typedDate } from "../../scripts/terminal/dates.ts";
import { almanac } from "../support/cli.ts";

const refusal = z.object({ message: z.string(), meant: z.string().optional() });

/** The error for a refused value. */
function refused(read: () => unknown) {
  try {
    read();
  } catch (error) {
    return refusal.parse(error);
  }
  throw new Error("it was not refused");
}

test("a date to come is one that is not past in every zone, or the next of each zone", () => {
  expect(dateToCome("9999-12-31")("Asia/Tokyo")).toBe("9999-12-31");
  const [samoa, kiribati] = ["Pacific/Pago_Pago", "Pacific/Kiritimati"].map(dateToCome("tomorrow"));
  expect(Date.parse(kiribati ?? "") - Date.parse(samoa ?? "")).toBeGreaterThan(0); // 25 hours apart
  expect(refused(() => dateToCome("2020-01-31")).message).toContain("is in the past in all time zones");
  expect(refused(() => dateToCome("2026-02-30")).message).toContain("is neither a date");
});

describe("languages", () => {
  test.each([
    ["EN,de", ["en", "de"]],
    ["english, GERMAN", ["en", "de"]],
    ["English,en,EN", ["en"]],
    ["Deutsch,français,Francais,FRANÇAIS", ["de", "fr"]],
    ["日本語,हिन्दी,Ελληνικά,ελληνικα,turkce", ["ja", "hi", "el", "tr"]],
    ["Filipino,Chinese,中文", ["fil", "zh"]],
  ])("%s are understood", (text, languages) => {
    expect(languagesIn(text)).toEqual(languages);
  });

  test("each is accepted by code, by English name and by its own name", () => {
    for (const language of languageNames) {
      const names = ["en", language].map((within) =>
        new Intl.DisplayNames(within, { type: "language" }).of(language),
      );
      for (const name of [language.toUpperCase(), ...names]) {
        expect({ name, is: namedLanguage(name ?? "") }).toEqual({ name, is: language });
      }
    }
  });

  test.each([
    ["gr", "el"],
    ["deutsh", "de"],
    ["Portugese", "pt"],
    ["bengali", "bn"],
    ["deu", "de"],
    ["ger", "de"],
    ["pt_BR", "pt"],
    ["zh-TW", "zh"],
    ["xx", undefined],
    ["klingon", undefined],
  ])("%s is refused, and %s was meant", (word, meant) => {
    const { message, meant: shown } = refused(() => languagesIn(`en,${word}`));
    expect(message).toContain(`unknown language "${word}"`);
    expect(shown).toBe(meant);
    if (meant !== undefined) expect(message).toMatch(new RegExp(`Did you mean ${meant}\\?$`));
  });

  test("the service's own codes are refused: two of them are another language's", () => {
    expect([namedLanguage("ta"), namedLanguage("tl"), guessLanguage("tl")]).toEqual(["ta", undefined, "te"]);
  });
});

test("operations are accepted in any case", () => {
  expect(operationsIn("Daily-Horoscope,daily-tarot")).toEqual(["daily-horoscope", "daily-tarot"]);
  expect(refused(() => operationsIn("Daily-Horoscop")).meant).toBe("daily-horoscope");
});

describe("instants and dates", () => {
  test.each(["2026-11-21", "2026-11-21T04:10", "2026-02-30T04:10:00Z", "2026-11-21T25:00:00Z", "soon"])(
    "--as-of %s is refused",
    (text) => {
      const { message } = refused(() => instantIn(text));
      expect(message).toBe(`--as-of: "${text}" is not an instant such as 2026-11-21T03:05:00Z`);
    },
  );

  test.each(["2026/11/21", "2026-1-5", "1.2.2026", "2026-11-21T03:05:00Z", "2026-02-30", "today"])(
    "--from %s is refused",
    (text) => {
      const { message } = refused(() => typedDate("--from")(text));
      expect(message).toBe(`--from: "${text}" is not a date such as 2026-11-21`);
    },
  );

  test("an outage between dates lasts from midnight to midnight UTC", () => {
    const [{ outage } = { outage: undefined }] = outageIn("2026-11-25/2026-11-26T02:00");
    expect(outage).toEqual({
      kind: "once",
      from: new Date("2026-11-25T00:00:00Z"),
      until: new Date("2026-11-26T02:00:00Z"),
    });
  });
});

describe("at the command line", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "almanac-words-"));
    await writeFile(join(folder, "almanac.config.ts"), "export default {};\n");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const asked = (...words: string[]) => almanac(words, { cwd: folder });

  test("a plan for English and German is the same, however they are named", async () => {
    const as = ["plan", "--as-of", "2026-11-21T03:05:00Z", "--languages"];
    const named = await asked(...as, "English,deutsch");
    expect(named.code).toBe(0);
    expect(named.stdout).toBe((await asked(...as, "en,de")).stdout);
  });

  test.each([
    ["plan --as-of 2026-11-21", "is not an instant such as 2026-11-21T03:05:00Z"],
    ["plan --from 21.11.2026", "is not a date such as 2026-11-21"],
    ["nightly --languages deutsh", "Did you mean de?"],
    ["backfill --languages en --to 2026/11/21", "is not a date such as 2026-11-21"],
    ["render --from 2026/11/21", "is not a date such as 2026-11-21"],
    ["revalidate --languages Portugese", "Did you mean pt?"],
    ["rollback --languages gr", "Did you mean el?"],
    ["restore file:./backup --at 2026-11-21", "is not an instant such as 2026-11-21T03:05:00Z"],
    ["pull https://almanac.example data --since 1.11.2026", "is not a date such as 2026-11-21"],
    ["reading daily-horoscope --sign leo --language deutsh", "Did you mean de?"],
  ])("%s: %s", async (words, said) => {
    const { code, stderr } = await asked(...words.split(" "));
    expect(stderr).toContain(said);
    expect(code).toBe(2);
  });
});

const plainUrl = "https://almanac.example";
const deepUrl = "https://almanac.example/stars";

test.each([
  ["/en/daily/leo/", plainUrl, "en/daily/leo/index.html"],
  ["en/daily/leo", plainUrl, "en/daily/leo/index.html"],
  ["en/daily/leo/index.html", plainUrl, "en/daily/leo/index.html"],
  ["/v1/en/daily/latest.json", plainUrl, "v1/en/daily/latest.json"],
  ["https://almanac.example/en/daily/leo/?from=mail#text", plainUrl, "en/daily/leo/index.html"],
  ["HTTPS://ALMANAC.example/en/", plainUrl, "en/index.html"],
  ["https://almanac.example/stars/en/daily/leo/", deepUrl, "en/daily/leo/index.html"],
  ["http://127.0.0.1:8420/en/daily/leo/", deepUrl, "en/daily/leo/index.html"],
  ["/en/../hi/daily/leo/", plainUrl, "hi/daily/leo/index.html"],
  ["/", plainUrl, "index.html"],
])("%s on %s is %s", (text, site, path) => {
  expect(pathIn(text, site)).toBe(path);
});

test.each([
  ["https://elsewhere.example/en/", plainUrl],
  ["http://almanac.example/en/", plainUrl],
  ["https://almanac.example/en/", deepUrl],
  ["/en/%ff/", plainUrl],
])("%s is no path of %s", (text, site) => {
  expect(() => pathIn(text, site)).toThrow(WrongUsage);
});
