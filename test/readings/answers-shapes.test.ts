import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { judgeAnswer } from "../../readings/quality.ts";
import { type Reading, readingSchema } from "../../readings/reading.schema.ts";
import { requestOf } from "../../readings/request.ts";
import { answerOf } from "../support/fuzz.ts";

// One file for each form of response ever seen or allowed. A new oddity becomes a file here first, then a fix.

const folder = new URL("shapes/", import.meta.url);
const shapeFile = z.object({ seen: z.string(), key: z.string(), status: z.number(), body: z.unknown() });

type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
interface Expected {
  readonly reading: DeepPartial<Reading>;
  readonly notes?: readonly string[];
}

const url = (name: string) => `https://cards.example/${name}.jpg`;
const someText = [expect.stringMatching(/^\S.*[.।。]$/u)];
const text = expect.arrayContaining(someText);
const aries = { family: "horoscope", language: "en", sign: "aries", period: "2026-11-21" } as const;
const libra = { family: "horoscope", sign: "libra" } as const;
const colors = ["#FF0000", "#FFD700"];
const scores = { personal: 71, health: 64, profession: 80, emotions: 55, travel: 90, luck: 42 };
const firstLuck = (period: string) => ({
  kind: "colors" as const,
  label: `Colors of the ${period}`,
  value: "Red, Gold",
});

