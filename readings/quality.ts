// Judges whether an answer, as activities/ask.ts brings it, is fit to be kept: its envelope, its shape, then every answer gate in
// turn. The gates that need the whole sheet are in sheet-gates.ts. readings/reading.ts has the answer's data next.
import type { ServiceAnswer } from "./answer.ts";
import { WrongShape } from "./collector.ts";
import { openEnvelope } from "./envelope.ts";
import { type FailureFacts, Unfit } from "./failures.ts";
import { addressGate, formulaGate, invisibleGate, mixedScriptGate } from "./gates/advertising.ts";
import { periodGate, signGate } from "./gates/echo-gates.ts";
import { type AnswerGate, noteOf, type RuleName } from "./gates/gate.ts";
import { languageGate } from "./gates/language-gate.ts";
import {
  charactersGate,
  emptyGate,
  errorTextGate,
  longGate,
  markupGate,
  shortGate,
  templateGate,
} from "./gates/text-gate.ts";
import { type HoroscopeReading, type Reading, sectionNames } from "./reading.schema.ts";
import { readCandidate } from "./reading.ts";
import { type ReadingRequest, requestKey } from "./request.ts";

type AnswerRule = Exclude<RuleName, (typeof sheetRules)[number]>;

/** Cheap and telling ones first: the first refusal is the reason that is reported. `long` comes before all that search a text. */
export const answerGates: Readonly<Record<AnswerRule, AnswerGate>> = {
  sign: signGate,
  period: periodGate,
  empty: emptyGate,
  long: longGate,
  characters: charactersGate,
  markup: markupGate,
  address: addressGate,
  formula: formulaGate,
  "mixed-script": mixedScriptGate,
  invisible: invisibleGate,
  template: templateGate,
  "error-text": errorTextGate,
  short: shortGate,
  language: languageGate,
};

/** A rule set to `warn` lets the reading through with a note. */
export type RuleLevels = Partial<Record<RuleName, "refuse" | "warn">>;

export interface FitAnswer {
  readonly reading: Reading;
  readonly notes: readonly string[];
}

/** Judges an answer from status to prose; throws one of the four named failures. */
export function judgeAnswer(
  request: ReadingRequest,
  answer: ServiceAnswer,
  levels: RuleLevels = {},
): FitAnswer {
  const key = requestKey(request);
  const data = openEnvelope(key, answer);
  const facts = (seen: string) => ({
    key,
    address: answer.address,
    status: answer.status,
    seen,
  });
  if (answer.spellsOutCredential === true)
    throw new Unfit("secret", facts("the text spells out a credential"));
  const candidate = candidateOf(request, data, facts);
  const notes = [...candidate.notes];
  for (const gate of Object.values(answerGates)) {
    for (const finding of gate(candidate)) {
      const { rule, level, reason } = finding;
      if (level === "refuse" && levels[rule] !== "warn") throw new Unfit(rule, facts(reason));
      notes.push(noteOf(finding));
    }
  }
  return { reading: candidate.reading, notes };
}

function candidateOf(request: ReadingRequest, data: unknown, facts: (seen: string) => FailureFacts) {
  try {
    return readCandidate(request, data);
  } catch (error) {
    if (error instanceof WrongShape) throw new Unfit("shape", facts(error.message), { cause: error });
    throw error;
  }
}

// The gates that need the whole sheet: the text of another sign, and yesterday's text under today's date. One answer
// alone looks good in both cases, so these look when the twelve are in; every reading they name loses its place.
export const sheetRules = ["another-sign", "previous-period"] as const satisfies readonly RuleName[];

export interface SheetFinding {
  readonly rule: (typeof sheetRules)[number];
  readonly reason: string;
  /** Both of the readings that are alike. */
  readonly readings: readonly HoroscopeReading[];
}

/** Two texts are the same when most of their sections are: a service may reuse a sentence, or even a section, for two signs. */
const mostSections = Math.floor(sectionNames.length / 2) + 1;

/** Judges the horoscopes of one sheet among themselves and against those of the period before. */
export function sheetFindings(sheet: readonly Reading[], previous: readonly Reading[]): SheetFinding[] {
  const signs = sheet.filter((reading) => reading.family === "horoscope");
  const before = previous.filter((reading) => reading.family === "horoscope");
  const sections = new Map([...signs, ...before].map((reading) => [reading, sectionsOf(reading)]));
  const areSame = (one: HoroscopeReading, other: HoroscopeReading): boolean =>
    areAlike(sections.get(one) ?? [], sections.get(other) ?? []);
  const findings: SheetFinding[] = [];
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

export function sectionsOf({ sections }: HoroscopeReading): string[] {
  return sectionNames.map((name) => sections[name].join("\n"));
}

/** Compares the sections of two readings, or the hashes of their sections. */
export function areAlike(one: readonly string[], other: readonly string[]): boolean {
  return one.filter((section, index) => section === other[index]).length >= mostSections;
}
