import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fieldsFor,
  OutOfReach,
  type ReadingRequest,
  selectEndpoint,
  WrongRequest,
} from "../../readings/request.ts";
import { languageNames, wireOf, languagesOf, operationNames, rowOf, signs } from "../../readings/tables.ts";

const instant = new Date("2026-11-21T12:00:00Z");
const kolkata = { instant, zone: "Asia/Kolkata" };
const person = { fullName: "Given Family", birthDate: "1990-07-05" };

const horoscope = { language: "en", sign: "aries" } as const;
const card = { language: "en", period: "2026-11-21" } as const;
const animal = {
  operation: "which-animal-are-you-reading",
  language: "en",
  period: "always",
  person: "reader-1",
} as const;

function asked(request: ReadingRequest, at = kolkata): string {
  return fieldsFor(request, { ...at, person })
    .map(([field, value]) => `${field}=${value}`)
    .join(" ");
}

describe("the fields of each kind of request", () => {
  it.each([
    ["daily-horoscope", "2026-11-21", "sign=aries h_day=today tzone=5.5"],
    ["weekly-horoscope", "2026-11-15", "sign=aries week=current tzone=5.5"],
    ["monthly-horoscope", "2026-12", "sign=aries month=next tzone=5.5"],
    ["yearly-horoscope", "2025", "sign=aries year=prev tzone=5.5"],
  ] as const)(
    "sends the sign, the word for the period and the offset for %s",
    (operation, period, fields) => {
      expect(asked({ ...horoscope, operation, period })).toBe(fields);
    },
  );

  it("sends both signs of a pair in the order asked for", () => {
    const operation = "love-compatibility";
    const pair = { operation, language: "fil", period: "2026-Q4", sign1: "leo", sign2: "aries" } as const;
    expect(asked(pair)).toBe("sign_1=leo sign_2=aries lan=ta");
  });

  it("sends number and style of cards only if they are set", () => {
    expect(asked({ ...card, operation: "power-life-reading" })).toBe("");
    const three = { ...card, operation: "power-life-reading", cardsCount: 3, cardImage: 2 } as const;
    expect(asked(three)).toBe("cards_count=3 card_image=2");
    expect(asked({ ...card, operation: "wisdom-reading", cardImage: 3 })).toBe("card_image=3");
  });

  it("sends a person's name and birth date as whole numbers", () => {
    expect(asked(animal)).toBe("full_name=Given Family day=5 month=7 year=1990");
  });

  it("sends nothing beyond the key to the legacy endpoint", () => {
    expect(asked({ ...card, operation: "daily-tarot-legacy" })).toBe("");
  });
});

describe("the language", () => {
  it("is sent in the service's own code for every language but English", () => {
    for (const language of languageNames.filter((name) => name !== "en")) {
      const fields = asked({ ...card, language, operation: "in-depth-love-reading" });
      expect(fields).toBe(`lan=${wireOf(language)}`);
    }
    expect(asked({ ...card, operation: "in-depth-love-reading" })).toBe("");
  });

  it("is always sent for divine-angel-reading", () => {
    expect(asked({ ...card, operation: "divine-angel-reading" })).toBe("lan=en");
    expect(asked({ ...card, operation: "divine-angel-reading", language: "ta" })).toBe("lan=tm");
  });

  it("outside the operation's set is refused with the languages that it has", () => {
    const gujarati = {
      ...horoscope,
      language: "gu",
      operation: "daily-horoscope",
      period: "2026-11-21",
    } as const;
    expect(() => asked(gujarati)).toThrow(/daily-horoscope is not available in gu. Choose en, hi/);
    expect(() => asked({ ...card, operation: "daily-tarot-legacy", language: "hi" })).toThrow(WrongRequest);
  });
});

