// Sentences for the problems of a configuration or a theme: the setting, its value, the expected value, which its schema has, and, if it
// can be guessed, the intended one.
import { z } from "zod";
import { nearestLanguage, nearestName } from "./nearest-name.ts";

/** Thrown for a configuration that can't be used; the message names every setting that is wrong. */
export class WrongConfiguration extends Error {
  override readonly name = "WrongConfiguration";
  /** The problems, each with its setting and a colon before it. */
  readonly problems: readonly string[];

  constructor(what: string, problems: readonly string[], options?: ErrorOptions) {
    super([what, ...problems].join("\n  "), options);
    this.problems = problems.length > 0 ? problems : [what];
  }
}

/** The fields of the theme for words that someone may look for under `site`. */
const themeFields: ReadonlyMap<string, string> = new Map([
  ["colors", "`colors`"],
  ["stylesheet", "`stylesheets`"],
  ["footer", "`slots.footer` for pages and `newsletter.footer` for newsletters"],
]);

/** For each parse whose issues `explain` puts into words. */
export const explained: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: (issue) => {
    if (issue.code !== "unrecognized_keys") return undefined;
    const known = settingsOf(issue.inst);
    const inSite = issue.path?.join(".") === "site";
    return issue.keys
      .map((key) => {
        const field = inSite ? themeFields.get(key) : undefined;
        const remedy =
          field === undefined ? meant(nearest(key, known)) : `. Set ${field} in the theme's theme.ts`;
        return `"${key}" is not a setting${remedy}`;
      })
      .join("; ");
  },
};

/** `languages.0: "gr" is not one of .... Did you mean "el"?` */
export function explain(issue: z.core.$ZodIssue): string {
  return `${issue.path.join(".") || "(the whole configuration)"}: ${problemOf(issue)}`;
}

function problemOf(issue: z.core.$ZodIssue) {
  const { code, message, path, input } = issue;
  if (code === "unrecognized_keys") return message;
  const text = typeof input === "string" ? input : "";
  if (code === "invalid_value") {
    const known = issue.values.map(String);
    return `${JSON.stringify(input)} is not one of ${known.join(", ")}${meant(nearest(text, known))}`;
  }
  const expected = /^[a-z]/.test(message) ? `must be ${message}` : message;
  return `${expected}${shown(input, path)}${meant(guessed(text, path))}`;
}

/** The settings that an object or a record of the schema can have. */
function settingsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const names = schema instanceof z.ZodRecord ? schema.keyType : undefined;
  return names instanceof z.ZodEnum ? names.options.map(String) : [];
}

function guessed(text: string, path: readonly PropertyKey[]) {
  if (path[0] === "zones") return nearestName(text, Intl.supportedValuesOf("timeZone"));
  const isAddress = path.join(".") === "site.url" && /^[\w-]+(?:\.[\w-]+)+(?:[/:]|$)/.test(text);
  return isAddress ? `https://${text}` : undefined;
}

/** The known name that is nearest to a text; a language by any of its codes. */
function nearest(text: string, known: readonly string[]) {
  return (known.includes("el") ? nearestLanguage(text) : undefined) ?? nearestName(text, known);
}

/** The value as the message shows it; nothing of a person, whose name and birth date are in the configuration only. */
function shown(seen: unknown, path: readonly PropertyKey[]) {
  if (seen === undefined || typeof seen === "object" || (path[0] === "people" && path[2] !== "id")) {
    return "";
  }
  return `, not ${JSON.stringify(seen)}`;
}

function meant(guess: string | undefined) {
  return guess === undefined ? "" : `. Did you mean "${guess}"?`;
}
