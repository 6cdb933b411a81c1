import { describe, expect, it } from "vitest";
import { type Operation, operationNames, operations } from "../../readings/tables.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import { judge, verdictOn } from "../support/answers.ts";
import { sandboxProse } from "../support/prose.ts";
import { requestFor } from "../support/requests.ts";

const [one = "", two = "", three = "", four = ""] = sandboxProse("en");
const picture = "https://cards.example/a.png";
const card = (name: string, result = one) => ({ card: name, result, image: picture });

const ofFamily = (family: string): Operation[] =>
  operationNames.filter((name) => operations[name].family === family);
const cardOperations = ofFamily("cards");

function read(operation: Operation, data: unknown): Reading {
  return judge(requestFor(operation, "en"), data).reading;
}

function refused(operation: Operation, data: unknown): string {
  return verdictOn(requestFor(operation, "en"), data);
}

/** The reading, whichever of the three forms one object comes in. */
function inThreeForms(operation: Operation, answer: object): Reading[] {
  return [{ prediction: answer }, { prediction: [answer] }, { cards: [answer] }].map((data) =>
    read(operation, data),
  );
}

describe.each(cardOperations)("%s", (operation) => {
  it("is the same reading in all three forms", () => {
    const readings = inThreeForms(operation, card("THE SUN", `${one}\r\n${two} `));
    for (const reading of readings) {
      expect(reading).toEqual({
        format: 1,
        family: "cards",
        operation,
        language: "en",
        period: "2026-11-21",
        cards: [{ name: "THE SUN", text: [one, two], images: [picture] }],
      });
    }
  });

  it("is a reading of several cards in both kinds of list", () => {
    const list = [card("THE SUN"), card("THE MOON", two), card("THE STAR", three)];
    const cards = [
      { name: "THE SUN", text: [one] },
      { name: "THE MOON", text: [two] },
      { name: "THE STAR", text: [three] },
    ];
    expect(read(operation, { cards: list })).toMatchObject({ cards });
    expect(read(operation, { prediction: list })).toMatchObject({ cards });
  });
});

describe("a list of cards", () => {
  const operation = "divine-angel-reading";

  it("is refused when it is empty, and wherever one of its cards lacks name or text", () => {
    expect(refused(operation, { cards: [] })).toBe("Unfit shape: data: the list of cards is empty");
    expect(refused(operation, { prediction: [] })).toBe("Unfit shape: data: the list of cards is empty");
    expect(refused(operation, { cards: [card("A"), { card: "B" }] })).toMatch(
      /^Unfit shape: card 2\.result: /,
    );
    expect(refused(operation, { cards: [card("A"), { result: one }] })).toMatch(
      /^Unfit shape: card 2\.card: /,
    );
    expect(refused(operation, { cards: [card("A"), null] })).toMatch(/^Unfit shape: card 2: /);
    expect(refused(operation, { cards: [card("A"), card("B", "")] })).toBe(
      "Unfit empty: card 2.result is empty",
    );
  });

  it("may be longer than any layout: extra cards are dropped with a note", () => {
    const list = Array.from({ length: 12 }, (_, index) => card(`CARD ${index}`));
    const { reading, notes } = judge(requestFor(operation, "en"), { cards: list });
    expect(reading).toMatchObject({ cards: list.slice(0, 10).map(({ card: name }) => ({ name })) });
    expect(notes).toEqual(["data: 2 cards beyond 10 ignored"]);
  });

  it("takes precedence over a prediction in the same response", () => {
    const reading = read(operation, { cards: [card("LISTED")], prediction: card("SINGLE") });
    expect(reading).toMatchObject({ cards: [{ name: "LISTED" }] });
  });

  it.each([
    {},
    { prediction: null },
    { prediction: "text" },
    { prediction: 7 },
    { cards: {} },
    { card: "A" },
  ])("is refused as %j", (data) => {
    expect(refused(operation, data)).toMatch(/^Unfit shape: /);
  });
});

