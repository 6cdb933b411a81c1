// The grammar of good responses as fast-check arbitraries, written from the interface document and from live observations (three
// forms of card responses, five to seven luck lines, numbers as text), not from the sandbox.
import fc from "fast-check";
import { operations, type Sign, type Language } from "../../readings/tables.ts";
import { spanOf } from "../../readings/calendar.ts";
import type { HoroscopeRequest, ReadingRequest } from "../../readings/request.ts";
import { signNames } from "../../readings/sign-names.ts";
import { sandboxProse } from "./prose.ts";

type Data = Record<string, unknown>;
export type Body = { success: 1; data: Data; [extra: string]: unknown };

const url = fc.constantFrom(
  "https://cards.example/a.png",
  "http://cards.example/b.jpg?x=1",
  "https://cards.example/ü.webp",
);
const name = fc.constantFrom("THE SUN", "QUEEN OF CUPS", "ISIS", "THE TOWER", "ÉTOILE");
const percent = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }).map(String));
const decimal = fc.oneof(
  fc.float({ min: 0, max: 100, noNaN: true }).map((number) => number.toFixed(2)),
  fc.integer({ min: 0, max: 10 }),
  fc.integer({ min: 0, max: 100 }).map((number) => `${number}%`),
);
const space = fc.constantFrom("", " ", "  ");

export function proseText(language: Language): fc.Arbitrary<string> {
  const paragraph = fc.constantFrom(...sandboxProse(language));
  return fc
    .tuple(
      fc.array(paragraph, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("\r\n", "\r\n\r\n", "\n"),
      space,
    )
    .map(([paragraphs, separator, end]) => paragraphs.join(separator) + end);
}

/** A body with `success` 1 that is a good answer to the request. */
export function goodBody(request: ReadingRequest): fc.Arbitrary<Body> {
  const extra = fc.constantFrom({}, { took: 12 }, { message: "ok", __v: null });
  return fc.tuple(goodData(request), extra).map(([data, more]) => ({ success: 1, data, ...more }));
}

function goodData(request: ReadingRequest): fc.Arbitrary<Data> {
  const text = proseText(request.language);
  switch (request.operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope":
      return horoscope(request);
    case "love-compatibility":
      return fc
        .record({
          sign_1: echo(request.language, request.sign1),
          sign_2: echo(request.language, request.sign2),
          overall_compatibility: text,
          positive_aspects: text,
          negative_aspects: text,
          elements: text,
          ideal_date: text,
          score: fc.record({ general: decimal, communication: decimal, sex: decimal }),
        })
        .map((prediction) => ({ prediction }));
    case "which-animal-are-you-reading":
      return fc
        .record({ birth_number: fc.integer({ min: 1, max: 33 }), animal: name, result: text, image: url })
        .map((prediction) => ({ prediction }));
    case "past-present-future-reading":
      return spread(text);
    case "love-triangle-reading":
      return fc.oneof(
        fc
          .record({
            card1: name,
            card2: name,
            card3: name,
            card1_image: url,
            card2_image: url,
            card3_image: url,
            your: text,
            lover1: text,
            lover2: text,
          })
          .chain(oneOfThreeForms),
        fc.array(card(text), { minLength: 3, maxLength: 3 }).chain(asList),
      );
    case "wisdom-reading":
      return fc.oneof(
        fc
          .record({ card1: name, card2: name, card1_image: url, card2_image: url, ying: text, yang: text })
          .chain(oneOfThreeForms),
        fc.array(card(text), { minLength: 2, maxLength: 2 }).chain(asList),
      );
    case "daily-tarot":
    case "daily-tarot-legacy": {
      const tarot = fc.record({
        card: name,
        category: fc.constantFrom("Upright", "Reverse", "reversed"),
        career: text,
        love: text,
        finance: text,
        image: url,
        image2: url,
      });
      return fc.oneof(tarot, tarot.chain(oneOfThreeForms));
    }
    default:
      return fc.oneof(
        card(text).chain(oneOfThreeForms),
        fc.array(card(text), { minLength: 1, maxLength: 5 }).chain(asList),
      );
  }
}

function horoscope({ operation, language, sign, period }: HoroscopeRequest): fc.Arbitrary<Data> {
  const { answer } = operations[operation];
  const text = proseText(language);
  const block = fc.record({
    ...each(text),
    luck: fc.array(
      fc.constantFrom(
        "Colors of the day : Red, Gold",
        "Cosmic Tip:Breathe",
        "Tips for Singles : Wait",
        "A line without a label",
        "Étiquette ： valeur",
      ),
      { minLength: 5, maxLength: 7 },
    ),
  });
  const special = fc.record({
    lucky_color_codes: fc.array(fc.constantFrom("#FF0000", "#00ff00", "#ABCDEF"), { maxLength: 4 }),
    horoscope_percentage: fc.record({ ...each(percent), luck: percent }),
  });
  return fc
    .tuple(
      echo(language, sign),
      block,
      fc.option(special, { nil: undefined, freq: 10 }),
      fc.constantFrom(...periodEchoes(operation, period)),
    )
    .map(([saidSign, texts, adornment, saidPeriod]) => ({
      sign: saidSign,
      [answer.period]: saidPeriod,
      [answer.texts]: texts,
      ...(adornment === undefined ? {} : { special: adornment }),
    }));
}

/** The five sections of a horoscope, alike. */
function each<Value>(value: Value) {
  return { personal: value, health: value, profession: value, emotions: value, travel: value };
}

/** The service's format of a period. */
export function periodEchoes(
  operation: string,
  period: string,
): readonly [string | number, ...(string | number)[]] {
  switch (operation) {
    case "weekly-horoscope": {
      const { first, last } = spanOf("weekly", period);
      return [`${englishDate(first)} to ${englishDate(last)}`];
    }
    case "monthly-horoscope": {
      const written = { month: "long", year: "numeric", timeZone: "UTC" } as const;
      return [new Date(`${period}-15T00:00:00Z`).toLocaleDateString("en", written)];
    }
    case "yearly-horoscope":
      return [period, Number(period)];
    default:
      return [period];
  }
}

function englishDate(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  return `${day} ${names[Number(month) - 1] ?? ""} ${year}`;
}

function echo(language: Language, sign: Sign): fc.Arbitrary<string> {
  const english = signNames.en[sign];
  return fc.constantFrom(
    english,
    sign,
    sign.toUpperCase(),
    signNames[language][sign],
    ` ${english} `,
    "♌ unknown word",
  );
}

function card(text: fc.Arbitrary<string>): fc.Arbitrary<Data> {
  return fc.record(
    { card: name, result: text, image: url, image2: url, image3: url, card_image: url },
    { requiredKeys: ["card", "result"] },
  );
}

function spread(text: fc.Arbitrary<string>): fc.Arbitrary<Data> {
  const place = fc.record({
    card: name,
    image: url,
    summary: text,
    keywords: fc.array(name, { maxLength: 5 }),
    advice: text,
  });
  return fc.oneof(
    fc.record({ past: place, present: place, future: place }).chain(oneOfThreeForms),
    fc.array(place, { minLength: 3, maxLength: 3 }).chain(asList),
  );
}

function oneOfThreeForms(one: Data): fc.Arbitrary<Data> {
  return fc.constantFrom<Data>({ prediction: one }, { prediction: [one] }, { cards: [one] });
}

function asList(list: Data[]): fc.Arbitrary<Data> {
  return fc.constantFrom<Data>({ cards: list }, { prediction: list });
}
