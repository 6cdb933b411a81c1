// Judges whether an answer, as activities/call.ts brings it, is fit to be stored: its envelope, its shape, then every validation rule in
// turn. The rules that need the whole set are in rule.ts. readings/reading.ts has the answer's data next.
import { type ServiceAnswer, openEnvelope, type FailureFacts, Unfit } from "./answer.ts";
import { WrongShape } from "./collector.ts";
import { correctedCandidate, type TextEdit } from "./corrections.ts";
import {
  addressRule,
  formulaRule,
  invisibleRule,
  mixedScriptRule,
  charactersRule,
  emptyRule,
  errorTextRule,
  longRule,
  markupRule,
  shortRule,
  templateRule,
} from "./rules/text-rules.ts";
import { periodRule, signRule } from "./rules/echo-rules.ts";
import { type Rule, noteOf, type RuleName, type setRules } from "./rules/rule.ts";
import { languageRule } from "./rules/language-rule.ts";
import { readCandidate } from "./reading.ts";
import type { Reading } from "./reading.schema.ts";
import { type ReadingRequest, requestKey } from "./request.ts";

type AnswerRuleName = Exclude<RuleName, (typeof setRules)[number]>;

/** Cheap and telling ones first: the first refusal is the reason that is reported. `long` comes before all that search a text. */
export const answerRules: Readonly<Record<AnswerRuleName, Rule>> = {
  sign: signRule,
  period: periodRule,
  empty: emptyRule,
  long: longRule,
  characters: charactersRule,
  markup: markupRule,
  address: addressRule,
  formula: formulaRule,
  "mixed-script": mixedScriptRule,
  invisible: invisibleRule,
  template: templateRule,
  "error-text": errorTextRule,
  short: shortRule,
  language: languageRule,
};

/** A rule set to `warn` lets the reading through with a note. */
export type RuleLevels = Partial<Record<RuleName, "refuse" | "warn">>;

export interface FitAnswer {
  readonly reading: Reading;
  readonly notes: readonly string[];
}

/** Judges an answer from status to prose, with its corrections; throws one of the four named failures. */
export function judgeAnswer(
  request: ReadingRequest,
  answer: ServiceAnswer,
  levels: RuleLevels = {},
  edits: readonly TextEdit[] = [],
): FitAnswer {
  const key = requestKey(request);
  const data = openEnvelope(key, answer);
  const facts = (seen: string) => ({
    key,
    address: answer.address,
    status: answer.status,
    seen,
  });
  if (answer.spellsOutCredential === true) throw new Unfit("secret", facts("the text contains a credential"));
  const candidate = correctedCandidate(candidateOf(request, data, facts), edits);
  const notes = [...candidate.notes];
  for (const validate of Object.values(answerRules)) {
    for (const finding of validate(candidate)) {
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
