import { describe, expect, it } from "vitest";
import { type HoroscopeReading, sectionNames } from "../../readings/reading.schema.ts";
import { findingsInSet } from "../../readings/rules/rule.ts";
import { type Sign, signs } from "../../readings/tables.ts";
import { horoscopeData, horoscopeRequest, judge } from "../support/answers.ts";
import { sandboxProse } from "../support/prose.ts";

const prose = sandboxProse("en");

/** A sign's reading whose sections begin at this paragraph of the prose. */
function readingOf(sign: Sign, period: string, from: number): HoroscopeReading {
  const texts = sectionNames.map((_, index) => prose[(from + index) % prose.length] ?? "");
  const request = { ...horoscopeRequest("en"), sign, period };
  const { reading } = judge(request, horoscopeData(texts, { sign, date: period }));
  if (reading.family !== "horoscope") throw new Error("no horoscope");
  return reading;
}

/** Twelve signs with different texts. */
function setOf(period: string, from: number): HoroscopeReading[] {
  return signs.map((sign, index) => readingOf(sign, period, from + index));
}

function withSections(
  reading: HoroscopeReading,
  from: HoroscopeReading,
  names: readonly (keyof HoroscopeReading["sections"])[],
): HoroscopeReading {
  const sections = { ...reading.sections };
  for (const name of names) sections[name] = from.sections[name];
  return { ...reading, sections };
}

const today = setOf("2026-11-21", 0);
const yesterday = setOf("2026-11-20", 13);
const at = (index: number, set = today) => set[index] ?? readingOf("aries", "2026-11-21", 0);

describe("a good set", () => {
  it("passes, with or without a previous set", () => {
    expect(findingsInSet(today, yesterday)).toEqual([]);
    expect(findingsInSet(today, [])).toEqual([]);
    expect(findingsInSet([], yesterday)).toEqual([]);
  });

  it("may use a section or two of another sign or of the day before", () => {
    const two = ["health", "travel"] as const;
    const shared = [...today.slice(0, 11), withSections(at(11), at(0), two)];
    expect(findingsInSet(shared, yesterday)).toEqual([]);
    const kept = [withSections(at(0), at(0, yesterday), two), ...today.slice(1)];
    expect(findingsInSet(kept, yesterday)).toEqual([]);
  });

  it("is not compared with another sign's day before", () => {
    const wandering = today.map((reading, index) =>
      withSections(reading, at((index + 1) % 12, yesterday), sectionNames),
    );
    expect(findingsInSet(wandering, yesterday)).toEqual([]);
  });
});

describe('rule "another-sign"', () => {
  it("names both of two signs with the same text", () => {
    const doubled = [...today.slice(0, 11), withSections(at(11), at(4), sectionNames)];
    expect(findingsInSet(doubled, yesterday)).toEqual([
      {
        rule: "another-sign",
        reason: "leo and pisces have the same text for 2026-11-21",
        readings: [doubled[4], doubled[11]],
      },
    ]);
  });

  it("requires most sections to be equal, not all", () => {
    const three = withSections(at(11), at(4), ["personal", "health", "travel"]);
    const [finding, ...others] = findingsInSet([...today.slice(0, 11), three], []);
    expect(others).toEqual([]);
    expect(finding?.rule).toBe("another-sign");
  });

  it("names every pair if twelve signs have one text", () => {
    const same = today.map((reading) => withSections(reading, at(0), sectionNames));
    const findings = findingsInSet(same, []);
    expect(findings).toHaveLength(66);
    expect(new Set(findings.flatMap(({ readings }) => readings.map(({ sign }) => sign)))).toEqual(
      new Set(signs),
    );
  });
});

describe('rule "previous-period"', () => {
  it("names today's and yesterday's reading of a sign with the same text", () => {
    const stale = today.map((reading, index) =>
      index === 4 ? withSections(reading, at(4, yesterday), sectionNames) : reading,
    );
    expect(findingsInSet(stale, yesterday)).toEqual([
      {
        rule: "previous-period",
        reason: "leo has the same text for 2026-11-21 as for 2026-11-20",
        readings: [stale[4], yesterday[4]],
      },
    ]);
  });

  it("finds a whole set that did not change", () => {
    const stale = yesterday.map((reading) => ({ ...reading, period: "2026-11-21" }));
    expect(findingsInSet(stale, yesterday).map(({ rule }) => rule)).toEqual(
      signs.map(() => "previous-period"),
    );
  });
});