describe("pictures", () => {
  const imagesOf = (pictures: object) => {
    const { reading, notes } = judge(requestFor("egyptian-prediction", "en"), {
      prediction: { card: "ISIS", result: one, ...pictures },
    });
    return { images: reading.family === "cards" ? reading.cards[0]?.images : [], notes: notes.length };
  };

  it("are http(s) addresses in the order of their fields, each once", () => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => `https://cards.example/${name}.png`);
    expect(imagesOf({ card_image: d, image3: c, image2: b, image: a })).toEqual({
      images: [a, b, c, d],
      notes: 0,
    });
    expect(imagesOf({ image: a, image2: a, card_image: a })).toEqual({ images: [a], notes: 0 });
  });

  it("are omitted without a note if they are missing, null or empty", () => {
    expect(imagesOf({})).toEqual({ images: [], notes: 0 });
    expect(imagesOf({ image: "", image2: null })).toEqual({ images: [], notes: 0 });
  });

  it.each([
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "ftp://cards.example/a.png",
    "file:///etc/passwd",
    "//cards.example/a.png",
    "a.png",
    "https://reader:word@cards.example/a.png",
    "https://",
    "no picture",
    7,
    {},
    ["https://cards.example/a.png"],
    `https://cards.example/${"a".repeat(3000)}.png`,
  ])("that are none, such as %j, are dropped and noted", (image) => {
    expect(imagesOf({ image, image2: picture })).toEqual({ images: [picture], notes: 1 });
  });

  it("are safe in an HTML attribute", () => {
    const { images } = imagesOf({ image: 'https://cards.example/a"><script>.png' });
    expect(images).toEqual(["https://cards.example/a%22%3E%3Cscript%3E.png"]);
  });
});

describe("a spread", () => {
  const operation = "past-present-future-reading";
  const place = (name: string, summary: string) => ({
    card: name,
    summary,
    advice: four,
    keywords: ["Joy", "Rest"],
    image: picture,
  });
  const [past, present, future] = [place("A", one), place("B", two), place("C", three)];

  it("is the same reading as three named places in any form and as a list of three", () => {
    const named = inThreeForms(operation, { past, present, future });
    const listed = [{ cards: [past, present, future] }, { prediction: [past, present, future] }];
    for (const reading of [...named, ...listed.map((data) => read(operation, data))]) {
      expect(reading).toMatchObject({
        family: "spread",
        past: { name: "A", summary: [one], advice: [four], keywords: ["Joy", "Rest"], images: [picture] },
        present: { name: "B", summary: [two] },
        future: { name: "C", summary: [three] },
      });
    }
  });

  it("is refused without one of its places, or as a list of two or four", () => {
    expect(refused(operation, { prediction: { past, present } })).toMatch(
      /^Unfit shape: data\.prediction\.future: /,
    );
    expect(refused(operation, { cards: [past, present] })).toMatch(/^Unfit shape: data: a list of 2 cards/);
    expect(refused(operation, { cards: [past, present, future, past] })).toMatch(
      /^Unfit shape: data: a list of 4/,
    );
  });

  it("takes keywords as a list or as one text in any script, drops what is no word", () => {
    const keywordsOf = (keywords: unknown) => {
      const reading = read(operation, { prediction: { past: { ...past, keywords }, present, future } });
      return reading.family === "spread" ? reading.past.keywords : undefined;
    };
    expect(keywordsOf("Joy, Rest; Hope،فرح，喜び、希望")).toEqual([
      "Joy",
      "Rest",
      "Hope",
      "فرح",
      "喜び",
      "希望",
    ]);
    expect(keywordsOf([" Joy ", "", null, 7, {}, "Rest"])).toEqual(["Joy", "7", "Rest"]);
    expect(keywordsOf(undefined)).toEqual([]);
    expect(keywordsOf({ 0: "Joy" })).toEqual([]);
    expect(keywordsOf(Array.from({ length: 1000 }, () => "Joy"))).toHaveLength(50);
  });
});

