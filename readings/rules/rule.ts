// A validation rule: a named check that inspects a candidate and reports its faults, in words for people. The rules for a whole set
// are here too, and not in quality.ts, so that a worker and most commands start without the language detector.
import type { Candidate } from "../collector.ts";
import { type HoroscopeReading, type Reading, sectionNames } from "../reading.schema.ts";

export const ruleNames = [
  "sign",
  "period",
  "empty",
  "short",
  "long",
  "characters",
  "markup",
  "address",
  "formula",
  "mixed-script",
  "invisible",
  "template",
  "error-text",
  "language",
  "another-sign",
  "previous-period",
] as const;
export type RuleName = (typeof ruleNames)[number];

/** A finding of level `note` is odd, but no reason to refuse the answer, whatever the configuration says. */
interface Finding {
  readonly rule: RuleName;
  readonly level: "refuse" | "note";
  readonly reason: string;
}

/** The form of a finding in the notes of a stored response. */
export function noteOf({ rule, reason }: { readonly rule: string; readonly reason: string }): string {
  return `${rule}: ${reason}`;
}

/** The rule that made such a note; undefined if no rule made it. */
export function ruleOfNote(text: string): RuleName | undefined {
  return ruleNames.find((rule) => text.startsWith(`${rule}: `));
}

export type Rule = (candidate: Candidate) => readonly Finding[];

export function refuse(rule: RuleName, reason: string): Finding {
  return { rule, level: "refuse", reason };
}

export function note(rule: RuleName, reason: string): Finding {
  return { rule, level: "note", reason };
}

// The rules that need the whole set: the text of another sign, and yesterday's text under today's date. A single answer looks
// good in both cases, so these rules run when all twelve are in. Every reading that they name loses its place.
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
