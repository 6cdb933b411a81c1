// The operations and the languages as docs/operations.md shows them.
import {
  type Language,
  languageNames,
  languages,
  wireOf,
  languagesOf,
  operationNames,
  rowOf,
} from "../../readings/tables.ts";
import { englishName, flagsOf } from "../../scripts/reading/request.ts";
import { table } from "./markdown.ts";

export function operationsTable(): string {
  const rows = operationNames.map((operation) => {
    const { about, due } = rowOf(operation);
    const flags = flagsOf(operation).map(({ flag, required }) =>
      required ? `\`${flag}\`` : `[\`${flag}\`]`,
    );
    return [`\`${operation}\``, about, due, flags.join(" "), languagesInWords(languagesOf(operation))];
  });
  return table(["operation", "content", "frequency", "options", "languages"], rows);
}

/** `all but hu, gu`, or the languages if these are fewer. */
function languagesInWords(has: readonly Language[]) {
  if (has.length === languageNames.length) return "all";
  const lacks = languageNames.filter((language) => !has.includes(language));
  return has.length < lacks.length ? has.join(", ") : `all but ${lacks.join(", ")}`;
}

export function languagesTable(): string {
  const rows = languageNames.map((language) => {
    const { zone } = languages[language];
    return [`\`${language}\``, englishName(language), `\`${wireOf(language)}\``, zone];
  });
  return table(["code", "language", "service code", "time zone"], rows);
}
