// Looks whether the words that an owner gives are words that pages have, and hold what is filled in there.
import { z } from "zod";
import { isLanguage, languageNames } from "../../readings/languages.ts";
import { labelsIn } from "../../site/labels.ts";
import { isGroup, type OwnWords } from "../../site/theme/own-words.ts";
import { nearestName } from "../settings/nearest-name.ts";

/** A label has at most so many letters, which a page has room for. */
const mostLetters = 600;
const word = z.string().trim().min(1).max(mostLetters);
const filledIn = /\{\w+\}/g;

export interface WordProblem {
  readonly path: readonly string[];
  readonly problem: string;
}

/** The problems of `words` in theme.ts, each with the names that lead to it. */
export function wordProblems(given: Readonly<Record<string, unknown>>): WordProblem[] {
  return Object.entries(given).flatMap(([language, own]) => {
    const path = ["words", language];
    if (!isLanguage(language))
      return [{ path, problem: `${language} is no language${guessed(language, languageNames)}` }];
    const model = { ...labelsIn(language), name: "Stars" };
    return isGroup(own)
      ? problemsIn(own, model, path)
      : [{ path, problem: 'give the words as { tagline: ".." }' }];
  });
}

/** Once nothing is wrong with it. */
export const ownWords = z.custom<Readonly<Partial<Record<string, OwnWords>>>>(isGroup);

function problemsIn(own: object, model: object, path: readonly string[]): WordProblem[] {
  return Object.entries(own).flatMap(([name, value]) => {
    const at = [...path, name];
    const ours: unknown = Reflect.get(model, name);
    if (ours === undefined)
      return [{ path: at, problem: `${name} is no word of the pages${guessed(name, Object.keys(model))}` }];
    if (isGroup(ours)) {
      if (isGroup(value)) return problemsIn(value, ours, at);
      return [{ path: at, problem: `give its words as { ${Object.keys(ours).join(", ")} }` }];
    }
    const problem = typeof ours === "string" ? textProblem(value, ours) : listProblem(value);
    return problem === undefined ? [] : [{ path: at, problem }];
  });
}

function listProblem(value: unknown): string | undefined {
  return z.array(word).min(1).safeParse(value).success ? undefined : "give a list of paragraphs";
}

function textProblem(value: unknown, ours: string): string | undefined {
  const { data } = word.safeParse(value);
  if (data === undefined) return `give a text of at most ${mostLetters} letters`;
  const lacking = (ours.match(filledIn) ?? []).filter((slot) => !data.includes(slot));
  return lacking.length === 0 ? undefined : `it lacks ${lacking.join(", ")}, which pages fill in`;
}

function guessed(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  return meant === undefined ? "" : `; did you mean "${meant}"?`;
}
