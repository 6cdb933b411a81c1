// A gate that looks at each text of a candidate for something that prose does not have.
import type { Candidate, SeenText } from "../candidate.ts";
import { quotedLine } from "../failures.ts";
import { type AnswerGate, refuse, type RuleName } from "./gate.ts";

/** Names the field and what was found there. */
export function gateFor(
  rule: RuleName,
  what: string,
  foundIn: (text: SeenText) => string | undefined,
): AnswerGate {
  return ({ texts }: Candidate) =>
    texts.flatMap((text) => {
      const found = foundIn(text);
      return found === undefined
        ? []
        : [refuse(rule, `${text.field} ${what}: ${quotedLine(found.slice(0, 60))}`)];
    });
}

/** The first match of any of the patterns, paragraph by paragraph. */
export function find(paragraphs: readonly string[], ...patterns: readonly RegExp[]): string | undefined {
  for (const paragraph of paragraphs) {
    for (const pattern of patterns) {
      const found = pattern.exec(paragraph);
      if (found !== null) return found[0];
    }
  }
  return undefined;
}
