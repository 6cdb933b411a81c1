// The rules that need the whole set: the text of another sign, and yesterday's text under today's date. A single answer looks
// good in both cases, so these rules run when all twelve are in. Every reading that they name loses its place. They are apart from
// quality.ts, so that a worker and most commands start without the language detector.
import type { RuleName } from "./rules/rule.ts";
import { type HoroscopeReading, type Reading, sectionNames } from "./reading.schema.ts";

export const setRules = ["another-sign", "previous-period"] as const satisfies readonly RuleName[];

export interface SetFinding {
  readonly rule: (typeof setRules)[number];
  readonly reason: string;
  /** Both of the readings that are alike. */
  readonly readings: readonly HoroscopeReading[];
}

/** Two texts are the same when most of their sections are: a service may reuse a sentence, or even a section, for two signs. */
const mostSections = Math.floor(sectionNames.length / 2) + 1;

/** Judges the horoscopes of one set among themselves and against those of the period before. */
export function findingsInSet(set: readonly Reading[], previous: readonly Reading[]): SetFinding[] {
  const signs = set.filter((reading) => reading.family === "horoscope");
  const before = previous.filter((reading) => reading.family === "horoscope");
  const sections = new Map([...signs, ...before].map((reading) => [reading, sectionsOf(reading)]));
  const areSame = (one: HoroscopeReading, other: HoroscopeReading): boolean =>
    areAlike(sections.get(one) ?? [], sections.get(other) ?? []);
  const findings: SetFinding[] = [];
  for (const [index, reading] of signs.entries()) {
    for (const other of signs.slice(index + 1)) {
      if (!areSame(reading, other)) continue;
      const reason = `${reading.sign} and ${other.sign} have the same text for ${reading.period}`;
      findings.push({ rule: "another-sign", reason, readings: [reading, other] });
    }
    const earlier = before.find(({ sign }) => sign === reading.sign);
    if (earlier === undefined || !areSame(reading, earlier)) continue;
    const reason = `${reading.sign} has the same text for ${reading.period} as for ${earlier.period}`;
    findings.push({ rule: "previous-period", reason, readings: [reading, earlier] });
  }
  return findings;
}

function sectionsOf({ sections }: HoroscopeReading): string[] {
  return sectionNames.map((name) => sections[name].join("\n"));
}

/** Compares the sections of two readings. */
function areAlike(one: readonly string[], other: readonly string[]): boolean {
  return one.filter((section, index) => section === other[index]).length >= mostSections;
}
