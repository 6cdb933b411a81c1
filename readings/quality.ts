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
import { readCandidate } from "./reading.ts";
import type { Reading } from "./reading.schema.ts";
import { type ReadingRequest, requestKey } from "./request.ts";
import type { sheetRules } from "./sheet-gates.ts";

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
