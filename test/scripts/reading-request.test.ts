import { describe, expect, it } from "vitest";
import { WrongUsage } from "../../scripts/terminal/errors.ts";
import { type ReadingOptions, requestFrom, signsIn } from "../../scripts/reading/request.ts";
import { languageIn, oneOf } from "../../scripts/terminal/options.ts";
import { operationNames } from "../../readings/tables.ts";

const date = "2026-11-21";

const operationIn = oneOf("operation", operationNames);

interface Typed extends Omit<ReadingOptions, "sign"> {
  readonly language?: string;
  readonly sign?: string;
}

function read(operation: string, { language = "en", sign, ...options }: Typed = {}, cards = {}) {
  const parsed = { ...options, sign: sign === undefined ? undefined : signsIn(sign) };
  return requestFrom(operationIn(operation), languageIn(language), parsed, { date, cards });
}

function wrong(operation: string, options?: Typed): WrongUsage {
  try {
    read(operation, options);
  } catch (error) {
    if (error instanceof WrongUsage) return error;
    throw error;
  }
  throw new Error("expected wrong usage");
}

describe("a command line becomes a request", () => {
  it.each<[string, Typed, object]>([
    [
      "Daily-Horoscope",
      { sign: "LEO" },
      { operation: "daily-horoscope", language: "en", sign: "leo", period: date },
    ],
    [
      "daily-horoscope",
      { sign: "leo", period: "Tomorrow", language: "HI" },
      { language: "hi", period: "2026-11-22" },
    ],
    ["daily-horoscope", { sign: "leo", period: "2026-11-20" }, { period: "2026-11-20" }],
    ["weekly-horoscope", { sign: "leo" }, { period: "2026-11-15" }],
    ["weekly-horoscope", { sign: "leo", period: "next" }, { period: "2026-11-22" }],
    ["monthly-horoscope", { sign: "leo", period: "prev" }, { period: "2026-10" }],
    ["yearly-horoscope", { sign: "leo", period: "2027" }, { period: "2027" }],
    ["love-compatibility", { sign: "leo,Aries" }, { period: "2026-Q4", sign1: "leo", sign2: "aries" }],
    ["ex-flame-reading", { cards: 3, cardImage: 2 }, { period: date, cardsCount: 3, cardImage: 2 }],
    [
      "which-animal-are-you-reading",
      { fullName: "A B", born: "2000-02-29" },
      { period: "always", person: "someone" },
    ],
  ])("%s %j", (operation, options, request) => {
    expect(read(operation, options).request).toMatchObject(request);
  });

  it("with the configured cards where it says nothing else", () => {
    expect(read("ex-flame-reading", { cards: 1 }, { count: 5, image: 3 }).request).toMatchObject({
      cardsCount: 1,
      cardImage: 3,
    });
  });

  it("with the name and the birth date apart from it", () => {
    const { request, person } = read("which-animal-are-you-reading", { fullName: "A B", born: "2000-02-29" });
    expect(person).toEqual({ fullName: "A B", birthDate: "2000-02-29" });
    expect(JSON.stringify(request)).not.toMatch(/A B|2000/);
  });
});

describe("a command line that makes no sense is refused:", () => {
  it.each<[string, Typed, string | undefined, RegExp]>([
    [
      "daily-horoscop",
      { sign: "leo" },
      "daily-horoscope",
      /unknown operation "daily-horoscop"\. Did you mean/,
    ],
    ["tarot", {}, undefined, /^unknown operation "tarot"\. Choose daily-horoscope, .*daily-tarot/],
    ["divine-angel-reading", { language: "gr" }, "el", /unknown language "gr"\. Did you mean el\?/],
    ["divine-angel-reading", { language: "tm" }, "ta", /Did you mean ta\?/],
    ["daily-tarot", { language: "pt-BR" }, "pt", /Did you mean pt\?/],
    ["daily-tarot", { language: "hindy" }, "hi", /Did you mean hi\?/],
    ["daily-tarot", { language: "xx" }, undefined, /unknown language "xx"\. Choose en, /],
    [
      "wisdom-reading",
      { language: "uk" },
      undefined,
      /not available in uk \(Ukrainian\)\. wisdom-reading is available in en, hi, /,
    ],
    [
      "daily-tarot-legacy",
      { language: "hi" },
      undefined,
      /not available in hi \(Hindi\)\. daily-tarot-legacy is available in en$/,
    ],
    ["daily-horoscope", {}, undefined, /daily-horoscope needs --sign <sign>\. Choose aries, /],
    ["love-compatibility", {}, undefined, /love-compatibility needs --sign <sign>,<sign>\. Choose aries/],
    ["which-animal-are-you-reading", {}, undefined, /needs --full-name <name> and --born <date>$/],
    ["daily-horoscope", { sign: "lev" }, "leo", /unknown sign "lev"\. Did you mean leo\?/],
    ["daily-horoscope", { sign: "Löwe" }, "leo", /Did you mean leo\?/],
    ["daily-horoscope", { sign: "ophiuchus" }, undefined, /unknown sign "ophiuchus"\. Choose/],
    ["daily-horoscope", { sign: "leo,aries" }, undefined, /^daily-horoscope needs one sign$/],
    ["love-compatibility", { sign: "leo" }, undefined, /needs two signs, such as --sign leo,aries$/],
    ["daily-tarot", { sign: "leo" }, undefined, /daily-tarot does not take --sign\. It takes --language$/],
    ["daily-tarot", { cards: 2 }, undefined, /daily-tarot does not take --cards/],
    ["daily-tarot", { period: "today" }, undefined, /daily-tarot does not take --period/],
    ["weekly-horoscope", { sign: "leo", period: "tomorrow" }, undefined, /Choose prev, current, next, or/],
    ["weekly-horoscope", { sign: "leo", period: date }, undefined, /or a period such as 2026-11-15$/],
    ["monthly-horoscope", { sign: "leo", period: date }, undefined, /or a period such as 2026-11$/],
    [
      "daily-horoscope",
      { sign: "leo", period: "2026-02-30" },
      undefined,
      /Choose yesterday, today, tomorrow, or/,
    ],
  ])("%s %j", (operation, options, meant, message) => {
    const error = wrong(operation, options);
    expect(error.message).toMatch(message);
    expect(error.meant).toBe(meant);
  });

  it.each([
    { fullName: " ", born: "2000-02-29" },
    { fullName: "Examplina", born: "2001-02-29" },
    { fullName: "Examplina", born: "29.2.2000" },
  ])("a person %j, whose data it does not repeat", (options) => {
    const { message } = wrong("which-animal-are-you-reading", options);
    expect(message).toMatch(/^--(full-name is empty|born is not a date)/);
    expect(message).not.toMatch(/Examplina|2001|29\.2/);
  });
});
