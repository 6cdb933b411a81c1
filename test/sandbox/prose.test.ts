// Horoscopes stay the same and differ where they must; cards are drawn again; the prose is enough in every language.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type Language,
  languageNames,
  languages,
  type Script,
  type Operation,
  signs,
} from "../../readings/tables.ts";
import { spawnSandbox, type SpawnedSandbox } from "../support/sandbox.ts";
import { answerOf, dailyOf, sections } from "./calling.ts";

describe("the sandbox's texts", () => {
  let sandbox: SpawnedSandbox;
  beforeAll(async () => {
    sandbox = await spawnSandbox({ seed: 11 });
    await sandbox.clock({ at: "2026-11-21T12:00:00Z" });
  });
  afterAll(() => sandbox.close());

  const asText = async (operation: Operation, fields = {}) =>
    JSON.stringify((await answerOf(sandbox, operation, "en", fields)).data);

  it("gives the same horoscope for the same sign, day and language, in another process too", async () => {
    const other = await spawnSandbox({ seed: 99 });
    try {
      await other.clock({ at: "2026-11-21T15:30:00Z" });
      const asked: [Operation, Language][] = [
        ["daily-horoscope", "uk"],
        ["weekly-horoscope", "zh"],
        ["monthly-horoscope", "ar"],
        ["yearly-horoscope", "en"],
        ["love-compatibility", "tr"],
        ["which-animal-are-you-reading", "id"],
      ];
      for (const [operation, language] of asked) {
        const answer = await answerOf(sandbox, operation, language);
        expect(answer.success).toBe(1);
        expect(await answerOf(other, operation, language)).toEqual(answer);
      }
    } finally {
      await other.close();
    }
  });

  it("gives twelve signs of a set twelve texts in every section, in every language", async () => {
    for (const language of languageNames.filter((name) => name !== "gu")) {
      const set = await Promise.all(signs.map((sign) => dailyOf(sandbox, language, { sign })));
      for (const section of sections) {
        expect(new Set(set.map(({ prediction }) => prediction[section].trim())).size).toBe(12);
      }
    }
  });

  it("gives yesterday, today and tomorrow different texts, and tomorrow's stays when it has become today", async () => {
    for (const sign of signs) {
      const words = ["yesterday", "today", "tomorrow"];
      const days = await Promise.all(words.map((word) => dailyOf(sandbox, "de", { sign, h_day: word })));
      expect(days.map(({ date }) => date)).toEqual(["2026-11-20", "2026-11-21", "2026-11-22"]);
      for (const section of sections) {
        expect(new Set(days.map(({ prediction }) => prediction[section])).size).toBe(3);
      }
      await sandbox.clock({ at: "2026-11-22T12:00:00Z" });
      expect(await dailyOf(sandbox, "de", { sign, h_day: "today" })).toEqual(days[2]);
      await sandbox.clock({ at: "2026-11-21T12:00:00Z" });
    }
  });

  it("names the period of the caller's own clock", async () => {
    const echo = async (operation: Operation, field: string, fields: Record<string, string>) => {
      const { data } = await answerOf(sandbox, operation, "en", fields);
      return z.looseObject({ [field]: z.string() }).parse(data)[field];
    };
    await sandbox.clock({ at: "2026-12-31T20:00:00Z" });
    expect(await echo("daily-horoscope", "date", { tzone: "3.75" })).toBe("2026-12-31");
    expect(await echo("daily-horoscope", "date", { tzone: "4" })).toBe("2027-01-01");
    expect(await echo("daily-horoscope", "date", { tzone: "-12", h_day: "tomorrow" })).toBe("2027-01-01");
    expect(await echo("weekly-horoscope", "week", { tzone: "0" })).toBe("27 Dec 2026 to 02 Jan 2027");
    expect(await echo("weekly-horoscope", "week", { tzone: "0", week: "next" })).toBe(
      "03 Jan 2027 to 09 Jan 2027",
    );
    expect(await echo("monthly-horoscope", "month", { tzone: "0", month: "next" })).toBe("January 2027");
    expect(await echo("monthly-horoscope", "month", { tzone: "5.5", month: "prev" })).toBe("December 2026");
    expect(await echo("yearly-horoscope", "year", { tzone: "0" })).toBe("2026");
    expect(await echo("yearly-horoscope", "year", { tzone: "5.5" })).toBe("2027");
    await sandbox.clock({ at: "2026-11-21T12:00:00Z" });
  });

  it("gives each of the 144 pairs texts of its own", async () => {
    const texts = new Set<string>();
    const prediction = z.object({
      overall_compatibility: z.string(),
      positive_aspects: z.string(),
      negative_aspects: z.string(),
    });
    for (const sign_1 of signs) {
      for (const sign_2 of signs) {
        const { data } = await answerOf(sandbox, "love-compatibility", "en", { sign_1, sign_2 });
        texts.add(JSON.stringify(z.object({ prediction }).parse(data)));
      }
    }
    expect(texts.size).toBe(144);
  });

  it("draws cards again on every call, and the same ones again from the same seed", async () => {
    const draws = async () => {
      await sandbox.options({ seed: 5 });
      const drawn: string[] = [];
      for (let count = 0; count < 8; count += 1)
        drawn.push(await asText("power-life-reading", { cards_count: "3" }));
      return drawn;
    };
    const first = await draws();
    expect(new Set(first).size).toBe(8);
    expect(await draws()).toEqual(first);
  });

  it("speaks of sign, month and dates in the language when told to", async () => {
    await sandbox.options({ translated: true });
    try {
      expect(await dailyOf(sandbox, "hi", {})).toMatchObject({ sign: "मेष", date: "2026-11-21" });
      const { data } = await answerOf(sandbox, "monthly-horoscope", "el");
      expect(z.object({ month: z.string() }).parse(data).month).toMatch(/^\p{Script=Greek}+ 2026$/u);
      const weekly = await answerOf(sandbox, "weekly-horoscope", "ru");
      expect(z.object({ week: z.string() }).parse(weekly.data).week).toMatch(
        /^15 \p{Script=Cyrillic}+ 2026 - 21 /u,
      );
    } finally {
      await sandbox.options({ translated: false });
    }
    expect(await dailyOf(sandbox, "hi", {})).toMatchObject({ sign: "Aries" });
  });
});