describe("a triangle and a wisdom", () => {
  it("are the same readings as numbered fields in any form and as a list of cards", () => {
    const numbered = { card1: "A", card2: "B", card3: "C", your: one, lover1: two, lover2: three };
    const listed = { cards: [card("A", one), card("B", two), card("C", three)] };
    for (const reading of [
      ...inThreeForms("love-triangle-reading", numbered),
      read("love-triangle-reading", listed),
    ]) {
      expect(reading).toMatchObject({
        family: "triangle",
        you: { name: "A", text: [one] },
        firstLove: { name: "B", text: [two] },
        secondLove: { name: "C", text: [three] },
      });
    }
    const wisdom = { card1: "A", card2: "B", card2_image: picture, ying: one, yang: two };
    for (const reading of inThreeForms("wisdom-reading", wisdom)) {
      expect(reading).toMatchObject({
        family: "wisdom",
        yin: { name: "A", text: [one], images: [] },
        yang: { name: "B", text: [two], images: [picture] },
      });
    }
    const two2 = { prediction: [card("A", one), card("B", two)] };
    expect(read("wisdom-reading", two2)).toMatchObject({ yin: { name: "A" }, yang: { name: "B" } });
  });

  it("are refused where a text or a card is missing", () => {
    const numbered = { card1: "A", card2: "B", card3: "C", your: one, lover1: two };
    expect(refused("love-triangle-reading", { prediction: numbered })).toMatch(
      /^Unfit shape: data\.prediction\.lover2: /,
    );
    expect(refused("wisdom-reading", { cards: [card("A"), card("B"), card("C")] })).toMatch(
      /^Unfit shape: data: a list of 3 cards/,
    );
  });
});

describe.each(ofFamily("tarot"))("%s", (operation) => {
  const tarot = { card: "THE SUN", category: "Upright", career: one, love: two, finance: three };

  it("is the same reading right in data and in all three forms", () => {
    for (const reading of [read(operation, tarot), ...inThreeForms(operation, tarot)]) {
      expect(reading).toMatchObject({
        family: "tarot",
        operation,
        name: "THE SUN",
        category: "Upright",
        orientation: "upright",
        career: [one],
        love: [two],
        finance: [three],
      });
    }
  });

  it.each([
    ["Upright", "upright"],
    ["REVERSE", "reversed"],
    ["reversed", "reversed"],
    ["à l'envers", undefined],
    ["", undefined],
    [undefined, undefined],
    [7, undefined],
    [{}, undefined],
  ])("knows the orientation %j as %s", (category, orientation) => {
    const reading = read(operation, { ...tarot, category });
    expect(reading.family === "tarot" && reading.orientation).toBe(orientation);
  });

  it("is refused without one of its three texts", () => {
    for (const field of ["career", "love", "finance"]) {
      expect(refused(operation, { ...tarot, [field]: undefined })).toMatch(`Unfit shape: data.${field}: `);
      expect(refused(operation, { ...tarot, [field]: " " })).toBe(`Unfit empty: ${field} is empty`);
    }
  });
});

describe("an animal", () => {
  const operation = "which-animal-are-you-reading";
  const animal = { birth_number: 7, animal: "OWL", result: one };

  it("keeps a whole birth number, given as number or text in any digits, and drops any other", () => {
    const numberOf = (birthNumber: unknown) => {
      const reading = read(operation, { prediction: { ...animal, birth_number: birthNumber } });
      return reading.family === "animal" ? reading.birthNumber : undefined;
    };
    expect([7, "7", " 7 ", "७", "٧"].map(numberOf)).toEqual([7, 7, 7, 7, 7]);
    expect([7.5, -1, "seven", "", null, undefined, {}, 1e300].map(numberOf)).toEqual(
      Array.from({ length: 8 }, () => undefined),
    );
  });
});