const expected: Record<string, Expected> = {
  "daily-horoscope": {
    reading: {
      ...aries,
      format: 1,
      operation: "daily-horoscope",
      sections: { personal: text, health: text, profession: someText, emotions: text, travel: text },
      luck: [
        firstLuck("day"),
        { kind: "numbers", label: "Lucky Numbers of the day", value: "3, 9, 21" },
        { kind: "alphabets", label: "Lucky Alphabets you will be in sync with", value: "A, M" },
        { kind: "cosmicTip", label: "Cosmic Tip", value: "Breathe before you answer." },
        { kind: "singles", label: "Tips for Singles", value: "Say yes to an invitation." },
        { kind: "couples", label: "Tips for Couples", value: "Cook something together." },
      ],
      colors,
      scores,
    },
    notes: [],
  },
  "daily-horoscope-five-lines-of-luck": {
    reading: {
      ...aries,
      luck: [
        { label: "Colors of the day", value: "Red, Gold" },
        { label: "Lucky Numbers of the day" },
        { value: "A, M" },
        { label: "Cosmic Tip" },
        { label: "Tips for Singles" },
      ],
    },
    notes: ["luck: 5 lines, usually 6"],
  },
  "daily-horoscope-seven-lines-of-luck": {
    reading: { ...aries, luck: [{}, {}, {}, {}, {}, {}, { label: "Stone of the day", value: "Jade" }] },
    notes: ["luck: 7 lines, usually 6"],
  },
  "daily-horoscope-scores-as-text": {
    reading: {
      ...aries,
      colors: ["#00FF00"],
      scores: { personal: 71, health: 65, profession: 80, emotions: 55 },
    },
    notes: ["score travel: dropped, not a number from 0 to 100"],
  },
  "daily-horoscope-without-special": {
    reading: { ...aries, luck: [], colors: [], scores: {} },
    notes: ["luck: 0 lines, usually 6"],
  },
  "daily-horoscope-hindi": {
    reading: {
      family: "horoscope",
      language: "hi",
      sign: "leo",
      period: "2026-11-21",
      luck: [
        { kind: "colors", label: "दिन के रंग", value: "लाल" },
        { kind: "numbers", value: "३, ९" },
        { kind: "alphabets", value: "म" },
        { kind: "cosmicTip", label: "ब्रह्मांडीय सुझाव", value: "शांत रहें।" },
        { kind: "singles" },
        { kind: "couples", label: "जोड़ों के लिए" },
      ],
      scores: { personal: 71, luck: 42 },
    },
    notes: ["data: 1 unknown field ignored", "data.prediction: 2 unknown fields ignored"],
  },
  "weekly-horoscope": {
    reading: { ...libra, operation: "weekly-horoscope", period: "2026-11-15", scores },
    notes: [],
  },
  "monthly-horoscope": {
    reading: { ...libra, operation: "monthly-horoscope", language: "de", period: "2026-11" },
    notes: [],
  },
  "yearly-horoscope": { reading: { ...libra, operation: "yearly-horoscope", period: "2026" }, notes: [] },
  "yearly-horoscope-year-as-number": {
    reading: { ...libra, operation: "yearly-horoscope", period: "2026" },
    notes: [],
  },
  "love-compatibility": {
    reading: {
      family: "pair",
      period: "2026-Q4",
      sign1: "aries",
      sign2: "pisces",
      overall: text,
      positive: text,
      negative: text,
      elements: ["Fire and Water"],
      idealDate: ["A walk by the sea"],
      scores: { general: 7.5, communication: 6.25, sex: 8 },
    },
    notes: [],
  },
  "cards-list": {
    reading: {
      family: "cards",
      operation: "divine-angel-reading",
      period: "2026-11-21",
      cards: [
        { name: "ANGEL OF HOPE", text, images: [url("hope")] },
        { name: "ANGEL OF REST", text, images: [url("rest")] },
        { name: "ANGEL OF JOY", text, images: [url("joy")] },
      ],
    },
    notes: [],
  },
  "cards-prediction-object": {
    reading: {
      operation: "power-life-reading",
      cards: [{ name: "THE RIVER", text, images: [url("river-1"), url("river-2"), url("river-3")] }],
    },
    notes: [],
  },
  "cards-prediction-list": {
    reading: {
      operation: "egyptian-prediction",
      language: "hi",
      cards: [
        { name: "ISIS", text, images: [url("isis")] },
        { name: "OSIRIS", images: [url("osiris")] },
      ],
    },
    notes: [],
  },
  "cards-card-image": {
    reading: {
      operation: "past-lives-connection-reading",
      language: "zh",
      cards: [{ name: "旅人", text, images: [url("traveller")] }],
    },
    notes: [],
  },
  "cards-odd-pictures": {
    reading: {
      operation: "ex-flame-reading",
      cards: [{ name: "THE EMBER", images: ["http://cards.example/ember%20card.png"] }],
    },
    notes: [
      "card.image: dropped a picture without an http(s) URL",
      "card.image: dropped a picture without an http(s) URL",
    ],
  },
  spread: {
    reading: {
      family: "spread",
      past: {
        name: "MOON",
        summary: text,
        keywords: ["dreams", "the past"],
        advice: text,
        images: [url("moon")],
      },
      present: { name: "SUN", keywords: [] },
      future: { name: "STAR", keywords: ["hope"] },
    },
    notes: [],
  },
  "spread-cards": {
    reading: {
      family: "spread",
      past: { name: "MOON", keywords: ["dreams", "the past"], images: [url("moon")] },
      present: { name: "SUN" },
      future: { name: "STAR", advice: text },
    },
    notes: [],
  },
  triangle: {
    reading: {
      family: "triangle",
      you: { name: "THE LOVERS", text, images: [url("1")] },
      firstLove: { name: "THE HERMIT", text, images: [url("2")] },
      secondLove: { name: "THE WHEEL", text, images: [url("3")] },
    },
    notes: [],
  },
  "triangle-prediction-list": {
    reading: {
      family: "triangle",
      you: { name: "THE LOVERS", text, images: [url("1")] },
      firstLove: { name: "THE HERMIT" },
      secondLove: { name: "THE WHEEL", images: [url("3")] },
    },
    notes: [],
  },
  wisdom: {
    reading: {
      family: "wisdom",
      yin: { name: "REED", text, images: [url("reed")] },
      yang: { name: "STONE", text, images: [url("stone")] },
    },
    notes: [],
  },
  "wisdom-cards": {
    reading: {
      family: "wisdom",
      yin: { name: "REED", images: [url("reed")] },
      yang: { name: "STONE", images: [url("stone")] },
    },
    notes: [],
  },
  animal: {
    reading: {
      family: "animal",
      period: "always",
      person: "reader-1",
      birthNumber: 7,
      animal: "OWL",
      text,
      images: [url("owl")],
    },
    notes: [],
  },
  tarot: {
    reading: {
      family: "tarot",
      operation: "daily-tarot",
      name: "THE TOWER",
      category: "Reverse",
      orientation: "reversed",
      career: text,
      love: text,
      finance: text,
      images: [url("tower-1"), url("tower-2")],
    },
    notes: [],
  },
  "tarot-prediction-object": {
    reading: { family: "tarot", name: "THE TOWER", category: "Upright", orientation: "upright" },
    notes: [],
  },
  "tarot-prediction-list": {
    reading: { family: "tarot", language: "de", name: "THE TOWER", category: "Umgekehrt" },
    notes: ["category: neither upright nor reversed in English"],
  },
  "tarot-legacy": {
    reading: {
      family: "tarot",
      operation: "daily-tarot-legacy",
      orientation: "reversed",
      images: [url("tower-1"), url("tower-2")],
    },
    notes: [],
  },
};

const files = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));

it("every form has a file, and every file an expected result", () => {
  expect(files.toSorted()).toEqual(Object.keys(expected).toSorted());
});

it.each(files)("reads the shape %s", (name) => {
  const shape = shapeFile.parse(JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")));
  const request = requestOf(shape.key);
  if (request === undefined) throw new Error(`${shape.key} is no key`);
  const { reading, notes } = judgeAnswer(request, answerOf(JSON.stringify(shape.body), shape.status));
  expect(readingSchema.parse(reading)).toEqual(reading);
  expect(reading).toMatchObject(expected[name]?.reading ?? {});
  expect(notes).toEqual(expected[name]?.notes);
});