describe("the prose", () => {
  const letters: Record<Script, RegExp> = {
    Latin: /\p{scx=Latin}/u,
    Cyrillic: /\p{scx=Cyrillic}/u,
    Greek: /\p{scx=Greek}/u,
    Arabic: /\p{scx=Arabic}/u,
    Devanagari: /\p{scx=Devanagari}/u,
    Bengali: /\p{scx=Bengali}/u,
    Gujarati: /\p{scx=Gujarati}/u,
    Tamil: /\p{scx=Tamil}/u,
    Telugu: /\p{scx=Telugu}/u,
    Kannada: /\p{scx=Kannada}/u,
    Malayalam: /\p{scx=Malayalam}/u,
    Han: /\p{scx=Han}/u,
    Japanese: /[\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Han}]/u,
  };
  const file = z.object({
    topics: z.record(z.string(), z.array(z.string())),
    general: z.array(z.string()),
    love: z.array(z.string()),
  });

  it.each(languageNames)(
    "has at least 16 paragraphs of 120 to 700 characters in its own script: %s",
    (language) => {
      const url = new URL(`../../packages/sandbox/prose/${language}.json`, import.meta.url);
      const { topics, general, love } = file.parse(JSON.parse(readFileSync(url, "utf8")));
      const all = [...Object.values(topics).flat(), ...general, ...love];
      expect(new Set(all).size).toBeGreaterThanOrEqual(16);
      expect(new Set(all).size).toBe(all.length);
      for (const paragraph of all) {
        expect(paragraph).toMatch(/^.{120,700}$/u);
        expect(paragraph).toBe(paragraph.normalize("NFC").trim());
        const script = letters[languages[language].script];
        const foreign = (paragraph.match(/\p{L}/gu) ?? []).filter((letter) => !script.test(letter));
        expect({ paragraph, foreign }).toEqual({ paragraph, foreign: [] });
      }
    },
  );
});
