// A validation rule: a named check that inspects a candidate and reports its faults, in words for people.
import type { Candidate } from "../candidate.ts";

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
export interface Finding {
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
