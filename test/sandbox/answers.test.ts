// Every operation in every language it has answers in the shapes of the interface document.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Language, languagesOf, type Operation, operationNames, signs } from "../../readings/tables.ts";
import { type Sandbox, startSandbox } from "../../packages/sandbox/server.ts";
import { answerOf, call } from "./calling.ts";

// Written from the interface document and live observations, not from the sandbox.
const text = z.string().min(100);
const line = z.string().min(1);
const image = z.url({ protocol: /^https$/ });
const cardName = z.string().regex(/^[A-Z][A-Z ]+$/);

const luckLines = z.tuple([
  z.string().regex(/^\S.* : \S.*$/),
  z.string().regex(/^\S.* : \d+(, \d+)*$/),
  z.string().regex(/^\S.* : [A-Z](, [A-Z])*$/),
  z.string().regex(/^\S.* : \S.*$/),
  z.string().regex(/^\S.* : \S.*$/),
  z.string().regex(/^\S.* : \S.*$/),
]);
const periodBlock = z.strictObject({
  personal: text,
  health: text,
  profession: text,
  emotions: text,
  travel: text,
  luck: luckLines,
});
const percentage = z.int().min(0).max(100);
const special = z.strictObject({
  lucky_color_codes: z.array(z.string().regex(/^#[0-9A-F]{6}$/)).min(1),
  horoscope_percentage: z.strictObject({
    personal: percentage,
    health: percentage,
    profession: percentage,
    emotions: percentage,
    travel: percentage,
    luck: percentage,
  }),
});
const month = "(January|February|March|April|May|June|July|August|September|October|November|December)";
const day = String.raw`\d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}`;
const sign = z.literal("Aries");

const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const cardList = z.array(z.strictObject({ card: cardName, result: text, image })).min(1);
const threePictures = z.strictObject({ card: cardName, result: text, image, image2: image, image3: image });
const anyOf = (prediction: z.ZodType) =>
  z.union([
    z.strictObject({ cards: cardList }),
    z.strictObject({ prediction }),
    z.strictObject({ prediction: cardList }),
  ]);
const spreadCard = z.strictObject({
  card: cardName,
  image,
  summary: text,
  keywords: z.array(line).min(1),
  advice: text,
});
const tarot = z.strictObject({
  card: cardName,
  category: z.enum(["Upright", "Reverse"]),
  career: text,
  love: text,
  finance: text,
  image,
  image2: image,
});

const shapes: Record<Operation, z.ZodType> = {
  "daily-horoscope": z.strictObject({ sign, date: z.iso.date(), prediction: periodBlock, special }),
  "weekly-horoscope": z.strictObject({
    sign,
    week: z.string().regex(new RegExp(`^${day} to ${day}$`)),
    weekly_horoscope: periodBlock,
    special,
  }),
  "monthly-horoscope": z.strictObject({
    sign,
    month: z.string().regex(new RegExp(String.raw`^${month} \d{4}$`)),
    monthly_horoscope: periodBlock,
    special,
  }),
  "yearly-horoscope": z.strictObject({
    sign,
    year: z.string().regex(/^\d{4}$/),
    yearly_horoscope: periodBlock,
    special,
  }),
  "love-compatibility": z.strictObject({
    prediction: z.strictObject({
      sign_1: z.literal("Aries"),
      sign_2: z.literal("Pisces"),
      overall_compatibility: text,
      positive_aspects: text,
      negative_aspects: text,
      elements: line,
      ideal_date: line,
      score: z.strictObject({ general: decimal, communication: decimal, sex: decimal }),
    }),
  }),
  "divine-angel-reading": anyOf(z.strictObject({ card: cardName, result: text, image })),
  "power-life-reading": anyOf(threePictures),
  "egyptian-prediction": anyOf(threePictures),
  "ex-flame-reading": anyOf(threePictures),
  "in-depth-love-reading": anyOf(threePictures),
  "dream-come-true-reading": anyOf(threePictures),
  "erotic-love-reading": anyOf(threePictures),
  "past-lives-connection-reading": anyOf(z.strictObject({ card: cardName, card_image: image, result: text })),
  "past-present-future-reading": z.strictObject({
    prediction: z.strictObject({ past: spreadCard, present: spreadCard, future: spreadCard }),
  }),
  "love-triangle-reading": z.strictObject({
    prediction: z.strictObject({
      card1: cardName,
      card2: cardName,
      card3: cardName,
      card1_image: image,
      card2_image: image,
      card3_image: image,
      your: text,
      lover1: text,
      lover2: text,
    }),
  }),
  "wisdom-reading": z.strictObject({
    prediction: z.strictObject({
      card1: cardName,
      card2: cardName,
      card1_image: image,
      card2_image: image,
      ying: text,
      yang: text,
    }),
  }),
  "which-animal-are-you-reading": z.strictObject({
    prediction: z.strictObject({ birth_number: z.int(), animal: line, result: text, image }),
  }),
  "daily-tarot": tarot,
  "daily-tarot-legacy": tarot,
};

const combinations = operationNames.flatMap((operation): [Operation, Language][] =>
  languagesOf(operation).map((language) => [operation, language]),
);

describe("the sandbox's answers", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 7 });
  });
  afterAll(() => sandbox.close());

  it("answers every combination of operation and language in the interface's shape", async () => {
    const wrong: string[] = [];
    for (const [operation, language] of combinations) {
      const answer = await answerOf(sandbox, operation, language);
      const read = shapes[operation].safeParse(answer.data);
      if (answer.success !== 1) wrong.push(`${operation} ${language}: ${answer.msg}`);
      else if (!read.success) wrong.push(`${operation} ${language}: ${z.prettifyError(read.error)}`);
    }
    expect(wrong).toEqual([]);
  });

  it("adds a message to the legacy answer and to no other", async () => {
    const keys = async (operation: Operation) =>
      Object.keys(z.record(z.string(), z.unknown()).parse(await (await call(sandbox, operation)).json()));
    expect(await keys("daily-tarot-legacy")).toEqual(["success", "message", "data"]);
    expect(await keys("daily-tarot")).toEqual(["success", "data"]);
  });

  it("labels luck with the operation's period, in the language asked for", async () => {
    const luck = async (operation: Operation, language: Language) => {
      const { data } = await answerOf(sandbox, operation, language);
      const found = Object.values(z.record(z.string(), z.unknown()).parse(data)).map((value) =>
        z.object({ luck: z.array(z.string()) }).safeParse(value),
      );
      return found.flatMap((block) => block.data?.luck ?? []).map((entry) => entry.split(" : ")[0]);
    };
    const labels = (period: string) => [
      `Colors of the ${period}`,
      `Lucky Numbers of the ${period}`,
      "Lucky Alphabets you will be in sync with",
      "Cosmic Tip",
      "Tips for Singles",
      "Tips for Couples",
    ];
    expect(await luck("daily-horoscope", "en")).toEqual(labels("day"));
    expect(await luck("weekly-horoscope", "en")).toEqual(labels("week"));
    expect(await luck("monthly-horoscope", "en")).toEqual(labels("month"));
    expect(await luck("yearly-horoscope", "en")).toEqual(labels("year"));
    const hindi = await luck("daily-horoscope", "hi");
    expect(hindi).toHaveLength(6);
    for (const label of hindi) expect(label).toMatch(/^[\p{Script=Devanagari}\s]+$/u);
  });

  it("separates paragraphs with CRLF and now and then leaves a trailing blank", async () => {
    // Every seventh text has one: 180 texts show some on any date, a dozen would not.
    const asked = signs.flatMap((name) =>
      ["yesterday", "today", "tomorrow"].map((h_day) => ({ sign: name, h_day })),
    );
    const texts: string[] = [];
    for (const fields of asked) {
      const { data } = await answerOf(sandbox, "daily-horoscope", "en", fields);
      const { luck, ...sections } = z.object({ prediction: periodBlock }).parse(data).prediction;
      expect(luck).toHaveLength(6);
      texts.push(...Object.values(sections));
    }
    for (const section of texts) expect(section.split("\r\n")).toHaveLength(3);
    const blanks = texts.filter((section) => section.endsWith(" ")).length;
    expect(blanks).toBeGreaterThan(0);
    expect(blanks).toBeLessThan(texts.length);
  });

  it("gives as many different cards as cards_count asks for, in the picture style of card_image", async () => {
    const list = z.object({ cards: cardList }).or(z.object({ prediction: cardList }));
    for (const count of [2, 3, 4, 5]) {
      const fields = { cards_count: String(count), card_image: "3" };
      const { data } = await answerOf(sandbox, "egyptian-prediction", "ja", fields);
      const read = list.parse(data);
      const cards = "cards" in read ? read.cards : read.prediction;
      expect(new Set(cards.map(({ card }) => card)).size).toBe(count);
      for (const card of cards) expect(card.image).toContain("style-3");
    }
  });

  it("answers a card operation in each of the three shapes that were seen", async () => {
    const seen = new Set<string>();
    for (let draw = 0; draw < 60; draw += 1) {
      const { data } = await answerOf(sandbox, "divine-angel-reading");
      const { cards, prediction } = z
        .object({ cards: z.unknown(), prediction: z.unknown() })
        .partial()
        .parse(data);
      if (cards !== undefined) seen.add("cards");
      else seen.add(Array.isArray(prediction) ? "list" : "object");
    }
    expect([...seen].sort()).toEqual(["cards", "list", "object"]);
  });
});