describe("the moment of the call", () => {
  const tomorrow = { ...horoscope, operation: "daily-horoscope", period: "2026-11-22" } as const;

  it("decides between tomorrow and today, on either side of the zone's midnight", () => {
    const before = { instant: new Date("2026-11-21T18:29:59Z"), zone: "Asia/Kolkata" };
    const after = { instant: new Date("2026-11-21T18:30:00Z"), zone: "Asia/Kolkata" };
    expect(asked(tomorrow, before)).toContain("h_day=tomorrow");
    expect(asked(tomorrow, after)).toContain("h_day=today");
  });

  it.each([
    ["Asia/Kathmandu", "2026-11-21T12:00:00Z", "5.75"],
    ["America/St_Johns", "2026-11-21T12:00:00Z", "-3.5"],
    ["America/St_Johns", "2026-07-01T12:00:00Z", "-2.5"],
    ["America/New_York", "2026-11-21T12:00:00Z", "-5"],
    ["UTC", "2026-11-21T12:00:00Z", "0"],
  ])("gives the offset of %s at %s as the plain decimal %s", (zone, time, offset) => {
    const at = { instant: new Date(time), zone };
    const year = { ...horoscope, operation: "yearly-horoscope", period: "2026" } as const;
    expect(asked(year, at).split(" ").at(-1)).toBe(`tzone=${offset}`);
  });

  it("refuses a period out of reach and says when it can be asked for", () => {
    const late = { ...tomorrow, period: "2026-11-19" } as const;
    expect(() => asked(late)).toThrow(OutOfReach);
    expect(() => asked(late)).toThrow(WrongRequest);
    expect(() => asked(late)).toThrow(
      "daily-horoscope for 2026-11-19 is no longer in reach: in Asia/Kolkata it can be requested from " +
        "2026-11-17T18:30:00.000Z to 2026-11-20T18:30:00.000Z, and it is now 2026-11-21T12:00:00.000Z",
    );
    expect(() => asked({ ...tomorrow, period: "2026-11-24" })).toThrow(/not yet in reach/);
  });

  it("refuses an invalid period", () => {
    expect(() => asked({ ...tomorrow, period: "2026-11-31" })).toThrow(/"2026-11-31" is not a daily period/);
    expect(() => asked({ ...tomorrow, period: "2026-11" })).toThrow(WrongRequest);
  });
});

describe("requests that the interface does not allow", () => {
  it.each([0, 6, 1.5, Number.NaN])("is refused before any call: cards_count %d", (cardsCount) => {
    const request = { ...card, operation: "egyptian-prediction", cardsCount } as const;
    expect(() => asked(request)).toThrow(/cards_count must be a whole number from 1 to 5/);
  });

  it("are refused before any call if a field does not belong to the operation", () => {
    expect(() => asked({ ...card, operation: "wisdom-reading", cardsCount: 3 })).toThrow(
      "wisdom-reading does not take cards_count",
    );
    expect(() => asked({ ...card, operation: "daily-tarot-legacy", cardImage: 1 })).toThrow(WrongRequest);
  });

  it("are refused without mentioning the person", () => {
    const wrong = [undefined, { ...person, fullName: " " }, { ...person, birthDate: "1990-02-30" }];
    for (const one of wrong) {
      const refused = () => fieldsFor(animal, { ...kolkata, person: one });
      expect(refused).toThrow(WrongRequest);
      expect(refused).toThrow(/the person "reader-1"/);
      expect(refused).not.toThrow(/Given|1990-02-30/);
    }
  });
});

const anyRequest = fc
  .record({
    operation: fc.constantFrom(...operationNames),
    language: fc.constantFrom(...languageNames),
    sign: fc.constantFrom(...signs),
    other: fc.constantFrom(...signs),
    cardsCount: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    cardImage: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .filter(({ operation, language }) => languagesOf(operation).includes(language))
  .map(({ operation, language, sign, other, cardsCount, cardImage }): ReadingRequest => {
    const takes = rowOf(operation).optional;
    switch (operation) {
      case "daily-horoscope":
        return { operation, language, sign, period: "2026-11-22" };
      case "weekly-horoscope":
        return { operation, language, sign, period: "2026-11-15" };
      case "monthly-horoscope":
        return { operation, language, sign, period: "2026-11" };
      case "yearly-horoscope":
        return { operation, language, sign, period: "2026" };
      case "love-compatibility":
        return { operation, language, sign1: sign, sign2: other, period: "2026-Q4" };
      case "which-animal-are-you-reading":
        return { operation, language, person: "reader-1", period: "always" };
      default:
        return {
          operation,
          language,
          period: "2026-11-21",
          cardsCount: takes.includes("cards_count") ? cardsCount : undefined,
          cardImage: takes.includes("card_image") ? cardImage : undefined,
        };
    }
  });

describe("for every operation and language", () => {
  it("sends each required field once and none beyond the row", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const sent = fieldsFor(request, { ...kolkata, person }).map(([field]) => field);
        const { required, optional } = rowOf(request.operation);
        expect(new Set(sent).size).toBe(sent.length);
        expect(sent).toEqual(expect.arrayContaining([...required]));
        expect([...required, ...optional]).toEqual(expect.arrayContaining(sent));
      }),
    );
  });

  it("takes English to its own endpoint, all else to the translator, the legacy card to its own", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const legacy = request.operation === "daily-tarot-legacy";
        const expected = legacy ? "legacy" : request.language === "en" ? "english" : "translator";
        expect(selectEndpoint(request)).toBe(expected);
      }),
    );
  });
});
